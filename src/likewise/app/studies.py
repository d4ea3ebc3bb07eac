"""Studies of pairs and triplets: how far each person is, from the events alone."""

from __future__ import annotations

import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Literal, TypeVar

from likewise.crowd.study import Asked, deal_study, shuffle_study, true_answer
from likewise.store import Event, KeyReusedError, Project
from likewise.store.study_events import StudyAnswered, StudyBegun, StudyMade, Surveyed, TakenBack

__all__ = [
    "Follower",
    "OutOfTurnError",
    "Participant",
    "Studies",
    "Study",
    "UnknownWorkError",
    "answer_rows",
    "check_new",
    "make_study",
    "survey_rows",
    "usable_images",
]

Work = TypeVar("Work")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


class UnknownWorkError(LookupError):
    """A study or a list of hits that is not there; the text says which."""


class OutOfTurnError(Exception):
    """Something that is not this person's to say, or not now; the text says why."""


class Follower(ABC, Generic[Work]):
    """Keeps pieces of work in step with the events of a project, also with those that another process wrote.

    - `project`: Whose events.
    """

    what: ClassVar[str]  # it is called when it is not there

    def __init__(self, project: Project) -> None:
        self.project = project
        self.works: dict[str, Work] = {}
        self.lock = threading.RLock()
        self.keys: dict[str, tuple[str, str]] = {}  # kind and person of all events: sent twice is done once
        self._seen = 0

    def names(self) -> list[str]:
        """Of all that there are, oldest first."""
        return list(self.works)

    def named(self, name: str) -> Work:
        """The one of a name, in step with the events."""
        with self.lock:
            if name not in self.works:
                self.follow()
            if name not in self.works:
                raise UnknownWorkError(f"there is no {self.what} {name[:40]!r}")
            return self.works[name]

    def follow(self) -> None:
        """Take the events that came since."""
        with self.lock:
            for event in self.project.events(since=self._seen):
                self.take(event)
                self.keys[event.key] = (event.kind, event.annotator)
                self._seen = event.seq

    def was_taken_back(self, person: str, key: str) -> bool:
        """Whether this person's way back was sent before; an error where the key is that of something else."""
        known = self.keys.get(key)
        if known not in (None, ("take-back", person)):
            raise KeyReusedError(f"the key {key!r} is that of something else")
        return known is not None

    def append_once(
        self,
        kind: str,
        payload: Mapping[str, Any],
        check: Callable[[], None],
        *,
        annotator: str,
        key: str,
        seconds: float | None = None,
    ) -> Event:
        """Store an event; `check` refuses it, unless it was stored before and is only sent again."""
        with self.lock:
            self.follow()
            if key not in self.keys:
                check()
            event = self.project.append(kind, payload, annotator=annotator, key=key, seconds=seconds)
            self.follow()
        return event

    @abstractmethod
    def take(self, event: Event) -> None:
        """Take one event."""


@dataclass
class Participant:
    """One person in one study: their questions, and their answers in force in the order of the questions."""

    questions: tuple[Asked, ...] | None = None
    answers: list[Event] = field(default_factory=list)
    changed: dict[int, int] = field(default_factory=dict)  # how often an answer was taken back, by number
    survey: Event | None = None

    @property
    def state(self) -> Literal["new", "asking", "survey", "done"]:
        """Where the person is."""
        if self.questions is None:
            return "new"
        if len(self.answers) < len(self.questions):
            return "asking"
        return "survey" if self.survey is None else "done"

    def take(self, event: Event) -> None:
        """Take one of the person's events."""
        payload = event.payload
        if isinstance(payload, StudyBegun) and self.questions is None:
            self.questions = payload.questions
        elif isinstance(payload, StudyAnswered) and payload.number == len(self.answers):
            self.answers.append(event)
        elif isinstance(payload, Surveyed):
            self.survey = event
        elif isinstance(payload, TakenBack):
            for number, answer in enumerate(self.answers):
                if answer.seq in payload.events:
                    self.changed[number] = self.changed.get(number, 0) + 1
            self.answers = [answer for answer in self.answers if answer.seq not in payload.events]


@dataclass
class Study:
    """A study and the people in it."""

    name: str
    plan: dict[str, Any]
    people: dict[str, Participant] = field(default_factory=dict)

    def person(self, name: str) -> Participant:
        """Somebody's state; of those who did not begin too."""
        return self.people.get(name, Participant())

    def deal(self, person: str) -> list[Asked]:
        """The questions for somebody who begins: a function of the study and their name."""
        if self.plan["questions"] is not None:
            same: list[Asked] = [(form, tuple(items), first) for form, items, first in self.plan["questions"]]
            return shuffle_study(same, person, order=self.plan["order"], random_state=self.plan["random_state"])
        return deal_study(
            [image for first, last in self.plan["images"] for image in range(first, last + 1)],
            person,
            pairs=self.plan["pairs"],
            triplets=self.plan["triplets"],
            practice=self.plan["practice"],
            order=self.plan["order"],
            pool=self.plan["pool"],
            random_state=self.plan["random_state"],
        )


