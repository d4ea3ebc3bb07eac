"""DistLQP: distances changed as little as possible so that constraints and triangle inequalities hold."""

from __future__ import annotations

import warnings
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from likewise.constraints import ConflictError, Constraints, as_pairs
from likewise.distances.edge_program import EdgeProgram, Prices, Solution, Solver, codes_of, full_program, graph_program
from likewise.distances.learner import DistanceLearner
from likewise.distances.matrix import pairwise
from likewise.distances.memory import LINEAR, count_rows, require_square
from likewise.kernels.metric.new_item import fix_new_distances

Floats = NDArray[np.float64]

SWEEPS = 10_000  # at most, for the distances of one new item


class DistLQP(DistanceLearner):
    """Distances learned from constraints without vectors, by a quadratic program over triangles.

    A must-link pulls two items together, a cannot-link pushes them away; the triangle inequality propagates this
    to their neighbours. The result is a distance matrix for any clusterer with ``metric="precomputed"``.

    Parameters
    ----------
    n_neighbors : int, default=20
        Neighbours of the graph whose triangles are kept (fewer when there are fewer items).
    must_link_distance : float, default=0.01
        U, the distance under which must-links should come.
    cannot_link_distance : float, optional
        L, the distance that cannot-links should reach; by default the largest distance divided by `alpha`.
    alpha : float, default=2
        Divisor of the default L; the paper takes 2 for video faces, 3 for faces, 8 for leaves.
    must_link_weight, cannot_link_weight : float, default=10 and 1
        λ₁ and λ₂, the price of a unit that a constraint is missed by. With ``triangles="all"`` constraints are hard.
    triangles : "graph" or "all"
        QP 2.2, or QP 2.1 with every triangle of every three items (up to about 100 items).
    metric : "precomputed", a name of :func:`likewise.distances.pairwise`, or callable
        What `fit` is given: distances, or vectors to compute them from.
    tol : float, default=5e-5
        Stop when the duality gap is below this share of the objective.
    max_iter : int, default=1000
        Maximum number of rounds of ten sweeps; a warning is given when they do not suffice.
    warm_start : bool, default=False
        Start from the last fit's multipliers: for the same distances with more constraints.

    Attributes
    ----------
    distances_ : ndarray of shape (n, n)
        Learned distances; pairs outside the program keep theirs.
    objective_, gap_ : float
        Value of the program, and the proven share it is at most above the optimum.
    n_edges_, n_triangles_ : int
        Size of the program.
    n_iter_ : int
        Rounds.

    References
    ----------
    A. Biswas, *Semi-supervised and Active Image Clustering with Pairwise Constraints from Humans*, 2014, ch. 2,
    eq. 2.1 and 2.2. Deviations: dual coordinate ascent on single triangles in place of an interior point method;
    non-negativity is left out, as the three inequalities of a triangle imply it; where the program leaves a
    constrained distance open, it is where the iteration, which starts from the initial one, finds it; distances of new
    items (ch. 5 has them for future work) by the same program with what was learned held fast.

    Examples
    --------
    >>> D = [[0.0, 4.0, 1.0], [4.0, 0.0, 3.0], [1.0, 3.0, 0.0]]
    >>> learned = DistLQP(must_link_distance=0.0, triangles="all", tol=1e-9).fit_transform(D, must_link=[(0, 1)])
    >>> np.abs(learned).round(4)
    array([[0., 0., 2.],
           [0., 0., 2.],
           [2., 2., 0.]])
    """

    def __init__(
        self,
        n_neighbors: int = 20,
        must_link_distance: float = 0.01,
        cannot_link_distance: float | None = None,
        *,
        alpha: float = 2.0,
        must_link_weight: float = 10.0,
        cannot_link_weight: float = 1.0,
        triangles: Literal["graph", "all"] = "graph",
        metric: Any = "precomputed",
        tol: float = 5e-5,
        max_iter: int = 1000,
        warm_start: bool = False,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.must_link_distance = must_link_distance
        self.cannot_link_distance = cannot_link_distance
        self.alpha = alpha
        self.must_link_weight = must_link_weight
        self.cannot_link_weight = cannot_link_weight
        self.triangles = triangles
        self.metric = metric
        self.tol = tol
        self.max_iter = max_iter
        self.warm_start = warm_start

    def fit(
        self, X: ArrayLike, y: Any = None, *, must_link: ArrayLike | None = None, cannot_link: ArrayLike | None = None
    ) -> Self:
        """Learn distances.

        Parameters
        ----------
        X : array-like of shape (n, n), or (n, d) with a `metric` of vectors
            Initial distances.
        y : ignored
            Present for scikit-learn.
        must_link, cannot_link : array-like of shape (m, 2), optional
            Pairs of indices that people called same, and different.
        """
        require_square(count_rows(X), 3, "DistLQP", LINEAR)
        D = pairwise(X, metric=self.metric)
        self._check_parameters()
        prices = self._prices(D)
        program = self._program(D, must_link, cannot_link, prices)
        start = self._continue(program) if self.warm_start and hasattr(self, "_last") else None
        found = Solver(program, prices).solve(self.tol, self.max_iter, start)
        if found.n_iter == self.max_iter and found.gap > self.tol:
            message = f"DistLQP stopped after max_iter={self.max_iter} rounds with a gap of {found.gap:.2g}"
            warnings.warn(message, ConvergenceWarning, stacklevel=2)
        self._initial, self._last = D, (program, found)
        self.distances_ = D.copy()
        i, j = program.ends.T
        self.distances_[i, j] = self.distances_[j, i] = found.lengths
        self.objective_, self.gap_, self.n_iter_ = found.objective, found.gap, found.n_iter
        self.n_edges_, self.n_triangles_ = len(program.ends), len(program.triangles)
        self.n_features_in_ = np.shape(X)[1]
        self._fitted = D if self.metric == "precomputed" else X
        return self

    def distances_to(self, X: ArrayLike) -> Floats:
        r"""Learned distances from new items to those of the fit.

        What was learned stays. The distances e of a new item move as little from the initial ones d as the triangles
        with every pair (i, j) whose distance was changed, to l, ask for:
        :math:`\frac12 \sum_i (e_i - d_i)^2 + \sum_{ij} c_{ij}\,(\text{what } |e_i - e_j| \le l_{ij} \le e_i + e_j
        \text{ is missed by})`, where c is `must_link_weight` for pairs that came nearer and `cannot_link_weight` for
        others, or without limit with ``triangles="all"``.

        Parameters
        ----------
        X : array-like of shape (m, n), or (m, d) with a `metric` of vectors
            Initial distances from each new item to every fitted one, or vectors.

        Returns
        -------
        ndarray of shape (m, n)
            Distances; new items do not move one another.
        """
        check_is_fitted(self, "distances_")
        start = self._initial_to(X)
        out = np.ascontiguousarray(start)
        i, j = np.nonzero(np.triu(self.distances_ != self._initial, 1))
        if len(i) == 0:
            return out
        lengths, before = self.distances_[i, j], self._initial[i, j]
        cost = np.where(lengths < before, self.must_link_weight, self.cannot_link_weight)
        cost = np.full(len(i), np.inf) if self.triangles == "all" else cost.astype(np.float64)
        tol = self.tol * max(float(self._initial.max()), 1e-300)
        sweeps = [fix_new_distances(row, i, j, lengths, cost, tol, SWEEPS) for row in out]
        if max(sweeps) == SWEEPS:
            warnings.warn(f"some new distances had not settled after {SWEEPS} sweeps", ConvergenceWarning, stacklevel=2)
        return np.maximum(out, 0.0)

    def _initial_to(self, X: ArrayLike) -> Floats:
        if self.metric != "precomputed":
            return np.array(pairwise(X, self._fitted, metric=self.metric))
        checked = np.array(check_array(X, dtype=np.float64))
        if checked.shape[1] != len(self._initial) or checked.min() < 0:
            raise ValueError(f"X must hold distances to the {len(self._initial)} fitted items, got {checked.shape}")
        return checked

    def _check_parameters(self) -> None:
        if self.triangles not in ("graph", "all"):
            raise ValueError(f"triangles must be 'graph' or 'all', got {self.triangles!r}")
        if self.n_neighbors < 1:
            raise ValueError(f"n_neighbors must be positive, got {self.n_neighbors}")
        if self.max_iter < 1:
            raise ValueError(f"max_iter must be positive, got {self.max_iter}")
        if not self.alpha > 0:
            raise ValueError(f"alpha must be positive, got {self.alpha!r}")
        for name in ("must_link_distance", "must_link_weight", "cannot_link_weight", "tol"):
            if not getattr(self, name) >= 0:
                raise ValueError(f"{name} must not be negative, got {getattr(self, name)!r}")

    def _prices(self, D: Floats) -> Prices:
        far = self.cannot_link_distance
        if far is None:
            far = max(float(D.max()) / self.alpha, self.must_link_distance)
        if far < self.must_link_distance:
            raise ValueError(f"cannot_link_distance is {far:g}, below must_link_distance={self.must_link_distance:g}")
        if self.triangles == "all":
            return Prices(self.must_link_distance, far, np.inf, np.inf)
        return Prices(self.must_link_distance, far, self.must_link_weight, self.cannot_link_weight)

    def _program(
        self, D: Floats, must_link: ArrayLike | None, cannot_link: ArrayLike | None, prices: Prices
    ) -> EdgeProgram:
        n = len(D)
        must = codes_of(as_pairs(must_link, n, "must_link"), n)
        cannot = codes_of(as_pairs(cannot_link, n, "cannot_link"), n)
        if self.triangles == "all":
            constraints = Constraints(n, must_link=must_link, cannot_link=cannot_link)
            if constraints.conflicts():
                raise ConflictError(constraints.conflicts())
            return full_program(D, must, cannot)
        both = np.intersect1d(must, cannot)
        if len(both):
            i, j = divmod(int(both[0]), n)
            raise ValueError(f"contradictory constraints: {i} and {j} are in must_link and in cannot_link")
        return (
            graph_program(D, must, cannot, min(self.n_neighbors, n - 1), prices)
            if n > 1
            else (full_program(D, must, cannot))
        )

    def _continue(self, program: EdgeProgram) -> Solution | None:
        """The last solution on the edges and triangles of a new program."""
        before, found = self._last
        if before.n != program.n:
            return None
        y = np.zeros((len(program.triangles), 3))
        _, here, there = np.intersect1d(
            program.triangle_codes(), before.triangle_codes(), assume_unique=True, return_indices=True
        )
        y[here] = found.y[there]
        lengths = program.lengths.copy()
        _, here, there = np.intersect1d(
            program.edge_codes(), before.edge_codes(), assume_unique=True, return_indices=True
        )
        lengths[here] = found.free_lengths[there]
        multiplier = np.zeros(len(before.lengths))
        multiplier[np.concatenate([before.must, before.cannot])] = found.z
        moved = np.zeros(len(program.lengths))
        moved[here] = multiplier[there]
        z = moved[np.concatenate([program.must, program.cannot])]
        return Solution(lengths, lengths, y, z, np.inf, np.inf, np.inf, 0)
