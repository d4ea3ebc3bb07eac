"""The distances at which people answered *same* or *different*: what the probability curve is fitted to."""

from __future__ import annotations

import numpy as np

from likewise.constraints import Statement
from likewise.query.dendrogram.geometry import Sets
from likewise.query.dendrogram.structure import Structure


class AnsweredDistances:
    """For each answer, the two sets of items it is about and their distance at that time.

    Sets start as the pieces of the structure; two sets answered to be the same become one. An answer about items of
    different sets is about these sets; one about items of the same piece is about the two sides of the merge that
    joins them.

    - `structure`: Tree and pieces.
    - `distances`, `pairs`, `same`, lists: Mean distance, number of pairs and answer; one entry a statement.
    - `subjects`, list of int: Statements that say the same of items inside one piece share a number.
    """

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._taken: list[Statement] = []
        self._clear()

    def update(self, statements: list[Statement]) -> None:
        """Hold exactly these statements; fast when they continue those held before."""
        if statements[: len(self._taken)] != self._taken:
            self._clear()
        for i, j, relation in statements[len(self._taken) :]:
            self._add(i, j, relation == "same")
        self._taken = list(statements)

    def newness(self, n_statements: int) -> float:
        """How new the last of so many statements is: one by the number of those that say the same inside its piece.

        Two dozen members of a group that are confirmed at once say little more than the first of them.
        """
        subjects = self.subjects[:n_statements]
        return 1.0 / subjects.count(subjects[-1])

    def _clear(self) -> None:
        self.distances: list[float] = []
        self.pairs: list[float] = []
        self.same: list[bool] = []
        self.subjects: list[int] = []
        self._numbers: dict[object, int] = {}
        self._taken = []
        self._sets = self._structure.sets.copy()
        self._set_of = np.arange(len(self._sets.sizes))

    def _add(self, i: int, j: int, same: bool) -> None:
        a, b = self._structure.pieces[i], self._structure.pieces[j]
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
