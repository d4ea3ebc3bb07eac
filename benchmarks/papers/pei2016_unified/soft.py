"""Where hard answers end above soft ones: ionosphere at .6 pairs an item, by ε, with perfect and with wrong answers.

``LIKEWISE_DATA=… python -m benchmarks.papers.pei2016_unified.soft`` keeps ``soft.json``: pairwise F and how many answers the
clusters go against, for every seed that ``results/ionosphere.json`` has there, with what was chosen in it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.papers.pei2016_unified.__main__ import vectors
from benchmarks.papers.seeds import kept_runs
from benchmarks.record import keep
from benchmarks.speed.discriminative import questions
from likewise.cluster import DiscriminativeClustering
from likewise.metrics import pairwise_f

HERE = Path(__file__).parent
CONFIG = {
    "set": "ionosphere",
    "share": 0.6,
    "epsilons": [0.05, 0.01, 0.001, 0.0],
    "wrong": [0.0, 0.05],
    "flip_seed": 1000,
}


def with_errors(pairs: dict[str, np.ndarray], share: float, seed: int) -> dict[str, np.ndarray]:
    """The same pairs, of which a share is answered wrongly."""
    asked = np.vstack([pairs["must_link"], pairs["cannot_link"]])
    same = np.arange(len(asked)) < len(pairs["must_link"])
    same ^= np.random.default_rng(CONFIG["flip_seed"] + seed).random(len(asked)) < share
    return {"must_link": asked[same], "cannot_link": asked[~same]}


def against(labels: np.ndarray, pairs: dict[str, np.ndarray]) -> int:
    """How many answers the clusters go against."""
    together = {what: labels[asked[:, 0]] == labels[asked[:, 1]] for what, asked in pairs.items()}
    return int((~together["must_link"]).sum() + together["cannot_link"].sum())


def run(X: np.ndarray, truth: np.ndarray, seed: int, setting: dict) -> list[dict]:
    """F and answers gone against, of every ε and share of wrong answers."""
    perfect, _ = questions(np.random.default_rng(seed), truth, int(CONFIG["share"] * len(X)))
    rows = []
    for wrong in CONFIG["wrong"]:
        pairs = with_errors(perfect, wrong, seed) if wrong else perfect
        for epsilon in CONFIG["epsilons"]:
            model = DiscriminativeClustering(2, epsilon=epsilon, random_state=seed, **setting)
            labels = model.fit_predict(X, **pairs)
            row = {"seed": seed, "wrong": wrong, "epsilon": epsilon, "f": round(pairwise_f(truth, labels), 4)}
            rows.append(row | {"against": against(labels, pairs), "answers": sum(map(len, pairs.values()))})
    return rows


def main() -> None:
    found = vectors(CONFIG["set"])
    if found is None:
        return
    runs = kept_runs(HERE / "results" / f"{CONFIG['set']}.json")[str(CONFIG["share"])]
    table = []
    for seed in sorted(map(int, runs)):
        chosen = {key: runs[str(seed)]["DC-P"][key] for key in ("tau", "regularization", "kernel")}
        table += run(*found, seed, chosen)
        print(table[-len(CONFIG["epsilons"]) * len(CONFIG["wrong"]) :], flush=True)
    keep(HERE / "soft.json", config=CONFIG, results=table)


if __name__ == "__main__":
    main()
