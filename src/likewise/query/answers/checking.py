"""Answers as they are given, checked at once: a wrong one is refused with one sentence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np

from likewise.query.arguments import as_items
from likewise.query.question import Answer, Form, Question

# a word; of a grid also the items that do not belong, of a pick also the example that was chosen
Given: TypeAlias = str | int | Iterable[int]
FEWEST = {"pair": 2, "triplet": 3, "grid": 2, "pick": 2}
MOST = {"pair": 2, "triplet": 3}


def check_answer(
    question: Question | Iterable[int], given: Given, n: int, *, annotator: str = "", seconds: float | None = None
) -> Answer:
    """The answer to a question, or to two or three items, about n items.

    Parameters
    ----------
    question : Question, or two or three indices
        What was asked.
    given : str, int or iterable of int
        What was answered; see :meth:`likewise.Session.answer`.
    n : int
        Number of items.
    annotator : str
        Who answered.
    seconds : float, optional
        How long it took.

    Examples
    --------
    >>> check_answer(Question("grid", (4, 5, 9)), [9], 10).chosen
    (9,)
    >>> check_answer(Question("pick", (4, 5, 9)), 5, 10).value
    'chosen'
    """
    items = as_items(question.items if isinstance(question, Question) else question, n)
    kind = _form(question, items)
    if len(set(items)) < len(items):
        raise ValueError(f"the items of a question must differ, got {items}")
    value, chosen = _on_screen(kind, items, given) if kind in ("grid", "pick") else (given, ())
    allowed = Question(kind, items).answers
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"the answer to a {kind} is one of {', '.join(allowed)}, got {given!r}")
    check = question.check if isinstance(question, Question) else 0.0
    return Answer(kind, items, value, annotator, seconds, check, chosen=chosen)


def given_in(answer: Answer) -> Given:
    """What was given for an answer to a question, so that it can be given again.

    Examples
    --------
    >>> given_in(Answer("grid", (4, 5, 9), "marked", chosen=(9,)))
    (9,)
    """
    if answer.value == "chosen":
        return answer.chosen[0]
    return answer.chosen if answer.value == "marked" else answer.value


def _form(question: Question | Iterable[int], items: tuple[int, ...]) -> Form:
    """The form of a question; items alone are a pair or a triplet."""
    if not isinstance(question, Question):
        if len(items) not in (2, 3):
            raise ValueError(f"an answer is about two or three items, got {len(items)}")
        return "pair" if len(items) == 2 else "triplet"
    if not FEWEST[question.kind] <= len(items) <= MOST.get(question.kind, len(items)):
        few = "two or three" if question.kind in MOST else "at least two"
        raise ValueError(f"a {question.kind} is about {few} items, got {len(items)}")
    return question.kind


def _on_screen(kind: Form, items: tuple[int, ...], given: Given) -> tuple[str, tuple[int, ...]]:
    """The word for what was given, and the items chosen."""
    if isinstance(given, str):
        if given in ("unsure", "none") and not (kind == "grid" and given == "none"):
            return given, ()
        known = "the items that do not belong, or unsure" if kind == "grid" else "an example shown, none or unsure"
        raise ValueError(f"the answer to a {kind} is {known}, got {given!r}")
    if kind == "grid":
        if not isinstance(given, Iterable):
            raise ValueError(f"the answer to a grid is a list of the items that do not belong, got {given!r}")
        marked = set(_shown(kind, items, tuple(given)))
        return "marked", tuple(item for item in items[1:] if item in marked)
    if isinstance(given, Iterable):
        raise ValueError(f"the answer to a pick is one example, none or unsure, got {given!r}")
    return "chosen", _shown(kind, items, (given,))


def _shown(kind: Form, items: tuple[int, ...], given: tuple[int, ...]) -> tuple[int, ...]:
    for item in given:
        if isinstance(item, bool) or not isinstance(item, int | np.integer) or item not in items[1:]:
            raise ValueError(f"{item!r} is not among what the {kind} showed: {', '.join(map(str, items[1:]))}")
    return tuple(int(item) for item in given)
