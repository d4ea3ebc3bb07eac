"""The API against its own description, by schemathesis with all its checks.

As a command: ``python -m tests.server.fuzz --examples 150`` starts a server of its own, prints how many cases were sent
and exits with 1 where one of the checks failed.
"""

import argparse
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

TOKEN = "the token of the fuzzer"
# news until the listener goes, to which there is no end; what writes to wherever on the disk it is told; files in
# formats of which there is no picture here to put into them; and what takes a picture, which no schema describes: they
# have tests of their own
LEFT_OUT = ("/api/stream", "/api/export/folders", "/api/export", "/api/pictures/like")


@contextmanager
def served(folder):
    """The address of a server in a process of its own."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    command = [sys.executable, "-m", "tests.server.served_schema", folder, str(port)]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[2], env=os.environ | {"LIKEWISE_TOKEN": TOKEN})
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(f"{address}/api/me")
        asked = urllib.request.Request(f"{address}/openapi.json", headers={"Authorization": f"Bearer {TOKEN}"})
        with urllib.request.urlopen(asked, timeout=240):  # made once, which takes its time on a busy machine
            pass
        yield address
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def _wait(url, seconds=240):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(url)
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError("the server did not come up")


def run(examples, folder, *, phases="examples,coverage,fuzzing", seed=1):
    """Run it; the exit status and what it printed."""
    with served(folder) as address:
        command = [str(Path(sys.executable).with_name("schemathesis")), "run", f"{address}/openapi.json"]
        command += ["--checks", "all", "--max-examples", str(examples), "--phases", phases, "--seed", str(seed)]
        command += ["-H", f"Authorization: Bearer {TOKEN}"]
        command += [*(each for path in LEFT_OUT for each in ("--exclude-path", path))]
        command += ["--continue-on-failure", "--no-color", "--request-timeout", "60", "--generation-database", "none"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    return done.returncode, done.stdout + done.stderr


def cases(text):
    """How many cases it says it made."""
    found = re.search(r"([\d,]+) (?:generated|test cases)", text)
    return int(found[1].replace(",", "")) if found else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--examples", type=int, default=150)
    parser.add_argument("--phases", default="examples,coverage,fuzzing")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        status, text = run(options.examples, folder, phases=options.phases)
    print(text)
    print(f"cases: {cases(text)}, exit status: {status}")
    return status


if __name__ == "__main__":
    sys.exit(main())
