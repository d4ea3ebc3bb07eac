"""CAC1: questions between large clusters that lie close together."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from likewise.distances.memory import require_square
from likewise.query.base import Labels, State, Strategy, take_batch
from likewise.query.neighbourhood.skeleton import Skeleton
from likewise.query.question import Pair, Question


class CAC1(Strategy):
    """Ask whether two large clusters that lie close together are one.

    The items are agglomerated under the answers; of the pairs of clusters that may still be one, the pair with
    the highest (size · size) ** size_power / distance is asked about, through its closest two items. When all
    clusters are known to differ, the same is done one level further down the agglomeration, with twice as many.

    Parameters
    ----------
    clusterer : estimator, optional
        Clusterer to use under the answers; :class:`likewise.cluster.HACC` by default. Questions are always chosen
        by HACC.
    size_power : float, default=0.05
        Weight of the sizes relative to the distance; 0 asks about the nearest clusters whatever their size.

    References
    ----------
    A. Biswas, D. Jacobs, *Large Scale Image Clustering with Active Pairwise Constraints*, ICML 2011 Workshop on
    Combining Learning Strategies to Reduce Label Cost. Its text was not at hand: this follows its description
    as "an active hierarchical clustering method that heuristically seeks constraints between large nearby
    clusters" (Xiong, Johnson & Corso, *Active Clustering with Model-Based Uncertainty Reduction*, §6.3), with
    "several parameters that must be tuned" (Biswas's thesis, 2014, §3.1). Not specified there, and chosen here:
    the form of the score, `size_power`, single linkage for nearness, the closest pair as the question, and the
    levels below the wanted number of clusters.

    Examples
    --------
    >>> from likewise import Session
    >>> s = Session([[0.0], [0.1], [0.2], [3.0], [3.1], [9.0]], strategy="cac1", n_clusters=3, random_state=0)
    >>> s.ask().items
    (2, 3)
    """

    name = "cac1"

    def __init__(self, *, clusterer: Any = None, size_power: float = 0.05) -> None:
        super().__init__(clusterer=clusterer)
        self.size_power = size_power

    def ask(self, state: State, n: int = 1, skip: Collection[Pair] = ()) -> list[Question]:
        """Rank pairs of clusters; see :meth:`Strategy.ask`."""
        return take_batch(state, self._ranked(state, skip), n) if state.n > 1 else []

    def _ranked(self, state: State, skip: Collection[Pair]) -> Iterator[Question]:
        require_square(state.n, 3, "the asker 'cac1'")
        level, n_groups = self.count_clusters(state), len(state.constraints.groups())
        while True:
            labels = _agglomerate(state, level)
            yield from self._between(state, labels, skip)
            if level >= n_groups:
                break
            level = min(2 * level, n_groups)
        yield from Skeleton(state, skip).remaining()

    def _between(self, state: State, labels: Labels, skip: Collection[Pair]) -> Iterator[Question]:
        """A question for every two clusters that may be one and contain no skipped pair, best first."""
        sizes = np.bincount(labels)
        left, right = np.nonzero(np.triu(~_settled(state, labels, skip), 1))
        distance = _link_singly(state.distances, labels)[left, right]
        with np.errstate(divide="ignore"):
            score = (sizes[left] * sizes[right]) ** self.size_power / distance
        for position in np.argsort(-score, kind="stable").tolist():
            A = np.flatnonzero(labels == left[position])
            B = np.flatnonzero(labels == right[position])
            block = state.distances_between(A, B)
            a, b = divmod(int(np.argmin(block)), len(B))
            reason = f"two clusters of {len(A)} and {len(B)} close together"
            yield Question("pair", (int(A[a]), int(B[b])), float(score[position]), reason)


def _agglomerate(state: State, n_clusters: int) -> Labels:
    from likewise.cluster import HACC

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # answers may say that there are more clusters
        labels: Labels = HACC(n_clusters, metric="precomputed").fit_predict(
            state.distances, must_link=state.constraints.must_link, cannot_link=state.constraints.cannot_link
        )
    return labels


def _settled(state: State, labels: Labels, skip: Collection[Pair]) -> NDArray[np.bool_]:
    """Whether two clusters are known to differ or contain a skipped pair, (k, k)."""
    settled = np.zeros((labels.max() + 1,) * 2, bool)
    different = state.constraints.cannot_link
    skipped = np.array([pair for pair in skip if state.is_open(*pair)], np.int64).reshape(-1, 2)
    for pairs in (different, skipped):
        a, b = labels[pairs[:, 0]], labels[pairs[:, 1]]
        settled[a, b] = settled[b, a] = True
    return settled


def _link_singly(D: NDArray[np.float64], labels: Labels) -> NDArray[np.float64]:
    """Distance between the closest items of every two clusters, (k, k). O(n²)."""
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    by_column = np.minimum.reduceat(D[:, order], starts, axis=1)
    linked: NDArray[np.float64] = np.minimum.reduceat(by_column[order], starts, axis=0)
    return linked
