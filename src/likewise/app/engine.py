"""The engine: reads pictures and answers, clusters, and prepares questions ahead of the person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.app.prepared import Heard, Prepared, Together
from likewise.app.wall import Indices, Reading
from likewise.distances import pairwise
from likewise.query.dendrogram.dendrogram import DendrogramAsker
from likewise.query.question import Answer, Pair, Question
from likewise.query.registry import make_strategy
from likewise.session import Session

BATCH = 12  # questions prepared at once, so that several people and a run of quick answers find one
TRIPLET_REASON = "two of these look alike, and a third stands beside them"


class Grouped(Session):
    """A session in which the items of some groups are known to be the same before anybody is asked.

    They are no answers: a group that a person confirmed as a whole says nothing on how far apart two pictures of one
    kind are as a rule, and an asker that learned from it would take everything for the same.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Vectors.
    given : list of tuples of int
        The groups.
    outvote : bool
        Whether answers that more contradict are set aside for those, whoever asks.
    **options
        As of :class:`~likewise.session.Session`.

    Attributes
    ----------
    waiting : set of pairs
        Pairs that are open and not to be asked: others were asked, and are not done or do not agree.

    Examples
    --------
    >>> session = Grouped(np.array([[0.0], [1.0], [9.0]]), [(0, 2)], strategy="random", random_state=0)
    >>> session.known(0, 2), session.history
    ('same', [])
    """

    def __init__(
        self, X: NDArray[np.float64], given: list[tuple[int, ...]], *, outvote: bool = False, **options: Any
    ) -> None:
        super().__init__(X, **options)
        self._state.ledger.outvote = outvote
        self.given = given
        self.waiting: set[Pair] = set()
        for group in given:
            for item in group[1:]:
                self._state.ledger.give((group[0], item, "same"))

    def _answered_by(self, annotator: str) -> set[Pair]:
        return super()._answered_by(annotator) | self.waiting


class Engine:
    """A session over the pictures that are ready, kept in step with the answers in force.

    Parameters
    ----------
    strategy : str
        Who asks.
    n_clusters : int, optional
        The number of clusters when it is known.
    seed : int
        All that is random is derived from it.
    kind : "pair" or "triplet"
        The form of the questions.
    recheck : bool
        Whether answers may be wrong: those that more contradict are set aside for these, and where the strategy can
        do so, doubtful ones are asked about again.

    Examples
    --------
    >>> engine = Engine(strategy="random", n_clusters=2, seed=0)
    >>> engine.look(np.array([4, 7, 9]), np.array([[0.0], [0.1], [5.0]]))
    >>> engine.hear([Answer("pair", (4, 9), "different")], version=1)
    >>> engine.read().labels.tolist()
    [0, 0, 1]
    """

    def __init__(
        self,
        *,
        strategy: str = "auto",
        n_clusters: int | None = None,
        seed: int = 0,
        kind: str = "pair",
        recheck: bool = True,
    ) -> None:
        self.strategy = strategy
        self.kind = kind
        self.recheck = recheck
        self.n_clusters = n_clusters
        self.seed = seed
        self.version = 0
        self.images: Indices = np.empty(0, np.int64)
        self._index: dict[int, int] = {}
        self._session: Grouped | None = None
        self._heard: list[Heard] = []
        self._waiting: set[tuple[int, int]] = set()

    def look(self, images: Indices, vectors: NDArray[np.floating[Any]]) -> None:
        """Take these pictures (ids ascending, a vector each); the answers heard so far are read again."""
        self.images = np.asarray(images, np.int64)
        self._index = {image: k for k, image in enumerate(self.images.tolist())}
        self._session = None
        if len(images):
            self._open(np.asarray(vectors, np.float64))

    def keep(self, other: Engine) -> None:
        """Take the pictures and answers of an engine with other options."""
        self._heard, self.version, self._waiting = list(other._heard), other.version, other._waiting
        if other._session is not None and other._session.vectors is not None:
            self.look(other.images, other._session.vectors)

    def hear(self, heard: Sequence[Heard], version: int, waiting: Iterable[tuple[int, int]] = ()) -> None:
        """Be in step with what is in force: what is no longer among it is undone, what is new taken.

        Pairs that are waiting for more people, or for somebody to decide, are not asked.
        """
        self._heard = list(heard)
        self.version = version
        self._waiting = set(waiting)
        if self._session is None or self._session.vectors is None:
            return
        if self._session.given != self._groups():
            self._open(self._session.vectors)
            return
        before, now = self._session.history, self._known()
        shared = 0
        while shared < min(len(before), len(now)) and before[shared] == now[shared]:
            shared += 1
        for _ in range(len(before) - shared):
            self._session.undo()
        self._session.replay(now[shared:])
        self._session.waiting = self._waiting_here()

    def read(self) -> Reading:
        """Clusters and doubts of the pictures, under everything heard."""
        if self._session is None:
            return Reading(self.version, self.images, np.empty(0, np.int64), np.empty(0, np.float32))
        labels = self._session.labels_
        return Reading(self.version, self.images, labels, _doubt(self._session, labels))

    def prepare(self, n: int = BATCH) -> Prepared:
        """The next questions for whoever comes."""
        if self._session is None:
            return Prepared(self.version, [], kind=self.kind)
        questions = [self._about_images(q) for q in self._session.ask(n)]
        return Prepared(self.version, questions, finished=self._session.finished, kind=self.kind)

    def speculate(self, prepared: Prepared) -> Prepared:
        """Add to prepared questions what would come after either answer to the first of them."""
        if self._session is None or not prepared.questions:
            return prepared
        items = tuple(self._index[image] for image in prepared.questions[0].items)
        after: dict[str, Question | None] = {}
        for value in prepared.questions[0].answers:
            if value == "unsure":
                continue
            self._session.answer(items, value)
            question = self._session.ask()
            self._session.undo()
            after[value] = None if question is None else self._about_images(question)
        return replace(prepared, after=after)

    def _open(self, vectors: NDArray[np.float64]) -> None:
        n_clusters = None if self.n_clusters is None else min(self.n_clusters, len(vectors))
        strategy = make_strategy(self.strategy)
        if isinstance(strategy, DendrogramAsker):
            strategy.recheck = self.recheck
        self._session = Grouped(
            vectors,
            self._groups(),
            outvote=self.recheck,
            strategy=strategy,
            n_clusters=n_clusters,
            random_state=self.seed,
        )
        self._session.replay(self._known())
        self._session.waiting = self._waiting_here()

    def _waiting_here(self) -> set[Pair]:
        at = self._index
        here = ((at[i], at[j]) for i, j in self._waiting if i in at and j in at)
        return {(min(pair), max(pair)) for pair in here}

    def _known(self) -> list[Answer]:
        """The answers about pictures that are here, by their place in the session."""
        answers = (each for each in self._heard if isinstance(each, Answer))
        here = (answer for answer in answers if all(image in self._index for image in answer.items))
        return [replace(a, items=tuple(self._index[image] for image in a.items)) for a in here]

    def _groups(self) -> list[tuple[int, ...]]:
        """The confirmed groups, of the pictures that are here."""
        groups = (each.items for each in self._heard if isinstance(each, Together))
        return [tuple(self._index[image] for image in items if image in self._index) for items in groups]

    def _about_images(self, question: Question) -> Question:
        if self.kind == "triplet" and self._session is not None and not question.again:
            question = widen(self._session, question)
        return replace(question, items=tuple(int(self.images[k]) for k in question.items))


def widen(session: Session, question: Question) -> Question:
    """The pair with a third beside it: the closest item of another cluster of which something is open.

    The pair stays a pair where there is no such item.
    """
    i, j = question.items
    X, labels = session.vectors, session.labels_
    others = np.flatnonzero((labels != labels[i]) & (labels != labels[j]))
    if X is None or not len(others):
        return question
    closeness = pairwise(X[[i, j]], X[others]).min(axis=0)
    for k in others[np.argsort(closeness, kind="stable")].tolist():
        if session.known(i, k) is None and session.known(j, k) is None:
            return replace(question, kind="triplet", items=(i, j, k), reason=TRIPLET_REASON)
    return question


def _doubt(session: Session, labels: NDArray[np.int64]) -> NDArray[np.float32]:
    """Distance to the own centre as a share of that and the distance to the nearest other centre."""
    X = session.vectors
    k = int(labels.max()) + 1
    if X is None or k < 2:
        return np.zeros(len(labels), np.float32)
    sums = np.zeros((k, X.shape[1]))
    np.add.at(sums, labels, X)
    centres = sums / np.bincount(labels, minlength=k)[:, None].clip(1)
    D = pairwise(X, centres)
    rows = np.arange(len(X))
    own = D[rows, labels].copy()
    D[rows, labels] = np.inf
    other = D.min(axis=1)
    total = own + other
    share: NDArray[np.float64] = np.divide(own, total, out=np.full(len(X), 0.5), where=total > 0)
    return share.astype(np.float32)
