"""``likewise models``: the networks that can be asked for by name."""

from __future__ import annotations

from typing import Any

from likewise.cli.app import AsJson, app, print_json


@app.command()
def models(as_json: AsJson = False) -> None:
    """List the models that --model takes by name: size, licence, what each is good at, and whether it is here."""
    listed = _packaged() + _known() + _registered()
    if as_json:
        print_json(listed)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("model", "size", "numbers", "licence", "words", "here", "good at")
    for each in listed:
        size = f"{each['bytes'] / 1e6:,.0f} MB" if each["bytes"] else ""
        marks = ["yes" if each[name] else "no" for name in ("words", "here")]
        numbers = "" if each["dimension"] is None else str(each["dimension"])
        table.add_row(*map(Text, (each["name"], size, numbers, each["licence"], *marks, each["good_at"])))
    Console().print(table)
    print("Also: an .onnx file, timm:NAME and open_clip:NAME/WEIGHTS where these packages are installed.")


def _packaged() -> list[dict[str, Any]]:
    lite = _row("efficientnet-lite0", 1280, "Apache-2.0", "the default: quick, everyday things", here=True)
    return [lite, _row("pixels", 256, "", "small grey copies: digits, signs, icons", here=True)]


def _known() -> list[dict[str, Any]]:
    from likewise.images.hub import is_kept
    from likewise.images.known_models import KNOWN

    return [
        _row(
            name,
            known.dimension,
            known.licence,
            known.good_at,
            here=is_kept(name),
            n_bytes=known.n_bytes,
            words=known.text is not None,
        )
        for name, known in KNOWN.items()
    ]


def _registered() -> list[dict[str, Any]]:
    from likewise.plugins import load_plugins

    return [_row(name, None, "", "a plug-in", here=True) for name in sorted(load_plugins("embedders"))]


def _row(
    name: str,
    dimension: int | None,
    licence: str,
    good_at: str,
    *,
    here: bool,
    n_bytes: int | None = None,
    words: bool = False,
) -> dict[str, Any]:
    about = {"name": name, "dimension": dimension, "licence": licence, "good_at": good_at}
    return {**about, "here": here, "bytes": n_bytes, "words": words}
