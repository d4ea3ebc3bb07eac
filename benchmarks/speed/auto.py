"""Choosing a question by the default asker, beside one average linkage of the same points; the wait of a person, question by question."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist

from benchmarks.record import keep
from likewise import Session
from likewise.metrics import ari
from likewise.simulate import SimulatedAnnotator

CONFIG = {
    "sizes": {"1500": {"classes": 20, "answers": 400}, "10000": {"classes": 100, "answers": 120}},
    "d": 64,
    "spread_of_classes": 0.7,
    "seconds": "by the clock, asking only; the first question, which looks at everything for the first time, apart",
    "seed": 0,
}


def measure(n: int, classes: int, answers: int) -> dict[str, float]:
    """Seconds of every question while a person who is always right answers."""
    rng = np.random.default_rng(CONFIG["seed"])
    truth = rng.integers(0, classes, n)
    centres = CONFIG["spread_of_classes"] * rng.normal(size=(classes, CONFIG["d"]))
    X = rng.normal(size=(n, CONFIG["d"])) + centres[truth]
    start = perf_counter()
    linkage(pdist(X), "average")
    once = perf_counter() - start
    session, person = Session(X, random_state=0), SimulatedAnnotator(truth)
    waits = []
    for _ in range(answers):
        start = perf_counter()
        question = session.ask()
        waits.append(perf_counter() - start)
        session.answer(question, person.answer(question))
    rest = np.array(waits[1:])
    return {
        "n": n,
        "answers": answers,
        "first_seconds": waits[0],
        "median_seconds": float(np.median(rest)),
        "p95_seconds": float(np.quantile(rest, 0.95)),
        "longest_seconds": float(rest.max()),
        "linkage_seconds": once,
        "ratio": float(np.median(rest)) / once,
        "ari": ari(truth, session.labels_),
    }


def main() -> None:
    measure(200, 4, 60)  # compile
    results = [measure(int(n), **more) for n, more in CONFIG["sizes"].items()]
    for found in results:
        print({name: round(value, 4) for name, value in found.items()})
    keep(Path(__file__).with_suffix(".json"), config=CONFIG, results=results)


if __name__ == "__main__":
    main()
