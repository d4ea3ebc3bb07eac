"""``likewise export``, ``import``, ``report`` and ``crowd report``: what goes out of a project and what comes in."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from likewise.cli.app import AsJson, app, console, fail, print_json
from likewise.cli.crowd import crowd_app
from likewise.cli.serve import Database, Folder, ProjectFolder, locate_project
from likewise.cli.standard_input import readable

if TYPE_CHECKING:
    from likewise.app.importing import Intake
    from likewise.app.location import Location
    from likewise.formats.writing import Written
    from likewise.store import Project

SHOWN = 20  # lines of a list of problems
Out = Annotated[Path, typer.Option(help="File to write, or folder for a format that is one.")]
Force = Annotated[bool, typer.Option("--force", help="Replace what is there.")]
Model = Annotated[
    str | None,
    typer.Option(help="Name of the vectors that clusters are made of; by default what the project was served with."),
]
FORMATS = (
    "What to write: csv, parquet, jsonl, tables, folders, yolo, coco, label-studio, fiftyone, people, xmp, report, "
    "archive, or the name of a plug-in."
)
KINDS = Literal["auto", "answers", "list", "folders", "vectors", "distances", "label-studio", "archive"]


@app.command()
def export(
    folder: Folder,
    out: Out,
    format: Annotated[str, typer.Option(help=FORMATS)] = "csv",
    mode: Annotated[
        Literal["copy", "hardlink", "symlink"], typer.Option(help="How pictures get into folders.")
    ] = "copy",
    pictures: Annotated[bool, typer.Option("--pictures", help="Put the pictures into an archive too.")] = False,
    force: Force = False,
    model: Model = None,
    database: Database = None,
    project: ProjectFolder = None,
    as_json: AsJson = False,
) -> None:
    """Write a project in one of the field's formats, also while it is being served."""
    from likewise.app.exporting import format_of, take_snapshot, wall_of
    from likewise.formats import export as write

    exporter = format_of(format)
    options: dict[str, Any] = {"mode": mode} if "mode" in exporter.options else {}
    if pictures:
        if "pictures" not in exporter.options:
            fail(f"the format {format} takes no pictures along: --pictures is for archives")
        options["pictures"] = True
    location = locate_project(folder, model, database, project)
    with location.open_store(create=False) as store:
        found = location.find(store)
        if model is not None and exporter.needs_clusters:
            _require_vectors(found, location)
        wall = wall_of(found, location.model) if exporter.needs_clusters else None
        snapshot = take_snapshot(found, Path(location.folder), folder.absolute(), wall, thumbnails=format == "report")
        written = write(exporter, snapshot, out, force=force, **options)
    if as_json:
        print_json(_written_summary(written))
        return
    for path, reason in written.skipped[:SHOWN]:
        console.print(f"left out {path}: {reason}", markup=False, highlight=False)
    if len(written.skipped) > SHOWN:
        console.print(f"… and {len(written.skipped) - SHOWN} more")
    console.print(f"{written.count} {written.what} in {written.path}", markup=False, highlight=False)


@app.command()
def report(
    folder: Folder,
    out: Annotated[Path, typer.Option(help="HTML file to write.")],
    truth: Annotated[
        str | None,
        typer.Option(help="A list with the class of each picture, or 'folders' where subfolders are the classes."),
    ] = None,
    thumbnails: Annotated[bool, typer.Option(help="Show some pictures of each cluster.")] = True,
    force: Force = False,
    model: Model = None,
    database: Database = None,
    project: ProjectFolder = None,
    as_json: AsJson = False,
) -> None:
    """Write one HTML page on a project: clusters, questions over time, and how each annotator did."""
    from likewise.app.exporting import format_of, take_snapshot, wall_of
    from likewise.formats import export as write
    from likewise.formats.truth import folder_truth, read_truth

    location = locate_project(folder, model, database, project)
    with location.open_store(create=False) as store:
        found = location.find(store)
        known: Mapping[str, str] | None = None
        if truth is not None:
            paths = [item.path for item in found.items()]
            known = folder_truth(paths) if truth == "folders" else read_truth(truth)
        wall = wall_of(found, location.model)
        snapshot = take_snapshot(
            found, Path(location.folder), folder.absolute(), wall, truth=known, thumbnails=thumbnails
        )
        written = write(format_of("report"), snapshot, out, force=force)
    if as_json:
        print_json(_written_summary(written))
        return
    console.print(f"a report on {written.count} answers in {written.path}", markup=False, highlight=False)


def _written_summary(written: Written) -> dict[str, Any]:
    skipped = [{"path": str(path), "reason": reason} for path, reason in written.skipped]
    return {"count": written.count, "what": written.what, "path": str(written.path), "skipped": skipped}


