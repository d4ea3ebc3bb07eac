"""COPKMeans: k-means, or k-medoids on distances, that never breaks a constraint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.base import ConstrainedClusterer
from likewise.cluster.feasible import FeasibleAssignment, alternate
from likewise.cluster.kmeans.means import cluster_means
from likewise.cluster.kmedoids.medoids import best_medoids, medoid_seeds
from likewise.cluster.placing import PlacingClusterer
from likewise.cluster.restarts import Run, best_run, check_search, first_seen
from likewise.cluster.seeding import mean_seeds
from likewise.constraints import Constraints
from likewise.distances import pairwise
from likewise.distances.memory import require_square
from likewise.kernels.metric.distances import compute_sqeuclidean

Vectors = NDArray[np.float64]
Labels = NDArray[np.int64]


class COPKMeans(PlacingClusterer, ConstrainedClusterer):
    """K-means under hard constraints: must-links and cannot-links always hold.

    Minimises Σᵢ ‖xᵢ - μₗ‖² on vectors, or Σᵢ d(xᵢ, medoidₗ) on other distances. Must-link groups are assigned
    whole. When a group finds every cluster closed, an exhaustive search looks for labels that
    satisfy every cannot-link; if there are none (or none within 200,000 steps; the problem is graph colouring),
    :class:`InfeasibleError` names the cannot-links that could not be satisfied.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters; none is left empty, unless must-links leave fewer groups than that.
    metric : "euclidean", "precomputed", another name of :func:`likewise.distances.pairwise`, or callable
        Means are taken with "euclidean", medoids with all others.
    n_init : int, default=5
        Starts; the worse half is given up after every few rounds, the lowest inertia is kept. The first takes the
        must-link groups farthest from each other.
    max_iter : int, default=100
        Rounds a start.
    tol : float, default=1e-6
        Stop when a round gains less than this share of the inertia.
    random_state : int, RandomState or None
        Seed of the draws.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        Clusters, numbered in order of their first item.
    n_clusters_ : int
        How many there are.
    cluster_centers_ : ndarray of shape (n_clusters_, d)
        Their means; with other metrics, the vectors of their medoids.
    medoid_indices_ : ndarray of shape (n_clusters_,)
        Their medoids, with other metrics only.
    inertia_ : float
        The sum that is minimised.
    objective_path_ : ndarray
        The inertia after every round of the best start.
    n_iter_ : int
        Rounds of the best start.

    References
    ----------
    K. Wagstaff, C. Cardie, S. Rogers, S. Schrödl, *Constrained k-means clustering with background knowledge*,
    ICML 2001, table 1; medoids as in A. Biswas, *Semi-supervised and Active Image Clustering with Pairwise
    Constraints from Humans*, 2014, §2.3. Deviations: whole groups are assigned, those with the fewest open
    clusters first, instead of items in the given order; labels are then improved by moves that keep all
    cannot-links (a group and whatever must change sides with it), so the inertia never rises; a dead end
    starts a search instead of giving up.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [8.0], [9.0]]
    >>> COPKMeans(2, random_state=0).fit_predict(X, must_link=[(2, 3)], cannot_link=[(1, 2)]).tolist()
    [0, 0, 1, 1, 1]
    >>> COPKMeans(2).fit(X, cannot_link=[(0, 1), (1, 2), (0, 2)])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    likewise.cluster.feasible.InfeasibleError: no labels satisfy every cannot_link with n_clusters=2: ...
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        metric: Any = "euclidean",
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-6,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _fit(self, X: Vectors, constraints: Constraints) -> None:
        n_clusters = self._check_n_clusters(self.n_clusters, len(X))
        check_search(self.n_init, self.max_iter, self.tol)
        assignment = FeasibleAssignment(constraints, min(n_clusters, len(constraints.groups())))
        by_means = isinstance(self.metric, str) and self.metric == "euclidean"
        run = self._by_means(X, assignment) if by_means else self._by_medoids(X, assignment)
        self.labels_, order = first_seen(run.labels, assignment.n_clusters)
        self.n_clusters_ = assignment.n_clusters
        if by_means:
            self.cluster_centers_ = run.centres[order]
        else:
            self.medoid_indices_ = run.centres[order]
            if self.metric != "precomputed":
                self.cluster_centers_ = X[self.medoid_indices_]
        self.inertia_ = run.path[-1]
        self.objective_path_ = np.array(run.path)
        self.n_iter_, self._settled = run.n_iter, run.settled

    def _by_means(self, X: Vectors, assignment: FeasibleAssignment) -> Run:
        n_clusters = assignment.n_clusters

        def start(number: int, random: np.random.RandomState) -> Iterator[Run]:
            return alternate(
                assignment,
                lambda centres: compute_sqeuclidean(X, centres),
                lambda labels: cluster_means(X, labels, n_clusters),
                mean_seeds(X, assignment.groups, n_clusters, random, number),
                self.max_iter,
                self.tol,
            )

        return best_run(start, self.n_init, self.random_state)

    def _by_medoids(self, X: Vectors, assignment: FeasibleAssignment) -> Run:
        require_square(len(X), 2, "COPKMeans with this metric", "with Euclidean vectors it needs none")
        distances = pairwise(X, metric=self.metric)
        items = np.arange(len(X))
        n_clusters = assignment.n_clusters

        def start(number: int, random: np.random.RandomState) -> Iterator[Run]:
            return alternate(
                assignment,
                lambda medoids: distances[:, medoids],
                lambda labels: best_medoids(distances, items, labels, n_clusters),
                medoid_seeds(distances, items, assignment.groups, n_clusters, random, number),
                self.max_iter,
                self.tol,
            )

        return best_run(start, self.n_init, self.random_state)
