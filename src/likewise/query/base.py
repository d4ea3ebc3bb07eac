"""What every asker shares: the question, what it may look at, and the clusterer behind it."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cached_property
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import ConvergenceWarning

from likewise.constraints import Conflict, Constraints, as_pairs
from likewise.distances import pairwise
from likewise.query.answers.exclusion import by_exclusion
from likewise.query.answers.ledger import Ledger
from likewise.query.answers.taken import TakenAnswers
from likewise.query.pending import pairs_of
from likewise.query.question import Answer, Pair, Question

if TYPE_CHECKING:
    from likewise.query.answers.quality import MissedPairs

Labels: TypeAlias = NDArray[np.int64]
TRIES = 24  # times that questions about closed items are replaced by others


class State:
    """What an asker may look at: the items and all answers so far.

    Askers are functions of the state: equal states give equal questions, so that undo and
    replay need nothing from them. What an asker keeps between calls is a cache.

    Parameters
    ----------
    X : ndarray of shape (n, d), or (n, n) with ``metric="precomputed"``
        Checked vectors or distances.
    metric : str or callable
        How far two vectors are from each other.
    n_clusters : int or None
        The number of clusters when it is known.
    seed : int
        All that is random is derived from it and from the number of answers.
    outvote : bool, optional
        Whether an outvoted answer is set aside; else the earlier ones always stand. None: once two people answered.
    given : sequence of groups of items
        Groups known beforehand: their items are the same, and nobody was asked.
    apart : sequence of groups of items
        Groups no two items of which are the same, and nobody was asked.
    """

    def __init__(
        self,
        X: NDArray[np.float64],
        metric: Any,
        n_clusters: int | None,
        seed: int,
        outvote: bool | None = False,
        given: Sequence[tuple[int, ...]] = (),
        apart: Sequence[tuple[int, ...]] = (),
    ) -> None:
        self.X = X
        self.metric = metric
        self.n_clusters = n_clusters
        self.seed = seed
        self.n = len(X)
        # whenever items came: a token for what there was then, to know it again by, and their number
        self.stages: list[tuple[object, int]] = [(object(), self.n)]
        self.taken = TakenAnswers(self.n, outvote=outvote, given=given, apart=apart)
        self.closed: NDArray[np.bool_] | None = None  # items that nothing is asked about now, (n,)
        self._exclusion: Ledger | None = None

    @property
    def ledger(self) -> Ledger:
        """All statements about pairs, and which of them are kept."""
        return self.taken.ledger if self._exclusion is None else self._exclusion

    @property
    def constraints(self) -> Constraints:
        """The answers that are not set aside, and what follows from them."""
        return self.ledger.constraints

    @property
    def history(self) -> list[Answer]:
        """All answers, oldest first: to questions, and memberships."""
        return self.taken.answers

    @property
    def given(self) -> list[tuple[int, ...]]:
        """The groups known beforehand."""
        return self.taken.given

    @property
    def apart(self) -> list[tuple[int, ...]]:
        """The groups no two items of which are the same."""
        return self.taken.apart

    def take(self, answer: Answer) -> Conflict | None:
        """Take an answer; the conflict it makes with what stands, if any."""
        return self.taken.take(answer)

    def take_back(self) -> Answer:
        """Take the last answer back and return it."""
        return self.taken.take_back()

    def extend(self, X: NDArray[np.float64]) -> None:
        """Add items; what was said stays."""
        self.X = np.concatenate([self.X, X.astype(self.X.dtype, copy=False)])
        self.n = len(self.X)
        self.stages.append((object(), self.n))
        self.taken.grow(self.n)
        self.__dict__.pop("distances", None)

    def among(self, n: int) -> State:
        """The first n items of this state, without answers."""
        return self if n == self.n else State(self.X[:n], self.metric, self.n_clusters, self.seed)

    def with_exclusion(self) -> State:
        """This state, with what follows from the number of clusters where it is known."""
        further = [] if self.n_clusters is None else by_exclusion(self.constraints, self.n_clusters)
        if not further:
            return self
        other = copy(self)
        other._exclusion = self.ledger.with_given(further)
        return other

    @property
    def has_vectors(self) -> bool:
        """Whether X holds vectors rather than distances."""
        return bool(self.metric != "precomputed")

    @cached_property
    def distances(self) -> NDArray[np.float64]:
        """Distances between all items, (n, n), computed once."""
        return self.X if not self.has_vectors else pairwise(self.X, metric=self.metric)

    def distances_between(
        self, left: Sequence[int] | Labels, right: Sequence[int] | Labels | None = None
    ) -> NDArray[np.float64]:
        """Distances of some items to others (to all when `right` is None), without computing the rest."""
        rows = np.asarray(left, np.int64)
        columns = np.arange(self.n) if right is None else np.asarray(right, np.int64)
        if not self.has_vectors or callable(self.metric) or "distances" in self.__dict__:
            return self.distances[np.ix_(rows, columns)]
        return pairwise(self.X[rows], self.X[columns], metric=self.metric)

    def after(self, n_answers: int) -> State:
        """The state as it was after the first `n_answers`, sharing the distances."""
        past = State(self.X, self.metric, self.n_clusters, self.seed, self.taken.setting, self.given, self.apart)
        past.stages = self.stages
        if "distances" in self.__dict__:
            past.__dict__["distances"] = self.distances
        for answer in self.history[:n_answers]:
            past.take(answer)
        return past

    def standing_screens(self) -> list[int]:
        """By statement that stands (:meth:`Ledger.standing`): the answer it is from if that is a screen, else -1."""
        shown = {k for k, answer in enumerate(self.history) if answer.kind in ("grid", "pick")}
        screens = [source if source in shown else -1 for source in self.taken.sources]
        return [screens[place] if place < len(screens) else -1 for place in self.ledger.standing_places()]

    def rng(self) -> np.random.Generator:
        """Random numbers for the next question: a new stream after every answer, the same on replay."""
        return np.random.default_rng([self.seed, len(self.history)])

    def is_open(self, i: int, j: int, skip: Collection[Pair] = ()) -> bool:
        """Whether the pair may be asked: not implied by earlier answers, and not among those to skip."""
        return i != j and self.constraints.known(i, j) is None and self.may_ask(i, j, skip)

    def may_ask(self, i: int, j: int, skip: Collection[Pair] = ()) -> bool:
        """Whether neither item is closed, and the pair is not among those to skip."""
        closed = self.closed
        return (min(i, j), max(i, j)) not in skip and (closed is None or not (closed[i] or closed[j]))

    @contextmanager
    def closing(self, items: Collection[int]) -> Iterator[None]:
        """Ask nothing about these items while this lasts."""
        if items:
            self.closed = np.zeros(self.n, bool)
            self.closed[list(items)] = True
        try:
            yield
        finally:
            self.closed = None

    def is_closed(self, items: Iterable[int]) -> bool:
        """Whether one of the items is closed."""
        return self.closed is not None and bool(self.closed[list(items)].any())

    def not_closed(self, items: Labels) -> Labels:
        """Those of the items that may be asked about, in their order."""
        return items if self.closed is None else items[~self.closed[items]]

    def has_open(self) -> bool:
        """Whether anything is open about the items that may be asked about."""
        return self.constraints.n_open() > 0 if self.closed is None else any(self.n_open_to()[1].values())

    def n_open_to(self) -> tuple[Labels, dict[int, int]]:
        """The items that may be asked about, and by known group: with how many of them it is open. O(n + links)."""
        items, group_of = self.not_closed(np.arange(self.n)), self.constraints.group_of
        sizes = Counter(map(group_of, items.tolist()))
        different = self.constraints.different_from
        return items, {g: len(items) - sizes[g] - sum(sizes[h] for h in different(g)) for g in sizes}


class Strategy(BaseEstimator):  # type: ignore[misc]
    """Base of the askers.

    Parameters
    ----------
    clusterer : estimator, optional
        Any constrained clusterer; ``n_clusters``, ``metric`` and ``random_state`` are set from the
        session where it has them. None takes what the asker's paper uses.
    """

    name: ClassVar[str]

    def __init__(self, *, clusterer: Any = None) -> None:
        self.clusterer = clusterer

    def ask(self, state: State, n: int = 1, skip: Collection[Pair] = ()) -> list[Question]:
        """The next questions, best first: at most n, none of them telling the same thing.

        Fewer than n (or none) when fewer are left that are open and not in `skip`.
        """
        raise NotImplementedError

    def cluster(self, state: State) -> Labels:
        """Clusters of all items under all answers so far; just what was answered once every pair is known."""
        if state.constraints.n_open() == 0:
            return state.constraints.labels()
        return self._with_clusterer(state, self.count_clusters(state))

    def count_clusters(self, state: State) -> int:
        """The number of clusters to use: the one given, or as many more as the answers show to exist."""
        return min(state.n, max(state.n_clusters or 2, len(neighbourhoods(state.constraints))))

    @property
    def outvotes(self) -> bool:
        """Whether an outvoted answer is set aside; else the earlier ones always stand."""
        return False

    def expect_missed_pairs(self, state: State) -> MissedPairs | None:
        """What is expected of pairs that are the same in different clusters, and the reverse; None when nothing is."""
        return None

    def default_clusterer(self, state: State) -> Any:
        """The clusterer used when none was given."""
        from likewise.cluster import HACC

        return HACC()

    def _with_clusterer(self, state: State, n_clusters: int, inferred: Sequence[tuple[int, int]] = ()) -> Labels:
        """Labels of the clusterer under the answers and under must-links inferred by the asker."""
        estimator = clone(self.clusterer) if self.clusterer is not None else self.default_clusterer(state)
        wanted = {"n_clusters": n_clusters, "random_state": state.seed % 2**32, "metric": state.metric}
        params = estimator.get_params()
        estimator.set_params(**{key: value for key, value in wanted.items() if key in params})
        links = _links(state, estimator, as_pairs(inferred, state.n))
        with warnings.catch_warnings():
            # the next answer is read from the start: what does not settle, or cannot have so few clusters, is no news
            warnings.simplefilter("ignore", ConvergenceWarning)
            return np.asarray(estimator.fit_predict(state.X, **links), np.int64)


def _links(state: State, estimator: Any, inferred: NDArray[np.int64]) -> dict[str, Any]:
    """What people said and what was inferred, as a clusterer takes it: with weights where answers may be wrong."""
    takes = signature(getattr(estimator, "fit", estimator.fit_predict)).parameters  # plug-ins may have the latter alone
    if not state.taken.outvote or "must_link_weights" not in takes:
        must_link = np.vstack([state.constraints.must_link, inferred])
        return {"must_link": must_link, "cannot_link": state.constraints.cannot_link}
    from likewise.query.confidence import weighed_links

    links = weighed_links(state)
    weights = np.concatenate([links.must_link_weights, np.ones(len(inferred))])
    return {**links._asdict(), "must_link": np.vstack([links.must_link, inferred]), "must_link_weights": weights}


def neighbourhoods(constraints: Constraints) -> list[list[int]]:
    """Groups of items known to lie in clusters of their own (Basu et al. 2004).

    Taken greedily in the order in which items were first spoken of: a group joins when it is
    known to differ from every group already in. The first item spoken of opens the first one.

    Examples
    --------
    >>> neighbourhoods(Constraints(5, must_link=[(3, 4)], cannot_link=[(0, 3)]))
    [[3, 4], [0]]
    """
    taken: list[int] = []
    seen: set[int] = set()
    for item in constraints.mentioned():
        root = constraints.group_of(item)
        if root in seen:
            continue
        seen.add(root)
        if all(constraints.known(item, other) == "different" for other in taken):
            taken.append(item)
    return [sorted(constraints.members(item)) for item in taken]


def open_pairs(state: State, skip: Collection[Pair] = ()) -> Iterator[Pair]:
    """Every pair that may be asked, in order of (i, j), one after another."""
    found, n_open = state.n_open_to()
    items, group_of = found.tolist(), state.constraints.group_of
    for at, i in enumerate(items):
        if n_open[group_of(i)]:
            yield from ((i, j) for j in items[at + 1 :] if state.is_open(i, j, skip))


def ask_without_closed(
    state: State, ask: Callable[[int, set[Pair]], list[Question]], n: int, skip: set[Pair]
) -> list[Question]:
    """At most n questions about no closed item, also of askers that do not know of any: they are asked for others.

    - `ask`: Gives at most so many questions, without the pairs to skip.
    """
    found: list[Question] = []
    for _ in range(TRIES):
        asked = ask(n - len(found), skip)
        found += [question for question in asked if not state.is_closed(question.items)]
        if len(found) == n or not asked or state.closed is None:
            break
        skip = skip.union(pair for question in asked for pair in pairs_of(question.items))
    return found


def take_batch(
    state: State, ranked: Iterable[Question], n: int, subject: Callable[[Question], Any] = lambda question: question
) -> list[Question]:
    """The first n of ranked questions of which no answer can follow from the others' answers.

    Seen as edges between known groups, the batch has no cycle, and no tree of it joins two groups
    known to differ: then no set of answers implies another (same∘same, same∘different). The edges of a screen lead
    from its first item to each other; those of one screen may exclude each other.

    - `state`: Tells what is known.
    - `ranked`, iterable of Question: Best first; read only as far as needed.
    - `n`: How many are wanted.
    - `subject`: What a question is about; of questions with an equal subject only the first is taken.
    """
    known, group_of = state.constraints.known, state.constraints.group_of
    batch: list[Question] = []
    subjects: set[Any] = set()
    tree_of: dict[int, list[int]] = {}  # group -> items, one for each group of its tree
    rest = iter(ranked)
    while len(batch) < n and (question := next(rest, None)) is not None:
        i, *others = question.items
        if question.again:  # known, and asked all the same: nothing new is to follow from it
            batch += [] if {*question.items} in [{*other.items} for other in batch] else [question]
            continue
        left = tree_of.get(group_of(i), [i])
        trees = [tree_of.get(group_of(j), [j]) for j in others]
        implied = any(right is left or any(known(a, b) is not None for a in left for b in right) for right in trees)
        if implied or _meet(trees) or subject(question) in subjects:
            continue
        subjects.add(subject(question))
        batch.append(question)
        joined = left + [item for right in trees for item in right]
        for item in joined:
            tree_of[group_of(item)] = joined
    return batch


def _meet(trees: list[list[int]]) -> bool:
    """Whether a tree is there twice."""
    return len({id(tree) for tree in trees}) < len(trees)