class Studies(Follower[Study]):
    """All studies of a project."""

    what = "study"

    def study(self, name: str) -> Study:
        """The study of a name, in step with the events."""
        return self.named(name)

    def take(self, event: Event) -> None:
        """Take one event."""
        payload = event.payload
        if isinstance(payload, StudyMade):
            self.works.setdefault(payload.name, Study(payload.name, payload.plan))
        elif isinstance(payload, StudyBegun | StudyAnswered | Surveyed | TakenBack) and payload.name in self.works:
            people = self.works[payload.name].people
            people.setdefault(event.annotator, Participant()).take(event)


def make_study(
    project: Project,
    name: str,
    *,
    pairs: int,
    triplets: int,
    pool: Mapping[str, list[tuple[list[int], str]]] | None = None,
    per_person: Literal["random", "fixed"] = "random",
    order: Literal["blocks", "mixed"] = "blocks",
    practice: int = 0,
    board: Iterable[tuple[int, str]] = (),
    unsure: bool = False,
    feed: bool = False,
    introduction: str = "",
    random_state: int = 0,
) -> dict[str, Any]:
    """Write a new study down; its plan is given back.

    - `project`: Whose pictures.
    - `name`: Letters, digits, - and _; it is part of the address.
    - `pairs`, `triplets`: Questions a person.
    - `pool`: Questions to draw from, by form, each with its level.
    - `per_person`, "random" or "fixed": Whether everybody gets a draw of their own, or the same questions (in
      another order).
    - `order`, "blocks" or "mixed": Whether pairs and triplets come in blocks or mixed.
    - `practice`: Questions of each form before it counts.
    - `board`, iterable of (image, label): Examples to look at beside the questions; not asked about, unless the
      list names them.
    - `unsure`: Whether *not sure* is offered.
    - `feed`: Whether answers count in the project as well.
    - `introduction`: What people read first.
    - `random_state`: Seed.
    """
    check_new(name, Studies(project))
    if pairs < 0 or triplets < 0 or practice < 0 or pairs + triplets == 0:
        raise ValueError("a study asks at least one pair or triplet")
    examples = [(int(image), label) for image, label in board]
    on_board = {image for image, _ in examples}
    images = [image for image in usable_images(project) if image not in on_board]
    plan: dict[str, Any] = {"pairs": pairs, "triplets": triplets, "practice": practice}
    plan |= {"images": _ranges(images), "board": examples, "pool": pool, "questions": None}
    plan |= {"per_person": per_person, "order": order, "random_state": random_state}
    plan |= {"unsure": unsure, "feed": feed, "introduction": introduction}
    drawn = Study(name, plan).deal("")  # raises where there are too few pictures
    if per_person == "fixed":
        plan |= {"questions": drawn, "pool": None}
    project.append("study", {"name": name, "plan": plan}, key=f"study/{name}")
    return plan


def check_new(name: str, works: Studies | Any) -> None:
    """Check the name of a new study or list of hits."""
    if not NAME.fullmatch(name):
        raise ValueError(f"a name is made of at most 40 letters, digits, - and _, got {name[:60]!r}")
    works.follow()
    if name in works.names():
        raise ValueError(f"there is a {name!r} already: its answers stay, so choose another name")


def _ranges(images: Iterable[int]) -> list[tuple[int, int]]:
    """Ascending numbers as first and last of each run: what is asked about stays what it was."""
    runs: list[tuple[int, int]] = []
    for image in images:
        if runs and runs[-1][1] == image - 1:
            runs[-1] = (runs[-1][0], image)
        else:
            runs.append((image, image))
    return runs


def usable_images(project: Project) -> list[int]:
    """Pictures that are there and that nobody called bad."""
    bad = set(project.bad_images())
    return [image.position for image in project.images("present") if image.position not in bad]


def answer_rows(study: Study, path_of: Mapping[int, str], truth: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The answers in force as rows of a tidy table, person by person in the order in which they were asked."""
    for person, state in study.people.items():
        for number, event in enumerate(state.answers):
            answered = event.payload
            assert isinstance(answered, StudyAnswered)
            assert state.questions is not None
            paths = [path_of[item] for item in answered.items]
            classes = [truth.get(path) for path in paths]
            yield {
                "study": study.name,
                "person": person,
                "order": number + 1,
                "kind": answered.kind,
                **dict(zip("abc", [*paths, ""], strict=False)),
                "answer": answered.value,
                "truth": "" if None in classes else true_answer(answered.kind, classes),
                "seconds": event.seconds,
                "away": answered.shown.get("away", 0),
                "when": event.at.isoformat(timespec="milliseconds"),
                "practice": int(state.questions[number][2]),
                "taken_back": state.changed.get(number, 0),
            }


def survey_rows(study: Study) -> Iterator[dict[str, Any]]:
    """The survey as rows of a tidy table, a row a question; what was added is the question ``comment``."""
    for person, state in study.people.items():
        if state.survey is None:
            continue
        survey = state.survey.payload
        assert isinstance(survey, Surveyed)
        about = {"study": study.name, "person": person, "when": state.survey.at.isoformat(timespec="milliseconds")}
        for question, choice in survey.choices.items():
            yield {**about, "question": question, "answer": choice, "comment": ""}
        yield {**about, "question": "comment", "answer": "", "comment": survey.comment}
