"""Affinities from distances: 1 at distance 0, towards 0 for distant items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likewise.distances.matrix import pairwise, pairwise_chunks
from likewise.distances.memory import count_rows, require_square
from likewise.distances.metric import Metric
from likewise.distances.neighbours import Method, Neighbours, Sparse, graph_of, knn_graph, nearest
from likewise.kernels.metric.neighbours import select_neighbours

Floats: TypeAlias = NDArray[np.float64]
SPARSE = "give graph_neighbors, to keep the affinities with the nearest only"


def gaussian_affinity(
    X: ArrayLike,
    *,
    sigma: float | None = None,
    metric: Metric = "euclidean",
    graph_neighbors: int | None = None,
    method: Method = "auto",
) -> Floats | Sparse:
    """Affinities exp(-d² / (2 σ²)), with one scale for all.

    Parameters
    ----------
    X : array-like of shape (n, d), or (n, n) with ``metric="precomputed"``
        Vectors, or distances.
    sigma : float, optional
        The scale; by default the median of the positive distances (of those in the graph, when
        sparse), or 1 when there are none.
    metric : str or callable
        As in :func:`pairwise`.
    graph_neighbors : int, optional
        Number of nearest items, in either direction, of a sparse result.
    method : str
        Search method, as in :func:`nearest`.

    Returns
    -------
    ndarray of shape (n, n), or csr_array
        Symmetric, 1 on the diagonal.

    Examples
    --------
    >>> gaussian_affinity([[0.0], [1.0]], sigma=1.0).round(4)
    array([[1.    , 0.6065],
           [0.6065, 1.    ]])
    """
    if sigma is not None and not 0 < sigma < np.inf:
        raise ValueError(f"sigma must be positive, got {sigma!r}")
    if graph_neighbors is None:
        require_square(count_rows(X), 4, "affinities", SPARSE)
        D = pairwise(X, metric=metric)
        return _decay(D / (np.sqrt(2) * (sigma or _median(D))))
    graph = knn_graph(X, n_neighbors=graph_neighbors, metric=metric, symmetric="union", method=method)
    graph.data = _decay(graph.data / (np.sqrt(2) * (sigma or _median(graph.data))))
    return _with_diagonal(graph)


def local_affinity(
    X: ArrayLike,
    *,
    n_neighbors: int = 7,
    divisor: float = 1.0,
    metric: Metric = "euclidean",
    graph_neighbors: int | None = None,
    method: Method = "auto",
) -> Floats | Sparse:
    """Affinities with local scaling, exp(-d² / (σ_i σ_j)), as :func:`gaussian_affinity` returns them.

    σ_i is the distance to a near neighbour; where it is 0, the smallest positive distance of the item, and 1 when there
    is none.

    Parameters
    ----------
    X : array-like of shape (n, d), or (n, n) with ``metric="precomputed"``
        Vectors, or distances.
    n_neighbors : int
        Rank of the neighbour that gives an item its scale; the farthest when there are fewer.
    divisor : float
        Further divisor of the exponent.
    metric : str or callable
        As in :func:`pairwise`.
    graph_neighbors : int, optional
        Number of nearest items, in either direction, of a sparse result.
    method : str
        Search method, as in :func:`nearest`.

    References
    ----------
    L. Zelnik-Manor, P. Perona, *Self-Tuning Spectral Clustering*, NIPS 2004, §2; their diagonal is 0. Y. Pei,
    *Learning with Partial Supervision for Clustering and Classification*, 2017, §2.5.1, has ``divisor=2``.

    Examples
    --------
    >>> local_affinity([[0.0], [1.0], [3.0]], n_neighbors=1).round(3)
    array([[1.   , 0.368, 0.011],
           [0.368, 1.   , 0.135],
           [0.011, 0.135, 1.   ]])
    """
    if graph_neighbors is None:
        require_square(count_rows(X), 3, "affinities", SPARSE)
        return scale_locally(pairwise(X, metric=metric), n_neighbors, divisor=divisor)
    _check_scaling(n_neighbors, divisor)
    if graph_neighbors < 1:
        raise ValueError(f"graph_neighbors must be positive, got {graph_neighbors}")
    V = np.asarray(X)
    at = min(n_neighbors, len(V) - 1)
    found = nearest(V, n_neighbors=max(graph_neighbors, at), metric=metric, method=method)
    scales = found.distances[:, at - 1].copy()
    same_place = np.flatnonzero(scales == 0)
    if len(same_place):
        rows = _some_rows(V, same_place, metric)
        scales[same_place] = np.concatenate([nearest_elsewhere(block) for block in rows])
    return _with_diagonal(scale_graph(found, scales, graph_neighbors, divisor=divisor))


def scale_graph(found: Neighbours, scales: Floats, graph_neighbors: int, *, divisor: float = 1.0) -> Sparse:
    """Affinities with local scaling between each item and its nearest ones, either way, without a diagonal.

    - `found`: Nearest neighbours of all items.
    - `scales` (n,): The scale of every item.
    - `graph_neighbors`: How many of the neighbours.
    - `divisor`: As in :func:`local_affinity`.
    """
    few = Neighbours(found.indices[:, :graph_neighbors], found.distances[:, :graph_neighbors])
    graph = graph_of(few, "union")
    from_scale = np.repeat(scales, np.diff(graph.indptr))
    graph.data = _decay_locally(graph.data, from_scale, scales[graph.indices], divisor)
    return graph


def nearest_elsewhere(D: Floats) -> Floats:
    """Smallest positive distance in each row, 1 where there is none."""
    smallest: Floats = np.min(D, axis=1, where=D > 0, initial=np.inf)
    return np.where(np.isinf(smallest), 1.0, smallest)


def scale_locally(D: Floats, n_neighbors: int = 7, *, divisor: float = 1.0) -> Floats:
    """Affinities with local scaling from a matrix of distances: :func:`local_affinity`, dense.

    Parameters
    ----------
    D : ndarray of shape (n, n)
        Distances, taken as they are.
    n_neighbors, divisor
        As in :func:`local_affinity`.

    Returns
    -------
    ndarray of shape (n, n)
        Symmetric, 1 where the distance is 0.

    Examples
    --------
    >>> scale_locally(np.array([[0.0, 1.0], [1.0, 0.0]])).round(3).tolist()
    [[1.0, 0.368], [0.368, 1.0]]
    """
    _check_scaling(n_neighbors, divisor)
    at = min(n_neighbors, len(D) - 1)
    if at == 0:
        return np.ones((1, 1))
    scales = select_neighbours(D, at, True)[1][:, -1]
    same_place = scales == 0
    scales[same_place] = nearest_elsewhere(D[same_place])
    return _decay_locally(D, scales[:, None], scales, divisor)


def _check_scaling(n_neighbors: int, divisor: float) -> None:
    if n_neighbors < 1:
        raise ValueError(f"n_neighbors must be positive, got {n_neighbors}")
    if not 0 < divisor < np.inf:
        raise ValueError(f"divisor must be positive, got {divisor!r}")


def _some_rows(V: NDArray[Any], rows: NDArray[np.intp], metric: Metric) -> Iterator[Floats]:
    if metric == "precomputed":
        yield V[rows].astype(np.float64)
    else:
        yield from (block for _, block in pairwise_chunks(V[rows], V, metric=metric))


def _median(D: Floats) -> float:
    positive = D[D > 0]
    return float(np.median(positive)) if positive.size else 1.0


def _decay_locally(D: Floats, s: Floats, t: Floats, divisor: float) -> Floats:
    # Roots first: their product cannot underflow, and being the same either way round keeps the symmetry.
    scale = np.sqrt(s) * np.sqrt(t)
    with np.errstate(over="ignore"):
        np.divide(D, scale, out=scale)
    return _decay(np.divide(scale, np.sqrt(divisor), out=scale))


def _decay(ratio: Floats) -> Floats:
    """exp(-ratio²), in place."""
    with np.errstate(over="ignore"):
        np.multiply(ratio, ratio, out=ratio)
    np.negative(ratio, out=ratio)
    with np.errstate(under="ignore"):
        return np.exp(ratio, out=ratio)


def _with_diagonal(graph: Sparse) -> Sparse:
    from scipy.sparse import csr_array, identity

    return graph + csr_array(identity(graph.shape[0], format="csr"))
