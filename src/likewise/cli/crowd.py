"""``likewise crowd``: cluster all items from a table of annotations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from likewise.cli.app import Seed, app, fail, print_json
from likewise.cli.standard_input import readable
from likewise.cli.tables import write_clusters

crowd_app = typer.Typer(help="Annotations of many people who make mistakes.", no_args_is_help=True)
app.add_typer(crowd_app, name="crowd")


@crowd_app.callback()
def crowd() -> None:
    """Annotations of many people who make mistakes."""


@crowd_app.command()
def fit(
    hits: Annotated[Path, typer.Argument(help="CSV with the columns hit, item and keyword (or group), or -.")],
    vectors: Annotated[Path, typer.Option(help="Vectors of all items: .npy, .csv or .parquet.")],
    n_clusters: Annotated[
        int | None, typer.Option("--n-clusters", "-k", help="Number of clusters; estimated by default.")
    ] = None,
    method: Annotated[str, typer.Option(help="semi-crowd, raw or base.")] = "semi-crowd",
    low: Annotated[float, typer.Option(help="Average similarities up to this value become 0.")] = 0.0,
    high: Annotated[float, typer.Option(help="Average similarities from this value up become 1.")] = 0.8,
    kernel: Annotated[str | None, typer.Option(help="rbf: similarities that are not linear in the vectors.")] = None,
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option(help="Write the clusters to this CSV instead of the screen.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a summary as JSON.")] = False,
) -> None:
    """Cluster all items from annotations of some of them."""
    from likewise.crowd import SemiCrowdClustering, read_hits
    from likewise.datasets import load

    dataset = load(vectors)
    if dataset.X is None:
        fail(f"{vectors} has no vectors: make them with 'likewise describe'")
    names = None if dataset.names is None else [str(name) for name in dataset.names]
    options: dict[str, Any] = {"method": method, "low": low, "high": high, "kernel": kernel}
    model = SemiCrowdClustering(n_clusters, random_state=seed, **options)
    with readable(hits) as file:
        given = read_hits(file, names)
    labels = model.fit_predict(dataset.X, hits=given)
    summary: dict[str, Any] = {
        "n": len(labels),
        "annotated": len(model.annotated_),
        "n_clusters": int(model.n_clusters_),
        "method": method,
    }
    if dataset.truth is not None:
        from likewise.metrics import measure

        summary |= measure(dataset.truth, labels)
    if out is not None or not as_json:
        write_clusters(labels.tolist(), names, out)
    if as_json:
        print_json(summary | ({} if out else {"labels": labels.tolist()}))
