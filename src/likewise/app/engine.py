"""The engine: a session over the pictures that are ready, in step with the answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from likewise.app.engine_process import QuestionBatch
from likewise.app.evidence import Evidence
from likewise.app.wall import Clustering, Indices
from likewise.distances import nearest
from likewise.query.question import Answer, Pair, Question
from likewise.session import Session
from likewise.store.statements import SCREENS, join_parts

BATCH = 12  # questions prepared at once, so that several people and a run of quick answers find one
CHECKS = 4  # check questions prepared at once
NEAR = 16  # other centres that a picture is compared with
TRIES = 8  # times that questions about pictures left out are replaced by others
PICKS_AHEAD = 2  # groups of a pick that what comes after is prepared for
FormSetting: TypeAlias = Literal["auto", "pair", "triplet"]


class Engine:
    """A session over the pictures that are ready, kept in step with the answers in force.

    - `strategy`: Who asks.
    - `clusterer`: Name of who makes the clusters; the asker itself where it is None.
    - `n_clusters`: Number of clusters, when it is known.
    - `seed`: All that is random is derived from it.
    - `kind`, "auto", "pair" or "triplet": The form of the questions; "auto" is whatever settles most in the time it
      takes.
    - `recheck`: Whether answers may be wrong: outvoted ones are set aside, and where the strategy can, doubtful
      ones are asked about again.

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
    ) -> None:
        self.strategy = strategy
        self.clusterer = clusterer
        self.n_clusters = n_clusters
        self.seed = seed
        self.kind: FormSetting = kind
        self.recheck = recheck
        self.version = 0
        self.images: Indices = np.empty(0, np.int64)
        self._row: dict[int, int] = {}
        self._left_out: set[int] = set()
        self.evidence = Evidence()
        self._session: Session | None = None

    def set_pictures(self, images: Indices, vectors: NDArray[np.floating[Any]]) -> None:
        """Take these pictures (ids ascending, a vector each); all answers so far are taken again."""
        self.images = np.asarray(images, np.int64)
        self._row = {image: k for k, image in enumerate(self.images.tolist())}
        self._session = self._open(np.asarray(vectors, np.float64)) if len(images) else None

    def extend(self, images: Indices, vectors: NDArray[np.floating[Any]]) -> None:
        """Take further pictures; answers that waited for them are taken."""
        if self._session is None:
            self.set_pictures(images, vectors)
            return
        self._session.extend(vectors)
        self._row |= {image: len(self.images) + k for k, image in enumerate(images.tolist())}
        self.images = np.concatenate([self.images, images])
        self.update(self.evidence, self.version)

    def leave_out(self, images: Indices) -> None:
        """Ask no more about these of the pictures, and about all others."""
        self._left_out = set(images.tolist())

    def take_over(self, other: Engine) -> None:
        """Take the pictures and answers of an engine with other options."""
        self.evidence, self.version = other.evidence, other.version
        if other._session is not None and other._session.vectors is not None:
            self.set_pictures(other.images, other._session.vectors)

    def update(self, evidence: Evidence, version: int) -> None:
        """Be in step with the evidence: answers that are no longer in it are undone, new ones taken."""
        self.evidence, self.version = evidence, version
        session = self._session
        if session is None or session.vectors is None:
            return
        before, now = session.history, self._here(evidence.answers)
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
        if self._session is not None:
            self._session.replay(self._here(answers))

    def cluster(self) -> Clustering:
        """Clusters of the pictures under all answers, how doubtful each is, and how good they are by the checks."""
        if self._session is None:
            return Clustering(self.version, self.images, np.empty(0, np.int64), np.empty(0, np.float32))
        labels = self._session.labels_
        doubt, quality = _doubt(self._session, labels), self._session.quality()
        last = next((answer.annotator for _, answer in reversed(self.evidence.answers)), "")
        order = np.argsort(self.images, kind="stable")  # pictures that came later may have lower ids
        left = self._session.remaining(last)
        return Clustering(self.version, self.images[order], labels[order], doubt[order], quality, left)

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
        items = tuple(self._row[image] for image in first.items)
        after: dict[tuple[str, tuple[int, ...]], Question | None] = {}
        for value, chosen in _likely_answers(replace(first, items=items)):
            self._session.replay([Answer(first.kind, items, value, chosen=chosen)])
            found = self._ask(self._session, 1)
            self._session.undo()
            about = tuple(int(self.images[k]) for k in chosen)
            after[value, about] = self._about_images(found[0]) if found else None
        checks = [check for check in self._session.check(CHECKS, skip=self._waiting()) if self._may_ask(check)]
        return replace(batch, after=after, checks=[self._about_images(check) for check in checks])

    def _ask(self, session: Session, n: int) -> list[Question]:
        """The next questions about pictures that were not left out."""
        skip, found = self._waiting(), list[Question]()
        for _ in range(TRIES):
            asked = session.ask(n - len(found), skip=skip)
            found += [question for question in asked if self._may_ask(question)]
            if len(found) == n or len(asked) == 0 or not self._left_out:
                break
            seen = ((each.items[0], other) for each in asked for other in each.items[1:])
            skip |= {(min(pair), max(pair)) for pair in seen}
        return found

    def _may_ask(self, question: Question) -> bool:
        return not self._left_out or self._left_out.isdisjoint(self.images[list(question.items)].tolist())

    def _open(self, vectors: NDArray[np.float64]) -> Session:
        chosen: dict[str, Any] = {} if self.clusterer is None else {"clusterer": self.clusterer}
        session = Session(
            vectors,
            strategy=self.strategy,
            n_clusters=None if self.n_clusters is None else min(self.n_clusters, len(vectors)),
            random_state=self.seed,
            forms="auto" if self.kind == "auto" else (self.kind,),
            recheck=self.recheck,
            **chosen,
        )
        return session.replay(self._here(self.evidence.answers))

    def _waiting(self) -> set[Pair]:
        at = self._row
        here = ((at[i], at[j]) for i, j in self.evidence.waiting if i in at and j in at)
        return {(min(pair), max(pair)) for pair in here}

    def _here(self, answers: Iterable[tuple[int, Answer]]) -> list[Answer]:
        """Those of the answers that are about pictures that are here, by their rows."""
        found = []
        for _, answer in answers:
            here = [image for image in answer.items if image in self._row]
            if answer.kind in SCREENS and len(here) > 1 and here[0] == answer.items[0]:
                answer = join_parts(answer, here)
            elif len(here) < len(answer.items) and not (here and answer.kind == "membership"):
                continue
            rows, chosen = (tuple(self._row[image] for image in some) for some in (here, answer.chosen))
            found.append(replace(answer, items=rows, chosen=chosen))
        return found

    def _about_images(self, question: Question) -> Question:
        return replace(question, items=tuple(int(self.images[k]) for k in question.items))


def _likely_answers(question: Question) -> list[tuple[str, tuple[int, ...]]]:
    """The answers to a question that what comes after is prepared for, each with what is chosen."""
    if question.kind == "grid":
        return [("marked", ())]
    if question.kind == "pick":
        return [("none", ()), *(("chosen", (item,)) for item in question.items[1 : 1 + PICKS_AHEAD])]
    return [(value, ()) for value in question.answers if value != "unsure"]


def _doubt(session: Session, labels: NDArray[np.int64]) -> NDArray[np.float32]:
    """Distance to the own centre as a share of that and of the distance to the nearest of the centres near it."""
    X = session.vectors
    k = int(labels.max()) + 1
    if X is None or k < 2:
        return np.zeros(len(labels), np.float32)
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
