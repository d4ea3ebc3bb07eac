"""Quasi-Newton ascent of a bound that has a hidden distribution besides the weights."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bound = Callable[[Floats, Floats], tuple[float, Floats, Floats]]

MEMORY = 8  # steps whose curvature is remembered
TRIES = 12  # sizes of a step


class Ascent:
    """L-BFGS on max_q bound(W, q): where q is the best, the gradient by W is that of the bound with q held.

    Variational EM climbs the same hill, one coordinate after the other; a step here costs one E-step and one gradient.

    - `bound`: (W, q) to value, gradient and a q that is better for W.
    - `W` (d, k): Where to start.
    - `q` (m, k): And with which distribution.
    """

    def __init__(self, bound: Bound, W: Floats, q: Floats) -> None:
        self.bound, self.W = bound, W
        self.value, self.gradient, self.q = bound(W, q)
        self._pairs: list[tuple[Floats, Floats, float]] = []

    def climb(self, n_steps: int) -> bool:
        """At most n_steps, none of which goes down; whether all of them went up."""
        return all(self._step() for _ in range(n_steps))

    def _step(self) -> bool:
        direction = self._direction()
        slope = float((direction * self.gradient).sum())
        size = 1.0 if self._pairs else min(1.0, 1.0 / max(float(np.abs(self.gradient).sum()), 1e-300))
        for _ in range(TRIES):
            W = self.W + size * direction
            value, gradient, q = self.bound(W, self.q)
            if value >= self.value + 1e-4 * size * slope:
                self._remember(W - self.W, self.gradient - gradient)
                self.W, self.value, self.gradient, self.q = W, value, gradient, q
                return True
            # The top of the parabola through both values and the slope, not too near to either end.
            size *= min(max(0.5 * size * slope / (size * slope - (value - self.value)), 0.1), 0.5)
        self._pairs.clear()
        return False

    def _direction(self) -> Floats:
        """The remembered inverse curvature times the gradient, by two loops."""
        direction, shares = self.gradient.copy(), []
        for moved, bent, product in reversed(self._pairs):
            shares.append(float((moved * direction).sum()) / product)
            direction -= shares[-1] * bent
        if self._pairs:
            _, bent, product = self._pairs[-1]
            direction *= product / float((bent * bent).sum())
        for (moved, bent, product), share in zip(self._pairs, reversed(shares), strict=True):
            direction += (share - float((bent * direction).sum()) / product) * moved
        return direction

    def _remember(self, moved: Floats, bent: Floats) -> None:
        product = float((moved * bent).sum())
        if product > 1e-8 * float(np.linalg.norm(moved) * np.linalg.norm(bent)):
            self._pairs = [*self._pairs[1 - MEMORY :], (moved, bent, product)]
