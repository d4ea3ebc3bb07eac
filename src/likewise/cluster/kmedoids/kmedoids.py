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
from likewise.cluster.kmedoids.candidate_distances import CandidateDistances, UnitDistances
from likewise.cluster.kmedoids.medoids import best_medoids_by, medoid_seeds_by
from likewise.cluster.kmedoids.swaps import swap_best, swap_eager, swap_random
from likewise.cluster.placing import PlacingClusterer
from likewise.cluster.renamed import renamed_argument
from likewise.cluster.restarts import Run, best_run, check_search, first_seen
from likewise.cluster.seeding import draw_restricted
from likewise.constraints import Constraints
from likewise.distances.sparse_rows import is_sparse

Vectors = NDArray[np.float64]
Labels = NDArray[np.int64]
Swap = Callable[[UnitDistances, Labels, np.random.RandomState], tuple[int, bool]]

METHODS = ("fastpam", "clarans", "alternate")


class KMedoids(PlacingClusterer, ConstrainedClusterer):
    """Clusters around medoids: items with the lowest total distance to the rest of their cluster.

    Minimises Σᵢ d(xᵢ, medoidₗ). Constraints always hold, as with :class:`COPKMeans`: must-link groups are priced
    and assigned whole; X may be sparse. The swaps know nothing of cannot-links; with any constraint the medoids they
    end in are where a constrained alternation starts, so with cannot-links the result need not be at a
    minimum of swaps.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters; none is left empty, unless must-links leave fewer groups than that.
    metric : "euclidean", "precomputed", another name of :func:`likewise.distances.pairwise`, or callable
        How far two items are from each other.
    method : "fastpam", "clarans" or "alternate", default="fastpam"
        Swaps in order; random swaps, the first that gains; or assignment and new medoids in turn.
    restricted : int, array-like of int or None
        The items that may be medoids, or how many to draw for that. Only their distances are computed.
    eager : bool, optional
        With "fastpam", make a swap as soon as it gains (FasterPAM) or the best of all every time (PAM). By default
        the best, as published, with `restricted`, and eager ones, far fewer passes over the distances, without.
    max_neighbors : int, optional
        With "clarans", random swaps tried in vain before it stops; 1.25 % of all swaps, at least 250, by default.
    max_neighbours : int, optional
        Name of before of `max_neighbors`.
    n_init : int, default=1
        Starts; the lowest inertia is kept. Of alternations the worse half is given up after every few rounds.
    max_iter : int, default=300
        Rounds or swaps a start; with eager swaps, passes over the candidates.
    dtype : "float64" or "float32"
        Type of the distances; "float32" halves the memory. They are computed in float64. From vectors at most
        2²⁴ distances are held; where there are more, blocks of them are computed anew in every pass.
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
    cluster_centers_ : ndarray of shape (n_clusters_, d)
        Vectors of the medoids, where X holds vectors.
    inertia_ : float
        The sum that is minimised.
    n_iter_ : int
        Rounds or swaps of the best start.

    References
    ----------
    A. Biswas, *Semi-supervised and Active Image Clustering with Pairwise Constraints from Humans*, 2014, §4.5
    and 6.4 (Fast-PAM, CLARANS, the alternating baseline). Deviations: a candidate is priced against all
    removals in one pass (Schubert and Rousseeuw, 2019), which makes the same swaps in O(RN) each without
    tables of that size; `eager` swaps (Schubert and Rousseeuw, 2021) when all items may be medoids; starts are
    drawn by squared distance (k-means++).

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [8.0], [9.0], [10.0]]
    >>> model = KMedoids(2, random_state=0).fit(X)
    >>> model.medoid_indices_.tolist(), model.inertia_
    ([1, 4], 4.0)
    """

    takes_sparse = True

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        metric: Any = "euclidean",
        method: str = "fastpam",
        restricted: int | ArrayLike | None = None,
        eager: bool | None = None,
        max_neighbors: int | None = None,
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
        self.eager = eager
        self.max_neighbors = max_neighbors
        self.max_neighbours = max_neighbours
        self.n_init = n_init
        self.max_iter = max_iter
        self.dtype = dtype
        self.random_state = random_state

    def _fit(self, X: Vectors, constraints: Constraints) -> None:
        n = X.shape[0]
        n_clusters = self._check_n_clusters(self.n_clusters, n)
        check_search(self.n_init, self.max_iter)
        if self.method not in METHODS:
            raise ValueError(f"method must be one of {', '.join(METHODS)}, got {self.method!r}")
        swap = None if self.method == "alternate" else self._swap
        random = check_random_state(self.random_state)
        candidates = np.arange(n)
        if self.restricted is not None:
            candidates = draw_restricted(self.restricted, n, n_clusters, random)
        assignment = FeasibleAssignment(constraints, min(n_clusters, len(constraints.groups())))
        search = _MedoidSearch(CandidateDistances(X, self.metric, candidates, self.dtype), assignment, self.max_iter)

        def start(number: int, random: np.random.RandomState) -> Iterator[Run]:
            return search.run(number, random, swap)

        run = best_run(start, self.n_init, random)
        self.labels_, order = first_seen(run.labels, assignment.n_clusters)
        self.n_clusters_ = assignment.n_clusters
        self.medoid_indices_ = candidates[run.centres][order]
        if not (isinstance(self.metric, str) and self.metric == "precomputed"):
            centres = X[self.medoid_indices_]
            self.cluster_centers_ = centres.toarray() if is_sparse(centres) else centres
        self.inertia_ = run.path[-1]
        self.n_iter_, self._settled = run.n_iter, run.settled

    def _swap(self, distances: UnitDistances, medoids: Labels, random: np.random.RandomState) -> tuple[int, bool]:
        if self.method == "clarans":
            n_swaps = len(medoids) * (len(distances) - len(medoids))
            trials = renamed_argument(self, "max_neighbours", "max_neighbors")
            trials = max(250, n_swaps // 80) if trials is None else trials
            check_scalar(trials, "max_neighbors", Integral, min_val=1)
            return swap_random(distances, medoids, self.max_iter, int(trials), random)
        if self.eager or (self.eager is None and self.restricted is None):
            return swap_eager(distances, medoids, self.max_iter)
        return swap_best(distances, medoids, self.max_iter)


class _MedoidSearch:
    """What stays the same over the starts of one fit."""

    def __init__(self, distances: CandidateDistances, assignment: FeasibleAssignment, max_iter: int) -> None:
        self.distances, self.assignment = distances, assignment
        self.n_clusters = assignment.n_clusters
        self.max_iter = max_iter
        # A must-link group is one unit to the swaps: its distances are added up.
        self.units = UnitDistances(distances, assignment.groups)
        self.middles = self.units.best_for_groups()

    def run(self, number: int, random: np.random.RandomState, swap: Swap | None) -> Iterator[Run]:
        """One start: swaps if any, then alternation unless swaps alone will do."""
        groups, distances = self.assignment.groups, self.distances
        medoids = medoid_seeds_by(
            distances.column, len(distances), self.middles, groups, self.n_clusters, random, number
        )
        swaps, settled = (0, True) if swap is None else swap(self.units, medoids, random)
        if swap is not None and not self.units.bound:
            yield self._nearest(medoids, swaps)._replace(settled=settled)
            return
        rounds = alternate(
            self.assignment,
            lambda centres: distances.rows(centres).T,
            lambda labels: best_medoids_by(distances.totals, distances.candidates, labels, self.n_clusters),
            medoids,
            self.max_iter,
            0.0,
        )
        for run in rounds:
            yield run._replace(n_iter=run.n_iter + swaps, settled=run.settled and settled)

    def _nearest(self, medoids: Labels, swaps: int) -> Run:
        rows = self.distances.rows(medoids)
        labels = np.argmin(rows, axis=0)
        labels[self.distances.candidates[medoids]] = np.arange(self.n_clusters)
        inertia = float(rows[labels, np.arange(len(labels))].sum(dtype=np.float64))
        return Run(labels, medoids, [inertia], swaps)
