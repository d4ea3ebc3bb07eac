"""Askers of other programs, as curves: labels after so many questions, each peer in an environment of its own."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.peers.environment import peer_python

PEERS = Path(__file__).parents[1] / "peers"
# name -> (folder of the peer, method handed to its script, whether it is told the number of classes)
OF = {
    "peer: COBRAS": ("cobras", "cobras", False),
    "peer: MinMax + MPCKMeans": ("active_semi_clustering", "MinMax", True),
    "peer: NPU + MPCKMeans": ("active_semi_clustering", "NPU", True),
}
SCRIPT = {"cobras": "peer.py", "active_semi_clustering": "peer_askers.py"}


def run_peer(
    name: str, X: np.ndarray, truth: np.ndarray, *, seed: int, budget: int, error_rate: float, limit: float
) -> tuple[list[int], list[np.ndarray], float]:
    """Steps, labels after each of them, and seconds of processor time a question.

    A peer that is not through after `limit` seconds gives what it has at that time.
    """
    folder, method, _ = OF[name]
    with tempfile.TemporaryDirectory() as place:
        case, answer = Path(place, "case.npz"), Path(place, "labels.npz")
        np.savez(case, X=X, truth=truth, seed=seed, budget=budget, error_rate=error_rate, method=method, limit=limit)
        command = [peer_python(folder), "-W", "ignore", PEERS / folder / SCRIPT[folder], case, answer]
        subprocess.run(command, check=True, cwd=place, stdout=subprocess.DEVNULL)
        found = np.load(answer)
        return found["steps"].tolist(), list(found["labels"]), float(found["seconds"])
