"""Long work in a process of its own."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

SERVER = """
import os, sys, time
from likewise.app.background import Background

if __name__ == "__main__":
    background = Background()
    background.ask("pid", 0, os.getpid)
    background.wait("pid")
    print(background.last("pid").result, flush=True)
    time.sleep(600)
"""


def test_its_process_ends_with_a_server_that_is_killed(tmp_path):
    script = Path(tmp_path, "server.py")
    script.write_text(SERVER)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as server:
        worker = int(server.stdout.readline())
        os.kill(worker, 0)  # it is there
        server.send_signal(signal.SIGKILL)
    for _ in range(600):
        if not Path(f"/proc/{worker}").exists() or _is_zombie(worker):
            return
        time.sleep(0.1)
    os.kill(worker, signal.SIGKILL)
    raise AssertionError("the process outlived its server")


def _is_zombie(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True
