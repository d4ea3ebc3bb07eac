"""MPCKMeans: k-means that learns its metric from the clusters and from violated constraints."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_scalar

from likewise.cluster.kmeans.learned_metric import Farthest, Tallies, apply_form, farthest, improve, log_det, stretch
from likewise.cluster.kmeans.means import check_vectors_only, cluster_means
from likewise.cluster.kmeans.penalised import assign
from likewise.cluster.placing import PlacingClusterer
from likewise.cluster.renamed import UNSET, renamed_argument
from likewise.cluster.restarts import Run, best_run, check_search, check_weight, first_seen
from likewise.cluster.seeding import mean_seeds
from likewise.cluster.weighed import Levels, WeighedClusterer, WeighedConstraints, stack_levels
from likewise.kernels.assignment.penalised import Penalties
from likewise.kernels.metric.distances import compute_sqeuclidean

Vectors = NDArray[np.float64]
Labels = NDArray[np.int64]


class MPCKMeans(PlacingClusterer, WeighedClusterer):
    """K-means with soft constraints that also learns how to measure distances.

    Minimises, over labels, centres and positive definite matrices A (one for all clusters, or one a cluster),

        Σᵢ (‖xᵢ - μₗ‖²_A - log det A) + w Σ_ML f_M(xᵢ, xⱼ) + w Σ_CL f_C(xᵢ, xⱼ) + prior Σ_A (⟨A, V⟩ - log det A)

    over the violated pairs of the constraints' closure, each times its own weight where it has one.
    f_M = ½‖xᵢ - xⱼ‖²_A + ½‖xᵢ - xⱼ‖²_A′ under the metrics of the two clusters; f_C = ‖x′ - x″‖²_A - ‖xᵢ - xⱼ‖²_A
    where x′, x″ are the two items farthest apart under that metric; V is the diagonal of the data's variances. The
    objective never rises.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters; none is left empty.
    metric : "euclidean"
        Vectors only: other distances have no means.
    weight : float, default=1.0
        Weight w of every violated pair.
    w : float
        Name of before of `weight`.
    per_cluster : bool, default=False
        One matrix a cluster instead of one for all.
    full : bool, default=False
        Full matrices instead of diagonal ones.
    prior : float, default=1.0
        Number of items the variances of the whole data count for, so that no matrix is singular.
    n_init : int, default=5
        Starts; the worse half is given up after every few rounds, the lowest objective is kept. The first takes the
        must-link groups farthest from each other.
    max_iter : int, default=100
        Rounds a start.
    tol : float, default=1e-6
        Stop when a round gains less than this share of the objective.
    random_state : int, RandomState or None
        Seed of orders and draws.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        Clusters, numbered in order of their first item.
    n_clusters_ : int
        How many there are.
    cluster_centers_ : ndarray of shape (n_clusters, d)
        Their means.
    matrices_ : ndarray of shape (m, d), or (m, d, d) if `full`
        The learned metric (m = 1), or that of each cluster; diagonals unless `full`.
    farthest_ : ndarray of shape (m, 2)
        The two items taken as farthest apart under each matrix; zeros without cannot-links.
    objective_ : float
        The objective reached.
    objective_path_ : ndarray
        The objective after every assignment, every mean and every metric step of the best start.
    n_iter_ : int
        Rounds of the best start.

    References
    ----------
    M. Bilenko, S. Basu, R. Mooney, *Integrating constraints and metric learning in semi-supervised clustering*,
    ICML 2004, eq. 4-6 and figure 1. Deviations: whole must-link groups move too, and every round also tries
    labels made from nothing; the farthest pair is found by sweeps, not over all pairs; the prior takes the
    place of the ad hoc repair of singular matrices; a metric step that would raise the objective because the
    farthest pair changed is shortened; clusters without a neighbourhood start by k-means++.

    Examples
    --------
    >>> X = [[0.0, 0.0], [0.1, 9.0], [0.2, 4.0], [5.0, 0.0], [5.1, 9.0], [5.2, 4.0]]
    >>> model = MPCKMeans(2, random_state=0).fit(X, must_link=[(0, 1), (3, 4)], cannot_link=[(1, 4)])
    >>> model.labels_.tolist()
    [0, 0, 0, 1, 1, 1]
    >>> bool(model.matrices_[0, 0] > model.matrices_[0, 1])
    True
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        metric: Any = "euclidean",
        weight: float = 1.0,
        w: float | str = UNSET,
        per_cluster: bool = False,
        full: bool = False,
        prior: float = 1.0,
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-6,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.weight = weight
        self.w = w
        self.per_cluster = per_cluster
        self.full = full
        self.prior = prior
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _fit_weighed(self, X: Vectors, constraints: WeighedConstraints) -> None:
        n_clusters = self._check_n_clusters(self.n_clusters, len(X))
        check_vectors_only(self)
        check_search(self.n_init, self.max_iter, self.tol)
        check_scalar(self.prior, "prior", Real, min_val=0, include_boundaries="neither")
        middle = X.mean(axis=0)
        search = _MetricSearch(self, X - middle, constraints.levels(), n_clusters)
        run = best_run(search.run, self.n_init, self.random_state)
        self.labels_, order = first_seen(run.labels, n_clusters)
        self.n_clusters_ = n_clusters
        self.cluster_centers_ = run.centres[order] + middle
        matrices, ends = run.extra
        self.matrices_ = matrices[order] if self.per_cluster else matrices
        self.farthest_ = ends[order] if self.per_cluster else ends
        self.objective_ = run.path[-1]
        self.objective_path_ = np.array(run.path)
        self.n_iter_ = run.n_iter

    def _gaps_to_centres(self, X: Vectors) -> Vectors:
        """Squared distances under the metric of each cluster, less the logarithm of its determinant."""
        gaps = np.empty((len(X), self.n_clusters_))
        for k, centre in enumerate(self.cluster_centers_):
            form = self.matrices_[k if self.per_cluster else 0]
            Z = X - centre
            if self.full:
                gaps[:, k] = np.einsum("ij,jk,ik->i", Z, form, Z) - np.linalg.slogdet(form)[1]
            else:
                gaps[:, k] = Z**2 @ form - np.log(form).sum()
        return gaps


