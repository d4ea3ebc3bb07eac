"""The distances at which people answered *same* or *different*: what the probability curve is fitted to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from likewise.constraints import Statement
from likewise.query.dendrogram.geometry import Sets
from likewise.query.dendrogram.structure import Structure

NO_SCREEN = -1


def is_inside_screen(screens: Sequence[int], at: int) -> bool:
    """Whether the statements before and after a place are of one screen.

    Examples
    --------
    >>> [is_inside_screen([-1, -1, 2, 2], at) for at in range(5)]
    [False, False, False, True, False]
    """
    return 0 < at < len(screens) and screens[at - 1] == screens[at] != NO_SCREEN


class AnsweredDistances:
    """For each answer, the two sets of items it is about and their distance at that time.

    Sets start as the pieces of the structure; two sets answered to be the same become one. An answer about items of
    different sets is about these sets; one about items of the same piece is about the two sides of the merge that
    joins them.

    Two dozen members of a cluster that one screen confirms were chosen because they were thought to belong, and say
    little on how far apart items of a kind are elsewhere: what a screen says the same of the same pieces counts for one
    answer together.

    - `structure`: Tree and pieces.
    - `distances`, `pairs`, `same`, `weights`, lists: Mean distance, number of pairs, answer, and for how many answers
      it counts; one entry a statement.
    - `subjects`, list of int: Statements that say the same of items inside one piece share a number.
    """

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._taken: list[Statement]
        self._screens: list[int]
        self._clear()

    def update(self, statements: list[Statement], screens: Sequence[int] = ()) -> None:
        """Hold exactly these statements; fast when they continue those held before.

        - `screens`, sequence of int: By statement: the number of the screen that it is from, or -1; none by default.
        """
        screens = list(screens) or [NO_SCREEN] * len(statements)
        held = len(self._taken)
        before = statements[:held], screens[:held]
        if before != (self._taken, self._screens) or is_inside_screen(screens, held):
            self._clear()
        for (i, j, relation), screen in zip(statements[len(self._taken) :], screens[len(self._taken) :], strict=True):
            self._add(i, j, relation == "same", screen)
        self._taken, self._screens = list(statements), screens
        for entries in self._alike.values():
            for at in entries:
                self.weights[at] = 1.0 / len(entries)
        self._alike.clear()

    def newness(self, first: int, last: int) -> float:
        """How new the statements from `first` to before `last` are: the newest of them counts.

        One by the answers so far that say the same inside its piece: two dozen members of a group that are confirmed
        one after another say little more than the first of them.
        """
        subjects = self.subjects[:last]
        new = set(subjects[first:])
        count = dict.fromkeys(new, 0.0)
        for subject, weight in zip(subjects, self.weights, strict=False):
            if subject in new:
                count[subject] += weight
        return max(1.0 / total for total in count.values())

    def _clear(self) -> None:
        self.distances: list[float] = []
        self.pairs: list[float] = []
        self.same: list[bool] = []
        self.weights: list[float] = []
        self.subjects: list[int] = []
        self._numbers: dict[object, int] = {}
        self._taken, self._screens = [], []
        self._alike: dict[object, list[int]] = {}  # entries of one screen that say the same of the same pieces
        self._sets = self._structure.sets.copy()
        self._set_of = np.arange(len(self._sets.sizes))

    def _add(self, i: int, j: int, same: bool, screen: int) -> None:
        a, b = self._structure.pieces[i], self._structure.pieces[j]
        self.weights.append(1.0)
        if screen != NO_SCREEN:
            self._alike.setdefault((screen, int(a), int(b), same), []).append(len(self.subjects))
        subject = (int(a), same) if a == b else len(self.subjects)
        self.subjects.append(self._numbers.setdefault(subject, len(self._numbers)))
        left, right = self._set_of[a], self._set_of[b]
        if a == b:
            tree = self._structure.tree
            merge = tree.meeting(i, j)
            self._note(float(tree.height[merge]), float(np.prod(tree.size[tree.children[merge]], dtype=float)), same)
        elif left == right:
            self._note_sets(self._structure.sets, int(a), int(b), same)
        else:
            self._note_sets(self._sets, int(left), int(right), same)
            if same:
                self._sets.merge(int(left), int(right))
                self._set_of[self._set_of == right] = left

    def _note_sets(self, sets: Sets, a: int, b: int, same: bool) -> None:
        self._note(float(sets.distances(a, b)), float(sets.sizes[a] * sets.sizes[b]), same)

    def _note(self, distance: float, pairs: float, same: bool) -> None:
        self.distances.append(distance)
        self.pairs.append(pairs)
        self.same.append(same)
