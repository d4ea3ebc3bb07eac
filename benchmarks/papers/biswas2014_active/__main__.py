"""Learning curves of Active-HACC and the algorithms of Table 3.1, with perfect and with wrong answers.

``python -m benchmarks.papers.biswas2014_active [SET ...]`` runs, keeps ``results/SET.json`` and draws ``SET.png``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.papers.biswas2014_active.sets import Set, load
from benchmarks.record import keep
from likewise import Session, simulate
from likewise.cluster import COPKMeans, KMedoids
from likewise.metrics import measure, well_categorized
from likewise.query.active_hacc.consensus import consensus_probability

HERE = Path(__file__).parent
BUDGET = {
    "iris": 50,
    "iris-chi2": 50,
    "leaf-100": 300,
    "leaf-250": 900,
    "leaf-990": 4000,
    "faces-100": 300,
    "faces-250": 900,
    "faces-400": 1000,
    "scene-300": 1500,
}
SEED = 0
POINTS = 50
# 000, §3.3.2: people erred in 1.2 % of the pairs of faces and in 1.9 % of the pairs of leaves.
NOISE = {"faces-250": 0.012, "leaf-250": 0.019}

ALGORITHMS = {
    "Active-HACC": ("active-hacc", {}),
    "Active-HACC, calibrated (our default)": ("active-hacc", {"probability": None}),
    "Active-HACC-H1": ("active-hacc", {"prune": True}),
    "Active-HACC-H1_H2": ("active-hacc", {"prune": True, "local": True}),
    "Random + HACC": ("random", {}),
    "Random + COP-KMeans": ("random", {"clusterer": COPKMeans()}),
    "CAC1": ("cac1", {}),
    "Active-PCKMeans (Explore-Consolidate)": ("explore-consolidate", {}),
    "MinMax": ("minmax", {}),
    "NPU": ("npu", {}),
    "kNN-graph purification": ("graph-purification", {}),
}
SLOW = ("NPU", "MinMax", "Active-PCKMeans (Explore-Consolidate)", "kNN-graph purification")  # not past 400 items


def session_of(data: Set, strategy: str, *, vectors: bool = False, **options: Any) -> Session:
    """A session on a set: the k-means family needs vectors, the rest works on any distances."""
    by_vectors = vectors or data.euclidean or strategy in ("explore-consolidate", "minmax", "npu")
    return Session(
        data.X if by_vectors else data.D,
        metric="euclidean" if by_vectors else "precomputed",
        strategy=strategy,
        n_clusters=len(np.unique(data.truth)),
        random_state=SEED,
        **options,
    )


def run_one(data: Set, name: str, error_rate: float, probability: np.ndarray) -> dict | None:
    strategy, options = ALGORITHMS[name]
    if len(data.D) > 400 and name in SLOW:
        return None
    if strategy == "active-hacc":
        options = {"probability": probability, **options}
    session = session_of(data, strategy, **options)
    budget = BUDGET[data.name]
    start = perf_counter()
    shares = well_categorized_first(session, data) if name.startswith("Active-HACC") and budget < 100 else None
    curve = simulate(session, data.truth, budget, error_rate=error_rate, every=max(1, budget // POINTS))
    seconds = perf_counter() - start
    print(f"  {name}: JCC {curve.jaccard.iloc[-1]:.3f} after {curve.answers.iloc[-1]}, {seconds:.0f} s", flush=True)
    found = {} if shares is None else {"well_categorized": shares}
    return found | {
        "answers": curve.answers.tolist(),
        "jaccard": curve.jaccard.round(4).tolist(),
        "seconds_a_question": round(seconds / len(session.history), 4),
    }


def well_categorized_first(session: Session, data: Set) -> list[float]:
    """Share of well-categorised items after 0, 1, … 10 perfect answers (000, §3.3.3); the session is left as it was."""
    shares = []
    for _ in range(11):
        shares.append(round(well_categorized(data.truth, session.labels_), 4))
        question = session.ask()
        i, j = question.items
        session.answer(question, "same" if data.truth[i] == data.truth[j] else "different")
    for _ in shares:
        session.undo()
    return shares


def without_questions(data: Set) -> float:
    """K-medoids on the distances, no answers: the mean of ten starts."""
    k = len(np.unique(data.truth))
    scores = [
        measure(data.truth, KMedoids(k, metric="precomputed", random_state=seed).fit_predict(data.D))["jaccard"]
        for seed in range(10)
    ]
    return round(float(np.mean(scores)), 4)


def consensus(data: Set) -> np.ndarray:
    """The same for all variants."""
    X, metric = (data.X, "euclidean") if data.euclidean else (data.D, "precomputed")
    return consensus_probability(X, len(np.unique(data.truth)), metric=metric, random_state=SEED)


def draw(data: Set, curves: dict, flat: float, noise: float, path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    for name, curve in curves.items():
        axes.plot(curve["answers"], curve["jaccard"], label=name, lw=2 if name.startswith("Active-HACC") else 1)
    axes.axhline(flat, color="grey", ls=":", label="K-medoids, no questions")
    wrong = f", {noise:.1%} wrong answers" if noise else ""
    axes.set(xlabel="questions", ylabel="Jaccard's coefficient", ylim=(0, 1.02), title=f"{data.name}{wrong}")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7, loc="lower right")
    figure.savefig(path, dpi=100)


def run_set(data: Set, noise: float, wanted: list[str]) -> None:
    """Run the algorithms that are wanted; the curves of the others stay as they were kept."""
    classes = len(np.unique(data.truth))
    print(f"{data.name}: {len(data.D)} items, {classes} classes, {noise:.1%} wrong answers")
    path = HERE / "results" / (f"{data.name}-noise.json" if noise else f"{data.name}.json")
    kept = json.loads(path.read_text())["results"]["curves"] if path.exists() else {}
    probability = consensus(data)
    for name in wanted:
        curve = run_one(data, name, noise, probability)
        if curve is not None:
            kept[name] = curve
    curves = {name: kept[name] for name in ALGORITHMS if name in kept}
    flat = without_questions(data)
    config = {"set": data.name, "seed": SEED, "error_rate": noise, "budget": BUDGET[data.name], "points": POINTS}
    keep(path, config=config, results={"curves": curves, "k_medoids_without_questions": flat}, adds=True)
    draw(data, curves, flat, noise, path.with_suffix(".png"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=list(BUDGET))
    parser.add_argument("--algorithm", action="append", choices=list(ALGORITHMS), help="only this one")
    given = parser.parse_args()
    for name in given.sets:
        data = load(name)
        if data is not None:
            for noise in (0.0, *([NOISE[name]] if name in NOISE else [])):
                run_set(data, noise, given.algorithm or list(ALGORITHMS))


if __name__ == "__main__":
    main()
