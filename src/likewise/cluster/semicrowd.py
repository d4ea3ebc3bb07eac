"""Semi-crowdsourced clustering: a few noisy annotations make a metric, the metric clusters everything."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.cluster import KMeans
from sklearn.utils import check_scalar

from likewise.cluster.base import ConstrainedClusterer, consistent_constraints
from likewise.cluster.restarts import first_seen
from likewise.constraints import Constraints
from likewise.distances.annotations import Hits, hit_similarity
from likewise.distances.completion import complete_matrix, completed_rank, filter_similarity
from likewise.distances.rdml import RDML

Floats = NDArray[np.float64]

COMPLETION_TOL = 3e-3
"""Where completion may stop: the regression that follows averages over items what is left of its residuals."""


class SemiCrowdClustering(ConstrainedClusterer):
    """Cluster all items from annotations of some of them.

    The annotations become similarities; those that annotators disagree on are dropped, the rest is completed to a
    low-rank matrix that also corrects errors; RDML learns a metric from it, and spectral clustering of all items
    under that metric gives the clusters.

    Parameters
    ----------
    n_clusters : int, optional
        Number of clusters; by default the rank of the completed matrix.
    method : "semi-crowd", "raw" or "base"
        The whole, without filter and completion, or without annotations: the two baselines of the paper.
    low, high : float, default=0 and 0.8
        d₀ and d₁: average similarities strictly between are dropped.
    C : float, "binary" or "balance", default="balance"
        As in :func:`likewise.crowd.complete_matrix`; "balance" is "binary" when the number of clusters is not given.
    regularization : float or "auto", default="auto"
        λ of :class:`likewise.distances.RDML`; the paper has 1.
    kernel : "rbf" or None, default=None
        Similarities that are not linear in the vectors: Nyström features of a Gaussian kernel stand for these.
    gamma : float, optional
        Of the kernel exp(-gamma d²); by default one over the mean squared distance.
    n_components : int, default=300
        Items drawn as landmarks of the kernel.
    n_init : int, default=10
        Starts of k-means.
    random_state : int, RandomState or None
        Seed of all draws.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        Clusters, numbered in order of their first item.
    n_clusters_ : int
        How many there are.
    similarity_ : ndarray of shape (a, a)
        What the metric was learned from.
    annotated_ : ndarray of shape (a,)
        The annotated items.
    learner_ : RDML
        The learned metric, of vectors, or features of the kernel, scaled by :func:`scale_rows`.

    References
    ----------
    J. Yi et al., *Semi-Crowdsourced Clustering: Generalizing Crowd Labeling by Robust Distance Metric Learning*,
    NIPS 2012, §2. Deviations: vectors are scaled to one length; λ is chosen by leaving items out; spectral clustering
    works on the factor of XᵀMX, never on the (n, n) matrix, and takes absolute similarities for its degrees, as some
    are negative; must-links and cannot-links count as entries seen; "raw" takes 0 where nothing is known; the kernel,
    which the paper names as future work (§4).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> truth = np.repeat([0, 1, 2], 30)
    >>> X = np.eye(3)[truth] + 0.3 * rng.normal(size=(90, 3))
    >>> hits = [(h, int(i), int(truth[i])) for h in range(20) for i in rng.choice(90, 8, replace=False)]
    >>> model = SemiCrowdClustering(3, random_state=0).fit(X, hits=hits)
    >>> len(model.labels_), model.n_clusters_
    (90, 3)
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        method: Literal["semi-crowd", "raw", "base"] = "semi-crowd",
        low: float = 0.0,
        high: float = 0.8,
        C: float | Literal["binary", "balance"] = "balance",
        regularization: float | Literal["auto"] = "auto",
        kernel: Literal["rbf"] | None = None,
        gamma: float | None = None,
        n_components: int = 300,
        n_init: int = 10,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.method = method
        self.low = low
        self.high = high
        self.C = C
        self.regularization = regularization
        self.kernel = kernel
        self.gamma = gamma
        self.n_components = n_components
        self.n_init = n_init
        self.random_state = random_state

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        *,
        hits: Hits | None = None,
        must_link: ArrayLike | None = None,
        cannot_link: ArrayLike | None = None,
    ) -> Self:
        """Cluster X from annotations.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Vectors of all items.
        y : ignored
            Present for scikit-learn.
        hits : iterable of (hit, item, mark), optional
            As in :func:`likewise.crowd.hit_similarity`.
        must_link, cannot_link : array-like of shape (m, 2), optional
            Pairs of indices known to be the same, and different. They replace what the hits say of these pairs, and are
            soft: they only act through the learned metric.
        """
        checked = self._check_input(X)
        constraints = consistent_constraints(len(checked), must_link, cannot_link)
        if self.method not in ("semi-crowd", "raw", "base"):
            raise ValueError(f"method must be 'semi-crowd', 'raw' or 'base', got {self.method!r}")
        n_clusters = self.n_clusters
        if n_clusters is not None:
            n_clusters = self._check_n_clusters(n_clusters, len(checked))
        vectors = scale_rows(self._features(checked))
        average = observed(len(checked), hits, constraints)
        self.annotated_ = np.flatnonzero((~np.isnan(average)).any(axis=1))
        if self.method != "base" and len(self.annotated_):
            both = np.ix_(self.annotated_, self.annotated_)
            self.similarity_ = self._similarity(average[both], n_clusters)
            self.learner_ = RDML(self.regularization)
            self.learner_.fit(vectors[self.annotated_], similarity=self.similarity_)
            if n_clusters is None:
                n_clusters = min(completed_rank(self.similarity_), len(checked))
            vectors = self.learner_.transform(vectors)
        if n_clusters is None:
            raise ValueError("without annotations n_clusters must be given")
        found = spectral_labels(vectors, n_clusters, self.n_init, self.random_state)
        self.labels_ = first_seen(found, n_clusters)[0]
        self.n_clusters_ = n_clusters
        return self

    def _features(self, X: Floats) -> Floats:
        if self.kernel is None:
            return X
        if self.kernel != "rbf":
            raise ValueError(f"kernel must be 'rbf' or None, got {self.kernel!r}")
        return kernel_features(X, self.gamma, self.n_components, self.random_state)

    def _similarity(self, average: Floats, n_clusters: int | None) -> Floats:
        if self.method == "raw":
            return np.nan_to_num(average)
        C = "binary" if self.C == "balance" and n_clusters is None else self.C
        seed = np.random.RandomState(0) if self.random_state is None else self.random_state
        seen = filter_similarity(average, self.low, self.high)
        return complete_matrix(seen, C, n_clusters=n_clusters, tol=COMPLETION_TOL, random_state=seed)


