"""Writes the page's types from the description of the API: ``python web/page_types.py``, or with a path to write to.

The description is made from the application itself: no server is started and no project opened.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import build
from likewise.query.question import ANSWERS
from likewise.server.application import create_app

TYPES = build.WEB / "src" / "api" / "schema.ts"
HEAD = "// Generated from the description of the API by `python web/page_types.py`: do not edit.\n"


def description() -> dict[str, Any]:
    """What requests and replies are made of; the project and its pictures are stand-ins, as no route is called."""
    described = create_app(MagicMock(), MagicMock(), MagicMock(cookie_name="session")).openapi()
    schemas = described["components"]["schemas"]
    return {"openapi": described["openapi"], "info": {"title": "likewise", "version": ""}, "paths": {}} | {
        "components": {"schemas": schemas}
    }


def answers() -> str:
    """The answers to each kind of question, in the order in which they are shown."""
    lines = [f"  {kind}: {json.dumps(values)},\n" for kind, values in ANSWERS.items()]
    return f"\nexport const ANSWERS = {{\n{''.join(lines)}}} as const;\n"


def write(target: Path) -> None:
    """Write the types."""
    with tempfile.TemporaryDirectory() as folder:
        described, made = Path(folder) / "openapi.json", Path(folder) / "schema.ts"
        described.write_text(json.dumps(description()), encoding="utf-8")
        build.run("types", str(described), "--output", str(made))
        target.write_text(HEAD + made.read_text(encoding="utf-8") + answers(), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if sys.argv[1:] else TYPES)
