"""HMRF-com, a baseline for comparison: a Gaussian mixture under constraints, by a mean field."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logsumexp
from sklearn.cluster import KMeans

from likewise.cluster.base import ConstrainedClusterer
from likewise.cluster.placing import MixtureClusterer
from likewise.cluster.restarts import check_search, first_seen
from likewise.constraints import Constraints

Floats = NDArray[np.float64]


class HMRF(MixtureClusterer, ConstrainedClusterer):
    """Baseline for comparison: clusters as a hidden Markov random field.

    The vectors of a cluster follow a Gaussian; constraints are the neighbours in the field,
    and soft.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters; some may end up empty and are then filled with the items that fit their cluster least.
    weight : float, default=2
        Log-odds by which one neighbour, certain of its cluster, speaks for it (must-link) or against it (cannot-link).
    max_iter : int, default=50
        Rounds.
    tol : float, default=1e-4
        Stop when no membership changes more than this.
    n_init : int, default=1
        Starts of k-means for the first labels.
    random_state : int, RandomState or None
        Seed.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        Clusters, numbered in order of their first item.
    n_clusters_ : int
        How many there are.
    memberships_ : ndarray of shape (n, k)
        Probabilities in the mean field.
    cluster_centers_, variances_ : ndarray of shape (k, d)
        Means and variances of the clusters' Gaussians.
    weights_ : ndarray of shape (k,)
        Their shares.
    n_iter_ : int
        Rounds.

    References
    ----------
    B. Wu, Y. Zhang, B.-G. Hu, Q. Ji, *Constrained clustering and its application to face clustering in videos*, CVPR
    2013, §3, as used in A. Biswas, *Semi-supervised and Active Image Clustering with Pairwise Constraints from Humans*,
    2014, §2.3. Deviations: a mean field in place of the simulated field; diagonal covariances with the variances of
    the whole data as a prior; constraints weigh the same whatever the distance of the pair.

    Examples
    --------
    >>> X = [[0.0], [0.2], [0.9], [5.0], [5.2]]
    >>> HMRF(2, random_state=0).fit_predict(X, must_link=[(0, 1)], cannot_link=[(0, 3)]).tolist()
    [0, 0, 0, 1, 1]
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        weight: float = 2.0,
        max_iter: int = 50,
        tol: float = 1e-4,
        n_init: int = 1,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.weight = weight
        self.max_iter = max_iter
        self.tol = tol
        self.n_init = n_init
        self.random_state = random_state

    def _fit(self, X: Floats, constraints: Constraints) -> None:
        k = self._check_n_clusters(self.n_clusters, len(X))
        check_search(self.n_init, self.max_iter, self.tol)
        if not self.weight >= 0:
            raise ValueError(f"weight must not be negative, got {self.weight!r}")
        field = self.weight * neighbour_signs(constraints)
        self.n_iter_ = 0
        P = np.eye(k)[self._first_labels(X, k)]
        for _ in range(self.max_iter):
            self.n_iter_ += 1
            evidence = log_gaussians(X, fit_gaussians(X, P))
            before = P
            # Half of the way: neighbours that all change at once may swing for ever.
            P = 0.5 * (before + _softmax(evidence + field @ before))
            if np.abs(P - before).max() < self.tol:
                break
        self.labels_, order = first_seen(_filled(P), k)
        self.memberships_, self.n_clusters_ = P, k
        self.weights_, self.cluster_centers_, self.variances_ = (part[order] for part in fit_gaussians(X, P))

    def _log_densities(self, X: Floats) -> Floats:
        return log_gaussians(X, DiagonalGaussians(self.weights_, self.cluster_centers_, self.variances_))

    def _first_labels(self, X: Floats, k: int) -> NDArray[np.int64]:
        if len(np.unique(X, axis=0)) < k:
            return np.arange(len(X)) % k
        found = KMeans(k, n_init=self.n_init, random_state=self.random_state).fit_predict(X)
        return np.asarray(found, np.int64)


def neighbour_signs(constraints: Constraints) -> Any:
    """Sparse (n, n): +1 for must-links, -1 for cannot-links, as given."""
    must, cannot = constraints.must_link, constraints.cannot_link
    pairs = np.unique(np.sort(np.concatenate([must, cannot]), axis=1), axis=0)
    signs = [1.0 if constraints.known(int(i), int(j)) == "same" else -1.0 for i, j in pairs]
    n = constraints.n
    half = sparse.csr_array((np.array(signs), (pairs[:, 0], pairs[:, 1])), shape=(n, n))
    return half + half.T


class DiagonalGaussians(NamedTuple):
    """A mixture: shares (k,), means (k, d) and variances (k, d)."""

    shares: Floats
    means: Floats
    variances: Floats


def fit_gaussians(X: Floats, P: Floats) -> DiagonalGaussians:
    """The mixture that memberships P (n, k) give."""
    mass = P.sum(axis=0) + 1e-10
    means = P.T @ X / mass[:, None]
    spread = X.var(axis=0) + 1e-12 * max(float(X.var()), 1e-300)
    squares = P.T @ X**2 / mass[:, None] - means**2
    variances = (mass[:, None] * np.maximum(squares, 0.0) + spread) / (mass[:, None] + 1.0)
    return DiagonalGaussians((mass + 1.0) / (mass + 1.0).sum(), means, variances)


def log_gaussians(X: Floats, mixture: DiagonalGaussians) -> Floats:
    """Log-density of every item under the Gaussian of every cluster, with its share, (n, k)."""
    shares, means, variances = mixture
    distance = (X**2) @ (1.0 / variances).T - 2.0 * X @ (means / variances).T + (means**2 / variances).sum(axis=1)
    return np.asarray(np.log(shares) - 0.5 * (distance + np.log(variances).sum(axis=1)))


def _softmax(scores: Floats) -> Floats:
    return np.asarray(np.exp(scores - logsumexp(scores, axis=1, keepdims=True)))


def _filled(P: Floats) -> NDArray[np.int64]:
    """Likeliest clusters; an empty one gets the item that is least certain of its own, from a cluster with others."""
    labels: NDArray[np.int64] = np.asarray(P.argmax(axis=1), np.int64)
    for cluster in range(P.shape[1]):
        if (labels == cluster).any():
            continue
        crowded = np.bincount(labels, minlength=P.shape[1])[labels] > 1
        doubt = np.where(crowded, P[np.arange(len(P)), labels], np.inf)
        labels[int(np.argmin(doubt))] = cluster
    return labels
