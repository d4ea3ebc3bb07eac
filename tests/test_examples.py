"""The notebooks run, cell by cell, and the page of the site has them."""

import json
from pathlib import Path

import pytest

from tools.notebook_page import PAGE, cells, code_block

NOTEBOOKS = sorted((Path(__file__).parents[1] / "examples").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "notebook"}
    cells = json.loads(path.read_text())["cells"]
    for number, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            assert not cell["outputs"], "notebooks are kept without outputs"
            exec(compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec"), namespace)
    assert "session" in namespace


def test_there_is_a_notebook():
    assert NOTEBOOKS


def test_the_page_of_the_site_has_every_cell_with_what_it_puts_out():
    text = PAGE.read_text(encoding="utf-8")
    for is_code, cell in cells():
        assert (code_block(cell) if is_code else cell) in text, "python -m tools.notebook_page writes it"
    assert text.count("```py\n") == sum(is_code for is_code, _ in cells())
    assert text.count("```text\n") >= 4
    assert "../assets/notebook/" in text
