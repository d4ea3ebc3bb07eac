"""``likewise study clusters`` and ``curve``: what the answers of a study do for the clusters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from likewise.cli.app import AsJson, Seed, console, fail, print_json
from likewise.cli.curves import NEEDS, can_draw, draw
from likewise.cli.serve import Database, Folder, ProjectFolder, locate_project
from likewise.cli.study import Name, Truth, known_study, opened, print_tables, read_classes, study_app
from likewise.cli.tables import write_clusters

if TYPE_CHECKING:
    from likewise.crowd import StudyAnswer, StudyClusters

SHOWN_CONFLICTS = 5
By = Annotated[
    str, typer.Option(help="Who clusters: session, or one of 'likewise clusterers', as hacc or discriminative.")
]
Count = Annotated[int | None, typer.Option("--n-clusters", "-k", help="Number of clusters; not needed with session.")]
Vectors = Annotated[
    Path | None,
    typer.Option(help="Vectors with a column of names (.csv, .parquet), instead of those the project was served with."),
]
Metric = Annotated[str, typer.Option(help="euclidean, cosine, chi2 or robust.")]


@study_app.command()
def clusters(
    folder: Folder,
    name: Name,
    by: By = "session",
    n_clusters: Count = None,
    person: Annotated[str | None, typer.Option(help="Only the answers of this person.")] = None,
    vectors: Vectors = None,
    metric: Metric = "euclidean",
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option(help="Write the clusters to this CSV instead of the screen.")] = None,
    database: Database = None,
    project: ProjectFolder = None,
    as_json: AsJson = False,
) -> None:
    """Cluster the pictures under the answers of a study; works while the project is served."""
    from likewise.crowd import cluster_study

    answers, names, X = _read(folder, name, vectors, database, project)
    if person is not None:
        answers = [answer for answer in answers if answer.person == person]
        if not answers:
            fail(f"{person!r} has given no answer in the study {name!r}")
    found = cluster_study(answers, X, names, by=by, n_clusters=n_clusters, metric=metric, random_state=seed)
    labels = found.labels.tolist()
    if out is not None or not as_json:
        write_clusters(labels, names, out)
    if as_json:
        print_json(_summary(found, by) | ({} if out else {"labels": dict(zip(names, labels, strict=True))}))
    else:
        _tell(found)


@study_app.command()
def curve(
    folder: Folder,
    name: Name,
    by: By = "session",
    n_clusters: Count = None,
    along: Annotated[
        Literal["answers", "items", "seconds"],
        typer.Option(help="All answers together, or pairs against triplets at as many items shown, or in equal time."),
    ] = "answers",
    steps: Annotated[int, typer.Option(min=1, help="Number of points of the curve.")] = 5,
    truth: Truth = None,
    vectors: Vectors = None,
    metric: Metric = "euclidean",
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option(help="Write the curve to this CSV.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the curve in this picture file.")] = None,
    database: Database = None,
    project: ProjectFolder = None,
    as_json: AsJson = False,
) -> None:
    """Show how the clusters improve with the answers of a study (Pei 2017, Fig. 3.9 and 3.10)."""
    import pandas as pd

    from likewise.crowd import compare_forms, study_curve

    if plot is not None and not can_draw():
        fail(f"drawing {NEEDS}")
    answers, names, X = _read(folder, name, vectors, database, project)
    classes = read_classes(names, truth)
    known = [classes.get(each) for each in names]
    if not any(known):
        fail("the curve needs classes: class folders, or --truth")
    if None in known:
        console.print(f"{known.count(None)} of {len(names)} pictures have no class and are not measured")
    options: dict[str, Any] = {"by": by, "n_clusters": n_clusters, "metric": metric, "steps": steps}
    options["random_state"] = seed
    if along == "answers":
        rows = study_curve(answers, X, names, known, **options)
    else:
        rows = compare_forms(answers, X, names, known, along=along, **options)
    table = pd.DataFrame(rows)
    if out is not None:
        table.to_csv(out, index=False)
    if plot is not None:
        lines = table if along == "answers" else {str(form): rest for form, rest in table.groupby("form", sort=False)}
        against = {"against": "seconds"} if along == "seconds" else {}
        draw(lines, plot, title=f"{name}: {by}", measure=None if along == "answers" else "f_measure", **against)
    if as_json:
        print_json(rows)
    else:
        print_tables([_table(rows, name, by)])


def _read(
    folder: Path, name: str, vectors: Path | None, database: str | None, project: Path | None
) -> tuple[list[StudyAnswer], list[str], Any]:
    """The answers of a study, and the names and vectors of the pictures."""
    from likewise.app.studies import Studies
    from likewise.app.study_items import study_answers, study_items

    with opened(folder, database, project) as found:
        studies = Studies(found)
        studies.follow()
        study = studies.study(known_study(studies, name))
        answers = study_answers(study, {item.id: item.name for item in found.items()})
        if not answers:
            fail(f"nobody has answered a question of the study {name!r} yet")
        if vectors is not None:
            return answers, *_load(vectors)
        items = study_items(found, locate_project(folder, None, database, project).model, answers)
    if items.without:
        console.print(f"{items.without} pictures have no vectors yet and are left out; nobody was asked about them")
    return answers, items.names, items.X


def _load(path: Path) -> tuple[list[str], Any]:
    from likewise.datasets import load_table

    table = load_table(path)
    if table.names is None:
        fail(f"{path} needs a column 'id', 'name' or 'path' with the names of the pictures")
    return table.names, table.X


def _summary(found: StudyClusters, by: str) -> dict[str, Any]:
    return {
        "by": by,
        "n_clusters": len(set(found.labels.tolist())),
        "answers": found.answers,
        "unsure": found.unsure,
        "otherwise": found.otherwise,
        "set_aside": found.set_aside,
        "conflicting": found.n_conflicting,
        "conflicts": [str(conflict) for conflict in found.conflicts],
        "not_counted": list(found.not_counted),
    }


def _tell(found: StudyClusters) -> None:
    """Say on standard error what became of the answers."""
    said = f"{found.answers} answers, {found.unsure} of them not sure"
    if found.otherwise and found.set_aside:
        said += f"; {found.otherwise} triplets with 'otherwise', which tell nothing about pairs"
    console.print(said, markup=False, highlight=False)
    if found.conflicts:
        what = "are set aside (of triplets, the pair)" if found.set_aside else "count all the same"
        console.print(f"{found.n_conflicting} answers contradict others and {what}:", highlight=False)
        for conflict in found.conflicts[:SHOWN_CONFLICTS]:
            console.print(f"  {conflict}", markup=False, highlight=False, soft_wrap=True)
        if len(found.conflicts) > SHOWN_CONFLICTS:
            console.print(f"  and {len(found.conflicts) - SHOWN_CONFLICTS} more: --json lists all", highlight=False)
    if found.not_counted:
        people = ", ".join(found.not_counted)
        console.print(f"others contradict them so often that their answers weigh nothing: {people}", markup=False)


def _table(rows: list[dict[str, Any]], name: str, by: str) -> Any:
    from likewise.crowd.study_tables import Table

    head = ("answers", "right", "wrong", "not sure", "contradict", "seconds", "clusters", "Jaccard", "ARI", "F")
    keys = ("answers", "right", "wrong", "unsure", "conflicts", "seconds", "n_clusters", "jaccard", "ari", "f_measure")
    compared = "form" in rows[0]
    lines = []
    for row in rows:
        cells = [f"{row[key]:.3f}" if key in keys[-3:] else f"{row[key]:g}" for key in keys]
        half = row.get("interval_95")
        cells[-1] += "" if half is None else f" ± {half:.3f}"
        lines.append((*((row["form"],) if compared else ()), *cells))
    people = f", means of {rows[0]['people']} people" if compared else ""
    return Table(f"{name}, clusters by {by}{people}", (*(("form",) if compared else ()), *head), tuple(lines))
