"""Pairs and triplets in one form, how people err in them, and the mean field that they lead to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likewise.cluster.weighed import check_weights
from likewise.constraints import as_pairs
from likewise.kernels.inference.mean_field import AnswerGraph, ErrorModel, expect_answers, sweep_mean_field

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

TRIPLET_VALUES = ("ab", "ac", "bc", "none")


@dataclass(frozen=True)
class Answers:
    """Answers to pairs and triplets, one row an answer.

    - `items` (a, 3): The items, -1 in the third column of pairs.
    - `values` (a,): Pairs: 0 same, 1 different. Triplets: 0 ab, 1 ac, 2 bc, 3 none.
    - `weights` (a,): For how many answers each counts.
    """

    items: Integers
    values: Integers
    weights: Floats

    def __len__(self) -> int:
        return len(self.values)

    @property
    def total(self) -> float:
        """For how many answers all of them count, at least 1."""
        return float(self.weights.sum()) if len(self) else 1.0

    def take(self, rows: Integers) -> Answers:
        """Some of the answers."""
        return Answers(self.items[rows], self.values[rows], self.weights[rows])

    def correct(self, labels: Integers) -> Integers:
        """The answers that would be right if these were the labels, (a,)."""
        a, b, c = (labels[column] for column in self.items.T)
        pair = np.where(a == b, 0, 1)
        triplet = np.select([(a == b) & (a != c), (a == c) & (a != b), (b == c) & (a != b)], [0, 1, 2], 3)
        return np.where(self.items[:, 2] < 0, pair, triplet)


def read_answers(
    n: int,
    must_link: ArrayLike | None,
    cannot_link: ArrayLike | None,
    triplets: Iterable[Any] | None,
    must_link_weights: ArrayLike | None = None,
    cannot_link_weights: ArrayLike | None = None,
) -> Answers:
    """Check and gather answers, those of weight 0 left out; those that contradict or repeat each other all count.

    Examples
    --------
    >>> read_answers(4, [(0, 1)], None, [(1, 2, 3, "none")]).items.tolist()
    [[0, 1, -1], [1, 2, 3]]
    """
    must, cannot = as_pairs(must_link, n, "must_link"), as_pairs(cannot_link, n, "cannot_link")
    rows, chosen = [], []
    for triplet in () if triplets is None else triplets:
        if len(triplet) != 4 or triplet[3] not in (*TRIPLET_VALUES, "unsure"):
            raise ValueError(f"a triplet is (a, b, c, 'ab' | 'ac' | 'bc' | 'none' | 'unsure'), got {triplet!r}")
        if triplet[3] != "unsure":
            rows.append(triplet[:3])
            chosen.append(TRIPLET_VALUES.index(triplet[3]))
    three = np.array(rows).reshape(-1, 3)
    for left, right in ((0, 1), (0, 2), (1, 2)):
        as_pairs(three[:, [left, right]], n, "triplets")
    none = np.full((len(must) + len(cannot), 1), -1)
    items = np.vstack([np.hstack([np.vstack([must, cannot]), none]), three.astype(np.int64)])
    values = np.concatenate([np.zeros(len(must)), np.ones(len(cannot)), chosen])
    weights = np.concatenate(
        [
            check_weights(must_link_weights, len(must), "must_link_weights"),
            check_weights(cannot_link_weights, len(cannot), "cannot_link_weights"),
            np.ones(len(three)),
        ]
    )
    return Answers(items.astype(np.int64), values.astype(np.int64), weights).take(np.flatnonzero(weights))


def error_model(
    epsilon: float, pair_confusion: ArrayLike | None = None, triplet_confusion: ArrayLike | None = None
) -> ErrorModel:
    """Tables 3.1 and 3.2 for an error rate, or those of given confusion tables (counts or probabilities).

    Counts are smoothed by half an answer a cell of 100, so that nothing is impossible.

    Examples
    --------
    >>> np.exp(error_model(0.06).triplet[0]).round(2).tolist()
    [0.94, 0.02, 0.02, 0.02]
    """
    hard = epsilon == 0.0
    if hard and (pair_confusion is not None or triplet_confusion is not None):
        raise ValueError("epsilon=0 means that answers are never wrong: confusion tables cannot be given with it")
    return ErrorModel(_table(2, epsilon, pair_confusion, hard), _table(4, epsilon, triplet_confusion, hard), hard)


def _table(size: int, epsilon: float, confusion: ArrayLike | None, hard: bool) -> Floats:
    if hard:
        return np.eye(size)
    if confusion is None:
        return np.log(np.where(np.eye(size) > 0, 1.0 - epsilon, epsilon / (size - 1)))
    counts = np.asarray(confusion, np.float64)
    if counts.shape != (size, size) or (counts < 0).any() or not np.isfinite(counts).all():
        raise ValueError(f"a confusion table is ({size}, {size}) and not negative, got {confusion!r}")
    if (counts.sum(axis=1) == 0).any():
        raise ValueError("a row of the confusion table is empty")
    share = counts / counts.sum(axis=1, keepdims=True) + 0.005
    return np.asarray(np.log(share / share.sum(axis=1, keepdims=True)))


class MeanField:
    """The fully factorised distribution of the clusters of all items that an answer names.

    An answer of weight w has the w-th power of its likelihood: it counts as if it were given w times.

    - `answers`: The answers.
    - `model`: How people err.
    """

    def __init__(self, answers: Answers, model: ErrorModel) -> None:
        self.answers, self.model = answers, model
        named = answers.items[answers.items >= 0]
        self.items = np.unique(named)
        local = np.where(answers.items >= 0, np.searchsorted(self.items, answers.items), -1)
        row, _ = np.nonzero(local >= 0)
        item = local[local >= 0]
        counts = np.bincount(item, minlength=len(self.items))
        self._graph = AnswerGraph(
            np.ascontiguousarray(local.astype(np.int64)),
            answers.values,
            answers.weights,
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            row[np.argsort(item, kind="stable")].astype(np.int64),
        )

    def some(self, most: int, random: np.random.RandomState) -> MeanField:
        """The mean field of at most so many of the answers, drawn at random."""
        if len(self.answers) <= most:
            return self
        return MeanField(self.answers.take(random.permutation(len(self.answers))[:most]), self.model)

    def update(self, log_p: Floats, q: Floats, tol: float = 1e-4, max_sweeps: int = 100) -> Floats:
        """The distribution (3.10, hard 3.11) for log P(y|x) of these items, from q; both (m, k)."""
        out = np.array(q, np.float64)
        sweep_mean_field(self._graph, self.model, np.ascontiguousarray(log_p), tol, max_sweeps, out)
        return out

    def bound(self, log_p: Floats, q: Floats) -> float:
        """E_q[log P(answers, Y) - log q], the lower bound of log P(answers); of the agreement when hard."""
        return self.rest(q) + float(np.where(q > 0, q * log_p, 0.0).sum())

    def rest(self, q: Floats) -> float:
        """The bound without E_q[log P(Y)]."""
        expected = expect_answers(self._graph, self.model, q).sum()
        return float(expected - np.vdot(q, np.log(np.maximum(q, 1e-300))))
