"""Events outside the session: of studies with pairs and triplets, and of crowd work by keywords and groups.

None of them counts as an answer in the session, and undo and redo of the session pass them over: they are taken back
by an event of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from likewise.store.fields import ANSWERS, Form, Items, Mark, Payload, StudyQuestion

__all__ = [
    "STUDY_KINDS",
    "HitDone",
    "HitTaken",
    "HitsMade",
    "StudyAnswered",
    "StudyBegun",
    "StudyMade",
    "Surveyed",
    "TakenBack",
]


@dataclass(frozen=True, kw_only=True)
class StudyEvent(Payload):
    """Base of these forms: the study or the list of hits by its name."""

    outside_session: ClassVar[bool] = True

    name: str


@dataclass(frozen=True, kw_only=True)
class StudyMade(StudyEvent):
    """A study and its plan, which never changes afterwards."""

    plan: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class StudyBegun(StudyEvent):
    """A person's questions in their order, stored when they begin, so that they are drawn only once."""

    questions: tuple[StudyQuestion, ...]

    def images(self) -> Items:
        """All images of the questions."""
        return tuple(dict.fromkeys(item for _, items, _ in self.questions for item in items))


@dataclass(frozen=True, kw_only=True)
class StudyAnswered(StudyEvent):
    """The answer to a question of a person's list, by its number."""

    number: int
    kind: Form
    items: Items
    value: str
    shown: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in ("pair", "triplet") or self.value not in ANSWERS[self.kind]:
            raise ValueError(f"{self.value!r} is no answer to a {self.kind}")

    def images(self) -> Items:
        """The items of the question."""
        return self.items


@dataclass(frozen=True, kw_only=True)
class Surveyed(StudyEvent):
    """A person's choices in the survey after a study, and a comment."""

    choices: dict[str, Any]
    comment: str = ""


@dataclass(frozen=True, kw_only=True)
class HitsMade(StudyEvent):
    """A list of hits: pages of images, each for `overlap` different people."""

    kind: Literal["keywords", "grouping"]
    hits: tuple[Items, ...]
    overlap: int

    def __post_init__(self) -> None:
        if self.kind not in ("keywords", "grouping"):
            raise ValueError(f"hits are for keywords or for grouping, got {self.kind!r}")
        if not self.hits or self.overlap < 1:
            raise ValueError("there is at least one hit, for at least one person")

    def images(self) -> Items:
        """All images of the hits."""
        return tuple(dict.fromkeys(item for hit in self.hits for item in hit))


@dataclass(frozen=True, kw_only=True)
class HitTaken(StudyEvent):
    """A hit that was given to a person."""

    hit: int


@dataclass(frozen=True, kw_only=True)
class HitDone(StudyEvent):
    """A person's marks for each image of a hit: keywords, or the group it is in; there may be none."""

    hit: int
    marks: tuple[Mark, ...]

    def images(self) -> Items:
        """The images of the hit."""
        return tuple(item for item, _ in self.marks)


@dataclass(frozen=True, kw_only=True)
class TakenBack(StudyEvent):
    """Answers of a study, or hits, that their author took back."""

    events: Items


STUDY_KINDS: dict[str, type[Payload]] = {
    "crowd": HitsMade,
    "crowd-hit": HitDone,
    "crowd-start": HitTaken,
    "study": StudyMade,
    "study-answer": StudyAnswered,
    "study-start": StudyBegun,
    "study-survey": Surveyed,
    "take-back": TakenBack,
}
