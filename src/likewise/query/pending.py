"""Questions that people have before them, so that no two are asked the same at once."""

from __future__ import annotations

from collections.abc import Iterable

from likewise.query.question import Pair, Question


def pairs_of(items: tuple[int, ...]) -> list[Pair]:
    """The pairs that a question is about: its first item with each of the others, lower item first."""
    return [(min(items[0], other), max(items[0], other)) for other in items[1:]]


class PendingQuestions:
    """What each annotator was asked last and has not answered; somebody without a name has nothing here."""

    def __init__(self) -> None:
        self._asked: dict[str, list[tuple[int, ...]]] = {}

    def of_others(self, annotator: str) -> set[Pair]:
        """Pairs that others are being asked about."""
        others = (items for name, listed in self._asked.items() if name != annotator for items in listed)
        return {pair for items in others for pair in pairs_of(items)}

    def hand(self, annotator: str, questions: Iterable[Question]) -> None:
        """These are the questions of the annotator from now on, and no others."""
        if annotator:
            self._asked[annotator] = [question.items for question in questions]

    def settle(self, annotator: str, items: tuple[int, ...]) -> None:
        """The annotator answered the question about these items, in whatever order they are."""
        left = [asked for asked in self._asked.get(annotator, []) if {*asked} != {*items}]
        if annotator in self._asked:
            self._asked[annotator] = left

    def release(self, annotator: str) -> None:
        """The annotator is not going to answer."""
        self._asked.pop(annotator, None)
