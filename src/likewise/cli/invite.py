"""``likewise invite``: make, list and revoke links, each of which lets one annotator in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from likewise.cli.app import app, console, fail, print_json
from likewise.cli.serve import DEFAULT_MODEL, Database, Folder, ProjectFolder, locate_project

if TYPE_CHECKING:
    from likewise.store import Invite, Invites


@app.command()
def invite(
    folder: Folder,
    name: Annotated[str | None, typer.Option(help="Name of the person to invite.")] = None,
    days: Annotated[float, typer.Option(help="Number of days that the link is valid.")] = 7.0,
    address: Annotated[
        str | None, typer.Option(help="Address under which others reach the server; by default that of this machine.")
    ] = None,
    list_all: Annotated[bool, typer.Option("--list", help="List all invitations.")] = False,
    revoke: Annotated[str | None, typer.Option(help="Revoke the open invitation of this person, at once.")] = None,
    database: Database = None,
    project: ProjectFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Make a link for an annotator, list the links, or revoke one; works while the project is served."""
    from likewise.server.auth import is_loopback
    from likewise.server.local import served_at

    if sum([name is not None, list_all, revoke is not None]) != 1:
        fail("give one of --name, --list and --revoke")
    location = locate_project(folder, DEFAULT_MODEL, database, project)
    with location.open_store(create=False) as store:
        found = location.find(store)
        invites, settings = found.invites, found.settings()
        wording = [str(settings[name]) for name in ("prompt", "instruction") if settings.get(name)]
        if name is not None:
            made = [invites.add(name, days)]
        elif revoke is not None:
            made = [_revoked(invites, revoke)]
        else:
            made = invites.all()
        start = address or served_at(Path(location.folder)) or "http://127.0.0.1:8117"
        rows = [_row(invites, each, start.rstrip("/")) for each in made]
    if name is not None and is_loopback(urlsplit(start).hostname or ""):
        console.print("The link works on this machine only: --address gives the address under which others reach it.")
    if as_json:
        print_json(rows)
    elif name is not None:
        typer.echo(rows[0]["link"])
        for line in wording:
            typer.echo(line)
    else:
        for row in rows:
            typer.echo(f"{row['name']}: {row['state']}, until {row['expires_at']}")


def _revoked(invites: Invites, name: str) -> Invite:
    found = next((each for each in invites.all() if each.name == name and each.state() == "open"), None)
    if found is None:
        fail(f"{name} has no open invitation")
    return invites.revoke(found.uid) or found


def _row(invites: Invites, each: Invite, address: str) -> dict[str, Any]:
    state = each.state()
    return {
        "name": each.name,
        "state": state,
        "created_at": each.created_at.isoformat(),
        "expires_at": each.expires_at.isoformat(),
        "link": f"{address}/join#{invites.token(each)}" if state == "open" else "",
    }
