"""Runs examples/digits.ipynb and writes it, with its outputs, into the site: ``python -m tools.notebook_page``."""

from __future__ import annotations

import ast
import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOK = ROOT / "examples" / "digits.ipynb"
PAGE = ROOT / "docs" / "howto" / "digits.md"
PICTURES = ROOT / "docs" / "assets" / "notebook"
HEAD = "Written by `python -m tools.notebook_page` from `examples/digits.ipynb`, with what its cells put out."


def cells(path: Path = NOTEBOOK) -> list[tuple[bool, str]]:
    """Whether each cell is code, and its text."""
    found = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [(cell["cell_type"] == "code", "".join(cell["source"])) for cell in found]


def code_block(text: str) -> str:
    """A cell of code as it is on the page; not ``python``, for the notebook itself is what the tests run."""
    return f"```py\n{text}\n```"


def run_cell(text: str, names: dict[str, Any]) -> tuple[str, Any]:
    """What a cell prints, and the value of its last line."""
    tree, printed, value = ast.parse(text), StringIO(), None
    with redirect_stdout(printed):
        if tree.body and isinstance(tree.body[-1], ast.Expr):
            last = ast.Expression(tree.body.pop().value)  # type: ignore[attr-defined]
            exec(compile(tree, "cell", "exec"), names)
            value = eval(compile(last, "cell", "eval"), names)
        else:
            exec(compile(tree, "cell", "exec"), names)
    return printed.getvalue().rstrip(), value


def show(value: Any, number: int) -> str:
    """A value as the page has it: a picture, a table or a line."""
    if hasattr(value, "figure"):
        value.figure.set_size_inches(6.4, 3.4)
        PICTURES.mkdir(parents=True, exist_ok=True)
        value.figure.savefig(PICTURES / f"digits-{number}.png", dpi=80)
        return f"![What the cell draws](../assets/notebook/digits-{number}.png)"
    text = value.round(3).to_string(index=False) if hasattr(value, "to_string") else repr(value)
    return f"```text\n{text}\n```"


def main() -> None:
    """Write the page."""
    parts: list[str] = []
    names: dict[str, Any] = {"__name__": "notebook"}
    for number, (is_code, text) in enumerate(cells()):
        if not is_code:
            parts.append(text)
            continue
        printed, value = run_cell(text, names)
        parts.append(code_block(text))
        if printed:
            parts.append(f"```text\n{printed}\n```")
        if value is not None:
            parts.append(show(value, number))
    parts.insert(1, HEAD)
    PAGE.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    print(f"written: {PAGE.name}")


if __name__ == "__main__":
    main()
