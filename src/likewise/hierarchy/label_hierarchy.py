"""A tree of tags and a classifier that goes by it, from tags some of which are missing."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MultiOutputMixin
from sklearn.utils import check_random_state, check_scalar
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from likewise.distances.convergence import warn_unsettled
from likewise.distances.memory import require_square
from likewise.hierarchy.em import Model, Round, Search, attach, infer
from likewise.hierarchy.logistic import Features
from likewise.hierarchy.start import drawn_trees, first_trees
from likewise.hierarchy.tags import check_tags
from likewise.hierarchy.thresholds import best_thresholds
from likewise.hierarchy.trees import Parents, add_ancestors, check_tree, drop_orphans, edges_of, top_down
from likewise.kernels.inference.logistic import squash_scores
from likewise.kernels.inference.tree_messages import BLOCK

Reals = NDArray[np.float64]
DECISIONS = ("top-down", "best-f1", "best-f1-micro")
FLAT_STEPS = 60
"""Steps of the classifiers that know no tree, from which every start sets out."""
TRIAL_ROUNDS = 10
"""Rounds on a fixed tree after which the starts are compared."""
FREE = 30.0
"""The constant beside the columns with free intercepts: their squares weigh a thousandth of the others'."""
SETTLED = 10
"""Rounds the tree must have stood still before the search may end."""


