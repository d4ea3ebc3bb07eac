"""Constrained EM, a baseline for comparison: a Gaussian mixture under constraints."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from likewise.cluster.base import ConstrainedClusterer
from likewise.cluster.logistic.answers import MeanField, error_model, read_answers
from likewise.cluster.logistic.model import kmeans_labels
from likewise.cluster.placing import MixtureClusterer
from likewise.cluster.renamed import renamed_attribute
from likewise.cluster.restarts import check_search, first_seen
from likewise.constraints import Constraints

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class ConstrainedEM(MixtureClusterer, ConstrainedClusterer):
    r"""Baseline for comparison: a Gaussian mixture under constraints.

    Items known to be the same are one draw of a component,
    :math:`P(y_c = k) \propto \pi_k \prod_{i \in c} N(x_i; \mu_k, \Sigma_k)`; those known to differ
    are assigned to different components in the E-step, as far as a mean field can: cannot-links are soft.

    Parameters
    ----------
    n_clusters : int, default=2
        Components; fewer clusters when some stay empty.
    covariance : "full" or "diagonal", default="full"
        Form of the covariances.
    floor : float, default=0.01
        Share of the mean variance of the data that is added to every variance.
    n_init : int, default=5
        Starts of the k-means that comes first.
    max_iter : int, default=100
        Rounds at most.
    tol : float, default=1e-4
        Stop when no probability moves by more.
    random_state : int, RandomState or None
        Seed of k-means.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        Clusters, numbered by first item.
    n_clusters_ : int
        How many are not empty.
    cluster_centers_ : ndarray of shape (n_clusters_, d)
        Means of the clusters.
    covariances_ : ndarray of shape (n_clusters_, d, d), or (n_clusters_, d) if diagonal
        Their covariances.
    weights_ : ndarray of shape (n_clusters_,)
        Their shares.
    n_iter_ : int
        Rounds.

    References
    ----------
    N. Shental, A. Bar-Hillel, T. Hertz, D. Weinshall, *Computing Gaussian mixture models with EM using equivalence
    constraints*, NIPS 2003. Deviation: cannot-links enter by a mean field, where the paper sums exactly over networks
    small enough for it.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [3.0], [3.1], [3.2]]
    >>> ConstrainedEM(2, random_state=0).fit_predict(X, must_link=[(0, 1)], cannot_link=[(0, 3)])
    array([0, 0, 0, 1, 1, 1])
    """

    means_ = renamed_attribute("means_", "cluster_centers_")

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        covariance: str = "full",
        floor: float = 0.01,
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-4,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.covariance = covariance
        self.floor = floor
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _fit(self, X: Floats, constraints: Constraints) -> None:
        k = self._check_n_clusters(self.n_clusters, len(X))
        check_search(self.n_init, self.max_iter, self.tol)
        if self.covariance not in ("full", "diagonal"):
            raise ValueError(f"covariance must be 'full' or 'diagonal', got {self.covariance!r}")
        random = check_random_state(self.random_state)
        group = constraints.labels()
        n_groups = int(group.max()) + 1
        differing = read_answers(n_groups, None, constraints.group_cannot_links(), None)
        field = MeanField(differing, error_model(1e-6))
        start = np.eye(k)[kmeans_labels(X, k, self.n_init, random)]
        chunk = _sum_by(start, group, n_groups)
        chunk /= chunk.sum(axis=1, keepdims=True)
        self.n_iter_ = 0
        moved = np.inf
        while self.n_iter_ < self.max_iter and moved >= self.tol:
            before = chunk
            prior = chunk.mean(axis=0)
            chunk = self._expect(X, chunk[group], np.log(np.maximum(prior, 1e-300)), group, field, before)
            moved = float(np.abs(chunk - before).max())
            self.n_iter_ += 1
        weight = chunk[group]
        self.labels_, order = first_seen(weight.argmax(axis=1), k)
        self.n_clusters_ = len(order)
        self.weights_ = chunk.mean(axis=0)[order]
        self.cluster_centers_, self.covariances_ = self._gaussians(X, weight[:, order])

    def _expect(
        self, X: Floats, weight: Floats, log_prior: Floats, group: Integers, field: MeanField, before: Floats
    ) -> Floats:
        """Gaussians of the weights, then the probabilities of the groups under them."""
        log_p = _sum_by(log_densities(X, *self._gaussians(X, weight)), group, len(before)) + log_prior
        log_p -= log_p.max(axis=1, keepdims=True)
        log_p -= np.log(np.exp(log_p).sum(axis=1, keepdims=True))
        chunk = np.exp(log_p)
        if len(field.items):
            chunk[field.items] = field.update(log_p[field.items], before[field.items])
        return chunk

    def _gaussians(self, X: Floats, weight: Floats) -> tuple[Floats, Floats]:
        """Means (k, d) and covariances (k, d, d), or (k, d) if diagonal, that weights (n, k) give."""
        floor = self.floor * max(float(X.var(axis=0).mean()), 1e-12)
        means, covariances = [], []
        for column in weight.T:
            w = column / max(column.sum(), 1e-12)
            centred = X - w @ X
            means.append(w @ X)
            if self.covariance == "diagonal":
                covariances.append(w @ centred**2 + floor)
            else:
                covariances.append((centred * w[:, None]).T @ centred + floor * np.eye(X.shape[1]))
        return np.array(means), np.array(covariances)

    def _log_densities(self, X: Floats) -> Floats:
        shares = np.log(np.maximum(self.weights_, 1e-300))
        return np.asarray(shares + log_densities(X, self.cluster_centers_, self.covariances_))


def log_densities(X: Floats, means: Floats, covariances: Floats) -> Floats:
    """Log densities of Gaussians, without the constant, (n, k).

    - `means` (k, d), `covariances` (k, d, d), or (k, d) if diagonal.
    """
    out = np.empty((len(X), len(means)))
    for y, (mean, covariance) in enumerate(zip(means, covariances, strict=True)):
        centred = X - mean
        if covariance.ndim == 1:
            out[:, y] = -0.5 * ((centred**2 / covariance).sum(axis=1) + np.log(covariance).sum())
            continue
        factor = np.linalg.cholesky(covariance)
        white = np.linalg.solve(factor, centred.T)
        out[:, y] = -0.5 * (white**2).sum(axis=0) - np.log(np.diag(factor)).sum()
    return out


def _sum_by(rows: Floats, group: Integers, n_groups: int) -> Floats:
    """Sum of the rows of every group, (g, k)."""
    out = np.zeros((n_groups, rows.shape[1]))
    np.add.at(out, group, rows)
    return out
