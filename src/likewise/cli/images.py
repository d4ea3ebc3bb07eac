"""``likewise index``: a folder of pictures in, an index of what can be read out."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cli.app import app, console, print_json

if TYPE_CHECKING:
    from likewise.images.indexing import Index

LISTED = 20


@app.command()
def index(
    folder: Annotated[Path, typer.Argument(help="Folder of pictures, searched with its subfolders.")],
    project: Annotated[
        Path | None, typer.Option(help="Where to keep index and thumbnails; by default FOLDER/.likewise.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=0, help="Processes that read; by default one a processor, at most 8.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Find and read the pictures of a folder; run again to bring the index up to date."""
    from likewise.images import index as make

    found = make(folder, project=project, workers=workers, progress=console.is_terminal)
    summary = summarise(found)
    if as_json:
        print_json(summary)
    else:
        _show(summary)


def summarise(found: Index) -> dict[str, Any]:
    """Give counts, what was skipped with reasons, and groups of duplicates, as plain values.

    Names are text: bytes that are none stand as lone surrogates, as :func:`os.fsdecode` gives them.
    """
    names = dict(zip(found.ids.tolist(), found.names, strict=True))
    counts = {name: getattr(found.summary, name) for name in found.summary.__dataclass_fields__}
    return {
        "folder": os.fspath(found.folder),
        "project": os.fspath(found.project),
        "readable": len(found),
        **{name: count for name, count in counts.items() if name != "skipped"},
        "skipped": [{"path": os.fsdecode(each.path), "reason": each.reason} for each in found.skipped],
        "duplicates": [[names[i] for i in group.tolist()] for group in found.duplicates()],
        "near_duplicates": [[names[i] for i in group.tolist()] for group in found.near_duplicates()],
    }


def printable(text: str) -> str:
    """Escape what would move the cursor, colour the terminal, break the line or cannot be shown there."""
    safe = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
    encoding = sys.stdout.encoding or "utf-8"
    return safe.encode(encoding, "backslashreplace").decode(encoding)


def _show(summary: dict[str, Any]) -> None:
    parts = [f"{summary[name]:,} {name}" for name in ("new", "changed", "unchanged", "back", "gone")]
    print(f"{summary['readable']:,} readable pictures in {printable(summary['folder'])}")
    print(f"found {summary['found']:,}: {', '.join(part for part in parts if not part.startswith('0 '))}")
    for name, words in (("duplicates", "the same content"), ("near_duplicates", "nearly the same look")):
        if groups := summary[name]:
            print(f"{sum(map(len, groups)):,} pictures in {len(groups):,} groups have {words}")
    if summary["skipped"]:
        _show_skipped(summary["skipped"])
    print(f"index and thumbnails in {printable(summary['project'])}")


def _show_skipped(skipped: list[dict[str, str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("skipped", "reason")
    for each in skipped[:LISTED]:
        table.add_row(Text(printable(each["path"])), Text(printable(each["reason"])))
    if len(skipped) > LISTED:
        table.add_row(Text(f"… and {len(skipped) - LISTED:,} more (--json lists all)"), Text(""))
    Console(file=sys.stdout).print(table)
