"""``likewise tags``: read tags of pictures from a list into a project."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.app import app, console, fail, print_json
from likewise.cli.serve import DEFAULT_MODEL, Database, Folder, ProjectFolder, locate_project
from likewise.cli.standard_input import readable

if TYPE_CHECKING:
    from likewise.store import Entry

SHOWN = 20


@app.command()
def tags(
    folder: Folder,
    source: Annotated[
        Path, typer.Argument(help="CSV, JSONL, JSON or Parquet, or -: a column path, and tags separated by ;.")
    ],
    annotator: Annotated[str, typer.Option(help="Name of the annotator who gave the tags.")] = "import",
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Take the good lines and skip the bad ones.")] = False,
    database: Database = None,
    project: ProjectFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a summary as JSON.")] = False,
) -> None:
    """Give pictures tags, which may be incomplete; the page learns the tree among them."""
    from likewise.app.importing import Names
    from likewise.formats import read_list

    with readable(source) as file:
        if not file.exists():
            fail(f"there is no {source}")
        lines, problems = read_list(file)
    remarks = [str(each) for each in problems]
    location = locate_project(folder, DEFAULT_MODEL, database, project)
    with location.open_store(create=False) as store:
        found = location.find(store)
        names = Names(found, folder)
        pictures: dict[str, list[int]] = {}
        for line in lines:
            path = names.find(line.path)
            if path not in names.position:
                remarks.append(f"line {line.line}: {line.path!r} is not a picture of the project")
                continue
            for tag in line.tags:
                pictures.setdefault(" ".join(tag.split()), []).append(names.position[str(path)])
        stopped = bool(remarks) and not skip_bad
        before = len(found.log())
        if not stopped and pictures:
            found.append_many([_entry(tag, items, annotator) for tag, items in sorted(pictures.items())])
        new = len(found.log()) - before
    for text in remarks[:SHOWN]:
        console.print(text, markup=False, highlight=False)
    if as_json:
        print_json({"lines": len(lines), "tags": len(pictures), "new": new, "problems": remarks})
    if stopped:
        fail("nothing was imported; --skip-bad imports the good lines")
    console.print(f"{len(pictures)} tags of {len(lines)} pictures: {new} new", markup=False, highlight=False)


def _entry(tag: str, items: list[int], annotator: str) -> Entry:
    """One event for a tag; its key is a digest of its content, so that a list read twice is stored once."""
    from likewise.store import Entry

    items = sorted(set(items))
    digest = hashlib.sha256(json.dumps([annotator, tag, items]).encode()).hexdigest()[:32]
    return Entry("tag", {"items": items, "name": tag, "value": "yes"}, annotator, f"tags-{digest}")
