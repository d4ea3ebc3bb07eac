"""KMedoids: clusters around items, by swaps (Fast-PAM, CLARANS) or by alternation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state, check_scalar

from likewise.cluster.base import ConstrainedClusterer
from likewise.cluster.feasible import FeasibleAssignment, alternate
from likewise.cluster.medoids import best_medoids, group_cost, medoid_seeds
from likewise.cluster.restarts import Run, best_run, check_search, first_seen
from likewise.constraints import Constraints
from likewise.distances import pairwise
from likewise.kernels.medoids import swap_best, swap_first

Vectors = NDArray[np.float64]
Labels = NDArray[np.int64]


class KMedoids(ConstrainedClusterer):
    """Clusters around medoids: items with the lowest total distance to the rest of their cluster.

    Minimises Σᵢ d(xᵢ, medoidₗ). Constraints always hold, as with :class:`COPKMeans`: must-link groups are priced
    and assigned whole. The swaps know nothing of cannot-links; with any constraint the medoids they
    end in are where a constrained alternation starts, so with cannot-links the result need not be at a
    minimum of swaps.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters; none is left empty, unless must-links leave fewer groups than that.
    metric : "euclidean", "precomputed", another name of :func:`likewise.distances.pairwise`, or callable
        How far two items are from each other.
    method : "fastpam", "clarans" or "alternate", default="fastpam"
        The best of all swaps every time; random swaps, the first that gains; or assignment and new medoids in turn.
    restricted : int, array-like of int or None
        The items that may be medoids, or how many to draw for that. Only their distances are computed.
    max_neighbours : int, optional
        With "clarans", random swaps tried in vain before it stops; 1.25 % of all swaps, at least 250, by default.
    n_init : int, default=1
        Starts; the lowest inertia is kept. Of alternations the worse half is given up after every few rounds.
    max_iter : int, default=300
        Rounds or swaps a start.
    dtype : "float64" or "float32"
        Type of the distances that are held; "float32" halves the memory. They are computed in float64.
    random_state : int, RandomState or None
        Seed of the draws.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        Clusters, numbered in order of their first item.
    n_clusters_ : int
        How many there are.
    medoid_indices_ : ndarray of shape (n_clusters_,)
        Their medoids.
    inertia_ : float
        The sum that is minimised.
    n_iter_ : int
        Rounds or swaps of the best start.

    References
    ----------
    A. Biswas, *Semi-supervised and Active Image Clustering with Pairwise Constraints from Humans*, 2014, §4.5
    and 6.4 (Fast-PAM, CLARANS, the alternating baseline). Deviations: a candidate is priced against all
    removals in one pass (Schubert and Rousseeuw, 2019), which makes the same swaps in O(RN) each without
    tables of that size; starts are drawn by squared distance (k-means++).

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [8.0], [9.0], [10.0]]
    >>> model = KMedoids(2, random_state=0).fit(X)
    >>> model.medoid_indices_.tolist(), model.inertia_
    ([1, 4], 4.0)
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        metric: Any = "euclidean",
        method: str = "fastpam",
        restricted: int | ArrayLike | None = None,
        max_neighbours: int | None = None,
        n_init: int = 1,
        max_iter: int = 300,
        dtype: Any = "float64",
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.method = method
        self.restricted = restricted
        self.max_neighbours = max_neighbours
        self.n_init = n_init
        self.max_iter = max_iter
        self.dtype = dtype
        self.random_state = random_state

    def _fit(self, X: Vectors, constraints: Constraints) -> None:
        n_clusters = self._check_n_clusters(self.n_clusters, len(X))
        check_search(self.n_init, self.max_iter)
        searches = {"fastpam": self._swap_best, "clarans": self._swap_random, "alternate": None}
        if self.method not in searches:
            raise ValueError(f"method must be one of {', '.join(searches)}, got {self.method!r}")
        random = check_random_state(self.random_state)
        candidates = self._candidates(len(X), n_clusters, random)
        cost = self._cost(X, candidates)
        assignment = FeasibleAssignment(constraints, min(n_clusters, len(constraints.groups())))
        search = _Search(cost, candidates, assignment, self.max_iter)

        def start(number: int, random: np.random.RandomState) -> Iterator[Run]:
            return search.run(number, random, searches[self.method])

        run = best_run(start, self.n_init, random)
        self.labels_, order = first_seen(run.labels, assignment.n_clusters)
        self.n_clusters_ = assignment.n_clusters
        self.medoid_indices_ = candidates[run.centres][order]
        self.inertia_ = run.path[-1]
        self.n_iter_ = run.n_iter

    def _candidates(self, n: int, n_clusters: int, random: np.random.RandomState) -> Labels:
        if self.restricted is None:
            return np.arange(n)
        if isinstance(self.restricted, Integral):
            count = int(self.restricted)
            chosen = np.sort(random.permutation(n)[: max(count, 0)])
        else:
            chosen = np.unique(np.asarray(self.restricted))
            if chosen.ndim != 1 or chosen.dtype.kind not in "iu" or (chosen < 0).any() or (chosen >= n).any():
                raise ValueError(f"restricted must hold indices of the {n} items")
        if len(chosen) < n_clusters:
            raise ValueError(f"restricted leaves {len(chosen)} items for n_clusters={n_clusters} medoids")
        return chosen.astype(np.int64)

    def _cost(self, X: Vectors, candidates: Labels) -> Vectors:
        if isinstance(self.metric, str) and self.metric == "precomputed":
            held = X if len(candidates) == len(X) else X[candidates]
            return held.astype(self.dtype, copy=False)
        if len(candidates) == len(X):
            return pairwise(X, metric=self.metric, dtype=self.dtype)
        return pairwise(X[candidates], X, metric=self.metric, dtype=self.dtype)

    def _swap_best(self, cost: Vectors, medoids: Labels, random: np.random.RandomState) -> int:
        return int(swap_best(cost, medoids, self.max_iter)[1])

    def _swap_random(self, cost: Vectors, medoids: Labels, random: np.random.RandomState) -> int:
        n_swaps = len(medoids) * (len(cost) - len(medoids))
        trials = max(250, n_swaps // 80) if self.max_neighbours is None else self.max_neighbours
        check_scalar(trials, "max_neighbours", Integral, min_val=1)
        swaps = 0
        while swaps < self.max_iter:
            rows = random.randint(len(cost), size=trials)
            if not swap_first(cost, medoids, rows, random.randint(len(medoids), size=trials)):
                break
            swaps += 1
        return swaps


class _Search:
    """What stays the same over the starts of one fit."""

    def __init__(
        self, cost: Vectors, candidates: Labels, assignment: FeasibleAssignment, max_iter: int
    ) -> None:
        self.cost, self.candidates, self.assignment = cost, candidates, assignment
        self.n_clusters = assignment.n_clusters
        self.max_iter = max_iter
        groups = assignment.groups
        self.bound = len(groups.members) > 0
        # A must-link group is one unit to the swaps: its distances are added up.
        self.units = cost
        if self.bound:
            self.units = np.hstack([cost[:, groups.free], group_cost(cost, groups)])

    def run(
        self,
        number: int,
        random: np.random.RandomState,
        swap: Callable[[Vectors, Labels, np.random.RandomState], int] | None,
    ) -> Iterator[Run]:
        """One start: swaps if any, then alternation unless swaps alone will do."""
        groups = self.assignment.groups
        medoids = medoid_seeds(self.cost, self.candidates, groups, self.n_clusters, random, number)
        swaps = 0 if swap is None else swap(self.units, medoids, random)
        if swap is not None and not self.bound:
            labels = np.argmin(self.cost[medoids], axis=0)
            labels[self.candidates[medoids]] = np.arange(self.n_clusters)
            inertia = float(self.cost[medoids[labels], np.arange(len(labels))].sum(dtype=np.float64))
            yield Run(labels, medoids, [inertia], swaps)
            return
        rounds = alternate(
            self.assignment,
            lambda centres: self.cost[centres].T,
            lambda labels: best_medoids(self.cost, self.candidates, labels, self.n_clusters),
            medoids,
            self.max_iter,
            0.0,
        )
        for run in rounds:
            yield run._replace(n_iter=run.n_iter + swaps)
