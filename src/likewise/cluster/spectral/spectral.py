"""Spectral clustering under constraints: spectral learning and the regularised normalised cut."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array, check_random_state

from likewise.cluster.base import ConstrainedClusterer
from likewise.cluster.groups import constrained_groups
from likewise.cluster.restarts import check_search, first_seen
from likewise.cluster.spectral.rounding import round_rows
from likewise.cluster.spectral.signed_graph import (
    Floats,
    Laplacian,
    Matrix,
    SignedGraph,
    decompose,
    lead,
    unit_rows,
    write_constraints,
)
from likewise.constraints import Constraints
from likewise.distances import check_distances
from likewise.distances.affinity import gaussian_affinity, local_affinity
from likewise.distances.metric import Metric


def make_affinity(
    X: NDArray[np.float64],
    affinity: Any,
    *,
    metric: Metric = "euclidean",
    n_neighbors: int = 7,
    graph_neighbors: int | None = None,
) -> Matrix:
    """Affinities by name, by a function of X, or as they are given.

    - `X` (n, d), or (n, n): Vectors, distances with ``metric="precomputed"``, or affinities with
      ``affinity="precomputed"``.
    - `affinity`, "local", "gaussian", "precomputed", callable, ndarray or sparse array: See
      :class:`SpectralLearning`.
    - `metric`, `n_neighbors`, `graph_neighbors`: As in :func:`likewise.distances.local_affinity`.
    """
    if isinstance(affinity, str):
        near = None if graph_neighbors is None else min(graph_neighbors, len(X) - 1)
        if affinity == "precomputed":
            return check_affinity(X)
        if len(X) == 1:
            return np.ones((1, 1))
        if affinity == "local":
            return local_affinity(X, n_neighbors=n_neighbors, metric=metric, graph_neighbors=near)
        if affinity == "gaussian":
            return gaussian_affinity(X, metric=metric, graph_neighbors=near)
        raise ValueError(f"affinity must be 'local', 'gaussian' or 'precomputed', got {affinity!r}")
    W = check_affinity(affinity(X) if callable(affinity) else affinity)
    if W.shape[0] != len(X):
        raise ValueError(f"there are affinities of {W.shape[0]} items, but n_samples={len(X)}")
    return W


def check_affinity(W: Any) -> Matrix:
    """Symmetric, finite, nowhere negative; ndarray or csr_array."""
    from scipy.sparse import csr_array, issparse

    checked: Any = check_array(W, accept_sparse="csr", dtype=np.float64)
    if checked.shape[0] != checked.shape[1]:
        raise ValueError(f"affinities are a square matrix, got {checked.shape}")
    is_sparse = bool(issparse(checked))
    values = checked.data if is_sparse else checked
    if values.size and values.min() < 0:
        raise ValueError("affinities must not be negative")
    if values.size and abs(checked - checked.T).max() > 1e-8 * values.max():
        raise ValueError("affinities must be symmetric")
    return csr_array(checked) if is_sparse else checked


class SpectralBase(ConstrainedClusterer):
    """What the spectral clusterers share: affinities in, rows of eigenvectors rounded to clusters."""

    n_clusters: int
    affinity: Any
    n_neighbors: int
    graph_neighbors: int | None
    n_init: int
    random_state: Any

    def _check_input(self, X: ArrayLike) -> Any:
        if isinstance(self.affinity, str) and self.affinity == "precomputed":
            W = check_affinity(X)
            self.n_features_in_ = W.shape[1]
            return _GivenAffinities(W)
        return super()._check_input(X)

    def _affinities(self, X: Any) -> Matrix:
        if isinstance(X, _GivenAffinities):
            return X.W
        if self.metric == "precomputed":
            X = check_distances(X)
        return make_affinity(
            X, self.affinity, metric=self.metric, n_neighbors=self.n_neighbors, graph_neighbors=self.graph_neighbors
        )

    def _round(self, rows: Floats, n_clusters: int, constraints: Constraints | None) -> None:
        check_search(self.n_init, 1)
        groups = None if constraints is None else constrained_groups(constraints)
        random = check_random_state(self.random_state)
        labels = round_rows(rows, n_clusters, random, groups=groups, n_init=self.n_init)
        self.embedding_ = rows
        self.labels_, order = first_seen(labels, n_clusters)
        self.n_clusters_ = len(order)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        given = isinstance(self.affinity, str) and self.affinity == "precomputed"
        tags.input_tags.pairwise = tags.input_tags.pairwise or given
        tags.input_tags.positive_only = given
        return tags


class _GivenAffinities:
    """Affinities given as X, dense or sparse, with a length."""

    def __init__(self, W: Matrix) -> None:
        self.W = W

    def __len__(self) -> int:
        return int(self.W.shape[0])


class SpectralLearning(SpectralBase):
    r"""Spectral clustering of affinities into which the constraints are written.

    Every pair known to be the same has affinity 1, every pair known to differ -1 (or 0); the clusters are read from
    the lowest eigenvectors of the Laplacian by k-means.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    metric : str or callable
        How far two vectors are from each other, as in :func:`likewise.distances.pairwise`.
    affinity : "local", "gaussian", "precomputed", callable or matrix, default="local"
        Local scaling by the `n_neighbors`-th neighbour; one scale for all; X itself (dense or sparse); a function
        of X; or a matrix.
    cannot_link_affinity : float, default=-1.0
        Affinity of pairs known to differ: -1 (Xiong et al.) or 0 (Kamvar et al.; Pei).
    laplacian : "normalized", "signed", "unnormalized" or "additive", default="normalized"
        :math:`I - D^{-1/2} W D^{-1/2}` with rows scaled to length 1; :math:`D^{-1/2} (S - W) D^{-1/2}` likewise, with S
        the sums of the affinities with their signs, so that pairs known to differ are pushed apart (Xiong et al. have
        S, without normalising); :math:`D - W`; or the additive normalisation of Kamvar et al.,
        :math:`(W + d I - D) / d` with the largest degree d, whose leading vectors are the lowest of :math:`D - W`,
        with rows scaled to length 1.
    keep : bool, default=True
        Keep must-link groups whole, and groups known to differ from one another in clusters of their own, when the
        rows are grouped. False is plain k-means, in which answers are only as strong as the affinities.
    n_neighbors : int, default=7
        Which neighbour gives an item its scale.
    graph_neighbors : int, optional
        Affinities only between an item and this many nearest: sparse, for many items.
    n_init : int, default=10
        Starts of k-means.
    random_state : int, RandomState or None
        Seed of k-means.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        Clusters, numbered in order of their first item.
    n_clusters_ : int
        How many there are.
    embedding_ : ndarray of shape (n, n_clusters)
        The rows that were grouped.
    eigenvalues_ : ndarray of shape (n_clusters,)
        Of the Laplacian, ascending; those of :math:`D - W` with the additive normalisation.

    References
    ----------
    S. Kamvar, D. Klein, C. Manning, *Spectral Learning*, IJCAI 2003, as used by C. Xiong, D. Johnson, J. Corso,
    *Active Clustering with Model-Based Uncertainty Reduction*, 2014, §3.1, and by Y. Pei, *Learning with Partial
    Supervision for Clustering and Classification*, 2017, §2.5.2. Deviations: the closure of the constraints is
    written; degrees are sums of absolute affinities (but for S), so that -1 leaves the Laplacian positive
    semidefinite; by default the Laplacian is normalised (Xiong et al. write D - W, Kamvar et al. normalise additively)
    and the constraints are kept by k-means too.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [8.0], [9.0]]
    >>> SpectralLearning(2, random_state=0).fit_predict(X, must_link=[(2, 3)], cannot_link=[(1, 2)]).tolist()
    [0, 0, 1, 1, 1]
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        metric: Any = "euclidean",
        affinity: Any = "local",
        cannot_link_affinity: float = -1.0,
        laplacian: Laplacian = "normalized",
        keep: bool = True,
        n_neighbors: int = 7,
        graph_neighbors: int | None = None,
        n_init: int = 10,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.affinity = affinity
        self.cannot_link_affinity = cannot_link_affinity
        self.laplacian = laplacian
        self.keep = keep
        self.n_neighbors = n_neighbors
        self.graph_neighbors = graph_neighbors
        self.n_init = n_init
        self.random_state = random_state

    def _fit(self, X: Any, constraints: Constraints) -> None:
        n_clusters = self._check_n_clusters(self.n_clusters, len(X))
        graph = write_constraints(self._affinities(X), constraints, self.cannot_link_affinity)
        spectrum = decompose(graph, n_clusters, self.laplacian)
        self.eigenvalues_ = spectrum.values
        self._round(spectrum.rows(n_clusters, self.laplacian), n_clusters, constraints if self.keep else None)


