"""SSSVaD, a baseline for comparison: clusters with a diagonal metric each, learned from comparisons."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp, xlogy
from sklearn.utils import check_random_state

from likewise.cluster.base import ConstrainedClusterer
from likewise.cluster.logistic.answers import read_answers
from likewise.cluster.logistic.model import kmeans_labels
from likewise.cluster.placing import PlacingClusterer
from likewise.cluster.renamed import renamed_attribute
from likewise.cluster.restarts import check_search, first_seen
from likewise.constraints import as_pairs
from likewise.distances.comparisons import triplets_of_pairs
from likewise.distances.convergence import warn_unsettled

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SIDES = np.array([[0, 1, 2], [0, 2, 1], [1, 2, 0]])  # of ab, ac, bc: the two that belong together, then the third


class SSSVaD(PlacingClusterer, ConstrainedClusterer):
    r"""Baseline for comparison: semi-supervised clustering by spatially variant dissimilarities.

    Every cluster k weighs the columns in its own way, :math:`d_k(x, z) = \sum_l w_{kl} (x_l - z_l)^2` with
    :math:`\sum_l w_{kl} = 1`. Labels, centres and weights take turns in minimising

    .. math:: \frac1N \sum_i \Big( d_{y_i}(x_i, v_{y_i}) + \delta \sum_l w_{y_i l} \log w_{y_i l} \Big)
              + \frac{\gamma}{T} \sum_{t = (a, b, c)} \max(0, d_{y_a}(x_a, x_b) - d_{y_a}(x_a, x_c)),

    each of them exactly, where the T comparisons say that a is nearer to b than to c.

    Parameters
    ----------
    n_clusters : int, default=2
        Number of clusters; fewer when some stay empty.
    weight : float, default=10.0
        γ, weight of the comparisons.
    spread : float, default=3.0
        δ, how evenly columns are weighed.
    n_init : int, default=5
        Starts, from k-means with as many seeds.
    max_iter : int, default=50
        Rounds a start at most.
    random_state : int, RandomState or None
        Seed of k-means.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        Clusters, numbered by first item.
    n_clusters_ : int
        How many are not empty.
    cluster_centers_ : ndarray of shape (n_clusters, d)
        Their means.
    feature_weights_ : ndarray of shape (n_clusters, d)
        How they weigh the columns.
    objective_ : float
        What was minimised.
    n_iter_ : int
        Rounds of the best start.

    References
    ----------
    N. Kumar, K. Kummamuru, *Semisupervised clustering with metric learning using relative comparisons*, IEEE TKDE
    20(4), 2008, written from its description: clusters, and weights of the columns that differ from cluster to
    cluster, are found together, and comparisons that do not hold are paid for. The form of the penalty and of the
    regularisation, and the exact steps, are ours. A triplet of which two belong together gives two comparisons; *none*
    and *unsure* give none.

    Examples
    --------
    >>> X = [[0.0, 0.0], [0.1, 2.0], [0.2, 0.1], [3.0, 0.0], [3.1, 2.0], [3.2, 2.1]]
    >>> SSSVaD(2, random_state=0).fit(X, triplets=[(0, 1, 3, "ab")]).labels_
    array([0, 0, 0, 1, 1, 1])
    """

    centres_ = renamed_attribute("centres_", "cluster_centers_")
    weights_ = renamed_attribute("weights_", "feature_weights_")

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        weight: float = 10.0,
        spread: float = 3.0,
        n_init: int = 5,
        max_iter: int = 50,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.weight = weight
        self.spread = spread
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        *,
        must_link: ArrayLike | None = None,
        cannot_link: ArrayLike | None = None,
        triplets: Iterable[Any] | None = None,
    ) -> Self:
        """Cluster X under the answers.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Vectors.
        y : ignored
            Present for scikit-learn.
        must_link, cannot_link : array-like of shape (m, 2), optional
            Pairs of indices: a must-link (a, b) and a cannot-link (a, c) are a comparison. They are soft, and may
            contradict each other.
        triplets : iterable of (a, b, c, value), optional
            Three indices and which two belong together: ``ab``, ``ac``, ``bc``, ``none`` or ``unsure``.
        """
        checked = self._check_input(X)
        k = self._check_n_clusters(self.n_clusters, len(checked))
        check_search(self.n_init, self.max_iter)
        if not (self.weight >= 0 and self.spread > 0):
            raise ValueError(f"weight must not be negative and spread positive, got {self.weight}, {self.spread}")
        pairs = (as_pairs(must_link, len(checked), "must_link"), as_pairs(cannot_link, len(checked), "cannot_link"))
        compared = np.concatenate([triplets_of_pairs(*pairs), comparisons_of(len(checked), triplets)])
        problem = SSSVaDObjective(checked, compared, self.weight, self.spread)
        random = check_random_state(self.random_state)
        starts = [kmeans_labels(checked, k, 1, random) for _ in range(self.n_init)]
        best = min((problem.descend(labels, k, self.max_iter) for labels in starts), key=lambda s: s.value)
        self.objective_, self.n_iter_ = best.value, best.n_iter
        self.labels_, order = first_seen(best.labels, k)
        self.n_clusters_ = len(order)
        self.cluster_centers_, self.feature_weights_ = best.centres[order], best.weights[order]
        self._settled = best.settled
        warn_unsettled(self)
        return self

    def _gaps_to_centres(self, X: Floats) -> Floats:
        """What an item that is in no comparison costs in each cluster."""
        return SSSVaDObjective(X, np.empty((0, 3), np.int64), self.weight, self.spread).costs(
            self.cluster_centers_, self.feature_weights_
        )


def comparisons_of(n: int, triplets: Iterable[Any] | None) -> Integers:
    """(a, b, c), a nearer to b than to c, (m, 3): both ways round of every answer that names two.

    Examples
    --------
    >>> comparisons_of(4, [(0, 1, 2, "ac"), (1, 2, 3, "none")]).tolist()
    [[0, 2, 1], [2, 0, 1]]
    """
    answers = read_answers(n, None, None, triplets)
    named = answers.values < 3
    sides = np.take_along_axis(answers.items[named], SIDES[answers.values[named]], axis=1)
    return np.stack([sides, sides[:, [1, 0, 2]]], axis=1).reshape(-1, 3)


class _Descent(NamedTuple):
    labels: Integers
    centres: Floats
    weights: Floats
    value: float
    n_iter: int
    settled: bool


class SSSVaDObjective:
    """The objective and the step that minimises it by each of its arguments.

    - `X` (n, d): Vectors.
    - `compared` (t, 3): Comparisons.
    - `weight`, `spread`: γ and δ.
    """

    def __init__(self, X: Floats, compared: Integers, weight: float, spread: float) -> None:
        self.X, self.first, self.spread = X, compared[:, 0], spread
        self.gaps = (X[compared[:, 0]] - X[compared[:, 1]]) ** 2 - (X[compared[:, 0]] - X[compared[:, 2]]) ** 2
        self.price = weight * len(X) / max(len(compared), 1)

    def descend(self, labels: Integers, k: int, max_iter: int) -> _Descent:
        """Take turns until no label changes."""
        d = self.X.shape[1]
        centres, weights = np.zeros((k, d)), np.full((k, d), 1.0 / d)
        value, n_iter, settled = np.inf, 0, False
        while n_iter < max_iter and not settled:
            n_iter += 1
            for y in range(k):
                if (labels == y).any():
                    centres[y], weights[y] = self.describe(labels == y)
            cost = self.costs(centres, weights)
            moved = cost.argmin(axis=1)
            value = float(cost[np.arange(len(cost)), moved].mean())
            settled = np.array_equal(moved, labels)
            labels = moved
        return _Descent(labels, centres, weights, value, n_iter, settled)

    def costs(self, centres: Floats, weights: Floats) -> Floats:
        """What item i costs in cluster y, (n, k): comparisons are paid by the cluster of their first item."""
        entropy = xlogy(weights, weights).sum(axis=1)
        far = self.X**2 @ weights.T - 2.0 * self.X @ (weights * centres).T + (weights * centres**2).sum(axis=1)
        cost = far + self.spread * entropy
        np.add.at(cost, self.first, self.price * np.maximum(self.gaps @ weights.T, 0.0))
        return np.asarray(cost)

    def describe(self, inside: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Centre (d,) and weights (d,) of a cluster, the best for its items.

        The weights by their dual: one variable from 0 to 1 a comparison, how far it is paid for.
        """
        own = self.X[inside]
        centre = own.mean(axis=0)
        scatter = ((own - centre) ** 2).mean(axis=0)
        gaps = self.gaps[inside[self.first]] * (self.price / len(own))

        def dual(paid: Floats) -> tuple[float, Floats]:
            energy = -(scatter + paid @ gaps) / self.spread
            total = logsumexp(energy)
            return self.spread * float(total), -gaps @ np.exp(energy - total)

        paid = np.zeros(len(gaps))
        if len(gaps):
            start = (gaps.mean(axis=1) > 0).astype(np.float64)
            options: Any = {"maxiter": 500, "ftol": 1e-12, "gtol": 1e-9}
            paid = minimize(dual, start, jac=True, method="L-BFGS-B", bounds=[(0, 1)] * len(gaps), options=options).x
        energy = -(scatter + paid @ gaps) / self.spread
        return centre, np.exp(energy - logsumexp(energy))
