"""PCKMeans: k-means with a price on every violated constraint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.groups import Groups
from likewise.cluster.kmeans.means import check_vectors_only, cluster_means
from likewise.cluster.kmeans.penalised import assign
from likewise.cluster.placing import PlacingClusterer
from likewise.cluster.renamed import UNSET, renamed_argument
from likewise.cluster.restarts import Run, best_run, check_search, check_weight, first_seen
from likewise.cluster.seeding import mean_seeds
from likewise.cluster.weighed import WeighedClusterer, WeighedConstraints, stack_levels
from likewise.kernels.assignment.penalised import Layers
from likewise.kernels.metric.distances import compute_sqeuclidean

Vectors = NDArray[np.float64]
Labels = NDArray[np.int64]


class PCKMeans(PlacingClusterer, WeighedClusterer):
    """K-means with soft constraints: a violated pair costs `weight`, times its own weight where it has one.

    Minimises Σᵢ ‖xᵢ - μₗ‖² + w · (number of violated pairs), the pairs being the closure of the constraints.
    Good where answers may err: a constraint that fits nothing else is given up. The objective never rises.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters; none is left empty.
    metric : "euclidean"
        Vectors only: other distances have no means.
    weight : float or "auto", default="auto"
        Price of every violated pair, in squared units of X. "auto" is the mean squared distance of the items
        to their common mean (1 if they are all equal), so that the scale of X does not matter.
    w : float or "auto"
        Name of before of `weight`.
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
    weight_ : float
        The price used.
    objective_ : float
        The objective reached.
    objective_path_ : ndarray
        The objective after every assignment and every mean step of the best start.
    n_iter_ : int
        Rounds of the best start.

    References
    ----------
    S. Basu, A. Banerjee, R. Mooney, *Active semi-supervision for pairwise constrained clustering*, SDM 2004, §2,
    with the objective as written in eq. 2 of Bilenko, Basu and Mooney, ICML 2004 (no factor ½ on the
    distances). Deviations: whole must-link groups move too, and every round also tries labels made from nothing;
    clusters without a neighbourhood start by k-means++.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [8.0], [9.0]]
    >>> PCKMeans(2, random_state=0).fit_predict(X, must_link=[(2, 3)], cannot_link=[(1, 2)]).tolist()
    [0, 0, 1, 1, 1]
    >>> PCKMeans(2, weight=0.1, random_state=0).fit_predict(X, must_link=[(2, 3)], cannot_link=[(1, 2)]).tolist()
    [0, 0, 0, 1, 1]
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        metric: Any = "euclidean",
        weight: float | str = "auto",
        w: float | str = UNSET,
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-6,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.weight = weight
        self.w = w
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _fit_weighed(self, X: Vectors, constraints: WeighedConstraints) -> None:
        n_clusters = self._check_n_clusters(self.n_clusters, len(X))
        check_vectors_only(self)
        check_search(self.n_init, self.max_iter, self.tol)
        self.weight_ = self._price(X)
        levels = constraints.levels()
        groups, layers = levels[0].groups, stack_levels(levels)

        def start(number: int, random: np.random.RandomState) -> Iterator[Run]:
            seeds = mean_seeds(X, groups, n_clusters, random, number)
            return self._search(X, groups, layers, seeds, random)

        run = best_run(start, self.n_init, self.random_state)
        self.labels_, order = first_seen(run.labels, n_clusters)
        self.n_clusters_ = n_clusters
        self.cluster_centers_ = run.centres[order]
        self.objective_ = run.path[-1]
        self.objective_path_ = np.array(run.path)
        self.n_iter_ = run.n_iter

    def _price(self, X: Vectors) -> float:
        weight = renamed_argument(self, "w", "weight")
        if not isinstance(weight, str):
            return check_weight(weight)
        if weight != "auto":
            raise ValueError(f"weight must be a number or 'auto', got {weight!r}")
        return float(X.var(axis=0).sum()) or 1.0

    def _search(
        self, X: Vectors, groups: Groups, layers: Layers, centres: Vectors, random: np.random.RandomState
    ) -> Iterator[Run]:
        labels: Labels | None = None
        path: list[float] = []
        for n_iter in range(1, self.max_iter + 1):
            own = compute_sqeuclidean(X, centres)
            labels, price = assign(own, groups, layers, self.weight_, labels, random)
            old, centres = centres, cluster_means(X, labels, len(centres))
            # A mean lowers the squared distances of its items by their number × its own squared step.
            gain = (np.bincount(labels) * ((centres - old) ** 2).sum(axis=1)).sum()
            path += [price, price - float(gain)]
            yield Run(labels, centres, path, n_iter)
            if len(path) > 2 and path[-3] - path[-1] <= self.tol * abs(path[-3]):
                return