class SpectralRegularized(SpectralBase):
    r"""Normalised cut with a price on every must-link that is torn (SpReg).

    Maximises :math:`\mathrm{tr}\, Z^\top D^{-1/2} (W - \beta L_M) D^{-1/2} Z` over orthonormal Z, where
    :math:`L_M` is the Laplacian of the must-link pairs. Cannot-links are not used.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    metric, affinity, n_neighbors, graph_neighbors, n_init, random_state
        As in :class:`SpectralLearning`.
    beta : float, default=20.0
        Price of a must-link.

    Attributes
    ----------
    labels_, n_clusters_, embedding_
        As in :class:`SpectralLearning`.

    References
    ----------
    X. Ji, W. Xu, *Document clustering with prior knowledge*, SIGIR 2006, as described by Y. Pei, *Learning with
    Partial Supervision for Clustering and Classification*, 2017, §2.5.2. Deviation: every pair of the closure is
    a must-link pair, and cannot-links are taken and not used.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [8.0], [9.0]]
    >>> SpectralRegularized(2, random_state=0).fit_predict(X, must_link=[(2, 3), (1, 0)]).tolist()
    [0, 0, 1, 1, 1]
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        metric: Any = "euclidean",
        affinity: Any = "local",
        beta: float = 20.0,
        n_neighbors: int = 7,
        graph_neighbors: int | None = None,
        n_init: int = 10,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.affinity = affinity
        self.beta = beta
        self.n_neighbors = n_neighbors
        self.graph_neighbors = graph_neighbors
        self.n_init = n_init
        self.random_state = random_state

    def _fit(self, X: Any, constraints: Constraints) -> None:
        n_clusters = self._check_n_clusters(self.n_clusters, len(X))
        graph = write_constraints(self._affinities(X), Constraints(len(X)))
        groups = constrained_groups(Constraints(len(X), must_link=constraints.must_link))
        links = SignedGraph(_nothing(len(X)), groups.of_item, np.eye(len(groups.start) - 1))
        scale = 1 / np.sqrt(graph.degrees)
        pull = np.where(groups.of_item >= 0, links.degrees, 0.0)

        def apply(V: Floats) -> Floats:
            shape = (-1, *[1] * (V.ndim - 1))
            U = scale.reshape(shape) * V
            regularised = graph.apply(U) - self.beta * (pull.reshape(shape) * U - links.apply(U))
            return np.asarray(scale.reshape(shape) * regularised)

        _, vectors = lead(apply, n_clusters, n=len(X))
        self._round(unit_rows(vectors), n_clusters, None)


def _nothing(n: int) -> Matrix:
    from scipy.sparse import csr_array

    return csr_array((n, n), dtype=np.float64)
