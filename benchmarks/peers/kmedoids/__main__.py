"""Losses and seconds of our KMedoids beside ``kmedoids.fasterpam``: N = 10,000, K = 50.

The peer is given the matrix of all distances (float32, its faster form), whose computation is not counted. Ours is given the same
matrix, and the vectors, of which it never holds all distances. Seconds are those of one core.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.papers.biswas2014_subclustering.sets import generated
from benchmarks.peers.environment import peer_python
from benchmarks.record import keep
from likewise.cluster import KMedoids
from likewise.distances import pairwise

HERE = Path(__file__).parent
CONFIG = {"n": 10_000, "n_clusters": 50, "d": 32, "seeds": 3, "peer": "kmedoids 0.5.3.1"}


def sets() -> dict[str, np.ndarray]:
    """Normal classes that overlap, and points with no classes at all, where minima are many."""
    n, k, d = CONFIG["n"], CONFIG["n_clusters"], CONFIG["d"]
    return {
        "normal classes": generated(n, k, d).X.astype(np.float64),
        "uniform": np.random.default_rng(0).random((n, 6)),
    }


def peer(D: np.ndarray) -> list[dict]:
    """The peer's runs."""
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder, "D.npy"), Path(folder, "found.json")
        np.save(given, D)
        numbers = [str(CONFIG["n_clusters"]), str(CONFIG["seeds"])]
        subprocess.run([peer_python("kmedoids"), HERE / "peer.py", given, *numbers, found], check=True)
        return list(json.loads(found.read_text()))


def ours(X: np.ndarray, **options: object) -> list[dict]:
    """Our runs on the same, after one that compiles."""
    small = X[:200, :200] if options["metric"] == "precomputed" else X[:200]
    KMedoids(5, random_state=0, dtype="float32", **options).fit(small)
    found = []
    for seed in range(CONFIG["seeds"]):
        started = process_time()
        model = KMedoids(CONFIG["n_clusters"], random_state=seed, dtype="float32", **options).fit(X)
        seconds = process_time() - started
        found.append({"loss": model.inertia_, "seconds": seconds, "swaps": model.n_iter_})
    return found


def main() -> None:
    results = []
    for name, X in sets().items():
        D = pairwise(X, dtype="float32")
        runs = {"kmedoids.fasterpam, matrix": peer(D), "ours, matrix": ours(D, metric="precomputed")}
        del D
        runs["ours, vectors"] = ours(X, metric="euclidean")
        base = {key: np.mean([run[key] for run in runs["kmedoids.fasterpam, matrix"]]) for key in ("loss", "seconds")}
        for method, found in runs.items():
            row = {key: float(np.mean([run[key] for run in found])) for key in ("loss", "seconds", "swaps")}
            row |= {"loss_ratio": row["loss"] / base["loss"], "time_ratio": row["seconds"] / base["seconds"]}
            print(
                f"{name}, {method}: loss × {row['loss_ratio']:.4f}, {row['seconds']:.1f} s × {row['time_ratio']:.2f}",
                flush=True,
            )
            results.append({"set": name, "method": method, **row, "runs": found})
    keep(HERE / "results.json", config=CONFIG, results=results)


if __name__ == "__main__":
    main()
