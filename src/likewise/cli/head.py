"""``likewise head``: the distance learned from the answers, as a file for other projects and other programs."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.app import AsJson, app, fail, print_json
from likewise.cli.images import printable


@app.command()
def head(
    folder: Annotated[Path, typer.Argument(help="The folder of pictures, or the project folder.")],
    out: Annotated[Path, typer.Option(help="The .onnx file to write.")],
    as_json: AsJson = False,
) -> None:
    """Write the distance learned from a project's answers as a small ONNX network: vectors in, learned vectors out."""
    from likewise.app.learned import find_head
    from likewise.images.head import read_head

    if out.suffix.lower() != ".onnx":
        fail(f"--out must end in .onnx, got {str(out)!r}")
    source = find_head(folder)
    found = read_head(source)
    if not (out.exists() and out.samefile(source)):
        shutil.copyfile(source, out)
    d, k = found.axes.shape
    summary = {"out": os.fspath(out), "model": found.model, "answers": found.answers, "dimension": d, "learned": k}
    if as_json:
        print_json(summary)
    else:
        print(
            f"{d:,} numbers to {k:,}, learned from {found.answers:,} answers about {found.model}: {printable(str(out))}"
        )
