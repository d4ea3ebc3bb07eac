"""The sets on which askers are tried: vectors and classes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.record import data_folder

PICTURES = ("flowers-17", "leaf-99", "orl-faces", "scene-300")
N_COMPONENTS = 64
# The constants of the default asker were chosen on the first; nothing was chosen on the others. Those by which its cut of the
# tree changes slowly (query/dendrogram/remembered_cut.py, estimate.GAINS) were chosen while looking at all six.
TUNED_ON = ("digits", "orl-faces", "flowers-17", "scene-300", "iris", "wine:z")
SETS = (*TUNED_ON, "leaf-99", "leaf-99-features", "sonar:z", "diabetes:z", "pendigits", "letter-recognition")


def load(name: str, kept: Path | None = None) -> tuple[np.ndarray, np.ndarray] | None:
    """Vectors (n, d) and classes (n,) of a set, or None when it is not there.

    ``digits`` is scikit-learn's, pixels from 0 to 1. Whole pictures (squashed to a square) are embedded by the default network, scaled to
    length 1 and reduced to 64 principal components. Anything else is a table, as it is; with ``:z`` behind the name every
    column is scaled to variance 1. Embeddings are kept in the folder `kept`, if one is given.
    """
    name, _, form = name.partition(":")
    if name == "digits":
        from sklearn.datasets import load_digits

        X, truth = load_digits(return_X_y=True)
        return X / 16, truth
    found = _pictures(name, kept) if name in PICTURES else _table(name)
    if found is None or form != "z":
        return found
    X, truth = found
    deviation = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0), truth


def _table(name: str) -> tuple[np.ndarray, np.ndarray] | None:
    import pandas as pd

    path = data_folder("tables", f"{name}.csv")
    if path is None:
        return None
    table = pd.read_csv(path)
    return table.filter(regex="^x").to_numpy(float), numbered(table["label"])


def _pictures(name: str, kept: Path | None) -> tuple[np.ndarray, np.ndarray] | None:
    from sklearn.decomposition import PCA

    found = load_vectors(name, kept)
    if found is None:
        return None
    vectors, truth = found
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return PCA(min(N_COMPONENTS, len(truth)), random_state=0).fit_transform(vectors), truth


def load_vectors(name: str, kept: Path | None = None) -> tuple[np.ndarray, np.ndarray] | None:
    """What the default network says of the pictures of a set, (n, d), and their classes; None when it is not there."""
    path = data_folder("images", name)
    if path is None:
        return None
    files = sorted(p for p in path.rglob("*") if p.is_file())
    vectors = embedded(files, kept / f"{name}.npy" if kept else None)
    return vectors, numbered([p.parent.name for p in files])


def embedded(files: list[Path], kept: Path | None) -> np.ndarray:
    if kept is not None and kept.exists():
        return np.load(kept)
    from likewise.images import embed
    from likewise.images.efficientnet import efficientnet_lite0
    from likewise.images.network import OnnxEmbedder

    vectors = embed(files, OnnxEmbedder(efficientnet_lite0(), fit="squash")).astype(np.float64)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.save(kept, vectors)
    return vectors


def numbered(names) -> np.ndarray:
    return np.unique(np.asarray(names, str), return_inverse=True)[1]
