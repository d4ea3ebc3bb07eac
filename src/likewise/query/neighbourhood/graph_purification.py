"""Active spectral clustering by purifying a k-nearest-neighbour graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from sklearn.cluster import KMeans

from likewise.constraints import Constraints
from likewise.distances.affinity import scale_locally
from likewise.distances.memory import require_square
from likewise.kernels.metric.neighbours import select_neighbours
from likewise.query.base import Labels, State
from likewise.query.neighbourhood.base import NeighbourhoodStrategy
from likewise.query.neighbourhood.skeleton import Skeleton

FAINT = 1e-3  # share of the affinity kept between items that are not neighbours, so that the graph is connected
DIGITS = 12  # of an entropy: beyond them, ties are decided by distance and not by rounding


class GraphPurification(NeighbourhoodStrategy):
    r"""Settle the item whose neighbours in a purified graph lie in the most different clusters.

    The graph joins every item to its nearest neighbours. Answers purify it: edges between items known to
    differ go, items known to be the same become one node. Its spectral clusters give every item the
    distribution of its neighbours over clusters, :math:`P(c \mid x) = \sum_{y \in c} w_{xy} / \sum_y w_{xy}`;
    the item of highest entropy is compared with the settled ones, nearest first.

    Parameters
    ----------
    clusterer : estimator, optional
        Clusterer to use under the answers instead of spectral clustering of the purified graph.
    n_neighbors : int, default=20
        Number of neighbours of an item in the graph.

    References
    ----------
    C. Xiong, D. Johnson, J. J. Corso, *Spectral Active Clustering via Purification of the k-Nearest Neighbor
    Graph*, ECDM 2012. Beyond its abstract the text was not at hand; entropy, number of neighbours and the way
    a point is compared follow its extension (*Active Clustering with Model-Based Uncertainty Reduction*, §3.3,
    eq. 9 and 12). Chosen here: locally scaled affinities; must-links contract nodes; a thousandth of the
    affinity stays between items that are no neighbours; k-means on the normalised rows of the leading
    eigenvectors of D^-1/2 W D^-1/2 (Ng, Jordan & Weiss 2002).

    Examples
    --------
    >>> from likewise import Session
    >>> X = [[0.0], [0.1], [0.2], [3.0], [3.1], [3.2]]
    >>> s = Session(X, strategy="graph-purification", n_clusters=2, random_state=0, n_neighbors=2)
    >>> s.answer((0, 5), "different")
    >>> s.labels_.tolist() in ([0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0])
    True
    """

    name = "graph-purification"
    _graph: tuple[Any, int, tuple[NDArray[np.float64], NDArray[np.bool_]]] | None = None

    def __init__(self, *, clusterer: Any = None, n_neighbors: int = 20) -> None:
        super().__init__(clusterer=clusterer)
        self.n_neighbors = n_neighbors

    def rank_points(self, state: State, skeleton: Skeleton) -> Iterator[tuple[int, float]]:
        """By the entropy of the neighbours' clusters; then farthest first, then by index."""
        outside = np.flatnonzero(skeleton.home < 0)
        entropy = self.entropies(state)[outside].round(DIGITS)
        nearest = self._nearest_members(state, skeleton)[outside]
        for position in np.lexsort((-nearest, -entropy)).tolist():
            yield int(outside[position]), float(entropy[position])

    def reason(self, state: State, skeleton: Skeleton) -> str:
        """Why the item is asked about."""
        return "the item whose neighbours lie in the most different clusters"

    def entropies(self, state: State) -> NDArray[np.float64]:
        """Entropy of the clusters among each item's neighbours in the purified graph, (n,)."""
        labels = self.cluster(state)
        affinity, joined = self._neighbour_graph(state)
        weights = np.where(joined & may_be_same(state.constraints), affinity, 0.0)
        share = weights @ np.eye(labels.max() + 1)[labels]
        share /= np.maximum(share.sum(axis=1, keepdims=True), np.finfo(float).tiny)
        logs = np.log(share, where=share > 0, out=np.zeros_like(share))
        entropy: NDArray[np.float64] = np.abs((share * logs).sum(axis=1))
        return entropy

    def _cluster(self, state: State, n_clusters: int) -> Labels:
        if self.clusterer is not None:
            return super()._cluster(state, n_clusters)
        affinity, joined = self._neighbour_graph(state)
        weights = np.where(joined, affinity, FAINT * affinity)
        return cluster_purified(weights, state.constraints, n_clusters, state.seed % 2**32)

    def _neighbour_graph(self, state: State) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Affinities and whether two items are neighbours, both (n, n); kept until X changes."""
        if self._graph is None or self._graph[0] is not state.X or self._graph[1] != self.n_neighbors:
            require_square(state.n, 8, "the asker 'graph-purification'")
            joined = join_neighbours(state.distances, self.n_neighbors)
            self._graph = state.X, self.n_neighbors, (scale_locally(state.distances), joined)
        return self._graph[2]


def join_neighbours(D: NDArray[np.float64], n_neighbors: int) -> NDArray[np.bool_]:
    """Whether either of two items is among the other's nearest `n_neighbors`, (n, n); ties by index.

    Examples
    --------
    >>> D = np.abs(np.subtract.outer([0.0, 1.0, 3.0], [0.0, 1.0, 3.0]))
    >>> join_neighbours(D, 1).astype(int).tolist()
    [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    """
    joined = np.zeros(D.shape, bool)
    if len(D) > 1:
        nearest, _ = select_neighbours(D, min(n_neighbors, len(D) - 1), True)
        np.put_along_axis(joined, nearest, True, axis=1)
    return joined | joined.T


def may_be_same(constraints: Constraints) -> NDArray[np.bool_]:
    """Whether two items are not known to differ, (n, n)."""
    groups, different = constraints.labels(), constraints.group_cannot_links()
    allowed = np.ones((groups.max() + 1,) * 2, bool)
    allowed[different[:, 0], different[:, 1]] = allowed[different[:, 1], different[:, 0]] = False
    return allowed[np.ix_(groups, groups)]


def cluster_purified(weights: NDArray[np.float64], constraints: Constraints, n_clusters: int, seed: int) -> Labels:
    """Spectral clusters (n,) of a graph whose must-links are contracted and whose cannot-links are cut.

    - `weights` (n, n): Symmetric, not negative.
    - `constraints`: Must-links and cannot-links.
    - `n_clusters`: Number of clusters; fewer when must-links leave fewer nodes.
    - `seed`: Seed of k-means.
    """
    groups, different = constraints.labels(), constraints.group_cannot_links()
    sizes = np.bincount(groups)
    order = np.argsort(groups, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    rows = np.add.reduceat(weights[np.ix_(order, order)], starts, axis=1)
    contracted = np.add.reduceat(rows, starts, axis=0)
    contracted[different[:, 0], different[:, 1]] = contracted[different[:, 1], different[:, 0]] = 0.0
    labels = _cluster_nodes(contracted, sizes, min(n_clusters, len(sizes)), seed)
    return labels[groups]


def _cluster_nodes(weights: NDArray[np.float64], sizes: NDArray[np.int64], n_clusters: int, seed: int) -> Labels:
    """K-means on the normalised rows of the leading eigenvectors of the normalised graph."""
    root = np.sqrt(weights.sum(axis=1))
    normalised = weights / np.outer(root, root)
    n = len(weights)
    _, vectors = eigh(normalised, subset_by_index=[n - n_clusters, n - 1])
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.finfo(float).tiny)
    n_distinct = len(np.unique(vectors.round(12), axis=0))
    kmeans = KMeans(min(n_clusters, n_distinct), n_init=10, random_state=seed)
    return np.asarray(kmeans.fit(vectors, sample_weight=sizes).labels_, np.int64)
