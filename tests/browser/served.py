"""The real server in a process of its own, on drawn pictures and with a light embedder."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ENTRY_POINTS = """[likewise.embedders]
leaves = likewise_leaves:Blurred

[likewise.faces]
drawn = likewise_faces:DrawnFaces

[likewise.strategies]
in-turn = likewise_turns:InTurn
"""


def register_embedder(folder: Path) -> str:
    """Register the light embedder as a plug-in, and give the path on which Python finds it."""
    about = folder / "likewise_leaves-1.0.dist-info"
    about.mkdir(parents=True, exist_ok=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: likewise-leaves\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRY_POINTS)
    return os.pathsep.join([str(folder), str(HERE / "plugin"), str(ROOT / "src")])


class Served:
    """`likewise serve` on a folder; entered, it runs, and can be stopped and started again.

    Parameters
    ----------
    pictures : Path
        The folder of pictures.
    work : Path
        Where the plug-in is put.
    options : str
        More options of the command.
    asks_token : bool
        Whether it asks for a token, as it does by default on the command line.
    """

    def __init__(self, pictures: Path, work: Path, *options: str, asks_token: bool = False) -> None:
        self.pictures = pictures
        # tests open many pages by their address
        self.options = options if asks_token or "--token" in options else (*options, "--no-token")
        if "--forms" not in options:  # most tests are about pairs
            self.options = (*self.options, "--forms", "pairs")
        if not {"--stacks", "--no-stacks"} & set(options):  # leaves that are drawn alike are no copies here
            self.options = (*self.options, "--no-stacks")
        self.environment = os.environ | {
            "PYTHONPATH": register_embedder(work / "plugin"),
            "PYTHONUNBUFFERED": "1",
            "OMP_NUM_THREADS": "1",
        }
        self.address = ""
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> "Served":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self, port: int = 0) -> None:
        """Start, and wait for the address."""
        run = "from likewise.cli import main; main()"
        command = [sys.executable, "-c", run, "serve", str(self.pictures)]
        command += ["--model", "leaves", "--no-browser", "--port", str(port), *self.options]
        self._process = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self._process.stdout is not None
        told = ""
        for line in self._process.stdout:
            told += line
            found = re.search(r"http://127\.0\.0\.1:\d+/", line)
            if found:
                self.address = found.group()
                return self._wait()
        raise RuntimeError(f"the server did not start: {told}")

    def _wait(self) -> None:
        for _ in range(600):
            try:
                with urlopen(f"{self.address}api/project"):
                    return
            except HTTPError:  # it asks for a token
                return
            except URLError:
                time.sleep(0.1)
        raise RuntimeError("the server does not answer")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it as Ctrl-C does, and wait."""
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            told, _ = self._process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            told, _ = self._process.communicate()
        self._process = None
        assert "Traceback" not in told, told
