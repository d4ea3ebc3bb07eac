"""Which merges of the tree are joined: changed only when the answers say so clearly, one after another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Statement
from likewise.kernels.graphs.tree_cuts import follow_odds
from likewise.query.calibration import SameCurve
from likewise.query.dendrogram.answered_distances import NO_SCREEN, AnsweredDistances, is_inside_screen
from likewise.query.dendrogram.structure import Structure

NEWEST = 0.3  # share of the newest curve in the one the tree is cut by
TO_JOIN, TO_PART = 0.3, 1.0  # log-odds for, and against, from which on a merge changes
ALL_FITTED, FITTED = 400, 200  # the curve is fitted after each of so many statements; then when there are 1/200 more
N_KEPT = 16  # earlier cuts that are kept, for undo


def is_fitted(n_statements: int) -> bool:
    """Whether the curve is fitted anew after so many statements: one more of very many changes nothing.

    Examples
    --------
    >>> [m for m in range(397, 406) if is_fitted(m)], sum(map(is_fitted, range(1, 10_001)))
    ([397, 398, 399, 400, 402, 404], 1118)
    """
    return n_statements <= ALL_FITTED or n_statements % (n_statements // FITTED) == 0


def is_fitted_within(before: int, now: int) -> bool:
    """Whether the curve is fitted anew after a screen, that is, after any number of its statements."""
    return any(is_fitted(m) for m in range(before + 1, now + 1))


class RememberedCut:
    """The merges of the tree that are joined, given all statements in their order.

    The curve is fitted anew after every statement (see :func:`is_fitted`), and a single one may turn it: were the tree
    cut where the newest curve falls below ½, whole branches would come together and go apart. So it is cut by a mean
    over the curves, in which the newest has a share of 0.3, or less if its statement says again what others said inside
    the same piece; and a merge changes only where the log-odds are above 0.3, or below -1. What one screen says comes
    together, and turns the curve once. All of this follows from the statements alone.

    - `structure`: Tree and prior distances.
    - `curve`: Fitted to all statements, or nearly all.
    """

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self.curve = SameCurve(structure.near, structure.far)
        self._statements: list[tuple[Statement, int]] = []  # each with its screen
        self._curves = [(0, self.curve, self.curve.coef_)]  # after so many statements: the curve, and the mean
        self._joined = [(0, self._start())]  # the last cuts, packed, by the number of curves they follow from

    def update(
        self, answered: AnsweredDistances, statements: list[Statement], screens: Sequence[int] = ()
    ) -> NDArray[np.bool_]:
        """Which merges (n-1,) are joined after these statements, which `answered` holds; fast when they continue.

        - `screens`, sequence of int: By statement: the number of the screen that it is from, or -1; none by default.
        """
        screens = list(screens) or [NO_SCREEN] * len(statements)
        now = list(zip(statements, screens, strict=True))
        start = self._forget(now)
        for m in range(start + 1, len(now) + 1):
            if is_inside_screen(screens, m):
                continue
            if is_fitted_within(start, m):
                curve = SameCurve(self._structure.near, self._structure.far)
                curve.fit(answered.distances[:m], answered.same[:m], answered.pairs[:m], answered.weights[:m])
                mean = self._curves[-1][2]
                share = NEWEST * answered.newness(start, m)
                self._curves.append((m, curve, mean + share * (curve.coef_ - mean)))
            start = m
        self.curve = self._curves[-1][1]
        self._statements = now
        return self._cut()

    def _forget(self, now: list[tuple[Statement, int]]) -> int:
        """Forget what does not follow from these; how many of them are shared, up to the beginning of a screen."""
        before = self._statements
        differing = (k for k, (a, b) in enumerate(zip(before, now, strict=False)) if a != b)
        shared = next(differing, min(len(before), len(now)))
        while any(is_inside_screen([screen for _, screen in each[: shared + 1]], shared) for each in (before, now)):
            shared -= 1
        while self._curves[-1][0] > shared:
            self._curves.pop()
        self._joined = [kept for kept in self._joined if kept[0] < len(self._curves)] or [(0, self._start())]
        return shared

    def _cut(self) -> NDArray[np.bool_]:
        """Follow the curves from the last cut that is kept."""
        tree = self._structure.tree
        last, packed = self._joined[-1]
        joined = np.unpackbits(packed, count=len(tree.height)).astype(bool)
        for at in range(last + 1, len(self._curves)):
            a, b, c = self._curves[at][2]
            odds = np.array([a, b / self.curve.scale, c])
            follow_odds(tree.height, tree.log_pairs, odds, TO_JOIN, TO_PART, joined)
            if at >= len(self._curves) - N_KEPT:
                self._joined = [*self._joined[-N_KEPT:], (at, np.packbits(joined))]
        return joined

    def _start(self) -> NDArray[np.uint8]:
        tree = self._structure.tree
        curve = SameCurve(self._structure.near, self._structure.far)
        return np.packbits(curve.logit(tree.height, logs=tree.log_pairs) >= 0)
