"""A server that is started by a fork of a process which has imported everything: hundreds of starts take no time."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from tests.server.kills import Server

ROOT = Path(__file__).parents[2]


class ForkedServer(Server):
    """As :class:`tests.server.kills.Server`; each start is a new process, which is ended by SIGKILL."""

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

    def start(self, engine: bool = True) -> None:
        """Start it; without an engine it has the groups that people touched, and is up at once."""
        self._ask("start" if engine else "start without engine")

    def kill(self) -> None:
        """End it with SIGKILL, and wait until it is gone."""
        self._ask("kill")

    def close(self) -> None:
        """End the process that starts it."""
        self.parent.kill()
        self.parent.wait()


def main(where: str, folder: str, port: str) -> None:
    """Fork a server for every line that says ``start``, and kill it at ``kill``."""
    from likewise.app.engine_process import EngineProcess
    from tests.server import served

    child = 0
    for line in sys.stdin:
        if line.strip() == "kill":
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        else:
            child = os.fork()
            if child == 0:
                null = os.open(os.devnull, os.O_RDWR)
                os.dup2(null, 0)
                os.dup2(null, 1)
                if "without" in line:
                    EngineProcess.start = lambda self: None  # type: ignore[method-assign]
                served.main(where, folder, port)
                os._exit(0)
        print(child, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
