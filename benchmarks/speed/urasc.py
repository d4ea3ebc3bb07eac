"""URASC's next question beside one eigendecomposition of the same Laplacian, and its growth with the number of items.

``python -m benchmarks.speed.urasc [--kept FOLDER]``: with a folder of embeddings made before, the first part is flowers-17
(1,360 pictures); without, as many drawn points.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from scipy.sparse.linalg import eigsh

from benchmarks.askers.sets import load
from benchmarks.record import keep
from likewise import Session
from likewise.cluster.spectral.signed_graph import write_constraints
from likewise.metrics import jaccard
from likewise.query import URASC

CONFIG = {
    "n": 1360,
    "n_classes": 17,
    "n_answers": 200,
    "sizes": [500, 1000, 2000, 4000, 8000],
    "growth_classes": 10,
    "graph_neighbors": 20,
    "repeats": 5,
    "seed": 0,
}


def points(n: int, n_classes: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % n_classes
    return rng.normal(size=(n, 32)) + 1.2 * rng.normal(size=(n_classes, 32))[truth], truth


def settled(X, truth, n_answers: int, strategy: URASC) -> tuple[Session, list[tuple[int, int]]]:
    """A session with one certain set a class, grown to the number of answers, and pairs to go on with."""
    n_classes = len(np.unique(truth))
    session = Session(X, strategy=strategy, n_clusters=n_classes, random_state=CONFIG["seed"])
    first = [int(np.flatnonzero(truth == k)[0]) for k in range(n_classes)]
    for a in range(n_classes):
        for b in range(a):
            session.answer((first[a], first[b]), "different")
    rng = np.random.default_rng(CONFIG["seed"])
    rest = [int(i) for i in rng.permutation(len(X)) if i not in first]
    pairs = [(first[truth[i]], i) for i in rest]
    while len(session.history) < n_answers:
        session.answer(pairs.pop(), "same")
    return session, pairs


def time_questions(session: Session, pairs: list[tuple[int, int]]) -> float:
    """Median seconds from an answer to the next question."""
    session.ask()
    times = []
    for _ in range(CONFIG["repeats"]):
        session.answer(pairs.pop(), "same")
        start = perf_counter()
        session.ask()
        times.append(perf_counter() - start)
    return median(times)


def time_eigsh(session: Session, k: int) -> float:
    """Median seconds of scipy's eigsh on the normalised Laplacian of the same state."""
    W = write_constraints(session.strategy.affinities(session.state), session.state.constraints).toarray()
    degrees = np.abs(W).sum(axis=1)
    L = np.eye(len(W)) - W / np.sqrt(np.outer(degrees, degrees))
    times = []
    for seed in range(CONFIG["repeats"]):
        start = perf_counter()
        eigsh(L, k, which="SA", v0=np.random.default_rng(seed).normal(size=len(L)))
        times.append(perf_counter() - start)
    return median(times)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kept", type=Path, help="folder of embeddings made before")
    kept = parser.parse_args().kept
    found = load("flowers-17", kept) if kept else None
    X, truth = found or points(CONFIG["n"], CONFIG["n_classes"], CONFIG["seed"])
    session, pairs = settled(X, truth, CONFIG["n_answers"], URASC())
    ask, once = time_questions(session, pairs), time_eigsh(session, CONFIG["n_classes"])
    score = jaccard(truth, session.labels_)
    print(f"n = {len(X)}: {ask:.3f} s a question, {once:.3f} s one eigsh: {ask / once:.2f} ×, JCC {score:.3f}")
    growth = []
    for n in CONFIG["sizes"]:
        X, truth = points(n, CONFIG["growth_classes"], CONFIG["seed"])
        strategy = URASC(graph_neighbors=CONFIG["graph_neighbors"])
        session, pairs = settled(X, truth, CONFIG["n_answers"], strategy)
        seconds = time_questions(session, pairs)
        growth.append({"n": n, "seconds": seconds, "jaccard": jaccard(truth, session.labels_)})
        print(f"n = {n}: {seconds:.3f} s a question, JCC {growth[-1]['jaccard']:.3f}", flush=True)
    logs = np.log([[row["n"], row["seconds"]] for row in growth])
    exponent = float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])
    print(f"grows as N^{exponent:.2f}")
    results = {
        "set": "flowers-17" if found else "drawn points",
        "seconds_a_question": ask,
        "seconds_eigsh": once,
        "ratio": ask / once,
        "jaccard": score,
        "growth": growth,
        "exponent": exponent,
    }
    keep(Path(__file__).with_suffix(".json"), config=CONFIG, results=results)


if __name__ == "__main__":
    main()
