"""What people say outside the session: in studies (002 §3.5) and in crowd work by keywords and groups (004 §3).

None of it says anything to the session, and undo and redo of the session pass it over; it is taken back by an event
of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from likewise.store.fields import ANSWERS, Asked, Form, Items, Mark, Payload

__all__ = [
    "APART",
    "HitDone",
    "HitTaken",
    "HitsMade",
    "StudyBegun",
    "StudyMade",
    "StudySaid",
    "Surveyed",
    "TakenBack",
]


@dataclass(frozen=True, kw_only=True)
class Apart(Payload):
    """Base of these forms: the study or the list of hits that it is about."""

    apart: ClassVar[bool] = True

    name: str


@dataclass(frozen=True, kw_only=True)
class StudyMade(Apart):
    """A study and how it is put; it is never changed afterwards."""

    plan: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class StudyBegun(Apart):
    """A person's questions in their order, written down when they begin: what is drawn is drawn once."""

    questions: tuple[Asked, ...]

    def images(self) -> Items:
        """All images of the questions."""
        return tuple(dict.fromkeys(item for _, items, _ in self.questions for item in items))


@dataclass(frozen=True, kw_only=True)
class StudySaid(Apart):
    """The answer to the question at a place of a person's list."""

    number: int
    kind: Form
    items: Items
    value: str
    shown: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in ANSWERS or self.value not in ANSWERS[self.kind]:
            raise ValueError(f"{self.value!r} is no answer to a {self.kind}")

    def images(self) -> Items:
        """The items of the question."""
        return self.items


@dataclass(frozen=True, kw_only=True)
class Surveyed(Apart):
    """What a person chose in the survey after a study, and what they added."""

    choices: dict[str, Any]
    comment: str = ""


@dataclass(frozen=True, kw_only=True)
class HitsMade(Apart):
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
class HitTaken(Apart):
    """A hit in a person's hands."""

    hit: int


@dataclass(frozen=True, kw_only=True)
class HitDone(Apart):
    """What a person gave each image of a hit: keywords, or the group it is in; nothing is an answer too."""

    hit: int
    marks: tuple[Mark, ...]

    def images(self) -> Items:
        """The images of the hit."""
        return tuple(item for item, _ in self.marks)


@dataclass(frozen=True, kw_only=True)
class TakenBack(Apart):
    """Answers of a study, or hits, that their author took back."""

    events: Items


APART: dict[str, type[Payload]] = {
    "crowd": HitsMade,
    "crowd-hit": HitDone,
    "crowd-start": HitTaken,
    "study": StudyMade,
    "study-answer": StudySaid,
    "study-start": StudyBegun,
    "study-survey": Surveyed,
    "take-back": TakenBack,
}
