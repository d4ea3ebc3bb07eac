"""What the askers share that look at eigenvectors: affinities, certain sets, and the spectral clusters under both."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from likewise.cluster.groups import Groups, constrained_groups
from likewise.cluster.restarts import first_seen
from likewise.cluster.rounding import round_rows, vote
from likewise.cluster.signed_graph import Laplacian, Matrix, Spectrum, decompose, write_constraints
from likewise.cluster.spectral import make_affinity
from likewise.constraints import Constraints, as_pairs
from likewise.query.base import Labels, State
from likewise.query.explore import NeighbourhoodStrategy, Skeleton
from likewise.query.question import Pair, Question

Floats = NDArray[np.float64]

DIGITS = 9  # of scores: beyond them, ties are decided by distance and not by rounding
DENSE = 2000  # items up to which every affinity is held, when not told otherwise
NEAREST = 20
N_INIT = 4


@dataclass(frozen=True)
class View:
    """What is seen under the answers.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        Clusters read from the rows, numbered by first item.
    rows : ndarray of shape (n, K)
        The eigenvectors as points.
    spectrum : Spectrum
        The eigenvectors.
    groups : Groups
        What is known.
    """

    labels: Labels
    rows: Floats
    spectrum: Spectrum
    groups: Groups


class SpectralStrategy(NeighbourhoodStrategy):
    """Base of the askers that settle samples by certain sets and cluster by spectral learning.

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters; the session's when None.
    affinity : "local", "gaussian", callable or matrix
        As in :class:`likewise.cluster.SpectralLearning`.
    laplacian : "normalized" or "unnormalized"
        As there.
    graph_neighbors : int, optional
        Affinities only with this many nearest; by default all up to 2,000 items, and 20 beyond.
    clusterer : estimator, optional
        Who clusters under the answers, instead of spectral learning.
    """

    cannot_link_affinity: float = -1.0
    vote: bool = False
    _affinities: tuple[Any, Any, Matrix, Any] | None = None
    _starts: tuple[Any, Any, Floats] | None = None
    _seen: tuple[Any, Any, View] | None = None

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        affinity: Any = "local",
        laplacian: Laplacian = "normalized",
        graph_neighbors: int | None = None,
        clusterer: Any = None,
    ) -> None:
        super().__init__(clusterer=clusterer)
        self.n_clusters = n_clusters
        self.affinity = affinity
        self.laplacian = laplacian
        self.graph_neighbors = graph_neighbors

    def ask(self, state: State, n: int = 1, skip: Collection[Pair] = ()) -> list[Question]:
        """Choose samples and the certain sets to compare them with; see :meth:`Strategy.ask`."""
        return super().ask(self._counted(state), n, skip)

    def cluster(self, state: State) -> Labels:
        """Clusters under the answers; see :meth:`Strategy.cluster`."""
        return super().cluster(self._counted(state))

    def affinities(self, state: State) -> Matrix:
        """Affinities of all items, dense or sparse, made once."""
        key = (
            id(self.affinity),
            self.affinity if isinstance(self.affinity, str) else "",
            self.graph_neighbors,
        )
        if self._affinities is None or self._affinities[0] is not state.X or self._affinities[1] != key:
            near = self.graph_neighbors
            if near is None and state.n > DENSE:
                near = NEAREST
            W = make_affinity(state.X, self.affinity, metric=state.metric, graph_neighbors=near)
            # A matrix is told by its id, which stays its own only while it is held.
            self._affinities = state.X, key, W, self.affinity
        return self._affinities[2]

    def view(self, state: State) -> View:
        """What is seen under the answers of the state; made once for equal ones."""
        said = (state.constraints.must_link.tobytes(), state.constraints.cannot_link.tobytes())
        graph = (id(self.affinity), self.laplacian, self.graph_neighbors, self.cannot_link_affinity)
        key = (said, state.seed, state.n_clusters, graph)
        if self._seen is None or self._seen[0] is not state.X or self._seen[1] != key:
            self._seen = state.X, key, self._look(state)
        return self._seen[2]

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
        """Points by score, each time the rest being worth less the nearer they are to those taken.

        The first is the best. What is near to it would tell much the same, so that every other score is multiplied
        by 1 - its affinity to the point taken; ties go to what is farther from those taken, then from the certain
        sets, then by index.
        """
        top = float(score.max()) if len(score) else 0.0
        scaled = np.round(score / top, DIGITS) if top > 0 and np.isfinite(top) else np.zeros(len(score))
        nearest = self._nearest_members(state, skeleton)[points]
        place = np.full(state.n, -1)
        place[points] = np.arange(len(points))
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
            there = place[columns]
            fresh[there[there >= 0]] *= 1 - np.clip(near[there >= 0], 0.0, 1.0)

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
        view = self.view(state)
        if not self.vote:
            return view.labels
        voted = vote(self.affinities(state), view.labels, view.groups, n_clusters)
        return first_seen(voted, n_clusters)[0]

    def _look(self, state: State) -> View:
        n_clusters = self.count_clusters(state)
        known = state.constraints
        implied = np.vstack([known.must_link, as_pairs(Skeleton(state).excluded, state.n)])
        constraints = Constraints(state.n, implied, known.cannot_link)
        graph = write_constraints(self.affinities(state), constraints, self.cannot_link_affinity)
        start = self._start(state, n_clusters)
        spectrum = decompose(graph, n_clusters, self.laplacian, start)
        rows = spectrum.rows(n_clusters, self.laplacian)
        random = check_random_state(state.seed % 2**32)
        groups = constrained_groups(constraints)
        labels = round_rows(rows, n_clusters, random, groups=groups, n_init=N_INIT)
        return View(first_seen(labels, n_clusters)[0], rows, spectrum, groups)

    def _start(self, state: State, n_clusters: int) -> Floats:
        """Where the search for eigenvectors starts: in the span of those before anything was said.

        Not those after the last answer: the question must not depend on the way the answers came in.
        """
        key = (n_clusters, id(self.affinity), self.laplacian, self.graph_neighbors)
        if self._starts is None or self._starts[0] is not state.X or self._starts[1] != key:
            graph = write_constraints(self.affinities(state), Constraints(state.n))
            vectors = decompose(graph, n_clusters, self.laplacian).vectors
            self._starts = state.X, key, vectors.sum(axis=1)
        return self._starts[2]


def _row(W: Matrix, i: int) -> tuple[NDArray[np.int64], Floats]:
    """Columns and values of one row."""
    if isinstance(W, np.ndarray):
        return np.arange(len(W)), W[i]
    part = slice(W.indptr[i], W.indptr[i + 1])
    return W.indices[part], W.data[part]
