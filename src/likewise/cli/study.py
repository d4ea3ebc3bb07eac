"""``likewise study``: studies of pairs and triplets, from the list of questions to the tables."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from likewise.cells import read_csv
from likewise.cli.app import AsJson, OldSeed, Seed, app, console, fail, one_seed, print_json
from likewise.cli.serve import DEFAULT_MODEL, Database, Folder, ProjectFolder, locate_project
from likewise.cli.tables import write_rows

if TYPE_CHECKING:
    from likewise.store import Project

study_app = typer.Typer(help="Studies of pairs and triplets, with times and a survey.", no_args_is_help=True)
app.add_typer(study_app, name="study")
Name = Annotated[str, typer.Option(help="Name of letters, digits, - and _; it is part of the address.")]
Truth = Annotated[Path | None, typer.Option(help="CSV with the columns name and label; class folders otherwise.")]


@study_app.command()
def new(
    folder: Folder,
    name: Name,
    pairs: Annotated[int | None, typer.Option(min=0, help="Number of pairs for each person.")] = None,
    triplets: Annotated[int | None, typer.Option(min=0, help="Number of triplets for each person.")] = None,
    questions: Annotated[
        Path | None, typer.Option("--list", help="CSV of questions to draw from: a, b, optionally c and level.")
    ] = None,
    per_person: Annotated[
        Literal["random", "fixed"], typer.Option(help="Draw questions for each person, or the same for all.")
    ] = "random",
    order: Annotated[
        Literal["blocks", "mixed"], typer.Option(help="Pairs and triplets in blocks, or mixed.")
    ] = "blocks",
    practice: Annotated[int, typer.Option(min=0, help="Number of practice questions of each kind.")] = 2,
    reference_board: Annotated[bool, typer.Option("--reference-board", help="Show an example of each class.")] = False,
    board: Annotated[
        Path | None, typer.Option(help="Show these pictures: CSV with the columns name and label.")
    ] = None,
    truth: Truth = None,
    unsure: Annotated[bool, typer.Option("--unsure", help="Offer 'not sure' as an answer.")] = False,
    feed: Annotated[bool, typer.Option("--feed", help="Let the answers count in the project too.")] = False,
    introduction: Annotated[
        Path | None, typer.Option(help="Text file that people read first, instead of the default text.")
    ] = None,
    seed: Seed = 0,
    random_state: OldSeed = None,
    database: Database = None,
    project: ProjectFolder = None,
    as_json: AsJson = False,
) -> None:
    """Make a study; works while the project is served. Its page is /study/NAME."""
    from likewise.app.studies import make_study

    seed = one_seed(seed, random_state)
    with opened(folder, database, project, create=True) as found:
        take_pictures(found, folder, project)
        position = {image.path: image.position for image in found.images("present")}
        pool = None if questions is None else _read_pool(questions, position)
        counts = _counts(pairs, triplets, pool)
        plan = make_study(
            found,
            name,
            **counts,
            pool=pool,
            per_person=per_person,
            order=order,
            practice=practice,
            board=_board(position, reference_board, board, truth, seed),
            unsure=unsure,
            feed=feed,
            introduction="" if introduction is None else introduction.read_text(encoding="utf-8").strip(),
            random_state=seed,
        )
    summary = {"study": name, "page": f"/study/{name}", **counts, "practice": practice}
    _report(summary | {"per_person": per_person, "board": len(plan["board"])}, as_json=as_json)


@study_app.command()
def status(
    folder: Folder,
    name: Annotated[str | None, typer.Option(help="Only this study.")] = None,
    database: Database = None,
    project: ProjectFolder = None,
    as_json: AsJson = False,
) -> None:
    """Show how far each person is; works while the project is served."""
    from likewise.app.studies import Studies

    with opened(folder, database, project) as found:
        studies = Studies(found)
        studies.follow()
        chosen = studies.names() if name is None else [known_study(studies, name)]
        rows = [
            {
                "study": each,
                "person": person,
                "state": state.state,
                "answered": len(state.answers),
                "total": len(state.questions or ()),
            }
            for each in chosen
            for person, state in studies.study(each).people.items()
        ]
    if as_json:
        print_json({"studies": chosen, "people": rows})
        return
    for row in rows:
        typer.echo("{study}: {person} has answered {answered} of {total} ({state})".format(**row))
    if not rows:
        typer.echo(f"{', '.join(chosen) or 'no study'}: nobody has begun")


@study_app.command()
def export(
    folder: Folder,
    name: Name,
    out: Annotated[Path, typer.Option(help="CSV to write; the survey goes to NAME-survey.csv beside it.")],
    truth: Truth = None,
    database: Database = None,
    project: ProjectFolder = None,
    as_json: AsJson = False,
) -> None:
    """Write a table of the answers and one of the survey; works while the project is served."""
    from likewise.app.studies import Studies, answer_rows, survey_rows
    from likewise.crowd.study_tables import ANSWER_COLUMNS, SURVEY_COLUMNS

    with opened(folder, database, project) as found:
        studies = Studies(found)
        studies.follow()
        study = studies.study(known_study(studies, name))
        path_of = {image.position: image.path for image in found.images()}
        classes = read_classes(list(path_of.values()), truth)
        n_answers = write_rows(out, ANSWER_COLUMNS, answer_rows(study, path_of, classes))
        beside = survey_file(out)
        n_survey = write_rows(beside, SURVEY_COLUMNS, survey_rows(study))
    if as_json:
        print_json({"answers": n_answers, "path": str(out), "survey": n_survey, "survey_path": str(beside)})
    else:
        console.print(f"{n_answers} answers in {out}, {n_survey} rows of the survey in {beside}")


@study_app.command()
def tables(
    exports: Annotated[
        list[Path], typer.Argument(help="Files that 'likewise study export' wrote, one for each study.")
    ],
    survey: Annotated[
        list[Path] | None, typer.Option(help="Files of the survey; by default those beside the answers.")
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print as Markdown.")] = False,
    as_json: AsJson = False,
) -> None:
    """Times, preferences and confusions, as Tables 3.6 to 3.9 of Pei (2017) define them."""
    from likewise.crowd.study_tables import read_study, read_survey, shown_tables, study_tables

    answers = [row for path in exports for row in read_study(path)]
    if not answers:
        fail(f"there is no answer in {', '.join(map(str, exports))}")
    beside = survey or [path for path in map(survey_file, exports) if path.is_file()]
    found = study_tables(answers, [row for path in beside for row in read_survey(path)])
    if as_json:
        print_json(found)
    elif markdown:
        typer.echo("\n\n".join(table.markdown() for table in shown_tables(found)))
    else:
        print_tables(shown_tables(found))


def _report(summary: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(summary)
        return
    counts = "{pairs} pairs and {triplets} triplets for each person".format(**summary)
    typer.echo(f"study {summary['study']}: {counts}; its page is {summary['page']} of 'likewise serve'")


def survey_file(out: Path) -> Path:
    """Path of the survey, beside the answers."""
    return out.with_name(f"{out.stem}-survey{out.suffix}")


@contextmanager
def opened(folder: Path, database: str | None, project: Path | None, *, create: bool = False) -> Iterator[Project]:
    """Open the project of a folder without its lock, which a server may hold."""
    location = locate_project(folder, DEFAULT_MODEL, database, project)
    with location.open_store(create=create) as store:
        yield location.project_of(store) if create else location.find(store)


def take_pictures(found: Project, folder: Path, project: Path | None) -> None:
    """Index the folder if the project has no pictures yet, which a server would do otherwise."""
    if found.images("present"):
        return
    from likewise.images.indexing import default_project, index

    made = index(folder, project=default_project(folder) if project is None else project.absolute())
    found.add_images(made.names)


def read_classes(paths: Sequence[str], truth: Path | None) -> Mapping[str, str]:
    """Class of each picture: from a list, or from the folder it is in."""
    from likewise.formats.truth import folder_truth, read_truth

    return folder_truth(paths) if truth is None else read_truth(truth)


def known_study(studies: Any, name: str) -> str:
    """The name of a study that is there; a clear word otherwise."""
    if name not in studies.names():
        fail(f"there is no study {name!r} (studies are: {', '.join(studies.names()) or 'none'})")
    return name


def _counts(pairs: int | None, triplets: int | None, pool: Mapping[str, Sequence[Any]] | None) -> dict[str, int]:
    if pool is None:
        if pairs is None and triplets is None:
            fail("give the numbers --pairs and --triplets, or a --list")
        return {"pairs": pairs or 0, "triplets": triplets or 0}
    listed = {"pairs": len(pool["pair"]), "triplets": len(pool["triplet"])}
    wanted = {"pairs": pairs, "triplets": triplets}
    return {form: listed[form] if n is None else n for form, n in wanted.items()}


def _read_pool(path: Path, position: Mapping[str, int]) -> dict[str, list[tuple[list[int], str]]]:
    """Questions from a CSV: pictures by name or number in the columns a, b and c, a level in another."""
    numbers = set(position.values())
    pool: dict[str, list[tuple[list[int], str]]] = {"pair": [], "triplet": []}

    def find(text: str, line: int) -> int:
        number = position.get(text, int(text) if text.isdecimal() else -1)
        if number not in numbers:
            fail(f"{path}, line {line}: there is no picture {text!r}")
        return number

    columns, rows = read_csv(path)
    if not {"a", "b"} <= set(columns):
        fail(f"{path} needs the columns a and b, and c for triplets")
    for line, row in rows:
        items = [find(text, line) for key in "abc" if (text := row.get(key, "").strip())]
        if len(items) < 2 or len(set(items)) < len(items):
            fail(f"{path}, line {line}: a question is two or three different pictures")
        pool["pair" if len(items) == 2 else "triplet"].append((items, row.get("level", "").strip()))
    return pool


def _board(
    position: Mapping[str, int], one_of_each: bool, chosen: Path | None, truth: Path | None, seed: int
) -> list[tuple[int, str]]:
    """Examples for the reference board: the chosen ones, or one of each class."""
    if chosen is not None:
        labels = read_classes([], chosen)
        missing = next((path for path in labels if path not in position), None)
        if missing is not None:
            fail(f"{chosen}: there is no picture {missing!r}")
        return [(position[path], label) for path, label in labels.items()]
    if not one_of_each:
        return []
    import numpy as np

    members: dict[str, list[int]] = {}
    for path, label in read_classes(list(position), truth).items():
        if path in position:
            members.setdefault(label, []).append(position[path])
    if not members:
        fail("a reference board needs classes: class folders, --truth or --board")
    rng = np.random.default_rng([seed, 2])
    return [(members[label][int(rng.integers(len(members[label])))], label) for label in sorted(members)]


def print_tables(shown: Iterable[Any]) -> None:
    """Print tables on standard output."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    screen = Console(width=None if os.isatty(1) else 120)
    for each in shown:
        table = Table(title=Text(each.title), title_justify="left")
        for k, column in enumerate(each.columns):
            table.add_column(Text(column), justify="left" if k == 0 else "right")
        for row in each.rows:
            table.add_row(*(Text(cell) for cell in row))
        screen.print(table)
