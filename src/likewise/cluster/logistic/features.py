"""What the logistic models see of an item: its scaled columns, or Nyström features of a kernel on them."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils import check_scalar

from likewise.cluster.logistic.model import Scale

Floats = NDArray[np.float64]
Kernel: TypeAlias = Literal["rbf"] | None

RANK = 1e-10  # eigenvalues below this share of the largest are rounding
SAMPLE = 1000  # items whose distances tell the width


@dataclass(frozen=True)
class ItemFeatures:
    """Scaled columns, or K(x, landmarks) V Λ^-½ of a Gaussian kernel on them, centred, in the length of the columns.

    Inner products of the features are the kernel between landmarks exactly, and its best approximation from them
    elsewhere. They are scaled by one number so that their mean squared length is that of the columns: the weight of a
    penalty means the same with and without a kernel.

    - `scale`: Scale of the columns.
    - `landmarks` (m, d), `gamma`, `root` (m, r), `mean` (r,): The kernel exp(-gamma d²) and what follows it; no
      landmarks without a kernel.
    """

    scale: Scale
    landmarks: Floats | None = None
    gamma: float = 1.0
    root: Floats | None = None
    mean: Floats | None = None

    @classmethod
    def of(
        cls,
        X: Floats,
        standardize: bool,
        kernel: Kernel,
        gamma: float | None,
        n_components: int,
        random: np.random.RandomState,
    ) -> ItemFeatures:
        """The features of X.

        - `standardize`: Whether columns are scaled to variance 1.
        - `kernel`: "rbf", or None for the columns alone.
        - `gamma`: Of the kernel; by default one over the median squared distance.
        - `n_components`: Number of landmarks, drawn among the items.
        """
        if kernel not in ("rbf", None):
            raise ValueError(f"kernel must be 'rbf' or None, got {kernel!r}")
        scale = Scale.of(X, standardize)
        if kernel is None:
            return cls(scale)
        check_scalar(n_components, "n_components", Integral, min_val=1)
        columns = scale.apply(X)
        width = _gamma_of(columns, random) if gamma is None else float(gamma)
        if not 0.0 < width < np.inf:
            raise ValueError(f"gamma must be positive, got {gamma}")
        chosen = np.sort(random.permutation(len(X))[:n_components])
        landmarks = columns[chosen]
        values, vectors = np.linalg.eigh(_rbf(landmarks, landmarks, width))
        kept = values > RANK * values[-1]
        root = vectors[:, kept] / np.sqrt(values[kept])
        found = _rbf(columns, landmarks, width) @ root
        mean = found.mean(axis=0)
        spread = float(((found - mean) ** 2).sum())
        factor = np.sqrt(float((columns**2).sum()) / spread) if spread > 0 and columns.any() else 1.0
        return cls(scale, landmarks, width, root * factor, mean * factor)

    def apply(self, X: Floats) -> Floats:
        """The features of these vectors, (n, d) or (n, r)."""
        columns = self.scale.apply(X)
        if self.landmarks is None or self.root is None or self.mean is None:
            return columns
        return np.asarray(_rbf(columns, self.landmarks, self.gamma) @ self.root - self.mean)


def _rbf(X: Floats, Y: Floats, gamma: float) -> Floats:
    return np.asarray(np.exp(-gamma * euclidean_distances(X, Y, squared=True)))


def _gamma_of(columns: Floats, random: np.random.RandomState) -> float:
    """One over the median squared distance of items that differ; 1 where none do."""
    some = columns[np.sort(random.permutation(len(columns))[:SAMPLE])]
    squared = euclidean_distances(some, squared=True)[np.triu_indices(len(some), 1)]
    apart = squared[squared > 0]
    return 1.0 / float(np.median(apart)) if len(apart) else 1.0
