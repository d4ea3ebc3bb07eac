"""``likewise ask``: the same questions in the terminal."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import uuid4

import typer

from likewise.cli.app import app
from likewise.cli.serve import FORMS, Database, Folder, Forms, Model, ProjectFolder, open_project
from likewise.formats.words import worded

if TYPE_CHECKING:
    from likewise.app.live import LiveProject
    from likewise.app.people import Person
    from likewise.app.screens import ShownQuestion

# the same keys as on the page
KEYS = {
    "pair": {"s": "same", "d": "different", "u": "unsure"},
    "triplet": {"1": "ab", "2": "ac", "3": "bc", "0": "none", "u": "unsure"},
    "grid": {"u": "unsure"},
    "pick": {"0": "none", "u": "unsure"},
}
PROMPTS = {
    "pair": "same (s), different (d), unsure (u), leave one out (xa, xb), undo (z), end (q)",
    "triplet": "which two belong together: A and B (1), A and C (2), B and C (3), none (0), unsure (u), "
    "leave one out (xa, xb, xc), undo (z), end (q)",
    "grid": "numbers of those that do not belong to A (2 5 …), all belong (s), unsure (u), leave one out (xa, x2), "
    "undo (z), end (q)",
    "pick": "number of the group that A belongs to, none (0), unsure (u), leave one out (xa, x2), undo (z), end (q)",
}
LETTERS = "abc"
WAIT_SECONDS = 0.2


@app.command()
def ask(
    folder: Folder,
    annotator: Annotated[str, typer.Option(help="Who answers.")] = "me",
    forms: Forms = None,
    blind: Annotated[
        bool, typer.Option("--blind", help="Answer as somebody who was invited: gold questions, and no reasons.")
    ] = False,
    model: Model = None,
    database: Database = None,
    project: ProjectFolder = None,
) -> None:
    """The same questions in the terminal: pairs by s, d, u; triplets, grids and picks by numbers; z undoes, q ends."""
    from likewise.app.people import Person

    live, pictures = open_project(folder, model, database, project)
    if forms is not None:
        live.adjust({"kind": FORMS[forms]})
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

    _show(live, folder, question)
    start = time.monotonic()
    typed = typer.prompt(worded(PROMPTS[question.kind], live.of_faces)).strip().lower()
    images = {label: picture.id for label, picture in zip(_labels(question), question.items, strict=True)}
    if typed[:1] == "q":
        return False
    if typed[:1] == "z":
        _undo(live, person)
    elif typed[:1] == "x" and typed[1:] in images:
        mark_picture(live, person, "bad", images[typed[1:]], key=uuid4().hex)
    elif (said := _read(typed, question, images)) is not None:
        value, chosen = said
        seconds = time.monotonic() - start
        done = live.answer(
            person, [*images.values()], value, key=uuid4().hex, kind=question.kind, seconds=seconds, chosen=chosen
        )
        if done.conflict is not None:
            typer.echo("This contradicts earlier answers: the page shows them under Conflicts.")
    else:
        typer.echo(f"{typed!r} is no answer to this question.")
    return True


def _show(live: LiveProject, folder: Path, question: ShownQuestion) -> None:
    """Print what is asked: the owner's words, why, and the pictures, those of a screen as a numbered list."""
    for line in (question.prompt, str(live.settings["instruction"]) if question.number == 1 else "", question.reason):
        if line:
            typer.echo(f"\n{line}")
    for label, picture in zip(_labels(question), question.items, strict=True):
        group = picture.cluster.name if question.kind == "pick" and label != "a" and picture.cluster else ""
        path = folder.resolve() / live.project.image(picture.id).path
        typer.echo(f"  {label.upper():>2}  {path}{f'  ({group})' if group else ''}")
        for example in picture.examples:
            typer.echo(f"        also {folder.resolve() / live.project.image(example).path}")


def _labels(question: ShownQuestion) -> list[str]:
    """What each picture is called: by a letter, or on a screen the first by A and the others by numbers."""
    if question.kind in ("pair", "triplet"):
        return list(LETTERS[: len(question.items)])
    return ["a", *map(str, range(1, len(question.items)))]


def _read(typed: str, question: ShownQuestion, images: dict[str, int]) -> tuple[str, list[int]] | None:
    """The answer that was typed, and what was chosen; None where it is none."""
    words = typed.replace(",", " ").split()
    if question.kind == "grid" and words and (words == ["s"] or all(word in images and word != "a" for word in words)):
        return "marked", [] if words == ["s"] else list(dict.fromkeys(images[word] for word in words))
    if question.kind == "pick" and len(words) == 1 and words[0] in images and words[0] != "a":
        return "chosen", [images[words[0]]]
    value = KEYS[question.kind].get(typed[:1])
    return None if value is None else (value, [])


def _undo(live: LiveProject, person: Person) -> None:
    from likewise.app.editing import undo
    from likewise.store import NothingToUndoError

    try:
        undo(live, person, uuid4().hex)
    except NothingToUndoError as error:
        typer.echo(str(error))
