"""Distances that scikit-learn knows by name and that have no kernel here."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

ALIASES = {
    "l1": "cityblock",
    "l2": "euclidean",
    "manhattan": "cityblock",
    "minkowski": "euclidean",
    "nan_euclidean": "euclidean",  # rows with gaps are refused
    "sokalmichener": "rogerstanimoto",
}
"""Names that scikit-learn has for the same distance, without further arguments."""

OF_SETS = ("dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule")
"""Distances of rows of yes and no: what is not 0 is yes."""

NAMED = (
    *OF_SETS,
    *("braycurtis", "canberra", "chebyshev", "cityblock", "correlation", "hamming", "haversine", "sqeuclidean"),
)
"""Distances computed by scipy, or by scikit-learn."""

OF_ALL_ROWS = ("mahalanobis", "seuclidean")
"""Distances that depend on all vectors: of some of them they would be others."""


def plain_name(metric: Any) -> Any:
    """The metric by its one name here; one that depends on all vectors is refused."""
    if isinstance(metric, str) and metric in OF_ALL_ROWS:
        raise ValueError(
            f"metric {metric!r} depends on all vectors: scale them first, by PCA(whiten=True) for mahalanobis or by "
            "StandardScaler for seuclidean, and take 'euclidean', which is the same but for a factor"
        )
    return ALIASES.get(metric, metric) if isinstance(metric, str) else metric


def is_named(metric: Any) -> bool:
    """Whether :func:`named_distances` computes the metric."""
    return isinstance(metric, str) and metric in NAMED


def named_distances(A: NDArray[Any], B: NDArray[Any] | None, name: str) -> NDArray[np.float64]:
    """Distances (n, m) between the rows of A (n, d) and B (m, d), or of A alone with zeros on the diagonal. O(nmd).

    - `name`: One of :data:`NAMED`.
    """
    if name in OF_SETS:
        A, B = A != 0, None if B is None else B != 0
    with np.errstate(divide="ignore", invalid="ignore"):
        found = _compute(A, B, name)
    if not np.isfinite(found).all():
        i, j = np.argwhere(~np.isfinite(found))[0]
        raise ValueError(f"metric {name!r} has no value for rows {i} and {j}: one may be empty, or all one number")
    return np.maximum(found, 0.0, out=found)


def _compute(A: NDArray[Any], B: NDArray[Any] | None, name: Any) -> NDArray[np.float64]:
    if name == "haversine":
        from sklearn.metrics.pairwise import haversine_distances

        if A.shape[1] != 2:
            raise ValueError(f"haversine is for latitude and longitude, in radians: 2 columns, not {A.shape[1]}")
        found: NDArray[np.float64] = haversine_distances(A, B)
        return found
    from scipy.spatial.distance import cdist, pdist, squareform

    return np.asarray(squareform(pdist(A, name)) if B is None else cdist(A, B, name))
