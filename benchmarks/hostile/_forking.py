"""A server that is started by a fork of a process which has imported everything: hundreds of starts take no time."""

from __future__ import annotations

import importlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from tests.server.kills import Server

ROOT = Path(__file__).parents[2]


class ForkedServer(Server):
    """As :class:`tests.server.kills.Server`; each start is a new process, which is ended by SIGKILL.

    - `where`, `folder`: Where the project is.
    - `made_up`: Whether clusters and questions are made up; else a start may be with the engine or without one.
    """

    def __init__(self, where: str, folder: str, *, made_up: bool = False) -> None:
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        command = [sys.executable, "-m", "benchmarks.hostile._forking", where, folder, str(self.port)]
        command += ["made up"] if made_up else []
        self.parent = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def _ask(self, what: str) -> int:
        assert self.parent.stdin is not None
        assert self.parent.stdout is not None
        self.parent.stdin.write(f"{what}\n")
        self.parent.stdin.flush()
        return int(self.parent.stdout.readline())

    def start(self, engine: bool = True) -> None:
        """Start it; without an engine it has the groups that people touched, and is up at once."""
        self._ask("start" if engine else "start without engine")

    def kill(self) -> None:
        """End it with SIGKILL, and wait until it is gone."""
        self._ask("kill")

    def close(self) -> None:
        """End the process that starts it, and a server that still runs."""
        if self.parent.poll() is None:
            self.parent.communicate("kill\n")


def serve(line: str, where: str, folder: str, port: str, made_up: bool) -> None:
    """What a new process does."""
    from benchmarks.hostile._made_up import serve as serve_made_up
    from likewise.app.engine_process import EngineProcess
    from tests.server import served

    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    if made_up:
        serve_made_up(where, folder, port)
        return
    if "without" in line:
        EngineProcess.start = lambda self: None  # type: ignore[method-assign]
    served.main(where, folder, port)


def main(where: str, folder: str, port: str, made_up: str = "") -> None:
    """Fork a server for every line that says ``start``, and kill it at ``kill``."""
    for name in ("benchmarks.hostile._made_up", "tests.server.served"):  # a fork has them then
        importlib.import_module(name)
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
                    serve(line, where, folder, port, bool(made_up))
                finally:
                    os._exit(0)
        print(child, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
