"""Every asker on every set: ``LIKEWISE_DATA=… python -m benchmarks.askers --sets digits iris --askers auto "peer: COBRAS"``.

A simulated person answers the same questions in the same way whoever asks. After 25, 50, 100, … answers the adjusted Rand index
and the Jaccard coefficient of the clusters are taken. What ran is kept in ``results``, one file a set and asker, and not run again;
``python -m benchmarks.askers.report`` makes the page. A run that takes longer than ``--limit`` seconds is cut there, and said so.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.askers.a3s import A3S
from benchmarks.askers.peers import OF, run_peer
from benchmarks.askers.sets import SETS, load
from benchmarks.record import keep
from likewise import Session
from likewise.metrics import ari, jaccard
from likewise.query import Question, strategies
from likewise.simulate import SimulatedAnnotator

HERE = Path(__file__).parent
CHECKPOINTS = (25, 50, 100, 200, 400, 800, 1200, 1600)
# beside the same without
TOLD = {"active-hacc, K known": "active-hacc", "auto, K known": "auto", "urasc, K known": "urasc"}
DOUBTING = "auto, recheck"
NEED_K = {
    "bayesian",
    "cac1",
    "explore-consolidate",
    "ffqs",
    "minmax",
    "npu",
    "pknn-al",
    "quire",
    "asc",
    "graph-purification",
    "random",
    "active-subclustering",
}
TWO_CLASSES = {"asc", "quire"}
GOALS = (0.90, 0.95, 1.0)


def ask_strategy(
    X, truth, asker: str, person, *, seed: int, budget: int, limit: float
) -> Iterator[tuple[Callable[[], np.ndarray], float]]:
    """How to get the labels after every answer, and how long the question took to choose."""
    k = len(np.unique(truth)) if asker in TOLD or asker in NEED_K else None
    options = {"strategy": TOLD.get(asker, asker)}
    if asker == DOUBTING:
        options = {"strategy": "auto", "recheck": True}
    session = Session(X, **options, n_clusters=k, random_state=seed)
    began = perf_counter()
    for _ in range(budget):
        start = perf_counter()
        question = session.ask()
        seconds = perf_counter() - start
        if question is None:
            return
        session.answer(question, person.answer(question))
        yield lambda: session.labels_, seconds
        if perf_counter() - began > limit:
            return


def ask_a3s(X, person, *, seed: int, budget: int) -> Iterator[tuple[Callable[[], np.ndarray], float]]:
    """The same for A3S."""
    asked = A3S(X, seed, lambda i, j: person.answer(Question("pair", (i, j))) == "same").run()
    for _ in range(budget):
        start = perf_counter()
        labels = next(asked, None)
        if labels is None:
            return
        yield labels.copy, perf_counter() - start


def run(X, truth, asker: str, *, seed: int, budget: int, error_rate: float, limit: float) -> dict:
    """One session: scores at the checkpoints and every 25 answers, questions to the goals, and seconds a question."""
    if asker in OF:
        options = {"seed": seed, "budget": budget, "error_rate": error_rate, "limit": limit}
        steps, labels, seconds = run_peer(asker, X, truth, **options)
        wanted = [(s, each) for s, each in zip(steps, labels, strict=True) if s % 25 == 0 or s == steps[-1]]
        return summary(truth, wanted, [seconds], ended=bool(steps) and len(steps) > 1 and steps[-1] < budget)
    person = SimulatedAnnotator(truth, error_rate=error_rate, random_state=seed)
    if asker == "A3S":
        curve = ask_a3s(X, person, seed=seed, budget=budget)
    else:
        curve = ask_strategy(X, truth, asker, person, seed=seed, budget=budget, limit=limit)
    kept, times = [], []
    began = perf_counter()
    for answers, (labels_now, seconds) in enumerate(curve, 1):
        times.append(seconds)
        if answers % 25 == 0:
            kept.append((answers, labels_now().copy()))
    cut = perf_counter() - began > limit
    if times and len(times) % 25:
        kept.append((len(times), labels_now().copy()))
    return summary(truth, kept, times, ended=len(times) < budget and not cut)


def summary(truth, kept: list[tuple[int, np.ndarray]], times: list[float], *, ended: bool) -> dict:
    scores = [(step, ari(truth, labels), jaccard(truth, labels)) for step, labels in kept]
    reached = {f"{goal:.2f}": next((s for s, score, _ in scores if score >= goal - 1e-9), None) for goal in GOALS}
    return {
        "ari": {str(s): round(a, 4) for s, a, _ in scores},
        "jaccard": {str(s): round(j, 4) for s, _, j in scores},
        "questions_to": reached,
        "nothing_left": ended,
        "median_seconds": float(np.median(times)) if times else None,
        "slowest_seconds": float(np.max(times)) if times else None,
    }


def file_of(name: str, asker: str, error_rate: float) -> Path:
    """Where the runs of an asker on a set are kept."""
    words = "".join(c if c.isalnum() else "-" for c in f"{name}--{asker.removeprefix('peer: ')}")
    return HERE / "results" / f"{words.lower()}{f'--wrong-{error_rate:g}' if error_rate else ''}.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=SETS)
    every = [name for name in strategies() if name != "dendrogram"]
    parser.add_argument("--askers", nargs="+", default=[*every, *TOLD, DOUBTING, "A3S", *OF])
    parser.add_argument("--budget", type=int, default=1600)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--error-rate", type=float, default=0.0)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds after which a run is cut")
    parser.add_argument("--kept", type=Path, help="folder in which embeddings are kept")
    parser.add_argument("--again", action="store_true", help="run also what is kept")
    given = parser.parse_args()
    for name in given.sets:
        found = load(name, given.kept)
        for asker in given.askers if found is not None else ():
            path = file_of(name, asker, given.error_rate)
            if (path.exists() and not given.again) or (asker in TWO_CLASSES and len(np.unique(found[1])) > 2):
                continue
            options = {"budget": given.budget, "error_rate": given.error_rate, "limit": given.limit}
            runs = []
            for seed in range(given.seeds):
                runs.append(run(*found, asker, seed=seed, **options))
            steps = [s for s in runs[0]["ari"] if int(s) in CHECKPOINTS and all(s in one["ari"] for one in runs)]
            curve = " ".join(f"{np.mean([one['ari'][s] for one in runs]):.3f}@{s}" for s in steps)
            print(f"{name:18} {asker:26} {curve}", flush=True)
            config = {"set": name, "n": len(found[0]), "classes": len(np.unique(found[1])), "asker": asker}
            keep(path, config={**config, "seeds": given.seeds, **options}, results=runs)


if __name__ == "__main__":
    main()
