"""``likewise hierarchy``: find the tree among tags, and missing tags."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cells import read_cell
from likewise.cli.app import Seed, app, fail, print_json
from likewise.cli.standard_input import readable

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from likewise.hierarchy import LabelHierarchy

NAMES = ("name", "id")


@app.command()
def hierarchy(
    tags: Annotated[Path, typer.Argument(help="CSV, or -: name and a 0/1 column for each tag, or lines of name,tag.")],
    vectors: Annotated[Path, typer.Option(help="Vectors of the same items: .npy, .csv or .parquet.")],
    out: Annotated[Path, typer.Option(help="File for the tree and the suggestions: .json.")],
    svg: Annotated[Path | None, typer.Option(help="File for the drawn tree; by default OUT with .svg.")] = None,
    tree: Annotated[Path | None, typer.Option(help="CSV of parent,child names: a known tree.")] = None,
    threshold: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Probability from which a missing tag is suggested.")
    ] = 0.5,
    regularization: Annotated[
        float, typer.Option(help="Weight of the squared norm of the classifiers' coefficients.")
    ] = 1.0,
    starts: Annotated[int, typer.Option(min=1, help="Number of starts of the search.")] = 1,
    seed: Seed = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Find the tree among tags, and the tags that are missing, from vectors and incomplete tags."""
    from likewise.hierarchy import LabelHierarchy, draw_tree, tree_document

    if out.suffix.lower() != ".json":
        fail(f"--out must end in .json, got {str(out)!r}")
    with readable(tags) as file:
        names, tag_names, Z, X = _read(file, vectors)
    model = LabelHierarchy(
        None if tree is None else _read_tree(tree, tag_names),
        regularization=regularization,
        n_init=starts,
        random_state=seed,
    ).fit(X, Z)
    missing = _suggest(model, names, tag_names, Z, X, threshold)
    document = tree_document(
        model.edges_,
        tag_names,
        counts=Z.sum(axis=0).tolist(),
        alpha=model.alpha_,
        epsilon=model.epsilon_,
        learned=tree is None,
        suggestions=missing,
    )
    drawn = svg or out.with_suffix(".svg")
    out.write_text(json.dumps(document, indent=1) + "\n")
    drawn.write_text(draw_tree(document), encoding="utf-8")
    _report(document, len(names), out, drawn, as_json=as_json)


def _read(tags: Path, vectors: Path) -> tuple[list[str], list[str], NDArray[np.int64], NDArray[np.float64]]:
    import numpy as np
    import pandas as pd

    from likewise.datasets import load_table

    table = pd.read_csv(tags, dtype=str, keep_default_na=False).map(read_cell)
    column = next((name for name in NAMES if name in table.columns), None)
    known = _vector_names(vectors)
    X = load_table(vectors)
    rows = X.X
    if rows is None:
        fail(f"{str(vectors)!r} holds no vectors")
    known = known or X.names
    if column is not None and list(table.columns) == [column, "tag"]:
        if known is None:
            fail("tags in lines of name,tag need vectors with names: .csv, .parquet, or a .names.json beside the .npy")
        long = pd.crosstab(table[column], table["tag"]).clip(upper=1)
        unknown = sorted(set(long.index) - set(known))
        if unknown:
            fail(f"{str(tags)!r} tags {unknown[0]!r}, which has no vector")
        wide = long.reindex(known, fill_value=0)
        return known, [str(t) for t in wide.columns], wide.to_numpy(np.int64), rows
    return _read_wide(table, column, known, rows, tags)


def _read_wide(
    table: pd.DataFrame, column: str | None, known: list[str] | None, rows: NDArray[np.float64], path: Path
) -> tuple[list[str], list[str], NDArray[np.int64], NDArray[np.float64]]:
    import numpy as np

    names = table[column].tolist() if column is not None else [str(i) for i in range(len(table))]
    cells = table.drop(columns=[column]) if column is not None else table
    wrong = ~cells.isin(["0", "1", ""])
    if wrong.to_numpy().any():
        i, j = np.argwhere(wrong.to_numpy())[0]
        fail(f"{str(path)!r} holds {cells.iloc[i, j]!r} in line {i + 2}; a tag is 1, 0 or left empty")
    Z = (cells == "1").to_numpy(np.int64)
    if known is not None and column is not None:
        row_of = {name: i for i, name in enumerate(known)}
        unknown = [name for name in names if name not in row_of]
        if unknown:
            fail(f"{str(path)!r} tags {unknown[0]!r}, which has no vector")
        rows = rows[[row_of[name] for name in names]]
    if len(rows) != len(Z):
        fail(f"{str(path)!r} has {len(Z)} rows, but there are {len(rows)} vectors")
    return names, [str(name) for name in cells.columns], Z, rows


def _vector_names(vectors: Path) -> list[str] | None:
    """The names that ``likewise describe`` writes beside an .npy file."""
    beside = vectors.with_suffix(".names.json")
    if vectors.suffix.lower() != ".npy" or not beside.exists():
        return None
    return [str(name) for name in json.loads(beside.read_text())]


def _read_tree(path: Path, tag_names: list[str]) -> list[tuple[int, int]]:
    import pandas as pd

    table = pd.read_csv(path, dtype=str, keep_default_na=False).map(read_cell)
    if list(table.columns) != ["parent", "child"]:
        fail(f"{str(path)!r} must have the columns parent,child")
    number = {name: i for i, name in enumerate(tag_names)} | {"": -1}
    edges = []
    for parent, child in table.itertuples(index=False):
        for name in (parent, child):
            if name not in number:
                fail(f"{str(path)!r} names {name!r}, which is not a tag")
        edges.append((number[parent], number[child]))
    return edges


def _suggest(
    model: LabelHierarchy, names: list[str], tag_names: list[str], Z: Any, X: Any, threshold: float
) -> list[dict[str, Any]]:
    """Missing tags that are probably right, most probable first."""
    import numpy as np

    probability = model.posterior(X, Z)
    rows, columns = np.nonzero((Z == 0) & (probability > threshold))
    order = np.argsort(-probability[rows, columns], kind="stable")
    return [
        {
            "name": names[rows[at]],
            "tag": tag_names[columns[at]],
            "probability": round(float(probability[rows[at], columns[at]]), 4),
        }
        for at in order
    ]


def _report(document: dict[str, Any], n: int, out: Path, drawn: Path, *, as_json: bool) -> None:
    from likewise.cli.images import printable

    if as_json:
        print_json(
            {
                "out": str(out),
                "svg": str(drawn),
                "things": n,
                "tags": len(document["tags"]),
                "alpha": document["alpha"],
                "suggestions": len(document["suggestions"]),
            }
        )
        return
    for tag in document["tags"]:
        print("  " * tag["depth"] + f"{printable(tag['name'])} ({tag['count']:,})")
    print(f"{document['alpha']:.0%} of the tags seem to be missing; {len(document['suggestions']):,} suggested")
    print(f"tree and suggestions in {printable(str(out))}, drawn in {printable(str(drawn))}")
