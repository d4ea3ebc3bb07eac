"""Bayesian clustering: logistic clusters under a prior, and answers to pairs that form a forest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from likewise.cluster.base import ConstrainedClusterer
from likewise.cluster.logistic.answer_forest import AnswerForest, acyclic
from likewise.cluster.logistic.features import ItemFeatures, Kernel
from likewise.cluster.logistic.model import grid, kmeans_labels, log_probabilities, logistic_start, with_ones
from likewise.cluster.logistic.particles import Prior
from likewise.cluster.logistic.supervised_start import supervised_start
from likewise.cluster.restarts import check_search, first_seen
from likewise.constraints import Constraints, Statement

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FLAT = 1e-3  # weights below this do not distinguish clusters


class BayesianClustering(ConstrainedClusterer):
    r"""The likeliest logistic clusters, and the likeliest labels under them and the answers.

    The prior of the weights is :math:`\log P(W) = -\frac\lambda2 \lVert W \rVert^2 - \frac\tau N \sum_i H(y_i) + c`; an
    answer to a pair is wrong with probability ε. The weights maximise :math:`P(W \mid Z)`, labels summed out exactly by
    messages along the forest of answered pairs; then the labels maximise :math:`P(Y \mid Z, W)`.
    Constraints are soft.

    Parameters
    ----------
    n_clusters : int, default=2
        Number of clusters; fewer when some stay empty.
    tau : float, default=1.0
        τ, weight of the mean entropy.
    regularization : float or sequence of float, default=10.0
        λ, precision of the Gaussian. Of a sequence, the value is chosen under which held-out answers are likeliest;
        with few answers 10, the value of the thesis, leaves the weights so small that answers hardly reach beyond
        the items they name.
    epsilon : float, default=0.05
        ε, how often an answer is wrong; above 0.
    cv : int, default=5
        Folds of that choice.
    standardize : bool, default=True
        Scale columns to mean 0 and variance 1, as the thesis does.
    kernel, gamma, n_components
        As in :class:`DiscriminativeClustering`.
    start : array-like of shape (s, d, k), optional
        Weights to start from as well.
    n_init : int, default=5
        Starts: k-means, constrained k-means, and draws from the Gaussian; the climb never ends below any of them.
    max_iter : int, default=200
        Steps of L-BFGS a start.
    random_state : int, RandomState or None
        Seed of the starts.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        Clusters, numbered by first item.
    n_clusters_ : int
        How many are not empty.
    coef_ : ndarray of shape (k, d)
        Weights, for scaled columns, or for the features of the kernel.
    regularization_ : float
        The λ used.
    log_posterior_ : float
        log P(W, Z | X) but for a constant.
    n_iter_ : int
        Steps of L-BFGS from the start that won.
    forest_ : list of (i, j, relation)
        The answers that were used: those that close no cycle, must-links first.

    References
    ----------
    Y. Pei, *Learning with Partial Supervision for Clustering and Classification*, 2017, §4.3.1 and 4.3.4. Deviations:
    answers that close a cycle with earlier ones are left out; several starts; λ may be chosen; kernel features;
    where the likeliest weights are zero (as they are without any answer), the labels are those of k-means.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [3.0], [3.1], [3.2]]
    >>> model = BayesianClustering(2, random_state=0).fit(X, must_link=[(0, 1)], cannot_link=[(1, 3), (0, 4)])
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        tau: float = 1.0,
        regularization: float | Sequence[float] = 10.0,
        epsilon: float = 0.05,
        cv: int = 5,
        standardize: bool = True,
        kernel: Kernel = None,
        gamma: float | None = None,
        n_components: int = 100,
        start: ArrayLike | None = None,
        n_init: int = 5,
        max_iter: int = 200,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.tau = tau
        self.regularization = regularization
        self.epsilon = epsilon
        self.cv = cv
        self.standardize = standardize
        self.kernel = kernel
        self.gamma = gamma
        self.n_components = n_components
        self.start = start
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _fit(self, X: Floats, constraints: Constraints) -> None:
        k = self._check_n_clusters(self.n_clusters, len(X))
        check_search(self.n_init, self.max_iter)
        random = check_random_state(self.random_state)
        self.features_ = ItemFeatures.of(X, self.standardize, self.kernel, self.gamma, self.n_components, random)
        vectors = self.features_.apply(X)
        answers: list[Statement] = [(i, j, "same") for i, j in constraints.must_link.tolist()]
        answers += [(i, j, "different") for i, j in constraints.cannot_link.tolist()]
        self.forest_ = acyclic(answers, len(X))[0]
        start = kmeans_labels(vectors, k, self.n_init, random)
        starts = [logistic_start(with_ones(vectors), start, k, 0.01)[:-1]]
        if self.forest_ and self.n_init > 1:
            seed = random.randint(2**31 - 1)
            starts.append(supervised_start(with_ones(vectors), self.forest_, k, 0.01, seed)[:-1])
        self.regularization_ = self._choose(vectors, starts, random)
        prior = Prior(self.tau, self.regularization_, self.epsilon).check()
        posterior = WeightPosterior(vectors, AnswerForest.of(self.forest_), prior)
        spread = 1.0 / np.sqrt(prior.regularization)
        starts += [spread * random.normal(size=starts[0].shape) for _ in range(self.n_init - len(starts))]
        starts += [] if self.start is None else list(np.asarray(self.start, np.float64))
        found = [posterior.climb(W, self.max_iter) for W in starts]
        W, self.log_posterior_, self.n_iter_ = max(found, key=lambda climbed: climbed[1])
        flat = bool(np.abs(W - W.mean(axis=1, keepdims=True)).max(initial=0.0) < FLAT)
        labels, order = first_seen(start if flat else posterior.labels(W), k)
        order = np.concatenate([order, np.setdiff1d(np.arange(k), order)])
        self.labels_, self.n_clusters_ = labels, int(labels.max()) + 1
        self.coef_ = np.ascontiguousarray(W[:, order].T)

    def _choose(self, vectors: Floats, starts: list[Floats], random: np.random.RandomState) -> float:
        """The λ under which held-out answers are likeliest, given the others and the likeliest weights under them."""
        values = grid(self.regularization, "regularization", 0.0, np.inf)
        priors = [Prior(self.tau, value, self.epsilon).check() for value in values]
        n_folds = min(int(self.cv), len(self.forest_))
        if len(values) == 1 or n_folds < 2:
            return values[len(values) // 2]
        fold = random.permutation(np.arange(len(self.forest_)) % n_folds)
        score = np.zeros(len(values))
        for held in range(n_folds):
            kept = AnswerForest.of([said for said, f in zip(self.forest_, fold, strict=True) if f != held])
            asked = [said for said, f in zip(self.forest_, fold, strict=True) if f == held]
            for v, prior in enumerate(priors):
                posterior = WeightPosterior(vectors, kept, prior)
                W = max((posterior.climb(W, self.max_iter) for W in starts), key=lambda climbed: climbed[1])[0]
                score[v] += posterior.predictive(W, asked)
        return values[int(score.argmax())]

    def predict_proba(self, X: ArrayLike) -> Floats:
        """P(cluster | x) of new vectors, (n, k).

        Parameters
        ----------
        X : array-like of shape (n, d)
            Vectors.
        """
        check_is_fitted(self, "coef_")
        checked = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(np.exp(log_probabilities(self.features_.apply(checked), self.coef_.T)))

    def predict(self, X: ArrayLike) -> Integers:
        """The likeliest cluster of new vectors, (n,).

        Parameters
        ----------
        X : array-like of shape (n, d)
            Vectors.
        """
        return np.asarray(self.predict_proba(X).argmax(axis=1), np.int64)


class WeightPosterior:
    """log P(W, Z | X), but for a constant, and its gradient (4.13).

    - `X` (n, d): Scaled vectors.
    - `forest`: The answers.
    - `prior`: The prior.
    """

    def __init__(self, X: Floats, forest: AnswerForest, prior: Prior) -> None:
        self.X, self.forest, self.prior = X, forest, prior

    def __call__(self, W: Floats) -> tuple[float, Floats]:
        """Value and gradient at weights (d, k)."""
        log_p = log_probabilities(self.X, W)
        p = np.exp(log_p)
        value, q = self.forest.likelihood(p[self.forest.nodes], self.prior.epsilon)
        entropy = -(p * log_p).sum(axis=1, keepdims=True)
        rest = p * (log_p + entropy) * (self.prior.tau / len(p))
        rest[self.forest.nodes] += q - p[self.forest.nodes]
        value -= self.prior.tau * float(entropy.mean()) + 0.5 * self.prior.regularization * float((W**2).sum())
        return value, self.X.T @ rest - self.prior.regularization * W

    def climb(self, W: Floats, n_steps: int) -> tuple[Floats, float, int]:
        """Weights after at most n_steps of L-BFGS, their value, and how many steps it took (at least 1)."""

        def downhill(flat: Floats) -> tuple[float, Floats]:
            value, gradient = self(flat.reshape(W.shape))
            return -value, -gradient.ravel()

        options: Any = {"maxiter": n_steps}
        found = minimize(downhill, W.ravel(), jac=True, method="L-BFGS-B", options=options)
        return found.x.reshape(W.shape), -float(found.fun), max(int(found.nit), 1)

    def predictive(self, W: Floats, statements: list[Statement]) -> float:
        """Sum of log P(z | W, answers) over pairs, each as if it were asked alone; exact where it closes no cycle."""
        p = np.exp(log_probabilities(self.X, W))
        p[self.forest.nodes] = self.forest.likelihood(p[self.forest.nodes], self.prior.epsilon)[1]
        total, epsilon = 0.0, self.prior.epsilon
        for i, j, relation in statements:
            same = float(p[i] @ p[j])
            right = same if relation == "same" else 1.0 - same
            total += float(np.log((1.0 - epsilon) * right + epsilon * (1.0 - right)))
        return total

    def labels(self, W: Floats) -> Integers:
        """The likeliest labels given the answers, (n,)."""
        log_p = log_probabilities(self.X, W)
        labels = log_p.argmax(axis=1)
        labels[self.forest.nodes] = self.forest.likeliest(log_p[self.forest.nodes], self.prior.epsilon)
        return np.asarray(labels, np.int64)
