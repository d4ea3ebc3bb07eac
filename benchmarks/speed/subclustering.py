"""Subclustering at 51,418 × 128, K = 200, R = 4,000: seconds beside one blocked R × N computation by scikit-learn.

With ``--million`` instead: 1,000,000 × 128 in float32 from a file, which is never read as a whole. Seconds are those of one core.
"""

from __future__ import annotations

import resource
import sys
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
from sklearn.metrics import pairwise_distances_chunked

from benchmarks.papers.biswas2014_subclustering.sets import generated
from benchmarks.record import keep
from likewise.cluster import Subclustering
from likewise.metrics import subclustering_jaccard

CONFIG = {"n": 51_418, "n_clusters": 200, "d": 128, "restricted": 4000, "size": 10, "seed": 0, "runs": 1}
MILLION = CONFIG | {"n": 1_000_000, "dtype": "float32", "spread": 1.0}
PART = 50_000


def main() -> None:
    data = generated(CONFIG["n"], CONFIG["n_clusters"], CONFIG["d"])
    X = data.X.astype(np.float64)
    options = {"size": CONFIG["size"], "random_state": CONFIG["seed"]}
    Subclustering(5, **options).fit(X[:500])  # compile
    started = process_time()
    model = Subclustering(CONFIG["n_clusters"], restricted=CONFIG["restricted"], **options).fit(X)
    seconds = process_time() - started
    memory = peak_gib()
    started = process_time()
    for _ in pairwise_distances_chunked(X[: CONFIG["restricted"]], X, working_memory=256):
        pass
    plain = process_time() - started
    score = subclustering_jaccard(data.truth, model.subclusters_)
    print(
        f"{seconds:.1f} s, {seconds / plain:.2f} × scikit-learn's distances ({plain:.1f} s), {memory:.2f} GiB, SJC {score:.3f}"
    )
    results = {"seconds": seconds, "sklearn_seconds": plain, "ratio": seconds / plain, "peak_gib": memory, "sjc": score}
    keep(Path(__file__).with_suffix(".json"), config=CONFIG, results=results)


def million() -> None:
    """Classes of equal chances around normal centres, written part by part."""
    n, k, d = MILLION["n"], MILLION["n_clusters"], MILLION["d"]
    rng = np.random.default_rng(MILLION["seed"])
    centres, truth = rng.normal(size=(k, d)).astype(np.float32), rng.integers(k, size=n)
    options = {"size": MILLION["size"], "dtype": MILLION["dtype"], "random_state": MILLION["seed"]}
    Subclustering(5, **options).fit(rng.normal(size=(500, d)).astype(np.float32))  # compile
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.npy")
        X = np.lib.format.open_memmap(path, "w+", np.float32, (n, d))
        for top in range(0, n, PART):
            part = truth[top : top + PART]
            noise = rng.standard_normal((len(part), d), dtype=np.float32)
            X[top : top + PART] = centres[part] + MILLION["spread"] * noise
        X.flush()
        del X
        started = process_time()
        mapped = np.load(path, mmap_mode="r")
        model = Subclustering(k, restricted=MILLION["restricted"], **options).fit(mapped)
        seconds = process_time() - started
    score = subclustering_jaccard(truth, model.subclusters_)
    results = {"seconds": seconds, "peak_gib": peak_gib(), "sjc": score}
    print(f"{n:,} × {d}: {seconds:.0f} s, {results['peak_gib']:.2f} GiB, SJC {score:.3f}")
    keep(Path(__file__).with_name("subclustering_million.json"), config=MILLION, results=results)


def peak_gib() -> float:
    """The most memory this process had; pages of a mapped file count while they are in memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


if __name__ == "__main__":
    million() if "--million" in sys.argv[1:] else main()