class LabelHierarchy(MultiOutputMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learn a tree among tags, and a multi-label classifier that goes by it, from incomplete tags.

    A label c is on with probability σ(w_c · x) where its parent is on, and ε where it is not; a label that is
    on is tagged with probability 1 - α, one that is off never. Tree, weights and α maximise

        log P(Z | X, W, tree, α) - ½ λ ‖W‖²

    by expectation–maximisation. A dummy root that is always on makes one tree of a forest.

    Parameters
    ----------
    tree : array-like of shape (m, 2) or None, default=None
        A known tree as (parent, child) pairs of tag indices, -1 for the dummy root; tags that are nobody's
        child are children of the dummy root. None learns the tree.
    regularization : float, default=1.0
        λ, the weight of half the squared length of the weights.
    free_intercept : bool, default=False
        Whether intercepts are (all but) not penalised; with them, rare tags lean to one half as λ grows.
    decide : "top-down", "best-f1" or "best-f1-micro", default="top-down"
        How labels are predicted: from the top, those more probable than not where their parent is on; or those whose
        probability is above a threshold at which the F1 that the posterior of the training labels lets expect is
        highest, and whose parent is on. Every tag has a threshold of its own for "best-f1", which F1-macro rewards; all
        share one for "best-f1-micro", that of the highest F1-micro.
    alpha : float, default=0.2
        Share of missing tags to start from.
    epsilon : float, default=0.002
        Probability of a label whose parent is off, at first. At the paper's 0.05 an instance whose parent is
        off costs more than a certain classifier does, so that tags that the vectors separate well lose their parents.
    decay : float, default=0.98
        Factor of ε after every round.
    n_steps : int, default=3
        Number of L-BFGS steps in a round.
    n_init : int, default=1
        Number of starts: the first from all instances, the others from as many drawn with replacement. The one with
        the highest likelihood is kept.
    max_iter : int, default=100
        Maximum number of rounds.
    tol : float, default=1e-6
        Stop when a round gains less than this share of the bound and the tree did not change.
    warm_start : bool, default=False
        Continue from the tree, the weights, α and ε of the last fit.
    random_state : int, RandomState or None
        Seed of the further starts.

    Attributes
    ----------
    edges_ : ndarray of shape (k, 2)
        The tree: (parent, child) pairs ordered by the child, the dummy root as -1.
    parents_ : ndarray of shape (k,)
        The parent of each tag, -1 for the dummy root.
    alpha_ : float
        Share of the labels that are on and not tagged.
    epsilon_ : float
        ε at the end.
    coef_, intercept_ : ndarray of shape (k, d) and (k,)
        The weights of the classifiers, each for instances whose parent label is on.
    thresholds_ : ndarray of shape (k,)
        Of ``decide="best-f1"``, for :meth:`predict_proba`.
    threshold_ : float
        Of ``decide="best-f1-micro"``, for :meth:`predict_proba`.
    bounds_ : ndarray of shape (n_iter_, 2)
        The bound of eq. 5.3 before and after the M-step of every round, both at the ε of that round. It never
        falls within a round, nor, while ε stays as it is, from one to the next.
    n_iter_ : int
        Number of rounds.
    classes_ : list of ndarray
        0 and 1, for every tag.

    References
    ----------
    Y. Pei, *Learning with Partial Supervision for Clustering and Classification*, 2017, ch. 5: table 5.1, eq.
    5.2-5.9, algorithms 3 and 4. Deviations: λ is the paper's λ / d; the tree comes before the weights in
    an M-step, and the weights take a few steps rather than all; the first tree is the one the counts of
    tags give (the best of several shares of missing tags), since eq. 5.9 rarely changes a flat tree; and ε begins at
    0.002 rather than 0.05. The paper does not define how labels are predicted: here from the top down, each classifier
    deciding where its parent is on, since marginal probabilities are products along a path and too low for deep tags;
    or, by choice, by thresholds of the expected F1. Intercepts may be free.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = rng.uniform(-2, 2, 300)
    >>> Y = np.column_stack([x > 0, x > 1, x < -1])         # the second implies the first
    >>> Z = Y & (rng.random(Y.shape) > 0.2)                 # a fifth of the tags is missing
    >>> model = LabelHierarchy().fit(x[:, None], Z)
    >>> model.edges_.tolist()
    [[-1, 0], [0, 1], [-1, 2]]
    >>> model.predict([[1.8], [0.5], [-1.8]]).tolist()
    [[1, 1, 0], [1, 0, 0], [0, 0, 1]]
    >>> model.complete([[0, 1, 0]]).tolist()
    [[1, 1, 0]]
    """

    def __init__(
        self,
        tree: ArrayLike | None = None,
        *,
        regularization: float = 1.0,
        free_intercept: bool = False,
        decide: Literal["top-down", "best-f1", "best-f1-micro"] = "top-down",
        alpha: float = 0.2,
        epsilon: float = 0.002,
        decay: float = 0.98,
        n_steps: int = 3,
        n_init: int = 1,
        max_iter: int = 100,
        tol: float = 1e-6,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None:
        self.tree = tree
        self.regularization = regularization
        self.free_intercept = free_intercept
        self.decide = decide
        self.alpha = alpha
        self.epsilon = epsilon
        self.decay = decay
        self.n_steps = n_steps
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.random_state = random_state

    def fit(self, X: ArrayLike, Z: Any) -> Self:
        """Learn the tree and the classifiers.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Vectors.
        Z : array-like or sparse matrix of shape (n, k)
            1 where a tag is there; 0 where it is not, be it wrong or missing.
        """
        self._check_parameters()
        goes_on = self.warm_start and hasattr(self, "coef_")
        vectors = validate_data(self, X, dtype=np.float64, reset=not goes_on)
        tags = check_tags(Z)
        check_consistent_length(vectors, tags)
        if not tags.any():
            raise ValueError("Z has no tag at all, so there is nothing to learn from")
        k = tags.shape[1]
        require_square(k, 2 * BLOCK, f"LabelHierarchy with {k:,} tags", "leave out the rare tags")
        features = Features.turn(vectors, FREE if self.free_intercept else 1.0)
        search = Search(
            features,
            np.ascontiguousarray(tags.T),
            float(self.regularization),
            self.n_steps,
            learn_tree=self.tree is None,
        )
        if goes_on:
            starts, epsilon = [self._last(features, tags.shape[1])], self.epsilon_
        else:
            starts, epsilon = self._starts(search, tags), float(self.epsilon)
        runs = [self._run(search, start, epsilon) for start in starts]
        # Runs that stopped early did so at a larger ε, under which bounds cannot be compared.
        least = min(run[-1].epsilon for run in runs)
        best = max(runs, key=lambda run: search.value(run[-1].model, least)) if len(runs) > 1 else runs[0]
        self._keep(best, features)
        scores, chances = self.predict_proba(vectors), self.posterior(vectors, tags)
        self.thresholds_ = best_thresholds(scores, chances)
        self.threshold_ = float(best_thresholds(scores.reshape(-1, 1), chances.reshape(-1, 1))[0])
        warn_unsettled(self)
        return self

    def predict_proba(self, X: ArrayLike) -> Reals:
        """Probability (n, k) of every label, from the vectors alone."""
        on, _ = self._chances(X)
        out = np.empty_like(on)
        for tag in top_down(self.parents_):
            parent = self.parents_[tag]
            above = out[parent] if parent >= 0 else 1.0
            out[tag] = on[tag] * above + self.epsilon_ * (1.0 - above)
        return np.ascontiguousarray(out.T)

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """Labels (n, k), 0 or 1, as `decide` says."""
        if self.decide != "top-down":
            check_is_fitted(self)
            least = self.thresholds_ if self.decide == "best-f1" else self.threshold_
            return drop_orphans(self.predict_proba(X) >= least, self.parents_).astype(np.int64)
        on, _ = self._chances(X)
        return drop_orphans((on > 0.5).T, self.parents_).astype(np.int64)

    def posterior(self, X: ArrayLike, Z: Any) -> Reals:
        """Probability (n, k) of every label, from the vectors and the tags that are there, which are certain."""
        on, off = self._chances(X)
        tags = self._known_tags(Z, on.shape[1])
        found = infer(on, off, np.ascontiguousarray(tags.T), self.parents_, self.alpha_, self.epsilon_)
        return np.ascontiguousarray(found.marginal.T)

    def complete(self, Z: Any, X: ArrayLike | None = None, *, threshold: float = 0.5) -> NDArray[np.int64]:
        """Tags with the missing ones.

        Parameters
        ----------
        Z : array-like or sparse matrix of shape (n, k)
            Tags; those that are there stay.
        X : array-like of shape (n, d) or None, default=None
            Vectors of the same instances. Without them only the ancestors of the tags are added.
        threshold : float, default=0.5
            Probability from which a tag is added.

        Returns
        -------
        ndarray of shape (n, k)
            0 or 1; every tag comes with its ancestors.
        """
        check_is_fitted(self)
        tags = self._known_tags(Z, None)
        if X is not None:
            tags = tags | (self.posterior(X, tags) > threshold)
        return add_ancestors(tags, self.parents_).astype(np.int64)

    def _check_parameters(self) -> None:
        if self.decide not in DECISIONS:
            raise ValueError(f"decide must be one of {', '.join(DECISIONS)}, got {self.decide!r}")
        open_share = {"min_val": 0, "max_val": 1, "include_boundaries": "neither"}
        check_scalar(self.regularization, "regularization", Real, min_val=0, include_boundaries="neither")
        check_scalar(self.alpha, "alpha", Real, **open_share)
        check_scalar(self.epsilon, "epsilon", Real, **open_share)
        check_scalar(self.decay, "decay", Real, min_val=0, max_val=1, include_boundaries="right")
        check_scalar(self.tol, "tol", Real, min_val=0)
        for name in ("n_steps", "n_init", "max_iter"):
            check_scalar(getattr(self, name), name, Integral, min_val=1)

    def _starts(self, search: Search, tags: NDArray[np.bool_]) -> list[Model]:
        flat = search.flat(float(self.alpha), FLAT_STEPS)
        if self.tree is not None:
            return [attach(flat, check_tree(self.tree, tags.shape[1]))]
        random = check_random_state(self.random_state)
        groups = [first_trees(tags), *(drawn_trees(tags, random) for _ in range(self.n_init - 1))]
        return [self._best_of(search, flat, trees) for trees in groups]

    def _best_of(self, search: Search, flat: Model, trees: list[Parents]) -> Model:
        """The start whose bound is highest once the classifiers have grown used to its tree."""
        fixed = Search(search.features, search.tags, search.penalty, search.n_steps, learn_tree=False)
        ends: list[Round] = []
        for tree in trees:
            rounds = fixed.rounds(attach(flat, tree), float(self.epsilon), 1.0)
            ends.append([next(rounds) for _ in range(TRIAL_ROUNDS)][-1])
        return max(ends, key=lambda end: end.after).model

    def _last(self, features: Features, n_tags: int) -> Model:
        if len(self.parents_) != n_tags:
            raise ValueError(f"the last fit had {len(self.parents_)} tags, Z has {n_tags}")
        W = np.column_stack([self.coef_, self.intercept_ / features.constant]) @ features.basis
        parents = self.parents_ if self.tree is None else check_tree(self.tree, n_tags)
        # An α of 0 would stay 0 for ever.
        return Model(parents, W, features.scores(W), max(self.alpha_, 1e-3))

    def _run(self, search: Search, start: Model, epsilon: float) -> list[Round]:
        done: list[Round] = []
        still, parents = 0, start.parents
        for each in search.rounds(start, epsilon, float(self.decay)):
            done.append(each)
            still = still + 1 if np.array_equal(each.model.parents, parents) else 0
            parents = each.model.parents
            settled = still >= SETTLED and each.after - each.before <= self.tol * abs(each.after)
            if settled or len(done) == self.max_iter:
                break
        return done

    def _keep(self, rounds: list[Round], features: Features) -> None:
        model = rounds[-1].model
        self.parents_ = model.parents
        self.edges_ = edges_of(model.parents)
        self.alpha_ = model.alpha
        self.epsilon_ = rounds[-1].epsilon
        self.coef_, self.intercept_ = features.unturn(model.W)
        self.bounds_ = np.array([(each.before, each.after) for each in rounds])
        self.n_iter_ = len(rounds)
        self.classes_ = [np.array([0, 1])] * len(model.parents)

    def _chances(self, X: ArrayLike) -> tuple[Reals, Reals]:
        """σ and 1 - σ of every classifier, (k, n)."""
        check_is_fitted(self)
        vectors = validate_data(self, X, dtype=np.float64, reset=False)
        scores = np.ascontiguousarray(self.coef_ @ vectors.T + self.intercept_[:, None])
        on, off, log_off = (np.empty_like(scores) for _ in range(3))
        squash_scores(scores, on, off, log_off)
        return on, off

    def _known_tags(self, Z: Any, n: int | None) -> NDArray[np.bool_]:
        tags = check_tags(Z)
        if tags.shape[1] != len(self.parents_):
            raise ValueError(f"Z has {tags.shape[1]} tags, but the tree has {len(self.parents_)}")
        if n is not None and len(tags) != n:
            raise ValueError(f"Z has {len(tags)} rows, but X has {n}")
        return tags
