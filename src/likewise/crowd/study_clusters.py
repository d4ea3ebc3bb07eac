"""The answers of a study as constraints, and the clusters that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likewise.cluster.registry import make_clusterer, takes
from likewise.constraints import Relation, Statement
from likewise.crowd.study_tables import StudyAnswer
from likewise.session import Session

Labels: TypeAlias = NDArray[np.int64]
Said: TypeAlias = tuple[str, str, Relation]
OWN = "session"  # the reading of a session's own asker
PEOPLE_EPSILON = 0.15  # Pei (2017), §3.5.2.3: how often answers of people are taken to be wrong


class StudyConflict(NamedTuple):
    """A pair of which an answer says what others contradict.

    - `answer`: Who said it; of a triplet, what it says of other pairs may stand.
    - `said`: Two names, and "same" or "different".
    - `against`: The answers that together imply the opposite, and what each of them says of the pair that matters.
    """

    answer: StudyAnswer
    said: Said
    against: tuple[tuple[StudyAnswer, Said], ...]

    def __str__(self) -> str:
        return f"{_words(self.answer, self.said)}, against {'; '.join(_words(*each) for each in self.against)}"


@dataclass(frozen=True)
class StudyClusters:
    """Clusters under the answers of a study, and what became of the answers.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        Cluster of every item.
    answers : int
        Number of answers that were read, those that say nothing about pairs among them.
    unsure : int
        Of these, how many are *not sure*: nothing follows from them.
    otherwise : int
        Of these, triplets of which all three are the same or all differ. Only a clusterer that takes triplets learns
        from them.
    conflicts : tuple of StudyConflict
        What answers say of pairs and others contradict, in the order in which it was said.
    set_aside : bool
        Whether the clusters leave that out; False where the clusterer weighs it all.
    not_counted : tuple of str
        People whose answers have no weight, because others contradict them too often.
    """

    labels: Labels
    answers: int
    unsure: int
    otherwise: int
    conflicts: tuple[StudyConflict, ...]
    set_aside: bool
    not_counted: tuple[str, ...]

    @property
    def n_conflicting(self) -> int:
        """Number of answers, of which triplets say three things, that are contradicted."""
        return len({id(conflict.answer) for conflict in self.conflicts})


def cluster_study(
    answers: Iterable[StudyAnswer],
    X: ArrayLike,
    names: Sequence[str],
    *,
    by: Any = OWN,
    n_clusters: int | None = None,
    metric: Any = "euclidean",
    random_state: int = 0,
) -> StudyClusters:
    """Cluster items under the answers of a study, in the order in which they were given.

    No answer is dropped: what contradicts others is listed in the result.

    Parameters
    ----------
    answers : iterable of StudyAnswer
        With the names of their items, as :func:`read_study` reads them.
    X : array-like of shape (n, d), or (n, n) with ``metric="precomputed"``
        Vectors of all items, or distances.
    names : sequence of str
        Name of every item.
    by : str or estimator
        Who clusters. ``"session"`` is what a :class:`~likewise.Session` makes of the answers; ``"hacc"``, what
        Active-HACC makes of them; or another name of :func:`likewise.cluster.clusterers`, or an estimator. Those that
        take triplets (``"discriminative"``, with ε = 0.15 for answers of people) get every answer as it was said; all
        others get what is left when a session has set contradictions aside.
    n_clusters : int, optional
        Number of clusters; only ``"session"`` can do without.
    metric : str or callable
        How far two vectors are from each other.
    random_state : int
        Seed.

    References
    ----------
    Y. Pei, *Learning with Partial Supervision*, 2017, §3.5.2.3; A. Biswas, *Semi-supervised and Active Image
    Clustering*, 2014, §3.3.2.

    Examples
    --------
    >>> said = [("ann", "same", ("a", "b")), ("ann", "different", ("b", "c")), ("bob", "same", ("a", "c"))]
    >>> answers = [StudyAnswer("s", who, "pair", value, None, None, items) for who, value, items in said]
    >>> found = cluster_study(answers, [[0.0], [1.0], [2.0]], ["a", "b", "c"], by="hacc", n_clusters=2)
    >>> found.labels.tolist(), str(found.conflicts[0])
    ([0, 0, 1], 'bob: a and c same, against ann: a and b same; ann: b and c different')
    """
    given = in_order(answers)
    reader = StudyReader(X, names, by=by, n_clusters=n_clusters, metric=metric, random_state=random_state)
    return next(reader.read(given, [len(given)]))


class StudyReader:
    """Reads clusters from more and more answers of a study; arguments are those of :func:`cluster_study`."""

    def __init__(
        self, X: ArrayLike, names: Sequence[str], *, by: Any, n_clusters: int | None, metric: Any, random_state: int
    ) -> None:
        if len(names) != len(set(names)):
            raise ValueError("two items have the same name")
        if by != OWN and n_clusters is None:
            raise ValueError(f"n_clusters must be given, unless by is {OWN!r}")
        self.n_clusters, self.metric, self.seed = n_clusters, metric, random_state
        self.X = np.asarray(X, np.float64)
        self.place = {name: k for k, name in enumerate(names)}
        if len(self.X) != len(names):
            raise ValueError(f"there are {len(names)} names for {len(self.X)} items")
        self.clusterer = None if by == OWN else _clusterer(by)
        self.as_said = self.clusterer is not None and takes(self.clusterer, "triplets")
        if self.clusterer is not None and metric != "euclidean" and "metric" not in self.clusterer.get_params():
            raise ValueError(f"{by} needs vectors and the Euclidean distance, not {metric}")

    def read(self, answers: Sequence[StudyAnswer], cuts: Iterable[int]) -> Iterator[StudyClusters]:
        """The clusters under the first so many answers, for each of ascending numbers."""
        session, taken = self._session(), 0
        for cut in cuts:
            for answer in answers[taken:cut]:
                session.answer(self._items(answer), answer.answer, annotator=answer.person, seconds=answer.seconds)
            taken = cut
            yield self._clusters(session, answers[:cut])

    def _session(self) -> Session:
        options: dict[str, Any] = {"n_clusters": self.n_clusters, "metric": self.metric, "random_state": self.seed}
        if self.clusterer is not None:
            options |= {"strategy": "random", "clusterer": self.clusterer}
        return Session(self.X, **options)

    def _items(self, answer: StudyAnswer) -> tuple[int, ...]:
        wanted = 2 if answer.kind == "pair" else 3
        if len(answer.items) != wanted:
            raise ValueError(f"an answer to a {answer.kind} has no names of its {wanted} items: export the study again")
        missing = next((name for name in answer.items if name not in self.place), None)
        if missing is not None:
            raise ValueError(f"{answer.person} was asked about {missing!r}, which is not among the items")
        return tuple(self.place[name] for name in answer.items)

    def _clusters(self, session: Session, answers: Sequence[StudyAnswer]) -> StudyClusters:
        values = [answer.answer for answer in answers]
        return StudyClusters(
            labels=self._as_said(answers) if self.as_said else session.labels_,
            answers=len(answers),
            unsure=values.count("unsure"),
            otherwise=values.count("none"),
            conflicts=_conflicts(session, answers, list(self.place)),
            set_aside=not self.as_said,
            not_counted=() if self.as_said else tuple(sorted(session.state.taken.not_counted)),
        )

    def _as_said(self, answers: Sequence[StudyAnswer]) -> Labels:
        """Labels of a clusterer that takes pairs and triplets that contradict each other."""
        from sklearn.base import clone

        pairs = {value: [self._items(a) for a in answers if a.answer == value] for value in ("same", "different")}
        triplets = [(*self._items(a), a.answer) for a in answers if a.kind == "triplet" and a.answer != "unsure"]
        estimator = clone(self.clusterer)
        wanted = {"n_clusters": self.n_clusters, "random_state": self.seed, "metric": self.metric}
        estimator.set_params(**{key: value for key, value in wanted.items() if key in estimator.get_params()})
        given = {"must_link": pairs["same"] or None, "cannot_link": pairs["different"] or None}
        return np.asarray(estimator.fit_predict(self.X, **given, triplets=triplets or None), np.int64)


def in_order(answers: Iterable[StudyAnswer]) -> list[StudyAnswer]:
    """Answers in the order in which they were given, as far as all of them have a time; as they come otherwise."""
    listed = list(answers)
    return sorted(listed, key=lambda answer: answer.when) if all(answer.when for answer in listed) else listed


def _clusterer(by: Any) -> Any:
    if not isinstance(by, str):
        return by
    made = make_clusterer(by)
    return made.set_params(epsilon=PEOPLE_EPSILON) if by == "discriminative" else made


def _conflicts(session: Session, answers: Sequence[StudyAnswer], names: Sequence[str]) -> tuple[StudyConflict, ...]:
    """Conflicts of a session that was told these answers."""
    sources = session.state.taken.sources

    def said(place: int, statement: Statement) -> tuple[StudyAnswer, Said]:
        i, j, relation = statement
        return answers[sources[place]], (names[i], names[j], relation)

    return tuple(
        StudyConflict(
            *said(conflict.place, conflict.statement), tuple(map(said, conflict.chain_places, conflict.chain))
        )
        for conflict in sorted(session.conflicts, key=lambda conflict: conflict.place)
    )


def _words(answer: StudyAnswer, said: Said) -> str:
    first, second, relation = said
    shown = "" if answer.kind == "pair" else f" (of {', '.join(answer.items)}: {answer.answer})"
    return f"{answer.person}: {first} and {second} {relation}{shown}"
