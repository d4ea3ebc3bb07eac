"""Answers to screens of many pictures, pair by pair: where several people answer, each pair is voted on by itself."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from likewise.query.question import Answer

__all__ = ["SCREENS", "join_parts", "split_answer"]

SCREENS = ("grid", "pick")  # forms of which one answer is several statements


def split_answer(answer: Answer) -> list[Answer]:
    """An answer to a grid or a pick as answers to pairs, in the order of its items; any other answer as it is.

    The time is shared out. Who is not sure of a screen is not sure of any of its pairs.

    Examples
    --------
    >>> [(part.items, part.value) for part in split_answer(Answer("grid", (4, 5, 9), "marked", chosen=(9,)))]
    [((4, 5), 'same'), ((4, 9), 'different')]
    """
    if answer.kind not in SCREENS:
        return [answer]
    first, *shown = answer.items
    said = {j: relation for _, j, relation in answer.statements()}
    seconds = None if answer.seconds is None else answer.seconds / len(shown)
    return [Answer("pair", (first, item), said.get(item, "unsure"), answer.annotator, seconds) for item in shown]


def join_parts(answer: Answer, items: Collection[int]) -> Answer:
    """What a screen says of some of its pictures only, as an answer to a screen that shows just these.

    Examples
    --------
    >>> join_parts(Answer("pick", (4, 5, 9), "chosen", chosen=(9,)), {5})
    Answer(kind='pick', items=(4, 5), value='none', annotator='', seconds=None)
    """
    first, *shown = answer.items
    left = tuple(item for item in shown if item in items)
    if len(left) == len(shown):
        return answer
    chosen = tuple(item for item in answer.chosen if item in items)
    value = "none" if answer.value == "chosen" and not chosen else answer.value
    seconds = None if answer.seconds is None else answer.seconds * len(left) / len(shown)
    return replace(answer, items=(first, *left), value=value, seconds=seconds, chosen=chosen)
