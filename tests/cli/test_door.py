"""The first word on the command line: every mistake gets one clear sentence, at once."""

import json

import pytest
from typer.testing import CliRunner

from likewise.app.live import LiveProject
from likewise.app.location import Location
from likewise.cli import app
from likewise.cli.app import main
from likewise.server.local import tell_local

runner = CliRunner()


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    return folder


def said(monkeypatch, capsys, *words):
    monkeypatch.setattr("sys.argv", ["likewise", *map(str, words)])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert "Traceback" not in error
    return " ".join(error.split())


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("nosuch/", "likewise: there is no folder and no command 'nosuch/': 'likewise --help' lists the commands"),
        ("exprt", "likewise: there is no folder and no command 'exprt': did you mean 'export'?"),
    ],
)
def test_a_folder_that_is_not_there_is_called_one(monkeypatch, capsys, word, message):
    assert said(monkeypatch, capsys, word) == message


def test_a_file_is_no_folder(monkeypatch, capsys, tmp_path):
    (tmp_path / "cat.jpg").touch()
    assert "is a file: give the folder of pictures" in said(monkeypatch, capsys, tmp_path / "cat.jpg")


def test_a_port_that_does_not_exist_is_refused(monkeypatch, capsys, folder):
    for words in (["serve", folder], ["demo", "--out", folder]):
        assert "65535" in said(monkeypatch, capsys, *words, "--port", "99999")


def test_an_asker_that_does_not_exist_is_refused_before_anything_is_made(monkeypatch, capsys, folder):
    assert "there is no strategy 'nosuch'" in said(monkeypatch, capsys, "serve", folder, "--strategy", "nosuch")
    assert list(folder.iterdir()) == []


def test_memory_that_ran_out_is_one_line(monkeypatch, capsys, folder):
    def fail():
        raise MemoryError("Unable to allocate 7 TiB")

    monkeypatch.setattr("likewise.query.strategies", fail)
    assert said(monkeypatch, capsys, "strategies") == "likewise: memory ran out: Unable to allocate 7 TiB"


def test_a_project_that_is_served_already_is_named_by_its_address(monkeypatch, capsys, folder):
    home = folder / ".likewise"
    live = LiveProject(Location(str(home), str(home), "photos", "pixels"))
    with tell_local(home, "lwm_secret", "http://127.0.0.1:4711/"):
        told = said(monkeypatch, capsys, "serve", folder, "--model", "pixels")
    live.stop()
    assert told.startswith("likewise: the project 'photos' is already open in process ")
    assert told.endswith("it is served at http://127.0.0.1:4711/")


def test_a_link_that_works_here_only_says_so(folder):
    home = folder / ".likewise"
    LiveProject(Location(str(home), str(home), "photos", "pixels")).stop()
    with tell_local(home, "lwm_secret", "http://127.0.0.1:4711/"):
        here = runner.invoke(app, ["invite", str(folder), "--name", "ann"])
    assert here.stdout.startswith("http://127.0.0.1:4711/join#")
    assert "works on this machine only" in here.stderr
    there = runner.invoke(app, ["invite", str(folder), "--name", "bo", "--address", "https://a.org/", "--json"])
    assert json.loads(there.stdout)[0]["link"].startswith("https://a.org/join#")
    assert "machine only" not in there.stderr
