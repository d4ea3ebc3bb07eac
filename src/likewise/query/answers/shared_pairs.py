"""For how much *same* and *different* of each person count, by the pairs that several people spoke of."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Statement
from likewise.query.question import Pair

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

TYPICAL = 0.05  # share of wrong statements of a person of whom nothing is known
PRIOR = 4.0  # number of statements for which the rates of everybody count in those of a person, of each kind
EVERYBODY = 20.0  # number of statements that the typical share counts for in the rates of everybody
EVEN = 20.0  # number of shared pairs for which as many are the same as differ, before there are any
LIGHTEST, HEAVIEST = 0.1, 2.0  # weights of what people say, by that of a typical statement
EARNED = 50.0  # number of statements tested by which half of what is above the weight of a typical one is earned
MAX_STEPS, TOLERANCE = 100, 1e-6
TYPICAL_ODDS = log((1 - TYPICAL) / TYPICAL)


class SaidWeights(NamedTuple):
    """What people's statements weigh, by a typical one, and which way the shared pairs lean before anybody speaks.

    - `same`, `different`, dict of str to float: Weight of a statement of somebody that says so.
    - `shared`, list of pairs: The pairs that two or more spoke of.
    - `leaning`: Log-odds that such a pair is the same, by that of a typical statement.
    """

    same: dict[str, float]
    different: dict[str, float]
    shared: list[Pair]
    leaning: float


def weigh_shared(
    statements: Sequence[Statement], names: Sequence[str | None], by_others: Floats, left_out: Collection[str] = ()
) -> SaidWeights:
    r"""Weigh what people say by their errors of both kinds, found together with what is true of shared pairs, by EM.

    Somebody calls a pair that is the same different with a rate of their own, and the other way round, each shrunk to
    that of everybody. *Same* then counts for :math:`\log((1 - d)/s)` and *different* for :math:`\log((1 - s)/d)`; what
    is above the weight of a typical statement is earned slowly. A pair that two or more spoke of is the same with the
    log-odds of such pairs in general and the sum of what was said of it; any other statement is held against what
    others say of the same groups.

    - `statements`, `names`, sequences of length m: What was said, and by whom; None is nobody, it is not counted.
    - `by_others` (m,): Probability that each is the same, by what others say of the same two groups.
    - `left_out`, collection of str: People whose word counts for nothing here; the pairs they spoke of are shared too.

    A. Dawid, A. Skene, *Maximum likelihood estimation of observer error-rates using the EM algorithm*, Applied
    Statistics 1979, with the shrinkage, and with statements that nobody repeated.

    Examples
    --------
    >>> said = [(k, k + 1, "same") for k in range(0, 40, 2) for _ in range(3)]
    >>> said = [(i, j, "different" if k % 3 == 2 and k % 2 else "same") for k, (i, j, _) in enumerate(said)]
    >>> weights = weigh_shared(said, ["ann", "bob", "cid"] * 20, np.full(60, 0.5))
    >>> weights.different["ann"] > weights.different["cid"], len(weights.shared)
    (True, 20)
    """
    from scipy.special import expit, logit  # on use: whoever only reads answers starts without it

    pair_of, who, people, shared = _number(statements, names)
    if not people:
        return SaidWeights({}, {}, [], 0.0)
    same = np.array([relation == "same" for _, _, relation in statements], bool)
    spoken, nobody = shared[pair_of], np.array([name is None or name in left_out for name in names], bool)
    counts = np.where(nobody, 0.0, np.where(spoken, 1.0, np.abs(2 * by_others - 1)))
    votes = np.bincount(pair_of, ~nobody, len(shared))
    probability = np.bincount(pair_of, same & ~nobody, len(shared)) / np.maximum(votes, 1)
    at = np.maximum(who, 0)
    for_same = for_different = np.ones(len(people))
    leaning = 0.0
    for _ in range(MAX_STEPS):
        is_same = np.where(spoken, probability[pair_of], by_others)
        for_same, for_different = _coin_weights(at, same, counts * is_same, counts * (1 - is_same), len(people))
        leaning = float(logit((EVEN / 2 + probability[shared].sum()) / (EVEN + shared.sum())))
        signed = np.where(nobody, 0.0, np.where(same, for_same[at], -for_different[at]))
        before = probability
        probability = expit(leaning + TYPICAL_ODDS * np.bincount(pair_of, signed, len(shared)))
        if np.abs(probability - before)[shared].max(initial=0.0) < TOLERANCE:
            break
    first = {pair: (min(i, j), max(i, j)) for pair, (i, j, _) in zip(pair_of.tolist(), statements, strict=True)}
    return SaidWeights(
        dict(zip(people, for_same.tolist(), strict=True)),
        dict(zip(people, for_different.tolist(), strict=True)),
        [first[pair] for pair in np.flatnonzero(shared).tolist()],
        leaning / TYPICAL_ODDS,
    )


def _number(
    statements: Sequence[Statement], names: Sequence[str | None]
) -> tuple[Integers, Integers, list[str], NDArray[np.bool_]]:
    """The pair and the person of every statement, as numbers; who they are; which pairs several spoke of."""
    pairs: dict[Pair, int] = {}
    numbers: dict[str, int] = {}
    pair_of = np.array([pairs.setdefault((min(i, j), max(i, j)), len(pairs)) for i, j, _ in statements], np.int64)
    who = np.array([-1 if name is None else numbers.setdefault(name, len(numbers)) for name in names], np.int64)
    spoken = np.unique(np.column_stack([pair_of, who])[who >= 0], axis=0)
    shared = np.bincount(spoken[:, 0], minlength=len(pairs)) > 1
    return pair_of, who, list(numbers), shared


def _coin_weights(
    who: Integers, same: NDArray[np.bool_], is_same: Floats, is_different: Floats, n_people: int
) -> tuple[Floats, Floats]:
    """What *same* and *different* of each person weigh, where statements are about pairs that are the same so far."""
    rates, n_all = [], np.zeros(n_people)
    for truth, wrong in ((is_same, ~same), (is_different, same)):
        n_tested, n_wrong = np.bincount(who, truth, n_people), np.bincount(who, truth * wrong, n_people)
        of_all = (EVERYBODY * TYPICAL + n_wrong.sum()) / (EVERYBODY + n_tested.sum())
        rates.append((PRIOR * of_all + n_wrong) / (PRIOR + n_tested))
        n_all += n_tested
    missed, taken = rates
    odds = np.log((1 - missed) / taken), np.log((1 - taken) / missed)
    found = (np.clip(each / TYPICAL_ODDS, LIGHTEST, HEAVIEST) for each in odds)
    earned = n_all / (n_all + EARNED)
    for_same, for_different = (np.where(each > 1, 1 + earned * (each - 1), each) for each in found)
    return for_same, for_different
