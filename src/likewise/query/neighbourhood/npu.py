"""NPU: the point with the highest normalised point-based uncertainty."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier

from likewise.query.base import State
from likewise.query.neighbourhood.base import NeighbourhoodStrategy
from likewise.query.neighbourhood.skeleton import Skeleton

DIGITS = 12  # of probabilities and scores: beyond them, ties are decided by distance and not by rounding


class NPU(NeighbourhoodStrategy):
    r"""Settle the point with the highest uncertainty per question it is expected to take.

    The probability that x belongs to a neighbourhood is its mean similarity to the members, normalised over
    the neighbourhoods. The point chosen maximises :math:`H(N \mid x) / E[q(x)]`, the entropy of these
    probabilities over the expected number of questions when the neighbourhoods are tried by falling probability.

    Parameters
    ----------
    clusterer : estimator, optional
        Clusterer to use under the answers; by default :class:`likewise.cluster.MPCKMeans` on Euclidean vectors
        and :class:`likewise.cluster.HACC` otherwise.
    n_trees : int, default=50
        Number of trees of the forest that learns the similarity of two items from the present clusters.

    References
    ----------
    S. Xiong, J. Azimi, X. Z. Fern, *Active Learning of Constraints for Semi-Supervised Clustering*, TKDE 26(1),
    2014, Algorithms 1 and 2. Two points are as similar as the share of trees that put them in one leaf.
    Deviations: a neighbourhood known to differ from x has probability 0; points of equal score (all of them
    while there is one neighbourhood) go farthest from the skeleton first; without vectors an item's
    distances to all items are its features. Clusters and forest are those of the time when the point was
    chosen, as in the paper.

    Examples
    --------
    >>> from likewise import Session
    >>> s = Session([[0.0], [0.1], [5.0], [9.0]], strategy="npu", n_clusters=3, random_state=0)
    >>> s.answer((0, 1), "same")
    >>> s.ask().items  # with one neighbourhood nothing is uncertain yet
    (1, 3)
    """

    name = "npu"
    _learned: tuple[Any, Any, NDArray[np.int64]] | None = None

    def __init__(self, *, clusterer: Any = None, n_trees: int = 50) -> None:
        super().__init__(clusterer=clusterer)
        self.n_trees = n_trees

    def rank_points(self, state: State, skeleton: Skeleton) -> Iterator[tuple[int, float]]:
        """By uncertainty per question; then farthest first, then by index."""
        outside = np.flatnonzero(skeleton.home < 0)
        probability = self._probabilities(state, skeleton, outside)
        score = normalise_uncertainty(probability).round(DIGITS)
        nearest = self._nearest_members(state, skeleton)[outside]
        for position in np.lexsort((-nearest, -score)).tolist():
            yield int(outside[position]), float(score[position])

    def rank_neighbourhoods(self, state: State, skeleton: Skeleton, point: int) -> NDArray[np.float64]:
        """By falling probability; equal ones by distance."""
        probability = self._probabilities(state, skeleton, np.array([point]))[0].round(DIGITS)
        rank = np.empty(len(skeleton))
        rank[np.lexsort((skeleton.nearest(point), -probability))] = np.arange(len(skeleton))
        return rank

    def reason(self, state: State, skeleton: Skeleton) -> str:
        """Why the point is asked about."""
        return "the point whose neighbourhood is least certain, for the questions it takes"

    def _probabilities(self, state: State, skeleton: Skeleton, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """Probability that each item belongs to each neighbourhood, (m, k)."""
        possible = _possible(state, skeleton, items)
        similarity = average_over_leaves(self._leaves(state, skeleton), skeleton, items)
        similarity = np.where(possible, similarity, 0.0)
        unlike_all = similarity.sum(axis=1) == 0
        similarity[unlike_all] = possible[unlike_all]
        return np.asarray(similarity / similarity.sum(axis=1, keepdims=True))

    def _leaves(self, state: State, skeleton: Skeleton) -> NDArray[np.int64]:
        """Leaf of every item in every tree, (n, n_trees), of the forest for the points begun."""
        chosen_after = skeleton.begun_after
        key = (state.history[:chosen_after], state.seed, state.n_clusters, self.get_params(deep=False))
        if self._learned is None or self._learned[0] is not state.X or self._learned[1] != key:
            past = state if chosen_after == len(state.history) else state.after(chosen_after)
            forest = RandomForestClassifier(self.n_trees, random_state=state.seed % 2**32)
            leaves = forest.fit(state.X, self.cluster(past)).apply(state.X)
            self._learned = state.X, key, leaves
        return self._learned[2]


def normalise_uncertainty(probability: NDArray[np.float64]) -> NDArray[np.float64]:
    """Entropy of each row over the expected number of questions, (m,); probability (m, k) sums to 1 a row.

    Examples
    --------
    >>> normalise_uncertainty(np.array([[0.5, 0.5], [1.0, 0.0]])).round(4).tolist()
    [0.6667, 0.0]
    """
    falling = -np.sort(-probability, axis=1)
    logs = np.log2(falling, where=falling > 0, out=np.zeros_like(falling))
    expected = falling @ np.arange(1.0, falling.shape[1] + 1)
    entropy: NDArray[np.float64] = np.abs((falling * logs).sum(axis=1))
    return entropy / np.maximum(expected, 1.0)


def average_over_leaves(leaves: NDArray[np.int64], skeleton: Skeleton, items: NDArray[np.int64]) -> NDArray[np.float64]:
    """Mean share of trees in which items (m,) share a leaf with the members of each neighbourhood, (m, k)."""
    inside = np.flatnonzero(skeleton.home >= 0)
    home = skeleton.home[inside]
    total = np.zeros((len(items), len(skeleton)))
    for tree in range(leaves.shape[1]):
        leaf = leaves[:, tree]
        members = np.zeros((leaf.max() + 1, len(skeleton)))
        np.add.at(members, (leaf[inside], home), 1.0)
        total += members[leaf[items]]
    sizes = np.bincount(home, minlength=len(skeleton))
    return np.asarray(total / (leaves.shape[1] * sizes))


def _possible(state: State, skeleton: Skeleton, items: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each item may belong to each neighbourhood, (m, k)."""
    known = state.constraints.known
    mentioned = set(state.constraints.mentioned())
    possible = np.ones((len(items), len(skeleton)), bool)
    for row, item in enumerate(items.tolist()):
        if item in mentioned:
            possible[row] = [known(item, members[0]) is None for members in skeleton.neighbourhoods]
    return possible
