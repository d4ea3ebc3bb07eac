import json
import os
import shutil

import pytest
from PIL import Image
from typer.testing import CliRunner

from likewise.cli import app
from likewise.cli.images import printable

runner = CliRunner()


@pytest.fixture
def folder(tmp_path):
    Image.linear_gradient("L").save(tmp_path / "a.png")
    shutil.copy(tmp_path / "a.png", tmp_path / "b.png")
    Image.radial_gradient("L").save(tmp_path / "c.jpg")
    Image.radial_gradient("L").resize((100, 100)).save(tmp_path / "d.png")
    (tmp_path / "[red]line\nbreak\x1b[31m.jpg").touch()
    return tmp_path


def run(*arguments):
    return runner.invoke(app, ["index", *map(str, arguments)])


def test_summary_for_people(folder):
    result = run(folder, "--workers", "1")
    assert result.exit_code == 0
    assert "4 readable pictures" in result.stdout
    assert "found 5: 5 new\n" in result.stdout
    assert "2 pictures in 1 groups have the same content" in result.stdout
    assert "4 pictures in 2 groups have nearly the same look" in result.stdout
    assert "[red]line\\nbreak\\x1b[31m.jpg" in result.stdout
    assert "the file is empty" in result.stdout
    assert "\x1b[31m" not in result.stdout
    again = run(folder, "--workers", "0")
    assert "found 5: 5 unchanged\n" in again.stdout


def test_summary_for_programs(folder):
    (folder / "c.jpg").unlink()
    result = run(folder, "--json", "--workers", "0", "--project", folder / "kept")
    assert result.exit_code == 0
    summary = json.loads(result.stdout)
    assert summary["project"] == str(folder / "kept")
    assert (summary["readable"], summary["found"], summary["new"], summary["gone"]) == (3, 4, 4, 0)
    assert summary["skipped"] == [{"path": "[red]line\nbreak\x1b[31m.jpg", "reason": "the file is empty"}]
    assert summary["duplicates"] == summary["near_duplicates"] == [["a.png", "b.png"]]
    (folder / "d.png").unlink()
    summary = json.loads(run(folder, "--json", "--workers", "0", "--project", folder / "kept").stdout)
    assert (summary["readable"], summary["gone"], summary["unchanged"]) == (2, 1, 3)


def test_names_that_are_no_text(tmp_path):
    with open(os.path.join(os.fsencode(tmp_path), b"\xff\xfe.jpg"), "wb"):
        pass
    result = run(tmp_path, "--workers", "0")
    assert "\\udcff\\udcfe.jpg" in result.stdout
    assert json.loads(run(tmp_path, "--workers", "0", "--json").stdout)["skipped"][0]["path"] == "\udcff\udcfe.jpg"


def test_a_long_list_is_cut(tmp_path):
    for number in range(30):
        (tmp_path / f"{number:02d}.jpg").touch()
    result = run(tmp_path, "--workers", "0")
    assert "19.jpg" in result.stdout
    assert "20.jpg" not in result.stdout
    assert "and 10 more" in result.stdout
    assert len(json.loads(run(tmp_path, "--workers", "0", "--json").stdout)["skipped"]) == 30


def test_a_folder_that_is_not_there(tmp_path):
    result = run(tmp_path / "nowhere")
    assert isinstance(result.exception, NotADirectoryError)
    assert "is not a folder" in str(result.exception)


def test_printable():
    assert printable("кот 🐈 [b]") == "кот 🐈 [b]"
    assert printable("a\nb\tc\x1b\u202e\udcff") == "a\\nb\\tc\\x1b\\u202e\\udcff"
