"""``likewise simulate`` and ``likewise demo``: learning curves with simulated people."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from likewise.cli.app import Seed, app, console, fail, print_json
from likewise.cli.serve import Port
from likewise.cli.standard_input import readable

if TYPE_CHECKING:
    import pandas as pd

    from likewise.datasets import Dataset
    from likewise.session import Session

NEEDS = "needs matplotlib: pip install 'likewise[plot]'"
SHOWN = ["answers", "person_seconds", "ari", "jaccard", "v_measure", "f_measure", "n_clusters", "seconds"]


@app.command()
def simulate(
    data: Annotated[
        Path,
        typer.Argument(help="Vectors with a label column (.csv, .parquet), or class folders; - is standard input."),
    ],
    budget: Annotated[int, typer.Option(help="Largest number of questions.")] = 100,
    budget_seconds: Annotated[float | None, typer.Option(help="Seconds of the person after which it ends.")] = None,
    forms: Annotated[str, typer.Option(help="auto: pairs, grids and picks; or forms, separated by commas.")] = "pair",
    strategy: Annotated[str, typer.Option(help="Strategy that asks; 'likewise strategies' lists the names.")] = "auto",
    n_clusters: Annotated[
        int | None, typer.Option("--n-clusters", "-k", help="Number of clusters, when it is known.")
    ] = None,
    metric: Annotated[str, typer.Option(help="euclidean, cosine, chi2 or robust.")] = "euclidean",
    error_rate: Annotated[float, typer.Option(help="Share of wrong answers.")] = 0.0,
    overlook_rate: Annotated[
        float | None, typer.Option(help="Share of odd pictures overlooked on grids; 2.5 times the wrong answers.")
    ] = None,
    unsure_rate: Annotated[float, typer.Option(help="Share of 'unsure' answers.")] = 0.0,
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option(help="Write the curve to this CSV.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the curve in this picture file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the curve as JSON.")] = False,
) -> None:
    """Ask a simulated person and show how the clusters improve with every answer."""
    from likewise.datasets import load
    from likewise.session import Session

    if plot is not None and not can_draw():
        fail(f"drawing {NEEDS}")
    with readable(data) as file:
        dataset = load(file)
    if dataset.truth is None:
        fail(f"{data} has no column 'label': a simulated person must know the truth")
    if dataset.X is None:
        fail(f"{data} has no vectors: make them with 'likewise describe'")
    named: Any = forms if forms == "auto" else forms.split(",")
    options: dict[str, Any] = {"n_clusters": n_clusters, "metric": metric, "forms": named}
    session = Session(dataset.X, strategy=strategy, random_state=seed, **options)
    rates = {"error_rate": error_rate, "unsure_rate": unsure_rate, "overlook_rate": overlook_rate}
    curve = run(session, dataset.truth, budget, budget_seconds=budget_seconds, **rates)
    if out is not None:
        curve.to_csv(out, index=False)
    if plot is not None:
        draw(curve, plot, title=f"{data.name}: {strategy}")
    if as_json:
        print_json(curve.to_dict(orient="records"))
    else:
        show(curve)


@app.command()
def strategies(as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False) -> None:
    """List the names that --strategy takes."""
    from likewise.query import strategies as names

    if as_json:
        print_json(names())
    else:
        typer.echo("\n".join(names()))


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for the pictures, the project and the curve.")] = Path("demo"),
    port: Port = 8117,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
    seconds: Annotated[float | None, typer.Option(help="Stop after this many seconds.")] = None,
    pictures: Annotated[
        Literal["leaves", "digits"] | None,
        typer.Option(help="What is on the pictures; by default leaves, and digits with --simulate."),
    ] = None,
    simulated: Annotated[
        bool, typer.Option("--simulate", help="Let a simulated person answer in the terminal, about digits.")
    ] = False,
    budget: Annotated[int, typer.Option(help="Largest number of questions, with --simulate.")] = 200,
    strategy: Annotated[str, typer.Option(help="Strategy that asks.")] = "auto",
    seed: Seed = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the curve as JSON, with --simulate.")] = False,
) -> None:
    """Open the page on drawn leaves or on digits, or with --simulate let a simulated person answer."""
    if simulated:
        if pictures == "leaves":
            fail("--simulate answers about digits: leave out --pictures leaves")
        simulate_demo(write_digits(out), out, budget, strategy, seed, as_json=as_json)
        return
    from likewise.cli.serve import check_strategy, open_project, run_server

    check_strategy(strategy)
    if pictures == "digits":
        write_digits(out)
        live, shown = open_project(out / "pictures", "pixels", None, out / "project")
    else:
        draw_leaves(out / "leaves")
        live, shown = open_project(out / "leaves", None, None, None)
    live.adjust({"seed": seed} if strategy == "auto" else {"seed": seed, "strategy": strategy})
    live.change_settings({"stacks": False})  # what was drawn or written alike is no copy
    run_server(live, shown, port, browser, seconds)


def write_digits(out: Path) -> Dataset:
    """The bundled digits, as pictures too."""
    from likewise.datasets import load_demo

    dataset = load_demo(out / "pictures")
    console.print(f"{len(dataset)} pictures of digits in {out / 'pictures'}; which digit is which stays hidden.")
    return dataset


def draw_leaves(folder: Path) -> None:
    """Draw the leaves of the demo, with a bar; once."""
    from rich.progress import Progress

    from likewise.images.leaves import draw_collection

    with Progress(console=console, transient=True) as progress:
        line = progress.add_task("drawing leaves")
        count = draw_collection(folder, progress=lambda done, of: progress.update(line, completed=done, total=of))
    console.print(f"{count} drawn leaves in {folder}; which kinds there are stays hidden.")


def simulate_demo(dataset: Dataset, out: Path, budget: int, strategy: str, seed: int, *, as_json: bool = False) -> None:
    """Ask a simulated person about the bundled pictures; write the curve and a table."""
    from likewise.session import Session

    assert dataset.X is not None
    session = Session(dataset.X, strategy=strategy, random_state=seed)
    curve = run(session, dataset.truth, budget)
    curve.to_csv(out / "curve.csv", index=False)
    if as_json:
        print_json(curve.to_dict("records"))
    else:
        show(curve)
    console.print(f"The table is in {out / 'curve.csv'}.")
    if can_draw():
        draw(curve, out / "curve.png", title="Bundled digits, simulated answers")
        console.print(f"The curve is in {out / 'curve.png'}.")
    else:
        console.print(f"A picture of the curve {NEEDS}", markup=False)


def run(session: Session, truth: Any, budget: int, **options: Any) -> pd.DataFrame:
    """Simulate with a progress bar on standard error; options are those of :func:`likewise.simulate`."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from likewise.simulate import simulate as ask_and_measure

    columns = (
        TextColumn("asking"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("ARI {task.fields[ari]:.3f}"),
        TextColumn("{task.fields[n_clusters]} clusters"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress:
        line = progress.add_task("asking", total=budget, ari=float("nan"), n_clusters=0)

        def step(row: dict[str, float]) -> None:
            progress.update(line, advance=1, ari=row["ari"], n_clusters=int(row["n_clusters"]))

        return ask_and_measure(session, truth, budget, progress=step, **options)


def show(curve: pd.DataFrame) -> None:
    """Print some rows of a curve as a table: the first, the last, and about ten in between."""
    from rich.console import Console
    from rich.table import Table

    table = Table("answers", "person", "ARI", "Jaccard", "V", "F", "clusters", "s/question")
    step = max(1, len(curve) // 10)
    kept = curve.iloc[sorted({0, *range(step - 1, len(curve), step), len(curve) - 1})] if len(curve) else curve
    for answers, taken, *measures, n_clusters, seconds in kept[SHOWN].to_numpy().tolist():
        scores = (f"{value:.3f}" for value in measures)
        table.add_row(f"{answers:.0f}", f"{taken:.0f} s", *scores, f"{n_clusters:.0f}", f"{seconds:.3f}")
    Console().print(table)
    if not len(curve):
        typer.echo("nothing was asked")


def can_draw() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def draw(curve: pd.DataFrame | Mapping[str, pd.DataFrame], path: Path, *, title: str, **options: Any) -> None:
    """Draw scores against answers in a picture file; options are those of :func:`likewise.plot.learning_curves`."""
    from likewise.plot import learning_curves

    axes = learning_curves(curve, **options)
    axes.set_title(title)
    path.parent.mkdir(parents=True, exist_ok=True)
    axes.figure.savefig(path, dpi=150)
