"""Environments of the peers: each has its own Python with the versions it runs on."""

from __future__ import annotations

import subprocess
import venv
from pathlib import Path

HERE = Path(__file__).parent


def peer_python(peer: str) -> Path:
    """The Python of a peer's folder, set up from its ``requirements.txt`` when it is not there yet."""
    environment = HERE / ".envs" / peer
    python = environment / "bin" / "python"
    if not python.exists():
        print(f"making the environment of {peer}", flush=True)
        venv.create(environment, with_pip=True)
        wanted = ["-r", str(HERE / peer / "requirements.txt")]
        subprocess.run([python, "-m", "pip", "install", "--quiet", *wanted], check=True)
    return python