class _MetricSearch:
    """What stays the same over the starts of one fit. X is centred."""

    def __init__(self, model: MPCKMeans, X: Vectors, levels: Levels, n_clusters: int) -> None:
        groups = levels[0].groups
        self.X, self.groups, self.layers, self.n_clusters = X, groups, stack_levels(levels), n_clusters
        self.weight = check_weight(renamed_argument(model, "w", "weight"))
        self.max_iter, self.tol = model.max_iter, model.tol
        variance = X.var(axis=0)
        # A feature that never varies tells no clusters apart; any finite scale will do.
        variance[variance == 0.0] = 1.0
        prior = model.prior * (np.diag(variance) if model.full else variance)
        clusters = np.arange(n_clusters)
        self.metric_of = clusters if model.per_cluster else np.zeros_like(clusters)
        self.tallies = Tallies(X, levels, self.weight, self.metric_of, prior, model.prior)
        self.first_form = np.eye(X.shape[1]) if model.full else np.ones(X.shape[1])
        self.bound = np.ascontiguousarray(X[groups.members])
        self.reaching = len(groups.enemies) > 0
        nowhere = Farthest((0, 0), np.zeros(X.shape[1]), 0.0)
        self.first_far = farthest(X, self.first_form) if self.reaching else nowhere

    def run(self, number: int, random: np.random.RandomState) -> Iterator[Run]:
        """One start, from identity matrices."""
        centres = mean_seeds(self.X, self.groups, self.n_clusters, random, number)
        forms = np.array([self.first_form] * self.tallies.n_forms)
        far = [self.first_far] * len(forms)
        labels: Labels | None = None
        path: list[float] = []
        for n_iter in range(1, self.max_iter + 1):
            penalties = self._penalties(forms, far)
            labels, price = assign(self._own(forms, centres), self.groups, self.layers, penalties, labels, random)
            path.append(price + self._prior_price(forms))
            centres = cluster_means(self.X, labels, self.n_clusters)
            tallies = self.tallies.gather(labels, centres)
            path.append(sum(t.value(a, f.reach) for t, a, f in zip(tallies, forms, far, strict=True)))
            for k, tally in enumerate(tallies):
                forms[k], far[k] = improve(self.X, forms[k], far[k], tally, reaching=self.reaching)
            path.append(sum(t.value(a, f.reach) for t, a, f in zip(tallies, forms, far, strict=True)))
            yield Run(labels, centres, path, n_iter, (forms, np.array([f.ends for f in far])))
            if len(path) > 3 and path[-4] - path[-1] <= self.tol * abs(path[-4]):
                return

    def _prior_price(self, forms: Vectors) -> float:
        prior, count = self.tallies.prior, self.tallies.prior_count
        return sum(float((form * prior).sum()) - count * log_det(form) for form in forms)

    def _own(self, forms: Vectors, centres: Vectors) -> Vectors:
        """Squared distance to each centre under its form less the form's log det, (n, k)."""
        own = np.empty((len(self.X), self.n_clusters))
        for k, form in enumerate(forms):
            here = self.metric_of == k
            distances = compute_sqeuclidean(stretch(self.X, form), stretch(centres[here], form))
            own[:, here] = distances - log_det(form)
        return own

    def _penalties(self, forms: Vectors, far: list[Farthest]) -> Penalties:
        mapped = np.empty((len(self.bound), len(forms), self.bound.shape[1] + 1))
        for k, form in enumerate(forms):
            mapped[:, k, :-1] = apply_form(self.bound, form)
        mapped[:, :, -1] = np.einsum("smd,sd->sm", mapped[:, :, :-1], self.bound)
        reach = np.array([far[k].reach for k in self.metric_of])
        return Penalties(self.bound, mapped, self.metric_of, reach, self.weight)
