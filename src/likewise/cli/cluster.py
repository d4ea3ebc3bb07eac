"""``likewise cluster``: cluster the rows of a table."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from likewise.cli.app import Seed, app, fail, print_json
from likewise.cli.standard_input import readable
from likewise.cli.tables import write_clusters


@app.command()
def cluster(
    data: Annotated[Path, typer.Argument(help="Vectors or distances: .csv, .npy or .parquet; - is standard input.")],
    n_clusters: Annotated[int, typer.Option("--n-clusters", "-k", help="Number of clusters.")],
    method: Annotated[str, typer.Option(help="Who clusters; 'likewise clusterers' lists the names.")] = "hacc",
    metric: Annotated[
        str, typer.Option(help="euclidean, cosine, chi2, robust, or precomputed for a distance matrix.")
    ] = "euclidean",
    must_link: Annotated[
        Path | None, typer.Option(help="CSV of pairs of row numbers (from 0) that are the same.")
    ] = None,
    cannot_link: Annotated[
        Path | None, typer.Option(help="CSV of pairs of row numbers (from 0) that are different.")
    ] = None,
    bags: Annotated[
        Path | None,
        typer.Option(help="CSV of row number, bag and the bag's labels (';' between them), for bag-spectral."),
    ] = None,
    triplets: Annotated[
        Path | None,
        typer.Option(
            help="CSV of three row numbers and ab, ac, bc or none: which two are the same, for discriminative."
        ),
    ] = None,
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option(help="Write the clusters to this CSV instead of the screen.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a summary as JSON.")] = False,
) -> None:
    """Cluster rows under must-links and cannot-links, triplets, and the labels of bags."""
    import numpy as np

    from likewise.datasets import load

    with readable(data) as file:
        dataset = load(file)
    if dataset.X is None:
        fail(f"{data} has no vectors: make them with 'likewise describe'")
    estimator = _make(method, n_clusters, metric, seed)
    given = {"must_link": _read_pairs(must_link), "cannot_link": _read_pairs(cannot_link)}
    given |= _side_information(estimator, method, len(dataset.X), bags, triplets)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the cannot-links allow no fewer")  # said below
        labels = np.asarray(estimator.fit_predict(dataset.X, **given))
    summary: dict[str, Any] = {
        "n": len(labels),
        "n_clusters": len(set(labels.tolist())),
        "method": method,
        "dead_end": bool(getattr(estimator, "dead_end_", False)),
    }
    if dataset.truth is not None:
        from likewise.metrics import measure

        summary |= measure(dataset.truth, labels)
    if out is not None or not as_json:
        write_clusters(labels.tolist(), dataset.names, out)
    if as_json:
        print_json(summary | ({} if out else {"labels": labels.tolist()}))
    elif summary["dead_end"]:
        typer.echo(f"stopped at {summary['n_clusters']} clusters: the cannot-links forbid any merge", err=True)


@app.command()
def clusterers(as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False) -> None:
    """List the names of clusterers, those of plug-ins among them."""
    from likewise.cluster import clusterers as names

    if as_json:
        print_json(names())
    else:
        typer.echo("\n".join(names()))


def _make(method: str, n_clusters: int, metric: str, seed: int) -> Any:
    from likewise.cluster import make_clusterer

    estimator = make_clusterer(method)
    params = estimator.get_params()
    wanted = {"n_clusters": n_clusters, "max_clusters": n_clusters, "metric": metric, "random_state": seed}
    if metric != "euclidean" and "metric" not in params:
        fail(f"{method} needs vectors and the Euclidean distance, not {metric}")
    return estimator.set_params(**{key: value for key, value in wanted.items() if key in params})


def _side_information(estimator: Any, method: str, n: int, bags: Path | None, triplets: Path | None) -> dict[str, Any]:
    """What `fit` gets besides pairs; a clusterer that takes no such thing is named."""
    from likewise.cli.bags import read_bags
    from likewise.cli.triplets import read_triplets
    from likewise.cluster.registry import takes

    if bags is not None:
        if "bags" not in estimator.get_params():
            fail(f"{method} takes no bags: --method bag-spectral does")
        estimator.set_params(**read_bags(bags, n))
    if triplets is None:
        return {}
    if not takes(estimator, "triplets"):
        fail(f"{method} takes no triplets: --method discriminative does")
    return {"triplets": read_triplets(triplets, n)}


def _read_pairs(path: Path | None) -> Any:
    if path is None:
        return None
    import pandas as pd

    try:
        table = pd.read_csv(path, header=None, comment="#")
    except pd.errors.EmptyDataError:
        return None
    if table.shape[1] < 2:
        fail(f"{path} must have two columns of row numbers")
    pairs = table.iloc[:, :2].apply(pd.to_numeric, errors="coerce")
    start = 1 if pairs.iloc[0].isna().all() else 0  # a header
    bad = pairs.iloc[start:].isna().any(axis=1)
    if bad.any():
        fail(f"{path}, line {int(bad.idxmax()) + 1}: two row numbers are expected")
    return pairs.iloc[start:].to_numpy()
