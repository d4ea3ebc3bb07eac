"""On one machine: other people of it see nothing and do nothing; the person at it types nothing."""

import json
import os
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from PIL import Image

from likewise.client import Client, ClientError
from likewise.server.auth import Auth
from likewise.server.local import local_token, tell_local

RUN = "from likewise.cli import main; main()"


def mode(path):
    return path.stat().st_mode & 0o777


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    folder = tmp_path_factory.mktemp("local") / "photos"
    folder.mkdir()
    for number in range(3):
        Image.new("RGB", (8, 8), (80 * number, 0, 0)).save(folder / f"{number}.png")
    return folder


class Served:
    """`likewise FOLDER` as somebody starts it; `browser.sh` stands for the browser and notes what it is given."""

    def __init__(self, photos, *options):
        self.opened = photos.parent / "opened.txt"
        self.opened.unlink(missing_ok=True)
        script = photos.parent / "browser.sh"
        script.write_text(f'#!/bin/sh\necho "$@" > {self.opened}.part\nmv {self.opened}.part {self.opened}\n')
        script.chmod(0o755)
        kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "LIKEWISE_TOKEN")}
        command = [sys.executable, "-c", RUN, str(photos), "--model", "pixels", "--port", "0", *options]
        environment = kept | {"BROWSER": str(script), "PYTHONUNBUFFERED": "1", "COLUMNS": "200"}
        self.process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        self.told = self.process.stderr.readline() + self.process.stderr.readline()
        self.address = re.search(r"http://127\.0\.0\.1:\d+/", self.told).group()
        self._reader = threading.Thread(target=self.process.stderr.read, daemon=True)
        self._reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.send_signal(2)
        self.process.wait(60)
        self._reader.join()
        self.process.stderr.close()

    def get(self, path, **headers):
        request = urllib.request.Request(f"{self.address}{path}", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()


def test_other_people_of_the_machine_get_nothing_and_the_owner_is_let_in(photos):
    home = photos / ".likewise"
    with Served(photos) as served:
        for path in ("api/project", "api/images/0?size=full", "api/export", "api/me", "openapi.json"):
            assert served.get(path)[0] == 401
        assert served.get("")[0] in (200, 503)  # the page holds nothing of the project
        token = json.loads((home / "server.json").read_text())["token"]
        assert f"{served.address}join#{token}" in served.told
        status, me = served.get("api/me", Authorization=f"Bearer {token}")
        assert (status, json.loads(me)) == (200, {"role": "manager", "name": "", "signed_in": False, "open": False})
        assert served.get("api/me", Authorization=f"Bearer {token}", Host="evil.example")[0] == 400
        client = Client.of_folder(photos)
        assert client.project()["name"] == "photos"
        for path in (home, *home.rglob("*")):
            assert mode(path) == (0o700 if path.is_dir() else 0o600), path
    with pytest.raises(ClientError, match="not being served"):
        Client.of_folder(photos)
    assert not list(home.glob("*.html"))
    with Served(photos) as again:  # an open page goes on: the token is the same
        assert again.get("api/me", Authorization=f"Bearer {token}")[0] == 200


def test_the_browser_is_opened_with_no_token_on_its_command_line(photos):
    with Served(photos) as served:
        told = threading.Event()
        while not served.opened.exists() and not told.wait(0.05):
            assert served.process.poll() is None
        (given,) = served.opened.read_text().split()
        page = Path(given.removeprefix("file://"))
        assert "lwm_" not in given
        assert given.startswith("file://")
        assert mode(page) == 0o600
        token = json.loads((photos / ".likewise" / "server.json").read_text())["token"]
        assert f"url={served.address}join#{token}" in page.read_text()


def test_without_a_token_there_is_a_warning(photos):
    with Served(photos, "--no-token", "--no-browser") as served:
        assert "everybody on this machine" in served.told
        assert served.get("api/project")[0] == 200


def test_no_token_is_for_this_machine_only_and_for_no_token(tmp_path):
    command = [sys.executable, "-c", RUN, "serve", str(tmp_path), "--no-token", "--no-browser"]
    for options, word in ((["--host", "0.0.0.0"], "give a token"), (["--token", "x" * 20], "not both")):
        refused = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
        assert refused.returncode == 2
        assert word in refused.stderr


def test_a_token_that_others_could_read_is_replaced(tmp_path):
    first = local_token(tmp_path)
    assert local_token(tmp_path) == first
    (tmp_path / "server.json").chmod(0o644)
    second = local_token(tmp_path)
    assert second != first
    assert mode(tmp_path / "server.json") == 0o600
    for damaged in ("", "[]", '{"token": 3}', '{"token": ""}'):
        (tmp_path / "server.json").write_text(damaged)
        assert local_token(tmp_path) != second


def test_a_token_that_somebody_chose_is_not_written_down(tmp_path):
    with tell_local(tmp_path, "a token of my own", "http://127.0.0.1:1/", keep=False) as page:
        assert [path.name for path in tmp_path.iterdir()] == [page.name]
    assert not list(tmp_path.iterdir())


def test_tokens_chosen_by_hand_are_long_and_varied(page):
    for poor, word in (("fifteen letters", "16 characters"), ("abab" * 8, "different characters")):
        with pytest.raises(ValueError, match=word):
            Auth(page.live.project, poor)
