"""The engine: a session over the pictures that are ready, in step with the answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from likewise.app.engine_process import QuestionBatch
from likewise.app.evidence import Evidence
from likewise.app.stack_rows import NO_LINKS, ItemConstraints, StackRows
from likewise.app.wall import Clustering, Indices
from likewise.distances import nearest
from likewise.distances.rca import shrunk_components
from likewise.query.dendrogram.learned_graph import answers_learned_from, can_learn
from likewise.query.pending import AnsweredPairs
from likewise.query.question import Answer, Pair, Question
from likewise.session import Session

BATCH = 12  # questions prepared at once, so that several people and a run of quick answers find one
CHECKS = 4  # check questions prepared at once
NEAR = 16  # other centres that a picture is compared with
PICKS_AHEAD = 2  # groups of a pick that what comes after is prepared for
FormSetting: TypeAlias = Literal["auto", "pair", "triplet"]


class Engine:
    """A session over the pictures that are ready, kept in step with the answers in force.

    Of a stack one picture is asked about; the others go where it goes.

    - `strategy`: Who asks.
    - `clusterer`: Name of who makes the clusters; the asker itself where it is None.
    - `n_clusters`: Number of clusters, when it is known.
    - `seed`: All that is random is derived from it.
    - `kind`, "auto", "pair" or "triplet": The form of the questions; "auto" is whatever settles most in the time it
      takes.
    - `recheck`: Whether answers may be wrong: outvoted ones are set aside, and where the strategy can, doubtful
      ones are asked about again.
    - `stacks`: Whether pictures that look like copies are taken to be the same, where nobody says otherwise.

    Examples
    --------
    >>> engine = Engine(strategy="random", n_clusters=2, seed=0)
    >>> engine.set_pictures(np.array([4, 7, 9]), np.array([[0.0], [0.1], [5.0]]))
    >>> engine.update(Evidence(answers=[(1, Answer("pair", (4, 9), "different"))]), version=1)
    >>> engine.cluster().labels.tolist()
    [0, 0, 1]
    """

    def __init__(
        self,
        *,
        strategy: str = "auto",
        clusterer: str | None = None,
        n_clusters: int | None = None,
        seed: int = 0,
        kind: FormSetting = "pair",
        recheck: bool = True,
        stacks: bool = True,
    ) -> None:
        self.strategy = strategy
        self.clusterer = clusterer
        self.n_clusters = n_clusters
        self.seed = seed
        self.kind: FormSetting = kind
        self.recheck = recheck
        self.stacks = stacks
        self.version = 0
        self.images: Indices = np.empty(0, np.int64)
        self.vectors: NDArray[np.floating[Any]] = np.empty((0, 0))
        self._rows = StackRows()
        self._said = ItemConstraints()
        self._left_out: set[int] = set()
        self._last: set[int] = set()
        self._apart: list[tuple[int, ...]] = []
        self.evidence = Evidence()
        self._session: Session | None = None
        self._answered = AnsweredPairs()
        self._learned: tuple[Session, list[Answer], NDArray[np.float64] | None] | None = None

    def set_pictures(self, images: Indices, vectors: NDArray[np.floating[Any]]) -> None:
        """Take these pictures (ids ascending, a vector each); all answers so far are taken again."""
        self.images, self.vectors = np.asarray(images, np.int64), vectors
        self._rows = StackRows(self._rows.links, self._rows.apart)
        new = self._place()
        self._session = self._open(np.asarray(vectors, np.float64)[new]) if len(images) else None

    def extend(self, images: Indices, vectors: NDArray[np.floating[Any]]) -> None:
        """Take further pictures; answers that waited for them are taken."""
        if self._session is None:
            self.set_pictures(images, vectors)
            return
        self.images = np.concatenate([self.images, images])
        self.vectors = np.concatenate([self.vectors, vectors])
        self.update(self.evidence, self.version)

    def stack(self, links: Indices, apart: Collection[int]) -> None:
        """Take these pictures to be the same, where nobody says otherwise, and some to be in no stack."""
        before, links = self._rows, links if self.stacks else NO_LINKS
        if np.array_equal(links, before.links) and before.apart == frozenset(apart):
            return
        before.links, before.apart = links, frozenset(apart)
        self.update(self.evidence, self.version)

    def keep_apart(self, groups: Sequence[tuple[int, ...]]) -> None:
        """Take no two pictures of one of these groups to be the same, unless somebody put both into one by hand."""
        self._apart = list(groups)
        self.update(self.evidence, self.version)

    def ask_last(self, images: Collection[int]) -> None:
        """Ask about these pictures only where nothing else is left to ask."""
        self._last = set(images)

    def leave_out(self, images: Indices) -> None:
        """Ask no more about these of the pictures, and about all others."""
        self._left_out = set(images.tolist())

    def take_over(self, other: Engine) -> None:
        """Take the pictures and answers of an engine with other options."""
        self.evidence, self.version = other.evidence, other.version
        self._rows = StackRows(other._rows.links if self.stacks else NO_LINKS, other._rows.apart)
        self._apart, self._last = other._apart, other._last
        if other._session is not None:
            self.set_pictures(other.images, other.vectors)

    def update(self, evidence: Evidence, version: int) -> None:
        """Be in step with the evidence: answers that are no longer in it are undone, new ones taken."""
        self.evidence, self.version = evidence, version
        session = self._session
        if session is None or session.vectors is None:
            return
        new = self._place()
        if self._rows.groups(self._apart) != session.apart:  # what is known beforehand is known from the beginning
            self.set_pictures(self.images, self.vectors)
            return
        if new:
            session.extend(self.vectors[new])
        before, now = session.history, self._rows.here(evidence.answers)
        shared = 0
        while shared < min(len(before), len(now)) and before[shared] == now[shared]:
            shared += 1
        for _ in range(len(before) - shared):
            session.undo()
        session.replay(now[shared:])

    def add(self, answers: Sequence[tuple[int, Answer]], waiting: set[Pair], version: int) -> None:
        """Take further answers."""
        self.evidence = replace(self.evidence, answers=[*self.evidence.answers, *answers], waiting=waiting)
        self.version = version
        if self._session is None:
            return
        if len(self._rows.links):  # the answers may open a stack
            self.update(self.evidence, version)
        else:
            self._session.replay(self._rows.here(answers))

    def cluster(self) -> Clustering:
        """Clusters of the pictures under all answers, how doubtful each is, and how good they are by the checks."""
        if self._session is None:
            return Clustering(self.version, self.images, np.empty(0, np.int64), np.empty(0, np.float32))
        rows = np.array([self._rows.row_of[image] for image in self.images.tolist()], np.int64)
        labels = self._session.labels_
        learned = self.learned()
        doubt = _doubt(self._session, labels, None if learned is None else learned[1])[rows]
        quality = self._session.quality()
        last = next((answer.annotator for _, answer in reversed(self.evidence.answers)), "")
        order = np.argsort(self.images, kind="stable")  # pictures that came later may have lower ids
        left = self._session.remaining(last)
        found = labels[rows]
        rest = quality, left, self._rows.links, self._session.annotators_
        return Clustering(self.version, self.images[order], found[order], doubt[order], *rest)

    def learned(self) -> tuple[int, NDArray[np.float64]] | None:
        """The distance learned from the answers, as what vectors are multiplied by, and the number of these answers.

        None as long as there are too few. It is learned when the default asker learns its own.
        """
        session = self._session
        if session is None or session.vectors is None or not can_learn(session.state):
            return None
        n_answers = answers_learned_from(len(session.history), session.state.n)
        past = session.history[:n_answers]
        if self._learned is None or self._learned[0] is not session or self._learned[1] != past:
            must = session.state.after(n_answers).constraints.must_link
            found = shrunk_components(np.asarray(session.vectors, np.float64), must) if n_answers else None
            self._learned = session, past, found
        components = self._learned[2]
        return None if components is None else (n_answers, components)

    def prepare(self, n: int = BATCH) -> QuestionBatch:
        """The next questions for whoever comes."""
        if self._session is None:
            return QuestionBatch(self.version, [], form=self.kind)
        questions = [self._about_images(q) for q in self._ask(self._session, n)]
        return QuestionBatch(self.version, questions, finished=self._session.finished, form=self.kind)

    def look_ahead(self, batch: QuestionBatch) -> QuestionBatch:
        """Add to a batch what would come after each answer to its first question, and check questions to mix in."""
        if self._session is None or not batch.questions:
            return batch
        first = batch.questions[0]
        items = tuple(self._rows.row_of[image] for image in first.items)
        after: dict[tuple[str, tuple[int, ...]], Question | None] = {}
        for value, chosen in _likely_answers(replace(first, items=items)):
            self._session.replay([Answer(first.kind, items, value, chosen=chosen)])
            found = self._ask(self._session, 1)
            self._session.undo()
            about = tuple(self._rows.asked[k] for k in chosen)
            after[value, about] = self._about_images(found[0]) if found else None
        out = self._rows_of(self._left_out) | self._rows.idle
        checks = self._session.check(CHECKS, skip=self._waiting())
        drawn = [self._about_images(check) for check in checks if out.isdisjoint(check.items)]
        return replace(batch, after=after, checks=drawn)

    def _ask(self, session: Session, n: int) -> list[Question]:
        """The next questions about pictures that were not left out; about those to be asked last, at the end."""
        skip, left_out = self._waiting(), self._rows_of(self._left_out) | self._rows.idle
        if self._last and (found := session.ask(n, skip=skip, without=left_out | self._rows_of(self._last))):
            return found
        return session.ask(n, skip=skip, without=left_out)

    def _rows_of(self, images: Collection[int]) -> set[int]:
        """The rows of these pictures; of a stack, where the one that is asked about is among them."""
        rows = self._rows
        here = ((image, rows.row_of[image]) for image in images if image in rows.row_of)
        return {row for image, row in here if rows.asked[row] == image}

    def _place(self) -> list[int]:
        """Bring the stacks in step with what was said; the places of the pictures that get a row of their own."""
        constraints = None
        if len(self._rows.links):
            answers = self.evidence.answers
            mentioned = (image for _, answer in answers for image in answer.items)
            n = 1 + max(int(self.images.max(initial=-1)), int(self._rows.links.max()), max(mentioned, default=-1))
            constraints = self._said.after(answers, n, outvote=self.recheck)
        new = self._rows.place(self.images, constraints)
        place = {image: k for k, image in enumerate(self.images.tolist())} if new else {}
        return [place[image] for image in new]

    def _open(self, vectors: NDArray[np.float64]) -> Session:
        chosen: dict[str, Any] = {} if self.clusterer is None else {"clusterer": self.clusterer}
        session = Session(
            vectors,
            strategy=self.strategy,
            n_clusters=None if self.n_clusters is None else min(self.n_clusters, len(vectors)),
            random_state=self.seed,
            forms="auto" if self.kind == "auto" else (self.kind,),
            recheck=self.recheck,
            apart=self._rows.groups(self._apart),
            **chosen,
        )
        return session.replay(self._rows.here(self.evidence.answers))

    def _waiting(self) -> set[Pair]:
        """Pairs that are not to be asked: they wait for others, or have their answer and nobody is asked again."""
        at = self._rows.row_of
        here = ((at[i], at[j]) for i, j in self.evidence.waiting if i in at and j in at)
        found = {(min(pair), max(pair)) for pair in here if pair[0] != pair[1]}
        session = self._session
        history, out = ([], frozenset()) if session is None else (session.history, session.state.taken.not_counted)
        if out:  # what they said is asked of others
            history = [answer for answer in history if answer.annotator not in out]
        return found.union(self._answered.after(history))

    def _about_images(self, question: Question) -> Question:
        return replace(question, items=tuple(self._rows.asked[k] for k in question.items))


def _likely_answers(question: Question) -> list[tuple[str, tuple[int, ...]]]:
    """The answers to a question that what comes after is prepared for, each with what is chosen."""
    if question.kind == "grid":
        return [("marked", ())]
    if question.kind == "pick":
        return [("none", ()), *(("chosen", (item,)) for item in question.items[1 : 1 + PICKS_AHEAD])]
    return [(value, ()) for value in question.answers if value != "unsure"]


def _doubt(
    session: Session, labels: NDArray[np.int64], components: NDArray[np.float64] | None = None
) -> NDArray[np.float32]:
    """Distance to the own centre as a share of that and of the distance to the nearest of the centres near it."""
    X = session.vectors
    k = int(labels.max()) + 1
    if X is None or k < 2:
        return np.zeros(len(labels), np.float32)
    X = X if components is None else X @ components
    sums = np.zeros((k, X.shape[1]))
    np.add.at(sums, labels, X)
    centres = sums / np.bincount(labels, minlength=k)[:, None].clip(1)
    near = nearest(centres, n_neighbors=min(NEAR, k - 1)).indices
    own = np.linalg.norm(X - centres[labels], axis=1)
    other = np.full(len(X), np.inf)
    for rank in range(near.shape[1]):
        np.minimum(other, np.linalg.norm(X - centres[near[labels, rank]], axis=1), out=other)
    total = own + other
    share: NDArray[np.float64] = np.divide(own, total, out=np.full(len(X), 0.5), where=total > 0)
    return share.astype(np.float32)