def scale_rows(X: Floats) -> Floats:
    """Vectors of length √d: λ = 1 then weighs as much as the data do in an average direction, whatever their scale."""
    return np.asarray(X * (np.sqrt(X.shape[1]) / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-300)))


def kernel_features(X: Floats, gamma: float | None, n_components: int, random_state: Any) -> Floats:
    """Nyström features of exp(-gamma d²), (n, r): their products are the kernel, exactly so between landmarks.

    - `X` (n, d): Vectors.
    - `gamma`: One over the mean squared distance of two items where it is None.
    - `n_components`: Number of landmarks; all items where there are no more.
    """
    from sklearn.kernel_approximation import Nystroem

    check_scalar(n_components, "n_components", Integral, min_val=1)
    spread = 2.0 * float(X.var(axis=0).sum())  # the mean squared distance of two draws
    width = (1.0 / spread if spread > 0 else 1.0) if gamma is None else check_scalar(gamma, "gamma", Real, min_val=0.0)
    landmarks = min(n_components, len(X))
    features = Nystroem(kernel="rbf", gamma=width, n_components=landmarks, random_state=random_state)
    return np.asarray(features.fit_transform(X), np.float64)


def observed(n: int, hits: Hits | None, constraints: Constraints) -> Floats:
    """Average similarity of all items, NaN where neither a hit nor a constraint says anything, (n, n)."""
    average = hit_similarity(() if hits is None else hits, n)
    for pairs, value in ((constraints.must_link, 1.0), (constraints.cannot_link, 0.0)):
        for i, j in (pairs.T, pairs.T[::-1]):
            average[i, j] = value
            average[i, i] = 1.0
    return average


def spectral_labels(Z: Floats, n_clusters: int, n_init: int, random_state: Any) -> NDArray[np.int64]:
    """Normalised spectral clustering of the similarities ZZᵀ, from the factor alone: O(n² r) time, O(n r) memory.

    The degree of an item is the sum of its absolute similarities, as for signed graphs: the usual one when none is
    negative, and never zero or below.

    - `Z` (n, r): Factor of the similarities.
    - `n_clusters`, `n_init`, `random_state`: As in k-means.
    """
    blocks = np.array_split(Z, max(1, len(Z) ** 2 // 10**7))
    degree = np.concatenate([np.abs(block @ Z.T).sum(axis=1) for block in blocks])
    root = np.sqrt(np.maximum(degree, 1e-300))
    left, values, _ = np.linalg.svd(Z / root[:, None], full_matrices=False)
    rows = left[:, : min(n_clusters, int((values > 0).sum()) or 1)]
    rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    n_distinct = len(np.unique(rows.round(12), axis=0))
    if n_distinct < n_clusters:
        return np.arange(len(Z)) % n_clusters if n_distinct == 1 else _split(rows, n_clusters)
    labels = KMeans(n_clusters, n_init=n_init, random_state=random_state).fit_predict(rows)
    return np.asarray(labels, np.int64)


def _split(rows: Floats, n_clusters: int) -> NDArray[np.int64]:
    """Labels of equal rows, the largest groups cut until there are enough clusters."""
    labels = np.unique(rows.round(12), axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
    for new in range(int(labels.max()) + 1, n_clusters):
        largest = np.flatnonzero(labels == np.bincount(labels).argmax())
        labels[largest[len(largest) // 2 :]] = new
    return labels
