"""``likewise crowd hits`` and ``crowd export``: pages of pictures for keywords or groups, and their answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from likewise.cli.app import AsJson, OldSeed, Seed, console, fail, one_seed, print_json
from likewise.cli.crowd import crowd_app
from likewise.cli.serve import Database, Folder, ProjectFolder
from likewise.cli.study import Name, opened, take_pictures
from likewise.cli.tables import write_rows


@crowd_app.command()
def hits(
    folder: Folder,
    name: Name,
    kind: Annotated[
        Literal["keywords", "grouping"], typer.Option(help="What people do with a page of pictures.")
    ] = "keywords",
    per_hit: Annotated[int, typer.Option(min=2, help="Pictures on a page.")] = 20,
    rounds: Annotated[int, typer.Option(min=1, help="Number of pages with a picture, each time beside others.")] = 5,
    overlap: Annotated[int, typer.Option(min=1, help="Number of people who get each page.")] = 1,
    sample: Annotated[int | None, typer.Option(min=2, help="Use only this many pictures, drawn at random.")] = None,
    seed: Seed = 0,
    random_state: OldSeed = None,
    database: Database = None,
    project: ProjectFolder = None,
    as_json: AsJson = False,
) -> None:
    """Make a list of hits (pages of pictures); works while the project is served. Its page is /crowd/NAME."""
    from likewise.app.crowd_pages import make_hits
    from likewise.crowd import pair_coverage

    seed = one_seed(seed, random_state)
    with opened(folder, database, project, create=True) as found:
        take_pictures(found, folder, project)
        made = make_hits(
            found, name, kind, per_hit=per_hit, rounds=rounds, overlap=overlap, sample=sample, random_state=seed
        )
    share = pair_coverage(made.hits)
    summary = {
        "name": name,
        "page": f"/crowd/{name}",
        "kind": kind,
        "images": len(made.images()),
        "hits": len(made.hits),
        "overlap": overlap,
        "pairs_together": round(share, 4),
    }
    if as_json:
        print_json(summary)
    else:
        people = "one person" if overlap == 1 else f"{overlap} people"
        typer.echo(
            f"{name}: {len(made.hits)} pages of {len(made.images())} pictures, each for {people};"
            f" {share:.1%} of the pairs are on a page together; its page is /crowd/{name} of 'likewise serve'"
        )


@crowd_app.command("export")
def export_hits(
    folder: Folder,
    name: Name,
    out: Annotated[Path, typer.Option(help="CSV to write, for 'likewise crowd fit'.")],
    items: Annotated[
        Literal["path", "number"], typer.Option(help="How pictures are named: by path or by number.")
    ] = "path",
    database: Database = None,
    project: ProjectFolder = None,
    as_json: AsJson = False,
) -> None:
    """Write the answers to hits as the table that ``likewise crowd fit`` reads."""
    from likewise.app.crowd_pages import HitLists, hit_rows

    with opened(folder, database, project) as found:
        lists = HitLists(found)
        lists.follow()
        if name not in lists.names():
            fail(f"there is no list of hits {name!r} (lists are: {', '.join(lists.names()) or 'none'})")
        chosen = lists.hit_list(name)
        images = found.images()
        names = {image.position: image.path if items == "path" else image.position for image in images}
        mark = "keyword" if chosen.kind == "keywords" else "group"
        columns = ("hit", "item", mark, "person", "seconds", "when")
        count = write_rows(out, columns, hit_rows(chosen, names))
    if as_json:
        print_json({"pages": len(chosen.done), "rows": count, "path": str(out)})
    else:
        console.print(f"{len(chosen.done)} pages, {count} rows in {out}")
