"""SparseLP: a sparse metric from comparisons by a linear program."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array, eye_array, hstack, vstack

from likewise.constraints import Pairs
from likewise.distances.comparisons import NO_TRIPLETS, triplets_of_pairs
from likewise.distances.learner import TripletLearner

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class SparseLP(TripletLearner):
    r"""Few entries of a metric that keep a margin in the comparisons.

    Minimises :math:`\sum_t \xi_t + \gamma \sum_{ij} |A_{ij}|` under
    :math:`(x_a - x_c)^\top A (x_a - x_c) - (x_a - x_b)^\top A (x_a - x_b) \ge 1 - \xi_t` and
    :math:`A_{ii} \ge \sum_{j \ne i} |A_{ij}|`: what is diagonally dominant is positive semi-definite, and linear. Pairs
    give the triplets (a, b, c) of every must-link (a, b) and cannot-link (a, c).

    Parameters
    ----------
    regularization : float, default=0.1
        γ, the price of an entry, in comparisons missed by the whole margin.

    Attributes
    ----------
    components_ : ndarray of shape (d, d)
        Matrix of the transform.
    metric_ : ndarray of shape (d, d)
        The metric A.
    objective_ : float
        What was minimised.

    References
    ----------
    R. Rosales, G. Fung, *Learning sparse metrics via linear programming*, KDD 2006, written from its description.
    Deviation: where nothing is learned (no comparison, or all too dear) vectors stay as they are.

    Examples
    --------
    >>> X = [[0.0, 0.0], [0.2, 2.0], [1.0, 0.0], [1.2, 2.0]]
    >>> SparseLP().fit(X, triplets=[(0, 1, 2), (3, 2, 1)]).metric_.round(3).tolist()
    [[1.042, 0.0], [0.0, 0.0]]
    """

    def __init__(self, regularization: float = 0.1) -> None:
        self.regularization = regularization

    def _learn(self, X: Floats, must: Pairs, cannot: Pairs, triplets: Ints = NO_TRIPLETS) -> None:
        if not self.regularization > 0:
            raise ValueError(f"regularization must be positive, got {self.regularization!r}")
        d = X.shape[1]
        given = np.concatenate([triplets, triplets_of_pairs(must, cannot)])
        near, far = (X[given[:, 0]] - X[given[:, side]] for side in (1, 2))
        i, j = np.triu_indices(d, 1)
        gain = np.hstack([far**2 - near**2, 2.0 * (far[:, i] * far[:, j] - near[:, i] * near[:, j])])
        metric, self.objective_ = np.zeros((d, d)), 0.0
        if len(given):
            diagonal, off, self.objective_ = solve_program(gain, i, j, self.regularization)
            metric[i, j] = metric[j, i] = off
            metric[np.diag_indices(d)] = diagonal
        if not metric.any():
            metric = np.eye(d)
        values, vectors = np.linalg.eigh(metric)
        self.components_ = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T


def solve_program(gain: Floats, i: Ints, j: Ints, price: float) -> tuple[Floats, Floats, float]:
    """Diagonal (d,) and upper triangle (p,) of the metric, and the value of the program.

    gain (m, d + p): how much every entry adds to the margin of every comparison; i, j (p,) indices of the triangle.
    """
    m, p = len(gain), len(i)
    d = gain.shape[1] - p
    # Variables: the diagonal, what is above 0 and below 0 in the triangle, what every comparison misses.
    margins = hstack([csr_array(-gain), csr_array(gain[:, d:]), -eye_array(m)])
    rows, columns = np.concatenate([i, j]), np.tile(np.arange(p), 2)
    touching = csr_array((np.ones(2 * p), (rows, columns)), shape=(d, p))
    dominance = hstack([-eye_array(d), touching, touching, csr_array((d, m))])
    cost = np.concatenate([np.full(d, price), np.full(2 * p, 2.0 * price), np.ones(m)])
    limit = np.concatenate([np.full(m, -1.0), np.zeros(d)])
    rows_of_all: Any = vstack([margins, dominance], format="csr")
    found: Any = linprog(cost, A_ub=rows_of_all, b_ub=limit, method="highs")
    if found.status != 0:
        raise RuntimeError(f"the linear program was not solved: {found.message}")
    off = found.x[d : d + p] - found.x[d + p : d + 2 * p]
    # Rounding of the solver must not cost the dominance, and with it the sign of the metric.
    diagonal = np.maximum(found.x[:d], touching @ np.abs(off))
    return diagonal, off, float(found.fun)
