"""The commands in processes of their own: they start, answer, and end cleanly."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from urllib.request import Request, urlopen

import pytest

RUN = "from likewise.cli import main; main()"


def start(*arguments):
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "BROWSER")}
    command = [sys.executable, "-c", RUN, *map(str, arguments)]
    # in a group of its own, so that Ctrl-C can go to all of its processes as a terminal sends it
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True)


def address_of(process):
    told = ""
    for line in process.stderr:
        told += line
        if found := re.search(r"http://127\.0\.0\.1:\d+/", line):
            return found.group()
    raise AssertionError(told)


def wait_for_question(get, seconds=240):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with get("question") as answer:
            found = json.load(answer)
        if "items" in found:
            return found
        time.sleep(0.2)
    raise TimeoutError("no question came")


@pytest.fixture
def demo(tmp_path):
    process = start("demo", "--out", tmp_path, "--port", "0", "--pictures", "digits")
    yield process
    process.kill()
    process.communicate()


def test_the_demo_asks_and_ends_cleanly_with_ctrl_c(demo, tmp_path):
    address = address_of(demo)
    token = json.loads((tmp_path / "project" / "server.json").read_text())["token"]

    def get(path):
        return urlopen(Request(f"{address}api/{path}", headers={"Authorization": f"Bearer {token}"}), timeout=60)

    question = wait_for_question(get)
    assert question["kind"] in ("pair", "grid", "pick")
    with get(f"images/{question['items'][0]['id']}?size=preview") as picture:
        assert picture.headers["Content-Type"].startswith("image/")
    with get("stream") as news:  # a page that is open does not hold it up
        assert news.readline() == b": here\n"
        os.killpg(demo.pid, signal.SIGINT)
        _, told = demo.communicate(timeout=60)
    assert demo.returncode == 0, told
    assert "Ended" in told
    assert "Traceback" not in told
    assert (tmp_path / "project" / "likewise.db").exists()
    status = subprocess.run(
        [sys.executable, "-c", RUN, "status", tmp_path / "pictures", "--project", tmp_path / "project", "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(status.stdout)["answers"] == 0


def test_the_demo_ends_by_itself(tmp_path):
    process = start("demo", "--out", tmp_path, "--port", "0", "--seconds", "0.5")
    _, told = process.communicate(timeout=240)
    assert process.returncode == 0, told
    assert "likewise is at http://127.0.0.1:" in told


def test_a_second_process_on_the_same_project_is_told_which_one_has_it(demo, tmp_path):
    address_of(demo)
    other = start("demo", "--out", tmp_path, "--port", "0", "--pictures", "digits")
    _, told = other.communicate(timeout=120)
    assert other.returncode == 2
    assert f"is already open in process {demo.pid}" in told
    assert "Traceback" not in told
