"""``likewise check``: whether a project is as it was written."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.app import app, fail, print_json
from likewise.cli.serve import DEFAULT_MODEL, Database, Folder, ProjectFolder, locate_project


@app.command()
def check(
    folder: Folder,
    database: Database = None,
    project: ProjectFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Say what of a project is damaged: events, names, settings, items, vectors; works while it is served."""
    from likewise.app.verification import verify
    from likewise.store import StoreError, UnknownProjectError

    location = locate_project(folder, DEFAULT_MODEL, database, project)
    try:
        with location.open_store(create=False) as store:
            found = location.find(store)
            damaged, n_events = verify(store, found, Path(location.folder)), len(found.events())
    except (StoreError, UnknownProjectError) as error:
        fail(str(error), code=1)
    if as_json:
        print_json({"project": found.name, "events": n_events, "images": found.n_items, "damaged": damaged})
    else:
        for each in damaged:
            typer.echo(each)
        if damaged:
            typer.echo("An archive or a copy that was made before is the way back: see 'likewise import'.")
        else:
            typer.echo(f"{found.name}: {n_events:,} events and {found.n_items:,} items are as they were written")
    if damaged:
        raise typer.Exit(1)
