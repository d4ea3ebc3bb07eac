"""`likewise` alone: folders are shown to the person at the machine, one is chosen, and nobody else sees any."""

import os
import sys
import threading
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

import pytest

from likewise.cli import choose
from likewise.cli.choose import Chooser, folder_page


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
    page = folder_page(home / "gone", "s")
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
