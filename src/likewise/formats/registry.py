"""The formats to export to: one list for the command line, the server and plug-ins."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from likewise.formats.coco import write_coco
from likewise.formats.csv_table import write_csv
from likewise.formats.fiftyone import write_fiftyone
from likewise.formats.folders import write_folders
from likewise.formats.jsonl_log import write_jsonl
from likewise.formats.label_studio import write_label_studio
from likewise.formats.parquet_table import write_parquet
from likewise.formats.people import write_people, write_xmp
from likewise.formats.report import write_report
from likewise.formats.rows import Snapshot
from likewise.formats.tidy_tables import write_tables
from likewise.formats.words import worded
from likewise.formats.writing import Written, fresh_file, fresh_folder
from likewise.formats.yolo import write_yolo
from likewise.plugins import load_plugins

__all__ = ["Exporter", "export", "exporters"]


@dataclass(frozen=True)
class Exporter:
    """A format.

    Attributes
    ----------
    name : str
        Name on the command line and in the address of the page.
    title : str
        Name in headings.
    about : str
        Description in one line.
    write : callable
        Takes a :class:`~likewise.formats.Snapshot` and the path to write to, and may take further keywords. Returns a
        :class:`~likewise.formats.Written` or None.
    suffix : str
        Suffix of its files; empty for a format that is a folder.
    needs_clusters : bool
        Whether it needs the clusters, or only the events.
    needs_faces : bool
        Whether it is for projects whose items are faces.
    """

    name: str
    title: str
    about: str
    write: Callable[..., Written | None]
    suffix: str = ""
    needs_clusters: bool = True
    needs_faces: bool = False

    @property
    def is_folder(self) -> bool:
        """Whether it is written as a folder."""
        return not self.suffix

    @property
    def options(self) -> list[str]:
        """Names of the keyword-only arguments of `write`."""
        parameters = inspect.signature(self.write).parameters.values()
        return [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]


BUILT_IN = (
    Exporter("csv", "Table (CSV)", "a row for each picture: file, cluster, name, state", write_csv, ".csv"),
    Exporter("parquet", "Table (Parquet)", "the same table, typed, for pandas or DuckDB", write_parquet, ".parquet"),
    Exporter(
        "jsonl",
        "Everything that was said (JSONL)",
        "a line for each answer, name, merge or undo: who, when, how long",
        write_jsonl,
        ".jsonl",
        needs_clusters=False,
    ),
    Exporter("tables", "Tidy tables", "clusters, answers, annotators and images as CSV, for statistics", write_tables),
    Exporter("folders", "Class folders", "a folder for each cluster with its pictures", write_folders),
    Exporter("yolo", "YOLO classification", "train and val with a folder a class, for Ultralytics", write_yolo),
    Exporter("coco", "COCO", "one JSON file with categories, images and annotations", write_coco, ".json"),
    Exporter(
        "label-studio",
        "Label Studio",
        "tasks: confirmed clusters as annotations, the others as predictions",
        write_label_studio,
        ".json",
    ),
    Exporter("fiftyone", "FiftyOne", "pictures and labels.json, an image classification dataset", write_fiftyone),
    Exporter(
        "people", "People (CSV)", "a row for each face: photograph, person, box", write_people, ".csv", needs_faces=True
    ),
    Exporter(
        "xmp",
        "People (XMP)",
        "a sidecar file for each photograph, with named regions, as digiKam reads them",
        write_xmp,
        needs_faces=True,
    ),
    Exporter("report", "Report (HTML)", "one page to send: clusters, questions, annotators", write_report, ".html"),
)


def exporters(more: Iterable[Exporter] = ()) -> dict[str, Exporter]:
    """All formats by name: built in, those given here, and those of plug-ins.

    A plug-in is an entry point of the group ``likewise.exporters`` that leads to an :class:`Exporter`, or to a
    function that takes a snapshot and a path. It cannot take the name of a built-in format.

    Examples
    --------
    >>> sorted(exporters())[:3]
    ['coco', 'csv', 'fiftyone']
    """
    found = {each.name: each for each in (*BUILT_IN, *more)}
    for name, point in load_plugins("exporters").items():
        if name in found:
            continue
        loaded: Any = point.load()
        if isinstance(loaded, Exporter):
            found[name] = replace(loaded, name=name)
        else:
            line = (loaded.__doc__ or "").strip().partition("\n")[0]
            found[name] = Exporter(name, name, line, loaded, getattr(loaded, "suffix", f".{name}"))
    return found


def export(exporter: Exporter, snapshot: Snapshot, target: Path, *, force: bool = False, **options: Any) -> Written:
    """Write a format completely or not at all; existing files are replaced only with `force`.

    Parameters
    ----------
    exporter : Exporter
        The format.
    snapshot : Snapshot
        What to write.
    target : path
        A file, or for a format that is a folder a new or empty folder.
    force : bool
        Whether to replace an existing file or an earlier export.
    **options
        Options of the format; unknown ones raise.

    Examples
    --------
    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "events.jsonl"
    >>> export(exporters()["jsonl"], Snapshot("leaves"), target).count
    0
    >>> export(exporters()["jsonl"], Snapshot("leaves"), target)
    Traceback (most recent call last):
    ...
    likewise.formats.writing.TargetExistsError: ...
    """
    unknown = [name for name in options if name not in exporter.options]
    if unknown:
        raise ValueError(f"the format {exporter.name} has no option {unknown[0]!r}")
    fresh = fresh_folder if exporter.is_folder else fresh_file
    with fresh(target, force=force) as path:
        written = exporter.write(snapshot, path, **options)
    if written is None:
        return Written(target, 0, "things")
    return replace(written, path=target, what=worded(written.what, snapshot.of_faces))
