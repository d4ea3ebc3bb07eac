"""Questions that people have before them, and pairs that have their answer: neither is asked again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from likewise.query.question import Answer, Pair, Question


def pairs_of(items: tuple[int, ...]) -> list[Pair]:
    """The pairs that a question is about: its first item with each of the others, lower item first."""
    return [(min(items[0], other), max(items[0], other)) for other in items[1:]]


class AnsweredPairs:
    """The pairs that answers are about, kept up to date while answers come and are taken back; *unsure* is none.

    Examples
    --------
    >>> pairs = AnsweredPairs()
    >>> first, second = Answer("pair", (3, 1), "same"), Answer("grid", (0, 2, 4), "marked")
    >>> sorted(pairs.after([first, second])), sorted(pairs.after([second]))
    ([(0, 2), (0, 4), (1, 3)], [(0, 2), (0, 4)])
    """

    def __init__(self) -> None:
        self._answers: list[Answer] = []
        self._times: Counter[Pair] = Counter()

    def after(self, history: Sequence[Answer]) -> Collection[Pair]:
        """The pairs of a history; only what is not as it was the last time is read."""
        both = zip(self._answers, history, strict=False)
        shared = next((k for k, (a, b) in enumerate(both) if a != b), min(len(self._answers), len(history)))
        for answer in self._answers[shared:]:
            for pair in _said_of(answer):
                self._times[pair] -= 1
                if not self._times[pair]:
                    del self._times[pair]
        for answer in history[shared:]:
            self._times.update(_said_of(answer))
        self._answers[shared:] = history[shared:]
        return self._times.keys()


def _said_of(answer: Answer) -> list[Pair]:
    return [] if answer.kind == "membership" or answer.value == "unsure" else pairs_of(answer.items)


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
