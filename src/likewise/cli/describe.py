"""``likewise describe`` and ``likewise neighbours``: pictures in, vectors and the closest pictures out."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cells import guard_cell
from likewise.cli.app import AsJson, app, console, fail, print_json
from likewise.cli.images import printable
from likewise.cli.machines import Dask, scheduler

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from likewise.images import Index, UnreadableImage
    from likewise.images.vectors import Recipe

SUFFIXES = (".npy", ".csv", ".parquet")
Descriptors = Annotated[
    str | None,
    typer.Option(help="Names with commas between: laplacian, probability, hough, fourier, hsv, gist, shape."),
]
Model = Annotated[
    str | None,
    typer.Option(help="Embed instead: efficientnet-lite0, another name of 'likewise models', or an .onnx file."),
]
Project = Annotated[Path | None, typer.Option(help="Where index and vectors are kept; by default FOLDER/.likewise.")]


@app.command()
def describe(
    folder: Annotated[Path, typer.Argument(help="Folder of pictures, searched with its subfolders.")],
    out: Annotated[Path, typer.Option(help="File to write: .npy, .csv or .parquet.")],
    descriptors: Descriptors = None,
    model: Model = None,
    pca: Annotated[str | None, typer.Option(help="Reduce to so many principal components, or to a fifth.")] = None,
    root: Annotated[bool, typer.Option("--root", help="Square roots of all numbers, before PCA.")] = False,
    learned: Annotated[
        Path | None,
        typer.Option(help="Vectors under a learned distance: a project's folder, or a file of 'likewise head'."),
    ] = None,
    project: Project = None,
    near: Annotated[
        int | None,
        typer.Option("--neighbours", min=1, help="Find so many nearest pictures of each, too: OUT.neighbours."),
    ] = None,
    dask: Dask = None,
    as_json: AsJson = False,
) -> None:
    """Describe the pictures of a folder by vectors: one row a picture, in the order of the index."""
    from likewise.images.descriptors import JOINT

    if out.suffix.lower() not in SUFFIXES:
        fail(f"--out must end in {', '.join(SUFFIXES)}, got {str(out)!r}")
    if pca not in (None, "fifth") and not (str(pca).isdecimal() and int(str(pca)) > 0):
        fail(f"--pca must be a positive number or 'fifth', got {pca!r}")
    if learned is not None and (descriptors is not None or pca is not None or root):
        fail("--learned is for the vectors of a model as they are: leave --descriptors, --pca and --root out")
    if learned is None and descriptors is None and model is None:
        descriptors = ",".join(JOINT)
    if near is not None and out.suffix.lower() != ".npy":
        fail("--neighbours are kept beside a .npy file: give --out one")
    with scheduler(dask) as address:
        summary, names, rows = _describe(folder, project, (descriptors, model), (pca, root), learned, address)
        _write(out, names, rows)
        if near is not None:
            summary["neighbours"] = _write_graph(out, rows, near, str(summary["metric"]), address)
    summary = {"out": os.fspath(out), **summary}
    if as_json:
        print_json(summary)
    else:
        print(f"{len(names):,} pictures × {rows.shape[1]:,} numbers in {printable(str(out))}")
        print(f"meant for the metric {summary['metric']}; {summary['skipped']:,} skipped")


def _describe(
    folder: Path,
    project: Path | None,
    made: tuple[str | None, str | None],
    changed: tuple[str | None, bool],
    learned: Path | None,
    dask: str | None,
) -> tuple[dict[str, Any], list[str], NDArray[Any]]:
    """What is said in the end, and the names and rows of the readable pictures."""
    import numpy as np

    from likewise.images.descriptors import reduce_rows

    pca, root = changed
    found, rows, how = _vectors(folder, project, *made, dask)
    readable = ~np.isnan(rows).any(axis=1)
    names = [name for name, fine in zip(found.names, readable, strict=True) if fine]
    rows = rows[readable]
    if root:
        rows = np.sign(rows) * np.sqrt(np.abs(rows))
    if learned is not None:
        rows = _under_learned(rows, learned, how.key)
    if pca is not None:
        rows = reduce_rows(np.asarray(rows, np.float64), "fifth" if pca == "fifth" else int(pca))
    summary = {
        "pictures": len(names),
        "dimension": rows.shape[1],
        "skipped": len(found.skipped) + int((~readable).sum()),
        "metric": "euclidean" if root or pca or learned else how.metric,
    }
    return summary, names, rows


def _under_learned(rows: NDArray[Any], learned: Path, key: str) -> NDArray[Any]:
    """Vectors whose Euclidean distances are those that a project learned."""
    from likewise.app.learned import find_head, reduction_of
    from likewise.images.head import read_head

    found = read_head(find_head(learned))
    if found.model != key:
        fail(
            f"{str(learned)!r} was learned for the vectors {found.model!r}, and these are {key!r}: choose with --model"
        )
    return reduction_of(found).apply(rows)


def _write_graph(out: Path, rows: NDArray[Any], near: int, metric: str, dask: str | None) -> str:
    """Keep the nearest pictures of each; returns where."""
    from likewise.distances import nearest, nearest_on_dask, save_neighbours
    from likewise.machines import connect

    folder = out.with_suffix(".neighbours")
    if dask is None:
        save_neighbours(folder, nearest(rows, n_neighbors=near, metric=metric))
        return os.fspath(folder)
    with connect(dask) as client:
        nearest_on_dask(rows, client, n_neighbors=near, metric=metric, folder=folder)
    return os.fspath(folder)


@app.command()
def neighbours(
    image: Annotated[Path, typer.Argument(help="A picture.")],
    folder: Annotated[Path | None, typer.Option(help="Where to look; by default the picture's own folder.")] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many.")] = 10,
    descriptors: Descriptors = None,
    model: Model = None,
    metric: Annotated[
        str | None, typer.Option(help="euclidean, cosine, chi2 or robust; by default what suits the vectors.")
    ] = None,
    project: Project = None,
    as_json: AsJson = False,
) -> None:
    """Print the pictures of a folder that are closest to a picture, nearest first."""
    import numpy as np

    from likewise.distances import nearest

    if not image.is_file():
        fail(f"there is no picture {str(image)!r}")
    found, rows, how = _vectors(folder or image.parent, project, descriptors, model)
    query = how.compute([image], on_error="raise")
    itself = os.path.realpath(image)
    others = [i for i, path in enumerate(found.paths) if not np.isnan(rows[i, 0]) and os.path.realpath(path) != itself]
    if not others:
        fail(f"there is no other picture in {str(folder or image.parent)!r}")
    metric = metric or how.metric
    close = nearest(query, rows[others], n_neighbors=min(k, len(others)), metric=metric)
    listed = [
        {"name": found.names[others[i]], "distance": float(distance)}
        for i, distance in zip(close.indices[0], close.distances[0], strict=True)
    ]
    if as_json:
        print_json({"image": os.fspath(image), "metric": metric, "neighbours": listed})
    else:
        _show(listed, metric)


def _vectors(
    folder: Path, project: Path | None, descriptors: str | None, model: str | None, dask: str | None = None
) -> tuple[Index, NDArray[Any], Recipe]:
    from likewise.images import index
    from likewise.images.distributed import recipe_on_dask
    from likewise.images.vectors import recipe, vectors

    names = [name.strip() for name in descriptors.split(",")] if descriptors is not None else None
    try:
        how = recipe(model, names) if dask is None else recipe_on_dask(dask, model, names)
    except ImportError as error:
        fail(f"{error}; or choose --descriptors")
    found = index(folder, project=project, progress=console.is_terminal)
    return found, vectors(found, how, on_error=_tell, progress=console.is_terminal), how


def _tell(error: UnreadableImage) -> None:
    print(f"likewise: {printable(str(error))}", file=sys.stderr)


def _write(out: Path, names: list[str], rows: NDArray[np.floating[Any]]) -> None:
    import numpy as np

    if out.suffix.lower() == ".npy":
        np.save(out, rows)
        out.with_suffix(".names.json").write_text(json.dumps(names, indent=0) + "\n")
        return
    import pandas as pd

    table = pd.DataFrame(rows, columns=[f"x{i}" for i in range(rows.shape[1])])
    # Names may hold bytes that are no text, which no table takes.
    table.insert(0, "name", [name.encode("utf-8", "backslashreplace").decode() for name in names])
    if out.suffix.lower() == ".csv":
        table["name"] = table["name"].map(guard_cell)
        table.to_csv(out, index=False)
        return
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        fail("Parquet needs pyarrow: install likewise[parquet]")
    table.to_parquet(out, index=False)


def _show(listed: list[dict[str, Any]], metric: str) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("picture", metric)
    for each in listed:
        table.add_row(Text(printable(each["name"])), f"{each['distance']:.4f}")
    Console(file=sys.stdout).print(table)
