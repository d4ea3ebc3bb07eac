"""What is exported, as plain data: every format is written from a :class:`Snapshot` alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from likewise.formats.words import worded

__all__ = ["AnnotatorRow", "AnswerRow", "ClusterRow", "FaceRow", "ImageRow", "Snapshot"]


@dataclass(frozen=True)
class ClusterRow:
    """One picture and its cluster.

    Attributes
    ----------
    image : int
        Id of the picture.
    path : str
        Path below the folder of pictures.
    cluster : int
        Id of its cluster.
    name : str
        Name of the cluster, or empty.
    state : "confirmed", "found" or "suggested"
        Whether a person confirmed the cluster, the program found it, or the picture waits for a person.
    stack : str
        Path of the first picture of its stack (copies, or pictures of one moment), or empty for one that is alone.
        That pictures are of one stack is assumed by the program, and no answer of a person.
    """

    image: int
    path: str
    cluster: int
    name: str
    state: str
    stack: str = ""


@dataclass(frozen=True)
class ImageRow:
    """One picture: id, path, whether its file is present, and its size where that is known."""

    image: int
    path: str
    status: str = "present"
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True)
class FaceRow:
    """Where a face is.

    Attributes
    ----------
    photograph : str
        Path of the photograph below the folder of pictures.
    number : int
        Id of the photograph.
    x, y, width, height : int
        Its box, in pixels of the upright photograph.
    flaws : str
        Why it is hardly to be recognised: ``small``, ``blurred``, ``turned``, or empty.
    """

    photograph: str
    number: int
    x: int
    y: int
    width: int
    height: int
    flaws: str = ""


@dataclass(frozen=True)
class AnswerRow:
    """One answer that counts: not undone.

    Attributes
    ----------
    event : int
        Number of the event that holds it; an event about a group holds several answers.
    source : str
        Kind of the event: ``answer``, ``grid``, ``merge`` …
    at : str
        Time in UTC, or empty.
    annotator : str
        Name of the annotator.
    kind : "pair", "triplet", "grid" or "pick"
        Form of the question. A grid or a pick is several rows, one for each pair that it speaks of.
    a, b, c : str
        Paths or names of its items; `c` is empty for a pair.
    answer : str
        The answer.
    seconds : float or None
        Time that the answer took, None where it is not known.
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
    """Figures of one annotator.

    Attributes
    ----------
    annotator : str
        Name of the annotator.
    answers, unsure : int
        Number of answers, and how many of these are *unsure*.
    seconds : float or None
        Median time of an answer.
    known, right : int
        Number of answers whose truth is known, and how many of these are right.
    accuracy : float or None
        Share of right answers among the known.
    agreement : float or None
        Share of equal answers among all pairs of an own and another's answer to one question.
    reliability : float or None
        The probability of a right answer, estimated from the answers of all, without the truth.
    weight : float or None
        For how many typical answers each counts in the clusters, where that was weighed; 0: they are not counted.
    suspicion : str
        Why they are not counted, or empty.
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
    weight: float | None = None
    suspicion: str = ""


@dataclass(frozen=True)
class Snapshot:
    """A project at one moment, or a table of a crowd's answers without a project.

    Attributes
    ----------
    project : str
        Name of the project.
    folder : path or None
        Folder that the paths are relative to, or None where there is none.
    clusters : sequence of ClusterRow
        One row for each picture.
    images : sequence of ImageRow
        All pictures by id, also those in no cluster.
    events : sequence of mapping
        All events, undone ones too, as plain data.
    answers : sequence of AnswerRow
        The answers that count.
    annotators : sequence of AnnotatorRow
        The people who gave them.
    figures : mapping
        Figures of all answers together: ``alpha``, ``majority``, ``weighted`` where they are defined.
    thumbnails : mapping of int to bytes
        Small JPEG copies of some pictures, for the report.
    faces : mapping of int to FaceRow
        Where the pictures are that are faces, by id.
    made_at : datetime
        Time of the snapshot.
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
    faces: Mapping[int, FaceRow] = field(default_factory=dict)

    @property
    def of_faces(self) -> bool:
        """Whether the clusters are of faces, and so people."""
        return len(self.clusters) > 0 and self.clusters[0].image in self.faces

    @property
    def unnamed(self) -> str:
        """What a cluster without a name is called, before its number."""
        return worded("cluster", self.of_faces)

    def file_of(self, row: ClusterRow) -> str:
        """The path of the file that a picture is, or of a face, that it is in."""
        face = self.faces.get(row.image)
        return row.path if face is None else face.photograph

    def accepted(self) -> list[ClusterRow]:
        """The rows that are not only suggested."""
        return [row for row in self.clusters if row.state != "suggested"]