def _require_vectors(found: Project, location: Location) -> None:
    """Refuse the name of vectors that the project does not have, instead of writing a file without a row."""
    from likewise.images.vectors import model_key

    names = found.vector_names()
    if model_key(location.model) not in names:
        kept = f"there are those of {', '.join(names)}" if names else "serve it once, or import some"
        fail(f"the project has no vectors of {location.model!r}: {kept}")


@crowd_app.command("report")
def crowd_report(
    answers: Annotated[
        Path, typer.Argument(help="CSV, JSONL or Parquet, or -: a, b, annotator, answer, perhaps truth.")
    ],
    out: Annotated[Path | None, typer.Option(help="HTML file to write.")] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave bad lines out and go on.")] = False,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure a crowd by its answers alone: each annotator's accuracy against the truth, and the agreement."""
    from likewise.app.exporting import measure
    from likewise.formats import AnswerRow, Snapshot, export as write, exporters, read_answers

    with readable(answers) as file:
        lines, problems = read_answers(file)
    if problems:
        _say(problems, {})
        if not skip_bad:
            fail(f"{len(problems)} lines of {answers} cannot be read; --skip-bad leaves them out")
    rows = [
        AnswerRow(
            line.line,
            "answer",
            "" if line.at is None else line.at.isoformat(),
            line.annotator,
            line.kind,
            line.items[0],
            line.items[1],
            "".join(line.items[2:]),
            line.value,
            line.seconds,
            line.truth,
        )
        for line in lines
    ]
    people, figures = measure(rows)
    if out is not None:
        snapshot = Snapshot(answers.stem, answers=rows, annotators=people, figures=figures)
        write(exporters()["report"], snapshot, out, force=force)
        console.print(f"a report on {len(rows)} answers in {out}", markup=False, highlight=False)
    accuracies = [each.accuracy for each in people if each.accuracy is not None]
    summary: dict[str, Any] = {"answers": len(rows), "annotators": len(people), **figures}
    if accuracies:
        summary |= {"lowest_accuracy": min(accuracies), "highest_accuracy": max(accuracies)}
    if as_json:
        print_json(summary | {"people": [vars(each) for each in people]})
    elif out is None:
        for name, value in summary.items():
            typer.echo(f"{name}: {value:.4f}" if isinstance(value, float) else f"{name}: {value}")


@app.command("import")
def take_in(
    folder: Folder,
    source: Annotated[Path, typer.Argument(help="A file, a folder of class folders, or - for standard input.")],
    kind: Annotated[KINDS, typer.Option(help="What it is; by default its content tells.")] = "auto",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Take the good lines, leave the bad ones.")] = False,
    add_unknown: Annotated[
        bool, typer.Option("--add-unknown", help="Add what leads to no picture as a thing without one.")
    ] = False,
    by_id: Annotated[
        bool, typer.Option("--by-id", help="Pictures are named by their ids, as in the tables of an export.")
    ] = False,
    model: Annotated[str, typer.Option(help="Name under which vectors are kept.")] = "imported",
    database: Database = None,
    project: ProjectFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was done as JSON.")] = False,
) -> None:
    """Take in answers of others, labels, tags, vectors, distances, or a whole project."""
    if str(source) == "-":
        with readable(source) as file:
            take_in(
                folder, file, kind, dry_run, skip_bad, add_unknown, by_id, model, database, project, as_json=as_json
            )
        return
    if not source.exists():
        fail(f"there is no {source}")
    is_archive = kind == "archive" or (kind == "auto" and source.suffix.lower() == ".zip")
    if is_archive:
        folder.mkdir(parents=True, exist_ok=True)
    location = locate_project(folder, model, database, project)
    if is_archive:
        _import_archive(location, folder, source, dry_run)
        return
    ways = _Ways(kind, model, skip_bad, dry_run, add_unknown, by_id)
    intake, what = _try_without(location, folder, source, ways) or _take_into(location, folder, source, ways)
    _say(intake.problems, intake.unknown)
    stopped = not intake.is_clean and not skip_bad
    if as_json:
        print_json(
            {
                "what": what,
                "lines": intake.lines,
                "new": 0 if stopped else intake.new,
                "known": intake.known,
                "added": len(intake.added),
                "unknown": sorted(intake.unknown),
                "problems": [str(each) for each in intake.problems],
                "written": not dry_run and not stopped,
            }
        )
    if stopped and not dry_run:
        fail("nothing was taken in; --skip-bad takes the good lines, --add-unknown adds what leads to no picture")
    verb = "would be new" if dry_run else "new"
    console.print(
        f"{intake.lines} lines: {intake.new} {what} {verb}, {intake.known} were there already, "
        f"{len(intake.added)} pictures added"
    )


@dataclass(frozen=True)
class _Ways:
    """How something is taken in: the options of the command."""

    kind: str
    model: str
    skip_bad: bool
    dry_run: bool
    add_unknown: bool
    by_id: bool


def _try_without(location: Location, folder: Path, source: Path, ways: _Ways) -> tuple[Intake, str] | None:
    """Where there is no project yet and nothing is to be written: try it on an empty one, and make none."""
    try:
        with location.open_store(create=False) as store:
            if location.name in [each.name for each in store.projects()]:
                return None
    except FileNotFoundError:
        pass
    with tempfile.TemporaryDirectory() as empty:
        trial = replace(location, where=empty, folder=empty)
        intake, what = _take_into(trial, folder, source, replace(ways, dry_run=True))
    return (intake, what) if ways.dry_run or not (intake.is_clean or ways.skip_bad) else None


def _take_into(location: Location, folder: Path, source: Path, ways: _Ways) -> tuple[Intake, str]:
    with location.open_store() as store:
        return _take(location.project_of(store), Path(location.folder), folder, source, ways)


def _take(found: Project, home: Path, folder: Path, source: Path, chosen: _Ways) -> tuple[Intake, str]:
    from likewise.app.importing import Names, names_beside, take_answers, take_pictures, take_vectors
    from likewise.datasets import load_folder, load_table
    from likewise.formats import PictureLine, read_answers, read_list
    from likewise.formats.label_studio_in import read_label_studio
    from likewise.formats.truth import folder_truth

    names = Names(found, folder, by_id=chosen.by_id)
    add_unknown = chosen.add_unknown
    ways: dict[str, Any] = {"skip_bad": chosen.skip_bad, "dry_run": chosen.dry_run}
    kind = _kind_of(source) if chosen.kind == "auto" else chosen.kind
    if kind == "answers":
        answers, problems = read_answers(source)
        return take_answers(found, answers, problems, names, add_unknown=add_unknown, **ways), "answers"
    if kind in ("vectors", "distances"):
        table = load_table(source)
        if table.X is None:
            fail(f"{source} has no numbers")
        rows = table.names or names_beside(source)
        ways |= {"distances": kind == "distances", "add_unknown": add_unknown}
        return take_vectors(found, chosen.model, table.X, rows, names, **ways), "vectors"
    if kind == "label-studio":
        answers, lines, problems = read_label_studio(source)
        if answers:
            if lines:
                fail(f"{source} has both answers and labels: split it into two files")
            return take_answers(found, answers, problems, names, add_unknown=add_unknown, **ways), "answers"
    elif kind == "folders":
        dataset = load_folder(source, truth="folders")
        lines = [
            PictureLine(number, path, label)
            for number, (path, label) in enumerate(folder_truth(dataset.names or []).items(), 1)
        ]
        problems = []
    else:
        lines, problems = read_list(source)
    return take_pictures(found, home, lines, problems, names, **ways), "labels and tags"


def _kind_of(source: Path) -> str:
    from likewise.formats.answers import ANSWER_COLUMNS
    from likewise.formats.label_studio_in import is_label_studio
    from likewise.formats.lists import LIST_COLUMNS
    from likewise.formats.table_reading import find_columns, open_table

    if source.is_dir():
        return "folders"
    if source.suffix.lower() == ".npy":
        import numpy as np

        from likewise.datasets import map_table

        X = map_table(source)
        is_square = X.shape[0] == X.shape[1] and not np.diagonal(X).any()
        return "distances" if is_square and np.array_equal(X, X.T) else "vectors"
    if is_label_studio(source):
        return "label-studio"
    columns, _, _ = open_table(source)
    for kind, variants, needed in (("answers", ANSWER_COLUMNS, ("a", "b")), ("list", LIST_COLUMNS, ("path",))):
        try:
            found = find_columns(columns, variants, needed, source)
        except ValueError:
            continue
        if kind == "answers" or len(columns) <= len(found) + 4:  # many further columns are a table of numbers
            return kind
    return "vectors"


def _import_archive(location: Location, folder: Path, source: Path, dry_run: bool) -> None:
    from likewise.store.archive import read_archive
    from likewise.store.archive_reading import OpenArchive

    if dry_run:
        with OpenArchive(source) as archive:
            typer.echo(json.dumps(archive.json("manifest.json"), indent=1))
        return
    with location.open_store() as store:
        made = read_archive(store, source, name=location.name, home=Path(location.folder), pictures=folder.absolute())
        console.print(f"{made.n_items} pictures and {len(made.events())} events in {location.folder}", highlight=False)


def _say(problems: list[Any], unknown: Mapping[str, int]) -> None:
    for each in problems[:SHOWN]:
        console.print(str(each), markup=False, highlight=False)
    if len(problems) > SHOWN:
        console.print(f"… and {len(problems) - SHOWN} more lines")
    for name, line in list(unknown.items())[:SHOWN]:
        console.print(f"line {line}: there is no picture {name!r}", markup=False, highlight=False)
    if len(unknown) > SHOWN:
        console.print(f"… and {len(unknown) - SHOWN} more names")
