"""Competitive agglomeration, and PCCA: fuzzy clusters whose number is found, without and with constraints."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state, check_scalar
from sklearn.utils.metaestimators import available_if

from likewise.cluster.base import ConstrainedClusterer
from likewise.cluster.kmeans.pckmeans import PCKMeans
from likewise.cluster.pcca.number import number_by_answers
from likewise.cluster.pcca.search import FuzzySearch
from likewise.cluster.placing import PlacingClusterer
from likewise.cluster.restarts import check_search, check_weight, first_seen
from likewise.cluster.seeding import mean_seeds
from likewise.cluster.weighed import Levels, WeighedClusterer, WeighedConstraints, unweighed_levels
from likewise.constraints import Constraints

Vectors = NDArray[np.float64]
METRICS = ("euclidean", "mahalanobis")
ENOUGH = 50
"""Items from which on a single cluster is more likely a fault of the search than a fact."""
ETAS = (5.0, 2.5, 1.25)
"""Strengths of competition that are tried in turn, from that of Frigui and Krishnapuram."""


class CompetitiveAgglomeration(PlacingClusterer, ConstrainedClusterer):
    """Fuzzy clusters that compete for the items until the superfluous ones are gone.

    Constraints given to :meth:`fit` are checked and then not used; :class:`PCCA` uses them.

    Parameters
    ----------
    max_clusters : int, default=20
        Prototypes to start with, more than there are clusters; never more than half of the items.
    metric : "euclidean" or "mahalanobis"
        One distance for all, or each cluster's own fuzzy covariance, scaled to determinant 1.
    eta : float or "auto", default="auto"
        Strength of the competition in the first round. "auto" is 5, halved while a single cluster of 50 items or more
        would be left, twice at most: in many dimensions all prototypes are nearly as far, and the largest takes all.
    tau : float, default=10
        Rounds in which it falls to 1/e.
    min_size : float, optional
        Summed memberships below which a cluster goes; by default a fifth of an even share, n / (5 max_clusters).
    shrinkage : float, default=0.1
        With "mahalanobis", how much of a sphere is mixed into every covariance, between 0 and 1.
    max_iter : int, default=100
        Rounds.
    tol : float, default=1e-3
        Stop when no prototype moves more than this share of the standard deviation of X.
    random_state : int, RandomState or None
        Seed of the first prototypes.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster each item belongs to most, numbered in order of their first item.
    n_clusters_ : int
        How many were found.
    memberships_ : ndarray of shape (n, n_clusters_)
        Degrees of membership; every row adds up to 1.
    cluster_centers_ : ndarray of shape (n_clusters_, d)
        Prototypes.
    n_iter_ : int
        Rounds.
    eta_ : float
        The strength used.

    References
    ----------
    H. Frigui, R. Krishnapuram, *Clustering by competitive agglomeration*, Pattern Recognition 30(7), 1997, as in
    Grira, Crucianu and Boujemaa 2005, §2, eq. 1. Deviations: where memberships would be negative they are the exact
    minimum over the simplex instead of being clipped; first prototypes are drawn by squared distance; η₀ may be halved.

    Examples
    --------
    >>> X = np.repeat([0.0, 10.0], 20)[:, None] + np.tile(np.linspace(0, 1, 20), 2)[:, None]
    >>> CompetitiveAgglomeration(4, random_state=0).fit(X).n_clusters_
    2
    """

    def __init__(
        self,
        max_clusters: int = 20,
        *,
        metric: Any = "euclidean",
        eta: float | str = "auto",
        tau: float = 10.0,
        min_size: float | None = None,
        shrinkage: float = 0.1,
        max_iter: int = 100,
        tol: float = 1e-3,
        random_state: Any = None,
    ) -> None:
        self.max_clusters = max_clusters
        self.metric = metric
        self.eta = eta
        self.tau = tau
        self.min_size = min_size
        self.shrinkage = shrinkage
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _fit(self, X: Vectors, constraints: Constraints) -> None:
        self._check_parameters()
        unconstrained = unweighed_levels(Constraints(len(X)))
        for eta in ETAS if self.eta == "auto" else (float(self.eta),):
            self.eta_ = eta
            search = self._search(X, unconstrained, check_random_state(self.random_state))
            search.compete(eta, self.tau, self.max_iter)
            if len(X) < ENOUGH or len(np.unique(search.crisp())) > 1:
                break
        self._keep(search)
        if self.n_clusters_ == 1 and len(X) >= ENOUGH:
            text = f"competition left a single cluster: lower eta, now {self.eta_:g}, or reduce the dimensions of X"
            warnings.warn(text, ConvergenceWarning, stacklevel=3)

    predict = available_if(lambda self: self.metric == "euclidean")(PlacingClusterer.predict)

    def _check_parameters(self) -> None:
        check_scalar(self.max_clusters, "max_clusters", Integral, min_val=1)
        if self.metric not in METRICS:
            raise ValueError(f"metric must be one of {', '.join(METRICS)}, got {self.metric!r}")
        if self.eta != "auto":
            check_scalar(self.eta, "eta", Real, min_val=0)
        check_scalar(self.tau, "tau", Real, min_val=0, include_boundaries="neither")
        check_scalar(self.shrinkage, "shrinkage", Real, min_val=0, max_val=1)
        if self.min_size is not None:
            check_scalar(self.min_size, "min_size", Real, min_val=0)
        check_search(1, self.max_iter, self.tol)

    def _search(self, X: Vectors, levels: Levels, rng: np.random.RandomState) -> FuzzySearch:
        count = min(int(self.max_clusters), max(1, len(X) // 2))
        min_size = len(X) / (5 * count) if self.min_size is None else float(self.min_size)
        shrinkage = self.shrinkage if self.metric == "mahalanobis" else None
        centres = mean_seeds(X, levels[0].groups, count, rng, 0)
        return FuzzySearch(X, levels, centres, shrinkage, min_size, self.tol)

    def _keep(self, search: FuzzySearch) -> None:
        self.labels_, order = first_seen(search.crisp(), search.U.shape[1])
        U = search.U[:, order]
        self.memberships_ = U / U.sum(axis=1, keepdims=True)
        self.cluster_centers_ = search.centres[order]
        self.n_clusters_ = len(order)
        self.n_iter_ = search.n_iter
        self._settled = search.settled


class PCCA(WeighedClusterer, CompetitiveAgglomeration):
    """Fuzzy clusters under soft constraints, as few as the data and the constraints call for.

    Minimises Σ u² d² + α · (violated pairs, weighted by memberships) - β Σ (size of a cluster)². The number of clusters
    is found. With crisp memberships, a fixed number and β = 0 this is the cost of :class:`PCKMeans` with w = α. Pairs
    that have weights of their own are weighted by these too.

    Parameters
    ----------
    max_clusters : int, default=20
        Prototypes to start with, more than there are clusters; never more than half of the items.
    alpha : float or "auto", default="auto"
        Price of a violated pair, in squared units of X. "auto" is the mean squared distance of the items to their
        common mean (1 if they are all equal).
    metric : "euclidean" or "mahalanobis"
        One distance for all, or each cluster's own fuzzy covariance, scaled to determinant 1.
    eta, tau : float, default=1 and 10
        Strength of the competition in the first round, and the rounds in which it falls to 1/e.
    min_size : float, optional
        Summed memberships below which a cluster goes; by default a fifth of an even share, n / (5 max_clusters).
    overlap : float, default=0.01
        Clusters merge while more than this share of their items would lie on the wrong side of the plane between them.
    n_init : int, default=4
        Starts. The number of clusters is that of the start with the lowest objective beside the squared distance of
        its two nearest prototypes (Xie and Beni's index); with several there is one start more, from :class:`PCKMeans`
        with that number, and of all that find it the one with the lowest objective is kept.
    number : "tightness" or "answers", default="tightness"
        How the number of clusters is chosen: as above, or by which number, from 2 to two more than any start found,
        :class:`PCKMeans` predicts held-out pairs best in four times five folds (must-links and cannot-links count half
        each), where that of "tightness" is behind by more than one standard error. Of `n_init` + 1 starts from
        :class:`PCKMeans` with that number, and all that found it, the lowest objective is kept. This takes many pairs,
        of which some two hundred suffice for four classes, and twenty fits for each number.
    shrinkage, max_iter, tol, random_state
        As in :class:`CompetitiveAgglomeration`.

    Attributes
    ----------
    labels_, n_clusters_, memberships_, cluster_centers_, n_iter_
        As in :class:`CompetitiveAgglomeration`.
    alpha_ : float
        The price used.
    n_agglomerated_ : int
        Clusters that competition left, before any was merged.
    objective_ : float
        The cost reached, without the competition (β = 0).

    References
    ----------
    N. Grira, M. Crucianu, N. Boujemaa, *Semi-supervised image database categorization using pairwise constraints*, ICIP
    2005, eq. 3-10 and §3.2. Deviations: in eq. 9 x_r is read for x_t; pairs are those of the closure, summed by groups;
    memberships of constrained items are renewed one after another, not all at once; negative ones give way to the exact
    minimum over the simplex; the proximity of prototypes, which the paper does not define, is the overlap above, from
    the sizes, means and covariances of the crisp clusters, and constraints have a say in it; prototypes start at
    must-link groups and by squared distance.

    Examples
    --------
    >>> X = np.repeat([0.0, 10.0], 20)[:, None] + np.tile(np.linspace(0, 1, 20), 2)[:, None]
    >>> model = PCCA(8, random_state=0).fit(X, cannot_link=[(0, 20)])
    >>> model.n_clusters_, model.memberships_.shape
    (2, (40, 2))
    """

    def __init__(
        self,
        max_clusters: int = 20,
        *,
        alpha: float | str = "auto",
        metric: Any = "euclidean",
        eta: float = 1.0,
        tau: float = 10.0,
        min_size: float | None = None,
        overlap: float = 0.01,
        n_init: int = 4,
        number: Literal["tightness", "answers"] = "tightness",
        shrinkage: float = 0.1,
        max_iter: int = 100,
        tol: float = 1e-3,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            max_clusters,
            metric=metric,
            eta=eta,
            tau=tau,
            min_size=min_size,
            shrinkage=shrinkage,
            max_iter=max_iter,
            tol=tol,
            random_state=random_state,
        )
        self.alpha = alpha
        self.overlap = overlap
        self.n_init = n_init
        self.number = number

    def _fit_weighed(self, X: Vectors, constraints: WeighedConstraints) -> None:
        self._check_parameters()
        levels = constraints.levels()
        check_scalar(self.overlap, "overlap", Real, min_val=0, max_val=1)
        check_scalar(self.n_init, "n_init", Integral, min_val=1)
        if self.number not in ("tightness", "answers"):
            raise ValueError(f"number must be 'tightness' or 'answers', got {self.number!r}")
        check_scalar(self.eta, "eta", Real, min_val=0)
        self.eta_, rng = float(self.eta), check_random_state(self.random_state)
        found = [self._descend(self._search(X, levels, rng), self.eta_) for _ in range(self.n_init)]
        number = self._choose(X, constraints, found, rng)
        if self.number == "answers":
            starts = [5, *[1] * self.n_init]
            found += [self._settle(self._from_kmeans(X, constraints, levels, number, rng, n)) for n in starts]
        elif self.n_init > 1:
            found.append(self._descend(self._from_kmeans(X, constraints, levels, number, rng), 0.0))
        # none has just the number where small clusters went on the way from k-means
        near = min(abs(each.U.shape[1] - number) for each in found)
        search = min((each for each in found if abs(each.U.shape[1] - number) == near), key=FuzzySearch.objective)
        self.alpha_, self.n_agglomerated_, self.objective_ = search.alpha, search.n_agglomerated, search.objective()
        self._keep(search)

    def _choose(
        self, X: Vectors, constraints: WeighedConstraints, found: list[FuzzySearch], rng: np.random.RandomState
    ) -> int:
        """How many clusters to have."""
        tightest = int(min(found, key=FuzzySearch.looseness).U.shape[1])
        if self.number == "tightness":
            return tightest
        most = min(max(each.U.shape[1] for each in found) + 2, int(self.max_clusters), len(X))
        numbers = range(min(2, most), most + 1)
        chosen = number_by_answers(X, constraints, numbers, tightest, self._price(found[0].scale), rng)
        return tightest if chosen is None else chosen

    def _settle(self, search: FuzzySearch) -> FuzzySearch:
        """Memberships and prototypes of the clusters that the search has, none of them merged."""
        search.alpha = self._price(search.scale)
        search.compete(0.0, self.tau, self.max_iter)
        search.n_agglomerated = len(search.centres)
        return search

    def _descend(self, search: FuzzySearch, eta: float) -> FuzzySearch:
        search.alpha = self._price(search.scale)
        search.compete(eta, self.tau, self.max_iter)
        search.n_agglomerated = len(search.centres)
        while search.merge(self.overlap):
            search.compete(0.0, self.tau, self.max_iter)
        return search

    def _from_kmeans(
        self,
        X: Vectors,
        constraints: WeighedConstraints,
        levels: Levels,
        number: int,
        rng: np.random.RandomState,
        n_init: int = 5,
    ) -> FuzzySearch:
        """A search that starts where constrained k-means ends."""
        search = self._search(X, levels, rng)
        crisp = PCKMeans(number, weight=self._price(search.scale), n_init=n_init, random_state=rng)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            crisp.fit(X, **constraints.keywords())
        search.centres = crisp.cluster_centers_
        search.U = np.eye(len(search.centres))[crisp.labels_]
        return search

    def _price(self, scale: float) -> float:
        if not isinstance(self.alpha, str):
            return check_weight(self.alpha)
        if self.alpha != "auto":
            raise ValueError(f"alpha must be a number or 'auto', got {self.alpha!r}")
        return scale
