"""Rows of a session whose items are stacks: one row for all pictures that are assumed to be the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Constraints
from likewise.images.stacks import open_stacks
from likewise.query.answers.taken import TakenAnswers
from likewise.query.question import Answer
from likewise.store.statements import SCREENS, join_parts

Indices: TypeAlias = NDArray[np.int64]
NO_LINKS: Indices = np.empty((0, 2), np.int64)


class StackRows:
    """Which row of a session stands for which pictures.

    Rows are only ever added: where a stack opens, its other pictures get rows of their own, and where it closes again
    these stand for nothing.

    - `links` (m, 2): Pictures that are assumed to be the same, the most alike first.
    - `apart`, collection of int: Pictures that people took out of their stacks.
    - `asked`, list of int: By row, the picture that is asked about.
    - `idle`, set of int: Rows that stand for nothing now.

    Examples
    --------
    >>> rows = StackRows(np.array([[4, 7]]))
    >>> rows.place(np.array([4, 7, 9]), None), rows.row_of
    ([4, 9], {4: 0, 7: 0, 9: 1})
    >>> rows.place(np.array([4, 7, 9]), Constraints(10, cannot_link=[(4, 7)])), rows.row_of
    ([7], {4: 0, 7: 2, 9: 1})
    """

    def __init__(self, links: Indices = NO_LINKS, apart: Collection[int] = ()) -> None:
        self.links = links
        self.apart = frozenset(apart)
        self.asked: list[int] = []
        self.idle: set[int] = set()
        self.row_of: dict[int, int] = {}
        self._own: dict[int, int] = {}  # the row of each picture that was ever asked about
        self._placed: tuple[dict[int, int], int] | None = None  # the stacks, and how many pictures there were

    def place(self, images: Indices, constraints: Constraints | None) -> list[int]:
        """Say which row stands for each picture; gives the pictures that get a row of their own, in its order.

        - `images`: All pictures; those of before come first.
        - `constraints`: What people said of them.
        """
        first = open_stacks(self.links, constraints, self.apart)
        if self._placed == (first, len(images)):
            return []
        stacks: dict[int, list[int]] = {}
        for image in images.tolist():
            stacks.setdefault(first.get(image, image), []).append(image)
        new = []
        for members in stacks.values():
            shown = next((image for image in members if image in self._own), members[0])
            if shown not in self._own:
                self._own[shown] = len(self.asked)
                self.asked.append(shown)
                new.append(shown)
            self.row_of.update(dict.fromkeys(members, self._own[shown]))
        self.idle = set(range(len(self.asked))).difference(self.row_of.values())
        self._placed = first, len(images)
        return new

    def groups(self, groups: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Groups of pictures as groups of rows; those of which less than two are here are left out."""
        rows = ({self.row_of[image] for image in group if image in self.row_of} for group in groups)
        return [tuple(sorted(some)) for some in rows if len(some) > 1]

    def here(self, answers: Iterable[tuple[int, Answer]]) -> list[Answer]:
        """Those of the answers that are about pictures that are here, by their rows.

        What is said within a stack is left out: where it is that two differ, the stack is open there.
        """
        found = []
        for _, answer in answers:
            by_row = {self.row_of[image]: image for image in reversed(answer.items) if image in self.row_of}
            here = [image for image in answer.items if by_row.get(self.row_of.get(image, -1)) == image]
            some = self._of_some(answer, here) if len(here) < len(answer.items) else answer
            if some is not None:
                rows, chosen = (tuple(self.row_of[image] for image in part) for part in (some.items, some.chosen))
                found.append(replace(some, items=rows, chosen=chosen))
        return found

    def _of_some(self, answer: Answer, here: list[int]) -> Answer | None:
        """What an answer says of some of its pictures; None where that is nothing."""
        if answer.kind in SCREENS and len(here) > 1 and here[0] == answer.items[0]:
            return join_parts(answer, here)
        if answer.kind == "membership" and here:
            return replace(answer, items=tuple(here))
        if answer.kind == "triplet" and len(here) == 2 and all(image in self.row_of for image in answer.items):
            said = {answer.items["abc".index(letter)] for letter in answer.value} if answer.value in TWO else set()
            alone = [image for image in answer.items if image not in said]
            if len(alone) == 1 and alone[0] in here:  # two of one stack, and one that differs
                return replace(answer, kind="pair", items=tuple(here), value="different")
        return None


TWO = ("ab", "ac", "bc")


class ItemConstraints:
    """What answers say of pictures themselves, whatever rows they have; kept in step with the answers."""

    def __init__(self) -> None:
        self._taken = TakenAnswers(0)

    def after(self, answers: Iterable[tuple[int, Answer]], n: int, *, outvote: bool) -> Constraints:
        """What follows from all of these answers about n pictures."""
        if (self._taken.n, self._taken.outvote) != (n, outvote):
            self._taken = TakenAnswers(n, outvote=outvote)
        self._taken.become([answer for _, answer in answers])
        return self._taken.constraints
