"""A server that is started by a fork of a process which has imported everything: hundreds of starts take no time."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from benchmarks.hostile._made_up import serve
from tests.server.kills import Server

ROOT = Path(__file__).parents[2]


class ForkedServer(Server):
    """As :class:`tests.server.kills.Server`, with made-up clusters; each start is a new process, ended by SIGKILL.

    - `where`, `folder`: Where the project is.
    """

    def __init__(self, where: str, folder: str) -> None:
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        command = [sys.executable, "-m", "benchmarks.hostile._forking", where, folder, str(self.port)]
        self.parent = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def _ask(self, what: str) -> int:
        assert self.parent.stdin is not None
        assert self.parent.stdout is not None
        self.parent.stdin.write(f"{what}\n")
        self.parent.stdin.flush()
        return int(self.parent.stdout.readline())

    def start(self) -> None:
        """Start it."""
        self._ask("start")

    def kill(self) -> None:
        """End it with SIGKILL, and wait until it is gone."""
        self._ask("kill")

    def close(self) -> None:
        """End the process that starts it, and a server that still runs."""
        if self.parent.poll() is None:
            self.parent.communicate("kill\n")


def run(where: str, folder: str, port: str) -> None:
    """What a new process does: it must not read the orders of its parent, nor write among its replies."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    serve(where, folder, port)


def main(where: str, folder: str, port: str) -> None:
    """Fork a server for every line that says ``start``, and kill it at ``kill``."""
    child = 0
    for line in sys.stdin:
        if line.strip() == "kill":
            if child:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
            child = 0
        else:
            child = os.fork()
            if child == 0:
                try:
                    run(where, folder, port)
                finally:
                    os._exit(0)
        print(child, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
