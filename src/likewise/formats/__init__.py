"""Import and export: one module for each format, and one list of the formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.formats.answers import AnswerLine, Problem, read_answers
    from likewise.formats.lists import PictureLine, read_list
    from likewise.formats.registry import Exporter, export, exporters
    from likewise.formats.rows import AnnotatorRow, AnswerRow, ClusterRow, ImageRow, Snapshot
    from likewise.formats.writing import TargetExistsError, Written

__all__ = [
    "AnnotatorRow",
    "AnswerLine",
    "AnswerRow",
    "ClusterRow",
    "Exporter",
    "ImageRow",
    "PictureLine",
    "Problem",
    "Snapshot",
    "TargetExistsError",
    "Written",
    "export",
    "exporters",
    "read_answers",
    "read_list",
]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "answers": ["AnswerLine", "Problem", "read_answers"],
        "lists": ["PictureLine", "read_list"],
        "registry": ["Exporter", "export", "exporters"],
        "rows": ["AnnotatorRow", "AnswerRow", "ClusterRow", "ImageRow", "Snapshot"],
        "writing": ["TargetExistsError", "Written"],
    },
)
