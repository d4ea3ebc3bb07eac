"""Quasi-Newton search for a square transform L, the metric being LᵀL: positive semi-definite by construction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Floats = NDArray[np.float64]
Objective = Callable[[Floats], tuple[float, Floats]]


def minimise_transform(objective: Objective, start: Floats, max_iter: int, tol: float) -> tuple[Floats, float, int]:
    """Best L found from a start, its value and the number of steps.

    - `objective`: Value and gradient at L, (d, d).
    - `start` (d, d): First L.
    - `max_iter`, `tol`, int and float: Steps at most; share of the value below which a step ends the search.
    """

    def flat(x: Floats) -> tuple[float, Floats]:
        value, gradient = objective(x.reshape(start.shape))
        return value, gradient.ravel()

    options: Any = {"maxiter": max_iter, "ftol": tol, "gtol": 1e-10, "maxfun": 20 * max_iter, "maxcor": 20}
    found = minimize(flat, start.ravel(), jac=True, method="L-BFGS-B", options=options)
    return found.x.reshape(start.shape), float(found.fun), max(int(found.nit), 1)
