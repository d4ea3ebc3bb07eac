"""``likewise subcluster``: a few examples of every class, from any number of vectors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from likewise.cli.app import Seed, app, fail, print_json
from likewise.cli.machines import Dask, scheduler
from likewise.cli.standard_input import readable
from likewise.cli.tables import write_table


@app.command()
def subcluster(
    data: Annotated[Path, typer.Argument(help="Vectors or distances: .csv, .npy or .parquet; - is standard input.")],
    n_clusters: Annotated[int, typer.Option("--n-clusters", "-k", help="Number of subclusters.")],
    size: Annotated[int, typer.Option(help="Examples in each.")] = 10,
    restricted: Annotated[
        int | None, typer.Option(help="Rows drawn that may be centres; 20 for every subcluster if not given.")
    ] = None,
    metric: Annotated[
        str, typer.Option(help="euclidean, cosine, chi2, robust, or precomputed for a distance matrix.")
    ] = "euclidean",
    dask: Dask = None,
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option(help="Write the subclusters to this CSV, not to the screen.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a summary as JSON.")] = False,
) -> None:
    """Find a few good examples of every class."""
    from likewise.cluster import Subclustering

    with readable(data) as file, _client(dask) as client:
        X, names, truth = _read(file)
        model = Subclustering(
            n_clusters, size=size, metric=metric, restricted=restricted, client=client, random_state=seed
        ).fit(X)
    summary: dict[str, Any] = {
        "n": len(X),
        "n_clusters": int(model.n_clusters_),
        "size": int(model.subclusters_.shape[1]),
        "cost": float(model.objective_),
    }
    if truth is not None:
        from likewise.metrics import subclustering_jaccard

        summary["subclustering_jaccard"] = subclustering_jaccard(truth, model.subclusters_)
    if out is not None or not as_json:
        _write(model.subclusters_, names, out)
    if as_json:
        print_json(summary | ({} if out else {"subclusters": model.subclusters_.tolist()}))


def _read(data: Path) -> tuple[Any, Any, Any]:
    """Vectors, names and classes; an array of floats in a file stays there."""
    import numpy as np

    from likewise.datasets import load, map_table

    if data.suffix == ".npy" and data.exists():
        mapped = map_table(data)
        if mapped.dtype in (np.float32, np.float64) and mapped.size:
            with np.errstate(over="ignore", invalid="ignore"):
                doubtful = np.flatnonzero(~np.isfinite(mapped.sum(axis=1)))
            bad = doubtful[~np.isfinite(mapped[doubtful]).all(axis=1)]
            if len(bad):
                fail(f"{str(data)!r}: {len(bad):,} rows hold no finite numbers, the first is row {bad[0]}")
            return mapped, None, None

    dataset = load(data)
    if dataset.X is None:
        fail(f"{data} has no vectors: make them with 'likewise describe'")
    return dataset.X, dataset.names, dataset.truth


@contextmanager
def _client(where: str | None) -> Iterator[Any]:
    with scheduler(where) as address:
        if address is None:
            yield None
            return
        from likewise.machines import connect

        with connect(address) as client:
            yield client


def _write(subclusters: Any, names: Any, out: Path | None) -> None:
    rows = [
        (k, rank, item if names is None else names[item])
        for k, members in enumerate(subclusters.tolist())
        for rank, item in enumerate(members)
    ]
    write_table(("subcluster", "rank", "item"), rows, out)
