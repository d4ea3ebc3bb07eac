"""Gold questions: pairs whose answer is known, mixed in to see how reliable each person is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

import numpy as np

from likewise.constraints import Constraints
from likewise.query.question import Question

STREAM = 0x601D  # sets these draws apart from those of the check questions
TRIES = 30
MOST_OF_GROUP = 40  # pairs that one confirmed group gives
GoldPair = tuple[int, int, str]


def gold_pairs(
    groups: Sequence[tuple[int, ...]], rulings: Iterable[tuple[tuple[int, ...], str]], constraints: Constraints
) -> list[GoldPair]:
    """Pairs ``(i, j, "same" or "different")`` whose truth is known, sorted.

    - `groups`, sequence of tuples of int: Confirmed groups: pairs of one group are the same, first members of two
      groups known to differ are different.
    - `rulings`, iterable of (pair, value): What was imported as gold or decided; it holds against the groups.
    - `constraints`: Which groups are known to differ.

    Examples
    --------
    >>> gold_pairs([(0, 1), (5, 6)], [((2, 3), "same")], Constraints(7, cannot_link=[(0, 5)]))
    [(0, 1, 'same'), (0, 5, 'different'), (2, 3, 'same'), (5, 6, 'same')]
    """
    found: dict[tuple[int, ...], str] = {}
    for group in groups:
        for i, j in list(combinations(group[:MOST_OF_GROUP], 2))[:MOST_OF_GROUP]:
            found[min(i, j), max(i, j)] = "same"
    for (i, *_), (j, *_) in combinations(groups, 2):
        if constraints.known(i, j) == "different":
            found[min(i, j), max(i, j)] = "different"
    found.update(rulings)
    return [(i, j, truth) for (i, j), truth in sorted(found.items()) if truth != "unsure"]


def draw_gold(
    pairs: Sequence[GoldPair], rng: np.random.Generator, may_test: Callable[[Question], bool]
) -> tuple[Question, str] | None:
    """A gold question that may be asked, and its answer; None where none is found.

    The order of the two pictures is drawn too: nothing tells it from another question.
    """
    for _ in range(TRIES if pairs else 0):
        i, j, truth = pairs[int(rng.integers(len(pairs)))]
        question = Question("pair", (i, j) if rng.random() < 0.5 else (j, i))
        if may_test(question):
            return question, truth
    return None
