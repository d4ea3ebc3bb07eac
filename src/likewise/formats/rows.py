"""What goes out, as plain data: every format is written from this and from nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

__all__ = ["AnnotatorRow", "AnswerRow", "ClusterRow", "ImageRow", "Snapshot"]


@dataclass(frozen=True)
class ClusterRow:
    """One picture and its cluster.

    Attributes
    ----------
    image : int
        Id of the picture.
    path : str
        Where it is, below the folder of pictures.
    cluster : int
        Id of its cluster.
    name : str
        What the cluster is called, or empty.
    state : "confirmed", "found" or "suggested"
        Whether people confirmed it, the program found it, or it waits for a person.
    """

    image: int
    path: str
    cluster: int
    name: str
    state: str


@dataclass(frozen=True)
class ImageRow:
    """One picture: id, path, whether its file is present, and its size where that is known."""

    image: int
    path: str
    status: str = "present"
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True)
class AnswerRow:
    """One answer in force.

    Attributes
    ----------
    event : int
        Number of the event that says it; events about groups say several.
    source : str
        What the event is: ``answer``, ``grid``, ``merge`` …
    at : str
        When, in UTC, or empty.
    annotator : str
        Who.
    kind : "pair" or "triplet"
        The form of the question.
    a, b, c : str
        Paths or names of its items; `c` is empty for a pair.
    answer : str
        What was said.
    seconds : float or None
        How long it took.
    truth : str
        The right answer where it is known, else empty.
    """

    event: int
    source: str
    at: str
    annotator: str
    kind: str
    a: str
    b: str
    c: str
    answer: str
    seconds: float | None = None
    truth: str = ""


@dataclass(frozen=True)
class AnnotatorRow:
    """How one annotator did.

    Attributes
    ----------
    annotator : str
        Who.
    answers, unsure : int
        How many answers they gave, and how many of these say *unsure*.
    seconds : float or None
        Median time of an answer.
    known, right : int
        Answers of which the truth is known, and those of them that say it.
    accuracy : float or None
        Right ones among the known.
    agreement : float or None
        Share of their answers that others gave too, over all pairs of answers to one question.
    reliability : float or None
        The probability of a right answer, estimated from the answers of all, without the truth.
    """

    annotator: str
    answers: int
    unsure: int = 0
    seconds: float | None = None
    known: int = 0
    right: int = 0
    accuracy: float | None = None
    agreement: float | None = None
    reliability: float | None = None


@dataclass(frozen=True)
class Snapshot:
    """A project at one moment, or a table of a crowd's answers without a project.

    Attributes
    ----------
    project : str
        Its name.
    folder : path or None
        The folder of pictures that paths are below, or None where there is none.
    clusters : sequence of ClusterRow
        One row a picture.
    images : sequence of ImageRow
        All pictures by id, also those in no cluster.
    events : sequence of mapping
        Everything people said, taken back or not, as plain data.
    answers : sequence of AnswerRow
        The answers in force.
    annotators : sequence of AnnotatorRow
        Who gave them.
    figures : mapping
        Numbers on the whole: ``alpha``, ``majority``, ``weighted`` where they are defined.
    thumbnails : mapping of int to bytes
        Small JPEG copies of some pictures, for the report.
    made_at : datetime
        When.
    """

    project: str
    folder: Path | None = None
    clusters: Sequence[ClusterRow] = ()
    images: Sequence[ImageRow] = ()
    events: Sequence[Mapping[str, Any]] = ()
    answers: Sequence[AnswerRow] = ()
    annotators: Sequence[AnnotatorRow] = ()
    figures: Mapping[str, float] = field(default_factory=dict)
    thumbnails: Mapping[int, bytes] = field(default_factory=dict)
    made_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    def accepted(self) -> list[ClusterRow]:
        """The rows that are not merely suggested: nobody said yes to those."""
        return [row for row in self.clusters if row.state != "suggested"]
