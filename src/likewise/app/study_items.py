"""What the clusters of a study are read from: its answers, and the vectors of the pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from likewise.app.reduction import DIMENSIONS, Floats, reduce_vectors
from likewise.app.studies import Study, answer_rows, usable_images
from likewise.crowd import StudyAnswer
from likewise.store import Project

__all__ = ["StudyItems", "study_answers", "study_items"]


class StudyItems(NamedTuple):
    """Items that are clustered.

    - `names`: Of each.
    - `X` (n, d): Their vectors, as the engine takes them.
    - `without`: How many pictures are left out because they have no vector yet; nobody was asked about them.
    """

    names: list[str]
    X: Floats
    without: int


def study_answers(study: Study, name_of: Mapping[int, str]) -> list[StudyAnswer]:
    """The answers of a study that count, without practice; truth is told by who knows the classes."""
    return [
        StudyAnswer(
            row["study"],
            row["person"],
            row["kind"],
            row["answer"],
            None,
            row["seconds"],
            tuple(row[key] for key in "abc" if row[key]),
            row["when"],
        )
        for row in answer_rows(study, name_of, {})
        if not row["practice"]
    ]


def study_items(project: Project, model: str, answers: Iterable[StudyAnswer]) -> StudyItems:
    """The pictures that can be used, and all that people were asked about, with their vectors.

    - `model`: Name of the vectors.
    """
    asked = {name for answer in answers for name in answer.items}
    usable = {*usable_images(project)}
    wanted = {item.id: item.name for item in project.items() if item.id in usable or item.name in asked}
    rows = np.asarray(project.vectors(model).rows_of(list(wanted)), np.float64)
    there = [bool(np.isfinite(row).all()) for row in rows]
    missing = [name for name, found in zip(wanted.values(), there, strict=True) if not found and name in asked]
    if missing:
        raise ValueError(
            f"{len(missing)} of the pictures that people were asked about have no vectors of the model {model!r},"
            f" {missing[0]!r} first: serve the project until it has read them, or give --vectors"
        )
    names = [name for name, found in zip(wanted.values(), there, strict=True) if found]
    return StudyItems(names, reduce_vectors(rows[there], DIMENSIONS), there.count(False))
