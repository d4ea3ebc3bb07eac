"""Tidy tables in one folder: clusters, answers, annotators and images."""

from __future__ import annotations

from pathlib import Path

from likewise.formats.csv_table import write_table
from likewise.formats.rows import AnnotatorRow, AnswerRow, ClusterRow, ImageRow, Snapshot
from likewise.formats.writing import Written

__all__ = ["write_tables"]


def write_tables(snapshot: Snapshot, path: Path) -> Written:
    """Write ``clusters.csv``, ``answers.csv``, ``annotators.csv`` and ``images.csv`` into a folder."""
    count = write_table(path / "clusters.csv", ClusterRow, snapshot.clusters)
    count += write_table(path / "answers.csv", AnswerRow, snapshot.answers)
    count += write_table(path / "annotators.csv", AnnotatorRow, snapshot.annotators)
    count += write_table(path / "images.csv", ImageRow, snapshot.images)
    return Written(path, count, "rows")
