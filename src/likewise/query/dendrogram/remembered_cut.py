"""Which merges of the tree are joined: changed only when the answers say so clearly, one after another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Statement
from likewise.query.calibration import SameCurve
from likewise.query.dendrogram.answered_distances import AnsweredDistances
from likewise.query.dendrogram.structure import Structure

NEWEST = 0.3  # share of the newest curve in the one the tree is cut by
TO_JOIN, TO_PART = 0.3, 1.0  # log-odds for, and against, from which on a merge changes


class RememberedCut:
    """The merges of the tree that are joined, given all statements in their order.

    The curve is fitted anew after every statement, and a single one may turn it: were the tree cut where the newest
    curve falls below ½, whole branches would come together and go apart. So it is cut by a mean over the curves, in
    which the newest has a share of 0.3, or less if its statement says again what others said inside the same piece; and
    a merge changes only where the log-odds are above 0.3, or below -1. All of this follows from the statements alone.

    - `structure`: Tree and prior distances.
    - `curve`: Fitted to all statements.
    """

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self.curve = SameCurve(structure.near, structure.far)
        self._statements: list[Statement] = []
        self._means = [self.curve.coef_]  # mean coefficients after 0, 1, 2 … statements
        self._joined = self._start()
        self._n_joined = 0  # number of statements that `_joined` follows from

    def update(self, answered: AnsweredDistances, statements: list[Statement]) -> NDArray[np.bool_]:
        """Which merges (n-1,) are joined after these statements, which `answered` holds; fast when they continue."""
        both = zip(self._statements, statements, strict=False)
        least = min(len(self._statements), len(statements))
        shared = next((k for k, (before, now) in enumerate(both) if before != now), least)
        del self._means[shared + 1 :]
        for m in range(shared + 1, len(statements) + 1):
            self._fit(answered, m)
            share = NEWEST * answered.newness(m)
            self._means.append(self._means[-1] + share * (self.curve.coef_ - self._means[-1]))
        if shared == len(statements):
            self._fit(answered, shared)
        if shared < self._n_joined:
            self._joined, self._n_joined = self._start(), 0
        tree = self._structure.tree
        logs, heights = np.log(tree.pairs), tree.height / self.curve.scale
        for a, b, c in self._means[self._n_joined + 1 :]:
            odds = a - b * heights - c * logs
            self._joined = (odds > TO_JOIN) | (self._joined & (odds >= -TO_PART))
        self._statements, self._n_joined = list(statements), len(statements)
        return self._joined

    def _fit(self, answered: AnsweredDistances, m: int) -> None:
        self.curve = SameCurve(self._structure.near, self._structure.far)
        self.curve.fit(answered.distances[:m], answered.same[:m], answered.pairs[:m])

    def _start(self) -> NDArray[np.bool_]:
        tree = self._structure.tree
        curve = SameCurve(self._structure.near, self._structure.far)
        return np.asarray(curve(tree.height, tree.pairs) >= 0.5)
