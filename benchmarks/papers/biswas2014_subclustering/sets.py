"""The sets of the experiment, or what stands in for them here."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchmarks.record import data_folder


class Set(NamedTuple):
    """Items, their classes, the distance, and the size of a subcluster."""

    name: str
    X: np.ndarray
    truth: np.ndarray
    metric: str
    size: int


def generated(n: int = 51_418, n_classes: int = 200, d: int = 128, spread: float = 1.5, seed: int = 0) -> Set:
    """Normal classes of 56 to 1,434 items around normal centres, each entry of an item `spread` off its centre."""
    rng = np.random.default_rng(seed)
    least, most = 56, 1434
    power = (most - least) / (n / n_classes - least) - 1.0
    sizes = np.round(least + (most - least) * np.linspace(0.0, 1.0, n_classes) ** power).astype(int)
    missing = n - int(sizes.sum())
    middle = np.arange(n_classes // 2, n_classes - 1)
    sizes[middle] += missing // len(middle)
    sizes[middle[: missing % len(middle)]] += 1
    truth = np.repeat(np.arange(n_classes), sizes)
    X = rng.normal(size=(n_classes, d))[truth] + spread * rng.normal(size=(n, d))
    order = rng.permutation(n)
    return Set(f"generated-{n}", X[order].astype(np.float32), truth[order], "euclidean", 10)


def leaves() -> Set | None:
    """99 species of 16 leaves: histograms of margin, shape and texture, with the χ² distance."""
    import pandas as pd

    path = data_folder("tables", "leaf-99-features.csv")
    if path is None:
        return None
    table = pd.read_csv(path)
    truth = np.unique(table.label.to_numpy(), return_inverse=True)[1]
    return Set("leaf-99", table.filter(regex="^x").to_numpy(), truth, "chi2", 5)


def digits() -> Set:
    """scikit-learn's digits."""
    from sklearn.datasets import load_digits

    X, truth = load_digits(return_X_y=True)
    return Set("digits", X, truth, "euclidean", 10)


def flowers() -> Set | None:
    """17 species of 80 flowers, by the default network, 64 principal components."""
    from sklearn.decomposition import PCA

    from likewise.images import embed

    folder = data_folder("images", "flowers-17")
    if folder is None:
        return None
    files = sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".jpg", ".jpeg", ".png"))
    truth = np.unique([p.parent.name for p in files], return_inverse=True)[1]
    X = PCA(64, random_state=0).fit_transform(embed(files).astype(np.float64))
    return Set("flowers-17", X, truth, "euclidean", 10)
