"""Base of the askers that use eigenvectors: affinities, certain sets, and spectral clusters under both."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from copy import copy
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from likewise.cluster.groups import Groups, constrained_groups
from likewise.cluster.restarts import first_seen
from likewise.cluster.spectral.merged_graph import merge_groups
from likewise.cluster.spectral.regression import loop_of, regress_labels
from likewise.cluster.spectral.rounding import round_rows, vote
from likewise.cluster.spectral.signed_graph import Laplacian, Matrix, Spectrum, decompose, write_constraints
from likewise.cluster.spectral.spectral import make_affinity
from likewise.constraints import Constraints, as_pairs
from likewise.query.base import Labels, State
from likewise.query.neighbourhood.base import NeighbourhoodStrategy
from likewise.query.neighbourhood.skeleton import Skeleton
from likewise.query.question import Pair, Question

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Graph = Literal["merged", "written"]
Rounding = Literal["regression", "kmeans", "vote"]

DIGITS = 9  # of scores: beyond them, ties are decided by distance and not by rounding
DENSE = 2000  # number of items up to which all affinities are held by default
NEAREST = 20
N_INIT = 4
N_MORE = 10  # eigenvectors beyond the number of clusters, towards which the first ones may change


@dataclass(frozen=True)
class SpectralClusters:
    """Spectral clusters under the answers.

    - `labels` (n,): Clusters, numbered by first item.
    - `rows` (n, K): The items as points in the space of the eigenvectors.
    - `spectrum`: Eigenvectors of the graph's nodes, some more than K.
    - `node` (n,): Node of every item: its own, or that of its must-link group where these are merged.
    """

    labels: Labels
    rows: Floats
    spectrum: Spectrum
    node: Integers


@dataclass(frozen=True)
class Unconstrained:
    """Without any answer: the sum of the lowest eigenvectors, and the clusters."""

    start: Floats
    blocks: Labels


class SpectralStrategy(NeighbourhoodStrategy):
    """Base of the askers that settle samples by certain sets and cluster by eigenvectors under them.

    By default certain sets are merged into nodes and clusters found by regression; see `graph` and `reading`.

    - `n_clusters`: Number of clusters; the session's by default.
    - `affinity`, "local", "gaussian", callable or matrix: As in :class:`likewise.cluster.SpectralLearning`.
    - `laplacian`: As there.
    - `graph_neighbors`: Number of nearest items to keep affinities with; by default all up to 2,000 items, and 20
      beyond.
    - `clusterer`, estimator: Clusterer to use under the answers instead of spectral learning.
    - `graph`, `reading`, `keep`, `exclusion`, `explore`, `cannot_link_affinity`: As in :class:`URASC`.
    """

    _affinities: tuple[Any, Any, Matrix, Any] | None = None
    _loop: tuple[Any, float] | None = None
    _kept_unconstrained: tuple[Any, Any, dict[int, Unconstrained]] | None = None
    _clusters: tuple[Any, Any, SpectralClusters] | None = None

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        affinity: Any = "local",
        laplacian: Laplacian = "normalized",
        graph_neighbors: int | None = None,
        graph: Graph = "merged",
        reading: Rounding = "regression",
        keep: bool = True,
        exclusion: bool = True,
        explore: bool = False,
        cannot_link_affinity: float = -1.0,
        clusterer: Any = None,
    ) -> None:
        super().__init__(clusterer=clusterer)
        self.n_clusters = n_clusters
        self.affinity = affinity
        self.laplacian = laplacian
        self.graph_neighbors = graph_neighbors
        self.graph = graph
        self.reading = reading
        self.keep = keep
        self.exclusion = exclusion
        self.explore = explore
        self.cannot_link_affinity = cannot_link_affinity

    def ask(self, state: State, n: int = 1, skip: Collection[Pair] = ()) -> list[Question]:
        """Choose samples and the certain sets to compare them with; see :meth:`Strategy.ask`."""
        return super().ask(self._counted(state), n, skip)

    def cluster(self, state: State) -> Labels:
        """Clusters under the answers; see :meth:`Strategy.cluster`."""
        return super().cluster(self._counted(state))

    def affinities(self, state: State) -> Matrix:
        """Affinities of all items, dense or sparse, computed once."""
        key = (id(self.affinity), self.affinity if isinstance(self.affinity, str) else "", self.graph_neighbors)
        if self._affinities is None or self._affinities[0] is not state.X or self._affinities[1] != key:
            near = self.graph_neighbors
            if near is None and state.n > DENSE:
                near = NEAREST
            W = make_affinity(state.X, self.affinity, metric=state.metric, graph_neighbors=near)
            # A matrix is recognised by its id, which is unique only while the matrix is held.
            self._affinities = state.X, key, W, self.affinity
        return self._affinities[2]

    def spectral_clusters(self, state: State) -> SpectralClusters:
        """Spectral clusters under the answers of the state; computed once for equal ones."""
        answers = (state.constraints.must_link.tobytes(), state.constraints.cannot_link.tobytes())
        graph = (
            id(self.affinity),
            self.laplacian,
            self.graph_neighbors,
            self.graph,
            self.reading,
            self.keep,
            self.exclusion,
            self.cannot_link_affinity,
        )
        key = (answers, state.seed, state.n_clusters, graph)
        if self._clusters is None or self._clusters[0] is not state.X or self._clusters[1] != key:
            self._clusters = state.X, key, self._compute_clusters(state)
        return self._clusters[2]

    def rank_neighbourhoods(self, state: State, skeleton: Skeleton, point: int) -> NDArray[np.float64]:
        """By falling affinity to the nearest member; where all are 0, by distance."""
        inside = np.flatnonzero(skeleton.home >= 0)
        group = np.array(sorted(state.constraints.members(point)))
        near = self.affinities(state)[group][:, inside]
        closest = np.asarray((near if isinstance(near, np.ndarray) else near.toarray()).max(axis=0))
        best = np.zeros(len(skeleton))
        np.maximum.at(best, skeleton.home[inside], closest)
        rank = np.empty(len(skeleton))
        rank[np.lexsort((skeleton.nearest(point), -best))] = np.arange(len(skeleton))
        return rank

    def spread_out(
        self, state: State, skeleton: Skeleton, points: NDArray[np.int64], score: Floats
    ) -> Iterator[tuple[int, float]]:
        """Points by score, each score lowered by the affinity to the points taken before.

        The best comes first. Points near to it would bring much the same information, so every other score is
        multiplied by 1 - its affinity to the point taken; ties go to the point farther from those taken, then from
        the certain sets, then by index.
        """
        top = float(score.max()) if len(score) else 0.0
        scaled = np.round(score / top, DIGITS) if top > 0 and np.isfinite(top) else np.zeros(len(score))
        nearest = self._nearest_members(state, skeleton)[points]
        position = np.full(state.n, -1)
        position[points] = np.arange(len(points))
        fresh = np.ones(len(points))
        left = np.arange(len(points))
        while len(left):
            best = left
            for key in (scaled * fresh, fresh, nearest):
                best = best[key[best] == key[best].max()]
            at = int(best[0])
            left = left[left != at]
            yield int(points[at]), float(score[at])
            columns, near = _row(self.affinities(state), int(points[at]))
            there = position[columns]
            fresh[there[there >= 0]] *= 1 - np.clip(near[there >= 0], 0.0, 1.0)

    def _next_points(self, state: State, skeleton: Skeleton) -> tuple[Iterator[tuple[int, float]], str]:
        if self.explore and state.n_clusters is not None and len(skeleton) < state.n_clusters:
            return self._farthest_first(state, skeleton), "explores: the point farthest from every certain set"
        return super()._next_points(state, skeleton)

    def _counted(self, state: State) -> State:
        if self.n_clusters is None or self.n_clusters == state.n_clusters:
            return state
        if not 1 <= self.n_clusters <= state.n:
            raise ValueError(f"n_clusters must be between 1 and the {state.n} items, got {self.n_clusters}")
        own = copy(state)
        own.n_clusters = self.n_clusters
        return own

    def _cluster(self, state: State, n_clusters: int) -> Labels:
        if self.clusterer is not None:
            return super()._cluster(state, n_clusters)
        return self.spectral_clusters(state).labels

    def _compute_clusters(self, state: State) -> SpectralClusters:
        if self.graph not in ("merged", "written"):
            raise ValueError(f"graph must be 'merged' or 'written', got {self.graph!r}")
        n_clusters = self.count_clusters(state)
        known = state.constraints
        implied = np.vstack([known.must_link, as_pairs(self._skeleton(state).excluded, state.n)])
        constraints = Constraints(state.n, implied, known.cannot_link)
        groups = constrained_groups(constraints)
        W = self.affinities(state)
        if self.graph == "merged":
            graph, node = merge_groups(W, groups)
        else:
            graph, node = write_constraints(W, constraints, self.cannot_link_affinity), np.arange(state.n)
        start = np.zeros(graph.n)
        np.add.at(start, node, self._unconstrained(state, n_clusters).start)
        spectrum = decompose(graph, min(n_clusters + N_MORE, graph.n), self.laplacian, start)
        rows = spectrum.rows(n_clusters, self.laplacian)[node]
        random = check_random_state(state.seed % 2**32)
        labels = round_rows(rows, n_clusters, random, groups=groups if self.keep else None, n_init=N_INIT)
        labels = self._refine(state, labels, groups, n_clusters)
        return SpectralClusters(first_seen(labels, n_clusters)[0], rows, spectrum, node)

    def _refine(self, state: State, labels: Labels, groups: Groups, n_clusters: int) -> Labels:
        """Final clusters from those that k-means found among the rows, as `reading` says."""
        W = self.affinities(state)
        if self.reading == "kmeans":
            return labels
        if self.reading == "vote":
            return vote(W, labels, groups, n_clusters)
        if self.reading != "regression":
            raise ValueError(f"reading must be 'regression', 'kmeans' or 'vote', got {self.reading!r}")
        if self._loop is None or self._loop[0] is not W:
            self._loop = W, loop_of(W)
        blocks = self._unconstrained(state, n_clusters).blocks
        return regress_labels(W, self._loop[1], labels, blocks, groups, n_clusters)

    def _unconstrained(self, state: State, n_clusters: int) -> Unconstrained:
        """Eigenvectors and clusters without any answer, computed once.

        The search for eigenvectors starts there, and not at those of the last answer, so that the question does not
        depend on the order of the answers.
        """
        key = (state.seed, id(self.affinity), self.laplacian, self.graph_neighbors)
        if (
            self._kept_unconstrained is None
            or self._kept_unconstrained[0] is not state.X
            or self._kept_unconstrained[1] != key
        ):
            self._kept_unconstrained = state.X, key, {}
        if n_clusters not in self._kept_unconstrained[2]:
            graph = write_constraints(self.affinities(state), Constraints(state.n))
            spectrum = decompose(graph, n_clusters, self.laplacian)
            rows = spectrum.rows(n_clusters, self.laplacian)
            random = check_random_state(state.seed % 2**32)
            blocks = round_rows(rows, n_clusters, random, n_init=N_INIT)
            self._kept_unconstrained[2][n_clusters] = Unconstrained(spectrum.vectors.sum(axis=1), blocks)
        return self._kept_unconstrained[2][n_clusters]


def _row(W: Matrix, i: int) -> tuple[NDArray[np.int64], Floats]:
    """Columns and values of one row."""
    if isinstance(W, np.ndarray):
        return np.arange(len(W)), W[i]
    part = slice(W.indptr[i], W.indptr[i + 1])
    return W.indices[part], W.data[part]
