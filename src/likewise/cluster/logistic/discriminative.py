"""Discriminative clustering: pairs and triplets in one model that tolerates wrong answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from numbers import Integral
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state, check_scalar
from sklearn.utils.validation import check_is_fitted, validate_data

from likewise.cluster.base import ConstrainedClusterer
from likewise.cluster.logistic.answer_forest import AnswerForest, acyclic
from likewise.cluster.logistic.answers import Answers, MeanField, error_model, read_answers
from likewise.cluster.logistic.bayesian import WeightPosterior
from likewise.cluster.logistic.features import ItemFeatures, Kernel
from likewise.cluster.logistic.model import grid, kmeans_labels, log_probabilities, logistic_start, with_ones
from likewise.cluster.logistic.particles import Prior
from likewise.cluster.logistic.supervised_start import statements_of, supervised_start
from likewise.cluster.logistic.variational_em import Setting, VariationalResult, VariationalSearch
from likewise.cluster.restarts import check_search, first_seen
from likewise.constraints import Statement
from likewise.distances.convergence import warn_unsettled

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

START_ROUNDS = 30  # of k-means: where to begin, not where to end
SUMMED_STEPS = 40  # of L-BFGS with the labels summed out


class _View(NamedTuple):
    """What the model sees of the items with one kernel.

    - `kernel`, `features`: The kernel, and the features it makes.
    - `used` (d,), bool: Features that are not zero everywhere.
    - `wide` (n, u + 1): These of the items, and a column of ones.
    - `start` (n,): Clusters of k-means.
    """

    kernel: Kernel
    features: ItemFeatures
    used: NDArray[np.bool_]
    wide: Floats
    start: Integers


class DiscriminativeClustering(ConstrainedClusterer):
    r"""Logistic clusters that are well separated, even in size, and likely given the answers.

    Maximises :math:`\frac1M \log P(L \mid X; W) + \tau\,(H[\hat y] - H[Y_U \mid X_U]) - \lambda \lVert w \rVert^2`
    by its variational bound, where L are the answers to M pairs and triplets, each wrong with probability ε:
    constraints are soft. With weights, an answer counts as if it were given so many times.

    Parameters
    ----------
    n_clusters : int, default=2
        Number of clusters; fewer when some stay empty.
    tau : float or sequence of float, default=1.0
        τ, weight of the mutual information.
    regularization : float or sequence of float, default=2**-6
        λ, weight of the squared length of the weights; the bias is free.
    epsilon : float or sequence of float, default=0.05
        ε, how often an answer is wrong; 0 makes them hard. Of sequences, the values are chosen that predict
        held-out answers best.
    cv : int, default=5
        Folds of that choice.
    pair_confusion : array-like of shape (2, 2), optional
        How people err, when they do not err evenly: rows the truth (same, different), columns the answer, counts or
        probabilities. Replaces ε for pairs.
    triplet_confusion : array-like of shape (4, 4), optional
        The same for triplets: ab, ac, bc, none.
    standardize : bool, default=True
        Scale columns to mean 0 and variance 1, as the thesis does.
    kernel : "rbf", None or a sequence of them, default=None
        Clusters that a plane does not separate: Nyström features of a Gaussian kernel on the columns instead of these.
        Of a sequence, the one that predicts held-out answers best, together with the other parameters.
    gamma : float, optional
        Of the kernel exp(-gamma d²); by default one over the median squared distance.
    n_components : int, default=100
        Items drawn as landmarks of the kernel.
    n_starts : int, default=12
        Starts: the first from k-means, the second from constrained k-means, the third from the second, fitted with
        the labels summed out along a forest of the answers; the others from small weights that are fitted to the
        answers alone at first, of which the two best stay in. Of these the one with the best bound after three rounds
        goes on, so that with soft answers it never ends below any of the first three. When the clusters of the first
        go against no more than ε of the answers of any value, there are no others.
    n_init : int, default=3
        Starts of the k-means that comes first.
    max_iter : int, default=100
        Rounds of four steps at most.
    tol : float, default=1e-4
        Stop when a round gains less.
    random_state : int, RandomState or None
        Seed of k-means and of the folds.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The likeliest cluster of every item, given the answers where an answer names it; numbered by first item.
    n_clusters_ : int
        How many are not empty.
    coef_ : ndarray of shape (k, d)
        Weights, for scaled columns, or for the features of the kernel.
    intercept_ : ndarray of shape (k,)
        Biases.
    probabilities_ : ndarray of shape (n, k)
        What `labels_` is the largest of.
    tau_, regularization_, epsilon_ : float
        The values used.
    kernel_ : "rbf" or None
        The kernel used.
    lower_bound_ : list of float
        The bound after every round from the start that won.
    n_iter_ : int
        Rounds.

    References
    ----------
    Y. Pei, *Learning with Partial Supervision for Clustering and Classification*, 2017, ch. 3 (eq. 3.3–3.11, Tables
    3.1–3.4; the second row of Table 3.1 is read y_a ≠ y_b). Deviations: pairs and triplets may be given together, M
    counts both; several starts, since the one of the thesis (`n_starts=1`) does not leave the clusters of k-means where
    these are clear; the bias is not penalised; the mean field follows every step of L-BFGS, where the thesis lets it
    and the weights take turns (with hard answers so do we); in the choice of parameters, other values begin where
    those in the middle came to; held-out answers that are predicted equally often are weighed by their likelihood;
    errors need not be even; kernel features.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [3.0], [3.1], [3.2]]
    >>> model = DiscriminativeClustering(2, random_state=0)
    >>> model.fit(X, must_link=[(0, 1)], triplets=[(0, 1, 3, "ab")]).labels_
    array([0, 0, 0, 1, 1, 1])
    >>> model.predict([[0.3], [9.0]])
    array([0, 1])
    """

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        tau: float | Sequence[float] = 1.0,
        regularization: float | Sequence[float] = 2.0**-6,
        epsilon: float | Sequence[float] = 0.05,
        cv: int = 5,
        pair_confusion: ArrayLike | None = None,
        triplet_confusion: ArrayLike | None = None,
        standardize: bool = True,
        kernel: Kernel | Sequence[Kernel] = None,
        gamma: float | None = None,
        n_components: int = 100,
        n_starts: int = 12,
        n_init: int = 3,
        max_iter: int = 100,
        tol: float = 1e-4,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.tau = tau
        self.regularization = regularization
        self.epsilon = epsilon
        self.cv = cv
        self.pair_confusion = pair_confusion
        self.triplet_confusion = triplet_confusion
        self.standardize = standardize
        self.kernel = kernel
        self.gamma = gamma
        self.n_components = n_components
        self.n_starts = n_starts
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        *,
        must_link: ArrayLike | None = None,
        cannot_link: ArrayLike | None = None,
        triplets: Iterable[Any] | None = None,
        must_link_weights: ArrayLike | None = None,
        cannot_link_weights: ArrayLike | None = None,
    ) -> Self:
        """Cluster X under the answers.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Vectors.
        y : ignored
            Present for scikit-learn.
        must_link, cannot_link : array-like of shape (m, 2), optional
            Pairs of indices that people called same, and different. They may contradict each other; a pair given
            twice counts twice.
        triplets : iterable of (a, b, c, value), optional
            Three indices and which two belong together: ``ab``, ``ac``, ``bc`` or ``none``; ``unsure`` is ignored.
        must_link_weights, cannot_link_weights : array-like of shape (m,), optional
            For how many answers each pair counts: 1 as without weights, 0 as if nothing was said.
        """
        checked = self._check_input(X)
        n_clusters = self._check_n_clusters(self.n_clusters, len(checked))
        check_search(self.n_init, self.max_iter, self.tol)
        check_scalar(self.n_starts, "n_starts", Integral, min_val=1)
        weights = must_link_weights, cannot_link_weights
        answers = read_answers(len(checked), must_link, cannot_link, triplets, *weights)
        random = check_random_state(self.random_state)
        views = [self._view(checked, kernel, n_clusters, random) for kernel in _kernels(self.kernel)]
        view, setting = self._choose(views, answers, n_clusters, random)
        self.tau_, self.regularization_, self.epsilon_ = setting
        self.kernel_, self.features_ = view.kernel, view.features
        seed = random.randint(2**31 - 1)
        self._keep(self._climb(self._search(view.wide, answers, n_clusters, setting), view.start, seed), view.used)
        warn_unsettled(self)
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:
        """P(cluster | x) of new vectors, (n, k).

        Parameters
        ----------
        X : array-like of shape (n, d)
            Vectors.
        """
        check_is_fitted(self, "coef_")
        checked = validate_data(self, X, dtype=np.float64, reset=False)
        W = np.vstack([self.coef_.T, self.intercept_])
        return np.asarray(np.exp(log_probabilities(with_ones(self.features_.apply(checked)), W)))

    def predict(self, X: ArrayLike) -> Integers:
        """The likeliest cluster of new vectors, (n,).

        Parameters
        ----------
        X : array-like of shape (n, d)
            Vectors.
        """
        return np.asarray(self.predict_proba(X).argmax(axis=1), np.int64)

    def _view(self, X: Floats, kernel: Kernel, n_clusters: int, random: np.random.RandomState) -> _View:
        features = ItemFeatures.of(X, self.standardize, kernel, self.gamma, self.n_components, random)
        scaled = features.apply(X)
        used = np.asarray(scaled.any(axis=0), np.bool_)  # a column of zeros must not change what is drawn
        wide = with_ones(scaled[:, used])
        start = kmeans_labels(wide[:, :-1], n_clusters, self.n_init, random, START_ROUNDS)
        return _View(kernel, features, used, wide, start)

    def _search(self, wide: Floats, answers: Answers, n_clusters: int, setting: Setting) -> VariationalSearch:
        model = error_model(setting.epsilon, self.pair_confusion, self.triplet_confusion)
        return VariationalSearch(wide, MeanField(answers, model), n_clusters, setting)

    def _climb(self, search: VariationalSearch, start: Integers, seed: int) -> VariationalResult:
        """The best that is found from k-means and from drawn starts."""
        setting = search.setting
        given = [logistic_start(search.wide, start, search.k, setting.regularization)]
        forest = acyclic(statements_of(search.field.answers), len(search.wide))[0]
        if self.n_starts > 1 and forest and not search.fits_answers(given[0]):
            second = supervised_start(search.wide, forest, search.k, setting.regularization, seed)
            given += [second, _summed_out(search, forest, second)][: self.n_starts - 1]
        random = np.random.RandomState(seed)
        return search.best(given, self.n_starts - len(given), random, self.max_iter, self.tol)

    def _choose(
        self, views: list[_View], answers: Answers, n_clusters: int, random: np.random.RandomState
    ) -> tuple[_View, Setting]:
        """The kernel and the values of the parameters under which held-out answers are predicted best."""
        settings = [
            Setting(*values)
            for values in product(
                grid(self.tau, "tau", 0.0, np.inf),
                grid(self.regularization, "regularization", 0.0, np.inf),
                grid(self.epsilon, "epsilon", 0.0, 1.0, closed=False),
            )
        ]
        n_folds = min(int(self.cv), len(answers))
        middle = settings[len(settings) // 2]
        if len(settings) * len(views) == 1 or n_folds < 2:
            return views[0], middle
        fold = random.permutation(np.arange(len(answers)) % n_folds)
        seed = random.randint(2**31 - 1)
        scores = np.zeros((len(views), len(settings), 2))
        for held in range(n_folds):
            kept, asked = (answers.take(np.flatnonzero(rows)) for rows in (fold != held, fold == held))
            for v, view in enumerate(views):
                near = self._climb(self._search(view.wide, kept, n_clusters, middle), view.start, seed).W
                for s, setting in enumerate(settings):
                    search = self._search(view.wide, kept, n_clusters, setting)
                    found = search.best([near], 0, random, self.max_iter, self.tol)
                    scores[v, s] += _agreement(asked, view.wide, found.W)
        v, s = max(np.ndindex(len(views), len(settings)), key=lambda place: tuple(scores[place]))
        return views[v], settings[s]

    def _keep(self, found: VariationalResult, used: NDArray[np.bool_]) -> None:
        k = found.W.shape[1]
        self.labels_, order = first_seen(found.probabilities.argmax(axis=1), k)
        order = np.concatenate([order, np.setdiff1d(np.arange(k), order)])
        self.n_clusters_ = int(self.labels_.max()) + 1
        self.coef_ = np.zeros((k, len(used)))
        self.coef_[:, used] = found.W[:-1, order].T
        self.intercept_ = found.W[-1, order]
        self.probabilities_ = found.probabilities[:, order]
        self.lower_bound_ = found.bounds
        self.n_iter_ = len(found.bounds)


def _kernels(given: Kernel | Sequence[Kernel]) -> list[Kernel]:
    """The kernels to choose from."""
    if given is None or isinstance(given, str):
        return [given]
    kernels = list(given)
    if not kernels:
        raise ValueError("kernel must name at least one")
    return kernels


def _summed_out(search: VariationalSearch, forest: list[Statement], W: Floats) -> Floats:
    """Weights from W under the same objective with the labels summed out exactly, for answers without a cycle."""
    m, setting = search.field.answers.total, search.setting
    prior = Prior(setting.tau * m, max(2.0 * setting.regularization * m, 1e-6), max(setting.epsilon, 1e-3))
    return WeightPosterior(search.wide, AnswerForest.of(forest), prior).climb(W, SUMMED_STEPS)[0]


def _agreement(answers: Answers, wide: Floats, W: Floats) -> tuple[float, float]:
    """How many answers the clusters of W predict, and the logarithm of the chance of the answers."""
    log_p = log_probabilities(wide, W)
    right = answers.weights @ (answers.correct(log_p.argmax(axis=1)) == answers.values)
    field = MeanField(answers, error_model(0.05))
    q = np.exp(log_p[field.items])
    return float(right), field.bound(log_p[field.items], q)
