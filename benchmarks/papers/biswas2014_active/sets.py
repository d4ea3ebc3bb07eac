"""The sets of the experiment, or what stands in for them here."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.record import data_folder
from likewise.distances import pairwise


class Set(NamedTuple):
    """Items, their classes, and the distances between all of them: Euclidean ones between the vectors, or others."""

    name: str
    D: np.ndarray
    truth: np.ndarray
    X: np.ndarray
    euclidean: bool


def load(name: str) -> Set | None:
    """``iris``, ``iris-chi2``, ``scene-300``, ``leaf-N`` or ``faces-N`` (the first N items); None when it is not there."""
    kind, _, n = name.partition("-")
    if kind == "iris":
        return _iris(n or "euclidean")
    loaders = {"leaf": _leaves, "faces": _faces, "scene": _scenes}
    found = loaders[kind]()
    if found is None:
        return None
    D, truth, X = found
    n_kept = min(int(n), len(D))
    return Set(name, D[:n_kept, :n_kept].copy(), truth[:n_kept], X[:n_kept], kind != "leaf")


def _iris(metric: str) -> Set:
    from sklearn.datasets import load_iris

    X, truth = load_iris(return_X_y=True)
    name = "iris" if metric == "euclidean" else f"iris-{metric}"
    return Set(name, pairwise(X, metric=metric), truth, X, metric == "euclidean")


def _leaves():
    """Curvature-like histograms (margin, shape, texture) with the χ² distance, for the Leafsnap leaves."""
    import pandas as pd

    path = data_folder("tables", "leaf-99-features.csv")
    if path is None:
        return None
    table = pd.read_csv(path)
    order = np.argsort(table.label.to_numpy(), kind="stable")
    X = table.filter(regex="^x").to_numpy()[order]
    truth = np.unique(table.label.to_numpy()[order], return_inverse=True)[1]
    return pairwise(X, metric="chi2"), truth, X


def _pictures(folder: str) -> tuple[list[Path], np.ndarray] | None:
    path = data_folder("images", folder)
    if path is None:
        return None
    files = sorted(p for p in path.rglob("*") if p.is_file())
    return files, np.unique([p.parent.name for p in files], return_inverse=True)[1]


def _faces():
    """The default network on whole pictures, roots, 64 principal components: for a face classifier's outputs."""
    from sklearn.decomposition import PCA

    from likewise.images import embed
    from likewise.images.efficientnet import efficientnet_lite0
    from likewise.images.network import OnnxEmbedder

    found = _pictures("orl-faces")
    if found is None:
        return None
    embedder = OnnxEmbedder(efficientnet_lite0(), fit="squash")
    X = embed(found[0], embedder, normalize="root").astype(np.float64)
    X = PCA(64, random_state=0).fit_transform(X)
    return pairwise(X), found[1], X


def _scenes():
    """GIST with the Euclidean distance, as in the thesis."""
    from likewise.images import describe

    found = _pictures("scene-300")
    if found is None:
        return None
    X = describe(found[0], descriptors=["gist"])
    return pairwise(X), found[1], X
