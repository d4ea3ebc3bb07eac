"""`likewise` alone: folders are shown to the person at the machine, one is chosen, and nobody else sees any."""

import os
import sys
import threading
from datetime import datetime
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

import pytest

from likewise.cli import choose, dropped
from likewise.cli.choose import Chooser, folder_page
from likewise.cli.dropped import DroppedFiles, RefusedFileError, folder_for_dropped, safe_parts


@pytest.fixture
def home(tmp_path):
    for name in ("photos", "<b>odd & 'quoted'", ".hidden", "empty"):
        (tmp_path / name).mkdir()
    (tmp_path / "photos" / "below").mkdir()
    for name in ("a.jpg", "b.PNG", "notes.txt"):
        (tmp_path / "photos" / name).touch()
    (tmp_path / "photos" / "below" / "c.nef").touch()
    return tmp_path


@pytest.fixture
def chooser(home):
    with Chooser(home) as server:
        running = threading.Thread(target=server.serve_forever, args=[0.01])
        running.start()
        yield server
        server.shutdown()
        running.join()


def get(address, **headers):
    with urlopen(Request(address, headers=headers)) as answer:
        return answer.read().decode()


def test_folders_are_shown_and_one_is_chosen(chooser, home):
    page = get(chooser.address)
    assert "&lt;b&gt;odd &amp; &#x27;quoted&#x27;" in page
    assert "<b>odd" not in page
    assert ".hidden" not in page
    photos = f"{chooser.address}?at={quote(str(home / 'photos'))}"
    assert f'href="/{chooser.secret}/?at={quote(str(home / "photos"))}"' in page
    assert "3 pictures in it and below" in get(photos)
    assert "<button disabled>" in get(f"{chooser.address}?at={quote(str(home / 'empty'))}")
    form = urlencode({"folder": str(home / "photos")}).encode()
    with urlopen(chooser.address, form) as answer:
        assert "open in a page of their own" in answer.read().decode()
    assert chooser.chosen == home / "photos"


def test_whoever_does_not_know_the_secret_sees_nothing(chooser, home):
    root = f"http://{chooser.host}/"
    for address, headers in ((root, {}), (f"{root}wrong/", {}), (chooser.address, {"Host": "evil.example"})):
        with pytest.raises(HTTPError) as refused:
            get(address, **headers)
        assert refused.value.code == 403
        assert "photos" not in refused.value.read().decode()
        refused.value.close()
    assert chooser.chosen is None


@pytest.mark.parametrize("folder", ["", "relative", "/no/such/folder/anywhere"])
def test_what_is_no_folder_is_not_chosen(chooser, folder):
    with pytest.raises(HTTPError) as refused:
        urlopen(chooser.address, urlencode({"folder": folder}).encode())
    assert refused.value.code == 400
    refused.value.close()
    assert chooser.chosen is None


def test_a_folder_that_is_gone_has_a_way_back(home):
    page = folder_page(home / "gone", "s", home / "new")
    assert "This folder cannot be opened" in page
    assert f"at={quote(str(home))}" in page


def test_the_command_alone_serves_what_was_chosen(home, monkeypatch):
    called, module = [], sys.modules["likewise.cli.app"]  # the package has an application of that name
    monkeypatch.setattr(sys, "argv", ["likewise"])
    monkeypatch.setattr(sys, "stdin", type("Terminal", (), {"isatty": staticmethod(lambda: True)})())
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(choose, "choose_folder", lambda: home / "photos")
    monkeypatch.setattr(module, "app", lambda: called.append(sys.argv[1:]))
    monkeypatch.setattr(module.typer.main, "get_command", lambda _: type("Group", (), {"commands": {"serve": None}})())
    monkeypatch.delenv("LIKEWISE_DEBUG", raising=False)
    module.main()
    assert called == [["serve", os.fspath(home / "photos")]]
    monkeypatch.setattr(sys, "argv", ["likewise"])
    monkeypatch.setattr(choose, "choose_folder", lambda: None)
    with pytest.raises(SystemExit):
        module.main()


PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(100)


def put(chooser, name, content, **headers):
    request = Request(f"{chooser.address}?name={quote(name)}", content, headers, method="PUT")
    try:
        with urlopen(request) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_dropped_pictures_are_copied_into_the_folder_that_the_page_names(chooser, home):
    folder = chooser.dropped.folder
    assert folder.parent == home / "likewise pictures"
    assert f"<b>{folder}</b>" in get(chooser.address)
    assert not folder.exists()
    for name in ("beach/a.png", "beach/a.png", "../../../b.png"):
        assert put(chooser, name, PICTURE) == (201, "taken")
    assert {str(path.relative_to(folder)) for path in folder.rglob("*.png")} == {
        os.path.join("beach", "a.png"),
        os.path.join("beach", "a (2).png"),
        "b.png",
    }
    assert (folder / "b.png").read_bytes() == PICTURE
    assert [path for path in home.iterdir() if path.is_file()] == []


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("a.sh", PICTURE, 422),
        ("a.png", b"#!/bin/sh" + bytes(100), 422),
        ("a.png", b"", 422),
        ("", PICTURE, 422),
        ("a.png/", PICTURE, 422),
    ],
)
def test_what_is_no_picture_is_not_copied(chooser, name, content, status):
    assert put(chooser, name, content)[0] == status
    assert not list(chooser.dropped.folder.rglob("*"))
    assert chooser.dropped.n_files == 0


def test_nobody_else_copies_anything(chooser):
    for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
        assert put(chooser, "a.png", PICTURE, **headers)[0] == 403
    assert not chooser.dropped.folder.exists()


def test_too_much_is_refused_and_what_breaks_off_leaves_nothing(tmp_path, monkeypatch):
    taking = DroppedFiles(tmp_path / "new")
    pieces = iter([PICTURE[:40], b""])
    with pytest.raises(RefusedFileError, match="broke off"):
        taking.take("a.png", len(PICTURE), lambda n: next(pieces)[:n])
    monkeypatch.setattr(dropped, "MOST_BYTES", 50)
    with pytest.raises(RefusedFileError, match="larger than"):
        taking.take("a.png", 51, lambda n: PICTURE[:n])
    monkeypatch.setattr(dropped, "MOST_FILES", 1)
    taking.take("a.png", 40, lambda n: PICTURE[:n])
    with pytest.raises(RefusedFileError, match="choose their folder"):
        taking.take("b.png", 40, lambda n: PICTURE[:n])
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["a.png"]


def test_names_are_made_safe_and_a_link_is_not_written_through(tmp_path):
    assert safe_parts("a" * 300 + ".jpg") == ["a" * 76 + ".jpg"]
    assert safe_parts("/".join(["d"] * 50) + "/x.jpg") == ["d"] * 8 + ["x.jpg"]
    assert safe_parts("\u202egnp.exe.jpg") == ["gnp.exe.jpg"]
    assert safe_parts("NUL.jpg") == ["_NUL.jpg"]
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "a.png").symlink_to(tmp_path / "elsewhere.png")
    path = DroppedFiles(tmp_path / "new").take("a.png", len(PICTURE), lambda n: PICTURE[:n])
    assert path.name == "a (2).png"
    assert not (tmp_path / "elsewhere.png").exists()


def test_the_folder_for_what_is_dropped_is_a_new_one(tmp_path):
    now = datetime(2026, 11, 17, 18, 5)
    first = folder_for_dropped(tmp_path, now)
    first.mkdir(parents=True)
    assert folder_for_dropped(tmp_path, now) == first.with_name("2026-11-17 18.05 (2)")
