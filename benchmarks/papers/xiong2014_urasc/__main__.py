"""URASC, its variants and its baselines: learning curves on the paper's sets, beside the paper's tables.

``LIKEWISE_DATA=… python -m benchmarks.papers.xiong2014_urasc [SET ...] [--seeds 20] [--others 3] [--methods M ...]`` keeps
``results/SET.json`` and draws ``results/SET.png``; ``--error-rate`` and ``--unknown`` are Fig. 7 and 8. Answers are read in our own
way, by all methods; ``protocol.py`` has the paper's.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.askers.sets import load
from benchmarks.papers.xiong2014_urasc.figures import PAPER
from benchmarks.record import keep
from likewise import Session, simulate
from likewise.cluster import SpectralLearning

HERE = Path(__file__).parent
COUNTS = {
    "wine": [5, 10, 15],
    "sonar": [50, 150, 180],
    "bupa": [100, 200, 300],
    "diabetes": [150, 300, 450],
    "balance-scale": [100, 200, 300],
    "cho-yeast": [100, 200, 300],
    "faces-20": [50, 150, 300],
    "faces-40": [200, 500, 800],
    "leaf-99": [500, 1500, 2500],
    "flowers-17": [200, 600, 1000],
}
LONGER = {"faces-20": [50, 150, 300, 400]}  # where the number of clusters has to be found first (Fig. 8)
METHODS = {
    "URASC+N": ("urasc", {}),
    "URASC+P": ("urasc", {"step": "parametric"}),
    "URASC-NO": ("urasc", {"gradient": False}),
    "URASC-PO": ("urasc", {"step": "parametric", "gradient": False}),
    "URASC-GO": ("urasc", {"step": None}),
    "URASC+N, written": ("urasc", {"graph": "written", "reading": "kmeans"}),
    "Random": ("random", {"clusterer": SpectralLearning()}),
    "FFQS": ("ffqs", {}),
    "pKNN+AL": ("pknn-al", {}),
    "QUIRE": ("quire", {}),
    "ASC": ("asc", {}),
}
FULL = ("URASC+N", "URASC+P")
TWO_CLASSES = ("QUIRE", "ASC")


def vectors(name: str, kept: Path | None):
    """Vectors and classes: tables scaled to variance 1 a column; faces-N the first N people of orl-faces."""
    if name.startswith("faces-"):
        found = load("orl-faces", kept)
        if found is None:
            return None
        X, truth = found
        few = truth < int(name.removeprefix("faces-"))
        return X[few], truth[few]
    return load(name if name in ("leaf-99", "flowers-17") else f"{name}:z", kept)


def run(X, truth, how: tuple, counts: list[int], seed: int, error_rate: float, unknown: bool) -> list[dict]:
    strategy, options = how
    session = Session(
        X, strategy=strategy, n_clusters=None if unknown else len(np.unique(truth)), random_state=seed, **options
    )
    rows: list[dict] = []
    start = perf_counter()
    for budget in np.diff([0, *counts]).tolist():
        curve = simulate(session, truth, budget, error_rate=error_rate, every=budget)
        if len(curve):
            row = curve.iloc[-1]
            rows.append({k: float(row[k]) for k in ("answers", "jaccard", "v_measure", "n_clusters")})
        elif rows:  # everything is known
            rows.append(rows[-1])
    seconds = (perf_counter() - start) / max(len(session.history), 1)
    return [{**row, "at": count, "seconds": seconds} for row, count in zip(rows, counts, strict=False)]


def summary(name: str, runs: dict[str, list[list[dict]]], counts: list[int]) -> list[dict]:
    """Means over the seeds beside the paper's figures."""
    table = []
    for method, seeds in runs.items():
        for at, count in enumerate(counts):
            rows = [rows[at] for rows in seeds if len(rows) > at]
            if not rows:
                continue
            paper = PAPER.get(name, {}).get(count, {}).get(method)
            entry = {"method": method, "constraints": count, "seeds": len(rows)}
            for k in ("jaccard", "v_measure", "n_clusters"):
                entry[k] = round(float(np.mean([r[k] for r in rows])), 4)
            entry["jaccard_by_seed"] = [round(r["jaccard"], 4) for r in rows]
            entry["jaccard_deviation"] = round(float(np.std([r["jaccard"] for r in rows])), 4)
            entry["milliseconds_a_question"] = round(1e3 * float(np.mean([r["seconds"] for r in rows])), 1)
            if paper:
                entry["paper_jaccard"], entry["paper_v_measure"] = paper
            table.append(entry)
            beside = f"  (paper {paper[0]:.3f}, {paper[1]:.3f})" if paper else ""
            print(
                f"{name} {count:5d} {method:14s} JCC {entry['jaccard']:.3f} V {entry['v_measure']:.3f}{beside}",
                flush=True,
            )
    return table


def draw(name: str, table: list[dict], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4.5), layout="constrained")
    for axes, measure in zip(figure.subplots(1, 2), ("jaccard", "v_measure"), strict=True):
        for method in dict.fromkeys(row["method"] for row in table):
            rows = [row for row in table if row["method"] == method]
            line = axes.plot(
                [row["constraints"] for row in rows],
                [row[measure] for row in rows],
                "o-",
                label=method,
                lw=2.5 if method in FULL else 1,
            )
            paper = [row for row in rows if f"paper_{measure}" in row]
            if paper:
                axes.plot(
                    [row["constraints"] for row in paper],
                    [row[f"paper_{measure}"] for row in paper],
                    "x--",
                    color=line[0].get_color(),
                    alpha=0.5,
                )
        axes.set(xlabel="answers", ylabel=measure, title=name, ylim=(0, 1.02))
        axes.grid(alpha=0.3)
    figure.axes[0].legend(fontsize=7)
    figure.savefig(path, dpi=90)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*", default=list(COUNTS))
    parser.add_argument("--seeds", type=int, default=20, help="seeds of URASC+N and URASC+P")
    parser.add_argument("--others", type=int, default=3, help="seeds of the other methods")
    parser.add_argument("--methods", nargs="*")
    parser.add_argument("--error-rate", type=float, default=0.0)
    parser.add_argument("--unknown", action="store_true", help="the number of clusters is not told")
    parser.add_argument("--kept", type=Path, help="folder of embeddings made before")
    given = parser.parse_args()
    for name in given.sets:
        found = vectors(name, given.kept)
        if found is None:
            continue
        X, truth = found
        two = len(np.unique(truth)) == 2
        counts = LONGER.get(name, COUNTS[name]) if given.unknown else COUNTS[name]
        runs = {}
        for method in given.methods or METHODS:
            if method in TWO_CLASSES and not two:
                continue
            seeds = given.seeds if method in FULL else given.others
            runs[method] = [
                run(X, truth, METHODS[method], counts, seed, given.error_rate, given.unknown) for seed in range(seeds)
            ]
        stem = name + ("-noise" if given.error_rate else "") + ("-unknown" if given.unknown else "")
        table = summary(name, runs, counts)
        config = {
            "set": name,
            "n": len(X),
            "seeds": given.seeds,
            "seeds_of_others": given.others,
            "error_rate": given.error_rate,
            "unknown_number_of_clusters": given.unknown,
        }
        keep(HERE / "results" / f"{stem}.json", config=config, results=table)
        draw(stem, table, HERE / "results" / f"{stem}.png")


if __name__ == "__main__":
    main()
