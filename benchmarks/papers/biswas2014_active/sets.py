"""The sets of the experiment, or what stands in for them here."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.record import data_folder
from likewise.distances import pairwise


class Set(NamedTuple):
    """Distances between all items and their classes; the vectors where there are some."""

    name: str
    D: np.ndarray
    truth: np.ndarray
    X: np.ndarray | None


def load(name: str) -> Set | None:
    """``iris``, ``scene-300``, ``leaf-N`` or ``faces-N`` (the first N items); None when it is not there."""
    kind, _, n = name.partition("-")
    if kind == "iris":
        return _iris()
    loaders = {"leaf": _leaves, "faces": _faces, "scene": _scenes}
    found = loaders[kind]()
    if found is None:
        return None
    D, truth, X = found
    keep = np.arange(min(int(n), len(D))) if kind != "scene" else np.arange(len(D))
    return Set(name, D[np.ix_(keep, keep)], truth[keep], X[keep] if X is not None else None)


def _iris() -> Set:
    from sklearn.datasets import load_iris

    X, truth = load_iris(return_X_y=True)
    return Set("iris", pairwise(X), truth, X)


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
    """The default embedding scaled to length 1, for the outputs of a trained face classifier."""
    from likewise.images import embed

    found = _pictures("orl-faces")
    if found is None:
        return None
    X = embed(found[0]).astype(np.float64)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return pairwise(X), found[1], X


def _scenes():
    """GIST with the Euclidean distance, as in the thesis."""
    from likewise.images import describe

    found = _pictures("scene-300")
    if found is None:
        return None
    X = describe(found[0], descriptors=["gist"])
    return pairwise(X), found[1], X
