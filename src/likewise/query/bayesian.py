"""Bayesian active clustering: ask the pair that brings most information about the posterior of the clusters."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from likewise.cluster.logistic.answer_forest import acyclic
from likewise.cluster.logistic.bayesian import BayesianClustering
from likewise.cluster.logistic.model import Scale
from likewise.cluster.logistic.particles import Particles, Prior
from likewise.constraints import Statement
from likewise.distances.mds import MDS
from likewise.query.base import Labels, State, Strategy, take_batch
from likewise.query.neighbourhood.skeleton import Skeleton
from likewise.query.question import Pair, Question

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

N_LISTED = 512  # number of pairs sorted; more are rarely needed
N_KEPT = 16  # number of posteriors kept, so that undo costs nothing
FIRST_CHOICE = 8  # answers from which on λ is chosen
MEMORY = 20_000_000  # maximum number of particle scores held at once


class BayesianActive(Strategy):
    r"""Ask about the pair whose answer brings most information about the weights of the clusters.

    *Info* is :math:`I(z; W \mid Z) = H(z \mid Z) - E_W[H(z \mid W, Z)]`, *Uncertain* its first term alone. Pairs that
    would close a cycle with those answered are asked last, since without cycles labels are summed out exactly.

    Parameters
    ----------
    criterion : "info" or "uncertain", default="info"
        Criterion by which pairs are chosen.
    n_clusters : int, optional
        Number of clusters; the session's by default. When both are None, two or as many as the answers show.
    tau, epsilon
        As in :class:`likewise.cluster.BayesianClustering`.
    regularization : float or sequence of float, default=10.0
        λ, precision of the Gaussian, as there. Of a sequence, the clusters take the value that predicts held-out
        answers best; the questions the one that did so after 8, 16, 32, … answers, and before that the middle one.
    n_particles : int, optional
        Number of draws from the posterior; by default 2dK, at most 500.
    n_moves : int, default=8
        Number of sweeps of elliptical slice steps of every draw after an answer.
    n_candidates : int, default=50000
        Maximum number of candidate pairs: half of them drawn at random, half with the items of the best of these.
    n_components : int, default=64
        Number of principal components to which longer vectors are reduced, and of the vectors that multidimensional
        scaling makes of distances.
    clusterer : estimator, optional
        Clusterer to use under the answers; by default the most probable weights and labels.

    References
    ----------
    Y. Pei, *Learning with Partial Supervision for Clustering and Classification*, 2017, §4.3.2 to 4.3.4, algorithm 2.
    Deviations: particles are moved by elliptical slice sampling (Murray, Adams, MacKay 2010) of blocks of dimensions
    instead of a slice along one coordinate after the other, and the entropy enters by resampling; at most 500 of
    them; answers that close a cycle are not part of the posterior, and pairs that do are asked only when no others are
    left.

    Examples
    --------
    >>> from likewise import Session
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(30, 2)) + np.repeat([[0, 0], [4, 0]], 15, axis=0)
    >>> s = Session(X, strategy="bayesian", n_clusters=2, random_state=0)
    >>> s.ask().kind
    'pair'
    """

    name = "bayesian"
    _kept: tuple[Any, Floats, OrderedDict[Any, Particles]] | None = None
    _chosen: dict[Any, float]

    def __init__(
        self,
        criterion: Literal["info", "uncertain"] = "info",
        *,
        n_clusters: int | None = None,
        tau: float = 1.0,
        regularization: float | Sequence[float] = 10.0,
        epsilon: float = 0.05,
        n_particles: int | None = None,
        n_moves: int = 8,
        n_candidates: int = 50_000,
        n_components: int = 64,
        clusterer: Any = None,
    ) -> None:
        super().__init__(clusterer=clusterer)
        self.criterion = criterion
        self.n_clusters = n_clusters
        self.tau = tau
        self.regularization = regularization
        self.epsilon = epsilon
        self.n_particles = n_particles
        self.n_moves = n_moves
        self.n_candidates = n_candidates
        self.n_components = n_components

    def ask(self, state: State, n: int = 1, skip: Collection[Pair] = ()) -> list[Question]:
        """Choose pairs; see :meth:`Strategy.ask`."""
        if self.criterion not in ("info", "uncertain"):
            raise ValueError(f"criterion must be 'info' or 'uncertain', got {self.criterion!r}")
        return take_batch(state, self._ranked(state, skip), n) if state.n > 1 else []

    def count_clusters(self, state: State) -> int:
        """The number of clusters to use; see :meth:`Strategy.count_clusters`."""
        return min(state.n, max(self.n_clusters or 0, super().count_clusters(state), 2))

    def cluster(self, state: State) -> Labels:
        """Clusters of all items; see :meth:`Strategy.cluster`."""
        if self.clusterer is not None or state.constraints.n_open() == 0:
            return super().cluster(state)
        k = self.n_clusters or state.n_clusters or self.count_clusters(state)
        model = self._model(state, min(k, state.n))
        known = state.constraints
        return self._fit(model, state, known.must_link, known.cannot_link)

    def _model(self, state: State, n_clusters: int) -> BayesianClustering:
        return BayesianClustering(
            n_clusters,
            tau=self.tau,
            regularization=self.regularization,
            epsilon=self.epsilon,
            standardize=False,
            random_state=state.seed % 2**32,
        )

    def _fit(self, model: BayesianClustering, state: State, must_link: Any, cannot_link: Any) -> Labels:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # it is read again after the next answer
            return model.fit_predict(self.vectors(state), must_link=must_link, cannot_link=cannot_link)

    def vectors(self, state: State) -> Floats:
        """The items as scaled vectors, (n, d), computed once."""
        if self._kept is None or self._kept[0] is not state.X:
            self._kept = (state.X, self._vectors(state), OrderedDict())
            self._chosen = {}
        return self._kept[1]

    def posterior(self, state: State) -> Particles:
        """Draws from the posterior after all answers so far."""
        X = self.vectors(state)
        assert self._kept is not None
        kept = self._kept[2]
        statements = self._statements(state)
        k = self.count_clusters(state)
        regularization = self.chosen_regularization(state, statements)
        fixed = (state.seed, k, regularization, *self.get_params(deep=False).items())
        key = repr(fixed)
        done = len(statements)
        while done >= 0 and (key, tuple(statements[:done])) not in kept:
            done -= 1
        prior = Prior(self.tau, regularization, self.epsilon).check()
        if done < 0:
            done = 0
            particles = Particles.from_prior(X, k, self._count_particles(X, k), prior, self._rng(state, 0))
            kept[key, ()] = particles
        particles = kept[key, tuple(statements[:done])]
        for t in range(done + 1, len(statements) + 1):
            particles = particles.condition(statements[:t], self._rng(state, t), self.n_moves)
            kept[key, tuple(statements[:t])] = particles
            while len(kept) > N_KEPT:
                kept.popitem(last=False)
        return particles

    def chosen_regularization(self, state: State, statements: list[Statement]) -> float:
        """The λ of the questions after these answers, chosen anew whenever there are twice as many."""
        values = np.atleast_1d(np.asarray(self.regularization, np.float64))
        if len(values) == 1 or len(statements) < FIRST_CHOICE:
            return float(values[len(values) // 2])
        first = tuple(statements[: 1 << (len(statements).bit_length() - 1)])
        key = (state.seed, self.count_clusters(state), first, repr(self.get_params(deep=False)))
        self.vectors(state)  # what was chosen for other items is forgotten
        if key not in self._chosen:
            links = {kind: [(i, j) for i, j, said in first if said == kind] for kind in ("same", "different")}
            model = self._model(state, self.count_clusters(state))
            self._fit(model, state, links["same"] or None, links["different"] or None)
            self._chosen[key] = float(model.regularization_)
        return self._chosen[key]

    def scores(self, state: State, left: Integers, right: Integers) -> Floats:
        """The criterion of pairs of items of different trees, (c,)."""
        uncertain, info = self.posterior(state).score(left, right)
        return info if self.criterion == "info" else uncertain

    def candidates(self, state: State) -> tuple[Integers, Integers]:
        """Pairs of items of different trees: all of them, or `n_candidates`.

        Half of the latter are drawn with the seed; the others join the items of the best of these to all items, since
        a pair is informative when each of its items is.
        """
        n_pairs = state.n * (state.n - 1) // 2
        tree = acyclic(self._all_statements(state), state.n)[1]
        if n_pairs <= self.n_candidates:
            left, right = np.triu_indices(state.n, 1)
            return _of_different_trees(left, right, tree)
        number = np.unique(state.rng().integers(0, n_pairs, max(self.n_candidates // 2, 1)))
        left, right = _of_different_trees(*_numbered_pairs(number), tree)
        score = self.scores(state, left, right)
        best = _descending(score, min(len(score), state.n))
        items = list(dict.fromkeys(item for at in best for item in (int(left[at]), int(right[at]))))
        items = items[: self.n_candidates // 2 // state.n]
        first, second = np.repeat(np.array(items, np.int64), state.n), np.tile(np.arange(state.n), len(items))
        low, high = np.minimum(first, second), np.maximum(first, second)
        both = np.unique(np.concatenate([right, high]) * state.n + np.concatenate([left, low]))
        return _of_different_trees(both % state.n, both // state.n, tree)

    def _ranked(self, state: State, skip: Collection[Pair]) -> Iterator[Question]:
        left, right = self.candidates(state)
        if len(left):
            score = self.scores(state, left, right).round(9)
            reason = "tells most about the clusters" if self.criterion == "info" else "the least certain pair"
            for at in _descending(score, N_LISTED + len(skip)):
                pair = int(left[at]), int(right[at])
                if state.is_open(*pair, skip):
                    yield Question("pair", pair, float(score[at]), reason)
        yield from Skeleton(state, skip).remaining()

    def _statements(self, state: State) -> list[Statement]:
        return acyclic(self._all_statements(state), state.n)[0]

    def _all_statements(self, state: State) -> Iterator[Statement]:
        for answer in state.history:
            yield from answer.statements()

    def _count_particles(self, X: Floats, k: int) -> int:
        wanted = self.n_particles or min(2 * X.shape[1] * k, 500)
        return max(min(wanted, MEMORY // max(len(X) * k, 1)), 8)

    def _rng(self, state: State, t: int) -> np.random.Generator:
        return np.random.default_rng([state.seed, t, 7])

    def _vectors(self, state: State) -> Floats:
        if not state.has_vectors:
            found = MDS(self.n_components).fit_transform(state.X)
            X = np.asarray(found, np.float64) if found.size else np.zeros((state.n, 1))
            return _unit_variance(X)
        X = Scale.of(state.X).apply(state.X)
        if X.shape[1] <= self.n_components:
            return X
        left, widths, _ = np.linalg.svd(X, full_matrices=False)
        return _unit_variance(left[:, : self.n_components] * widths[: self.n_components])


def _of_different_trees(left: Integers, right: Integers, tree: Integers) -> tuple[Integers, Integers]:
    different = tree[left] != tree[right]
    return left[different].astype(np.int64), right[different].astype(np.int64)


def _numbered_pairs(number: Integers) -> tuple[Integers, Integers]:
    """The pairs with these numbers in the upper triangle by columns: j is the triangular root of the number."""
    right = ((1.0 + np.sqrt(1.0 + 8.0 * number)) / 2.0).astype(np.int64)
    right -= right * (right - 1) // 2 > number
    right += right * (right + 1) // 2 <= number
    return number - right * (right - 1) // 2, right


def _unit_variance(X: Floats) -> Floats:
    """X with mean variance 1 a column; the components keep their relative variances."""
    variance = float((X**2).mean())
    return X / np.sqrt(variance) if variance > 0 else X


def _descending(score: Floats, count: int) -> list[int]:
    """Positions of the largest scores, best first, ties by position."""
    if len(score) > count:
        floor = np.partition(score, -count)[-count]
        positions = np.flatnonzero(score >= floor)
    else:
        positions = np.arange(len(score))
    chosen: list[int] = positions[np.argsort(-score[positions], kind="stable")].tolist()
    return chosen
