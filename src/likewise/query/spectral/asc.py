"""ASC: the pair with the largest expected error of the clusters. A baseline for comparison."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.spectral.signed_graph import lead, write_constraints
from likewise.constraints import Constraints
from likewise.distances.memory import require_square
from likewise.query.base import State, take_batch
from likewise.query.question import Pair, Question
from likewise.query.spectral.base import SpectralStrategy

Floats = NDArray[np.float64]
N_LISTED = 256  # number of pairs sorted; more are rarely needed


class ASC(SpectralStrategy):
    r"""Ask about the pair with the largest expected error (two classes). A baseline for comparison with URASC.

    With u the relaxed indicator of the two clusters (of squared length n) and q̄ the rank-one approximation of the
    answers, clipped to [-1, 1], the expected squared error of a pair is
    :math:`(u_i u_j)^2 + 1 - 2\, \bar q_{ij} u_i u_j`.

    Parameters
    ----------
    n_clusters, affinity, laplacian, graph_neighbors, clusterer
        As in :class:`URASC`.
    graph, reading, keep, exclusion, explore, cannot_link_affinity
        As in :class:`URASC`; it asks about pairs, so that it never explores.

    References
    ----------
    X. Wang, I. Davidson, *Active Spectral Clustering*, ICDM 2010, as described by Xiong, Johnson and Corso (see
    :class:`URASC`), §6.3. Deviation: u is the position of a sample between the two largest clusters of spectral
    learning, not the solution of their constrained cut.

    Examples
    --------
    >>> from likewise import Session
    >>> s = Session([[0.0], [0.1], [5.0], [5.1]], strategy="asc", n_clusters=2, random_state=0)
    >>> s.ask().kind
    'pair'
    """

    name = "asc"

    def ask(self, state: State, n: int = 1, skip: Collection[Pair] = ()) -> list[Question]:
        """Choose pairs; see :meth:`Strategy.ask`."""
        counted = self._counted(state)
        return take_batch(counted, self._pairs(counted, skip), n) if state.n > 1 else []

    def _pairs(self, state: State, skip: Collection[Pair]) -> Iterator[Question]:
        error = self.errors(state)
        i, j = np.triu_indices(state.n, 1)
        listed = error[i, j].round(9)
        order = np.argpartition(-listed, min(N_LISTED, len(listed)) - 1)[:N_LISTED]
        floor = listed[order].min()
        order = np.flatnonzero(listed >= floor)
        for at in order[np.argsort(-listed[order], kind="stable")].tolist():
            if state.is_open(int(i[at]), int(j[at]), skip):
                reason = "the pair whose answer is expected to surprise most"
                yield Question("pair", (int(i[at]), int(j[at])), float(listed[at]), reason)
        yield from self._skeleton(state, skip).remaining()

    def errors(self, state: State) -> Floats:
        """Expected squared error of every pair, (n, n); minus infinity where the answer is known."""
        require_square(state.n, 7, "the asker 'asc'")
        clusters = self.spectral_clusters(state)
        u = relaxed_indicator(clusters.rows, clusters.labels)
        answers = write_constraints(np.zeros((state.n, state.n)), state.constraints).toarray()
        product = np.outer(u, u)
        error = product**2 + 1 - 2 * _rank_one(answers, state.constraints) * product
        return np.where(answers != 0, -np.inf, error)


def relaxed_indicator(rows: Floats, labels: NDArray[np.int64]) -> Floats:
    """Position of every sample between the means of the two largest clusters, (n,), of squared length n."""
    largest = np.argsort(-np.bincount(labels), kind="stable")[:2]
    if len(largest) < 2:
        return np.ones(len(rows))
    means = np.array([rows[labels == k].mean(axis=0) for k in largest])
    u = (rows - means.mean(axis=0)) @ (means[0] - means[1])
    length = float(np.linalg.norm(u))
    return np.asarray(u * np.sqrt(len(u)) / length) if length > 0 else np.ones(len(rows))


def _rank_one(answers: Floats, constraints: Constraints) -> Floats:
    """Rank-one approximation of the answers, clipped to [-1, 1]."""
    mentioned = constraints.mentioned()
    if not mentioned:
        return np.zeros_like(answers)
    block = answers[np.ix_(mentioned, mentioned)] + np.eye(len(mentioned))
    value, vector = lead(block, 1)
    full = np.zeros(len(answers))
    full[mentioned] = vector[:, 0]
    return np.asarray(np.clip(value[0] * np.outer(full, full), -1.0, 1.0))
