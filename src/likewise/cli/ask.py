"""``likewise ask``: the same questions in the terminal."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import uuid4

import typer

from likewise.cli.app import app
from likewise.cli.serve import Database, Folder, Model, ProjectFolder, open_project

if TYPE_CHECKING:
    from likewise.app.live import LiveProject
    from likewise.app.people import Person
    from likewise.app.screens import ShownQuestion

# the same keys as on the page
KEYS = {
    "pair": {"s": "same", "d": "different", "u": "unsure"},
    "triplet": {"1": "ab", "2": "ac", "3": "bc", "0": "none", "u": "unsure"},
}
PROMPTS = {
    "pair": "same (s), different (d), unsure (u), leave one out (xa, xb), undo (z), end (q)",
    "triplet": "which two belong together: A and B (1), A and C (2), B and C (3), none (0), unsure (u), "
    "leave one out (xa, xb, xc), undo (z), end (q)",
}
LETTERS = "abc"
WAIT_SECONDS = 0.2


@app.command()
def ask(
    folder: Folder,
    annotator: Annotated[str, typer.Option(help="Who answers.")] = "me",
    blind: Annotated[
        bool, typer.Option("--blind", help="Answer as somebody who was invited: gold questions, and no reasons.")
    ] = False,
    model: Model = None,
    database: Database = None,
    project: ProjectFolder = None,
) -> None:
    """The same questions in the terminal: pairs by s, d, u; triplets by 1, 2, 3; z undoes, q ends."""
    from likewise.app.people import Person

    live, pictures = open_project(folder, model, database, project)
    live.start()
    pictures.start()
    try:
        ask_until_done(live, folder, Person("annotator" if blind else "manager", annotator))
    finally:
        pictures.stop()
        live.stop()


def ask_until_done(live: LiveProject, folder: Path, person: Person) -> None:
    """Ask one question after another until nothing is left, or the person ends it."""
    from likewise.app.screens import Finished, ShownQuestion

    while True:
        screen = live.next_for(person)
        if isinstance(screen, Finished):
            typer.echo("Nothing is left to ask.")
            return
        if not isinstance(screen, ShownQuestion):
            time.sleep(WAIT_SECONDS)
        elif not _ask_one(live, folder, person, screen):
            return


def _ask_one(live: LiveProject, folder: Path, person: Person, question: ShownQuestion) -> bool:
    """Show a question and take what is typed; whether to go on."""
    from likewise.app.editing import mark_picture

    typer.echo(f"\n{question.reason}".rstrip())
    for letter, picture in zip(LETTERS, question.items, strict=False):
        typer.echo(f"  {letter.upper()}  {folder.resolve() / live.project.image(picture.id).path}")
    start = time.monotonic()
    typed = typer.prompt(PROMPTS[question.kind]).strip().lower()
    images = [picture.id for picture in question.items]
    if typed[:1] == "q":
        return False
    if typed[:1] == "z":
        _undo(live, person)
    elif typed[:1] == "x" and typed[1:] in list(LETTERS[: len(images)]):
        mark_picture(live, person, "bad", images[LETTERS.index(typed[1:])], key=uuid4().hex)
    elif typed[:1] in KEYS[question.kind]:
        value, seconds = KEYS[question.kind][typed[:1]], time.monotonic() - start
        done = live.answer(person, images, value, key=uuid4().hex, kind=question.kind, seconds=seconds)
        if done.conflict is not None:
            typer.echo("This contradicts earlier answers: the page shows them under Conflicts.")
    else:
        typer.echo(f"{typed!r} is no answer to this question.")
    return True


def _undo(live: LiveProject, person: Person) -> None:
    from likewise.app.editing import undo
    from likewise.store import NothingToUndoError

    try:
        undo(live, person, uuid4().hex)
    except NothingToUndoError as error:
        typer.echo(str(error))
