"""Fig. 3 and 4: the share of well-categorised pictures against random constraints, for CA, PCCA and PCKMeans."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import PCA

from benchmarks.papers.seeds import mean_and_interval
from benchmarks.record import data_folder, keep
from likewise.cluster import PCCA, CompetitiveAgglomeration, PCKMeans
from likewise.images import describe
from likewise.metrics import purity, well_categorized

HERE = Path(__file__).parent
CONFIG = {"constraints": [0, 100, 200, 400], "seeds": 10, "max_clusters": "4 x classes", "reduction": 5}
SETS = {"four-classes": [80] * 4, "eight-uneven": [60, 45, 30, 20, 12, 8, 7, 5]}  # pictures of each species


def load(sizes: list[int]) -> tuple[np.ndarray, np.ndarray] | None:
    """The joint descriptors of the paper for the first species of flowers-17, reduced five-fold by principal components."""
    folder = data_folder("images", "flowers-17")
    if folder is None:
        return None
    species = sorted(p for p in folder.iterdir() if p.is_dir())[: len(sizes)]
    files = [sorted(p for p in s.iterdir() if p.is_file())[:n] for s, n in zip(species, sizes, strict=True)]
    X = describe([p for some in files for p in some])
    truth = np.repeat(np.arange(len(sizes)), [len(some) for some in files])
    return PCA(X.shape[1] // CONFIG["reduction"], random_state=0).fit_transform(X), truth


def draw_pairs(n: int, count: int, seed: int) -> np.ndarray:
    """Pairs of items at random; those for a larger count begin with those for a smaller one."""
    pairs = [np.random.default_rng([seed, t]).choice(n, 2, replace=False) for t in range(count)]
    return np.array(pairs, np.int64).reshape(-1, 2)


def told(truth: np.ndarray, pairs: np.ndarray) -> dict[str, np.ndarray]:
    """What is said of the pairs."""
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    return {"must_link": pairs[same], "cannot_link": pairs[~same]}


def methods(k: int, seed: int) -> dict[str, Any]:
    """CA as Frigui and Krishnapuram have it, both distances; PCKMeans is told the number of classes."""
    return {
        "CA": CompetitiveAgglomeration(4 * k, random_state=seed),
        "CA, Mahalanobis": CompetitiveAgglomeration(4 * k, metric="mahalanobis", random_state=seed),
        "PCCA": PCCA(4 * k, random_state=seed),
        "PCCA, number by answers": PCCA(4 * k, number="answers", random_state=seed),
        "PCCA, Mahalanobis": PCCA(4 * k, metric="mahalanobis", random_state=seed),
        "PCKMeans": PCKMeans(k, random_state=seed),
    }


def measure(X: np.ndarray, truth: np.ndarray, k: int, count: int, wanted: list[str]) -> dict[str, Any]:
    """Of the methods that are wanted, the mean share with its interval, the share and the purity of each seed, and the mean number of clusters."""
    found: dict[str, list[float]] = {}
    pure: dict[str, list[float]] = {}
    clusters: dict[str, list[float]] = {}
    for seed in range(CONFIG["seeds"]):
        said = told(truth, draw_pairs(len(X), count, seed))
        models = methods(k, seed)
        for method, model in ((name, models[name]) for name in wanted or models):
            labels = model.fit_predict(X, **said)
            found.setdefault(method, []).append(well_categorized(truth, labels))
            pure.setdefault(method, []).append(purity(truth, labels))
            clusters.setdefault(method, []).append(float(model.n_clusters_))
    row: dict[str, Any] = {}
    for method, shares in found.items():
        row[method], row[f"{method}: interval_95"] = mean_and_interval(shares)
        row[f"{method}: by_seed"] = [round(share, 4) for share in shares]
        row[f"{method}: purity by_seed"] = [round(share, 4) for share in pure[method]]
        row[f"{method}: clusters"] = float(np.mean(clusters[method]))
        row[f"{method}: clusters by_seed"] = [int(number) for number in clusters[method]]
        row[f"{method}: seeds"] = len(shares)
    return row


def kept_rows(path: Path) -> list[dict[str, Any]]:
    """What was kept, each method with the number of its seeds where that is not the one of now."""
    if not path.exists():
        return []
    content = json.loads(path.read_text())
    rows: list[dict[str, Any]] = content["results"]
    if content["config"]["seeds"] != CONFIG["seeds"]:
        for row in rows:
            for method in [key for key in row if key != "constraints" and ":" not in key]:
                row.setdefault(f"{method}: seeds", content["config"]["seeds"])
    return rows


def draw(name: str, rows: list[dict[str, Any]]) -> None:
    """The figure."""
    figure, axes = plt.subplots(figsize=(5, 3.5), layout="constrained")
    for method in [key for key in rows[0] if key != "constraints" and ":" not in key]:
        axes.plot([row["constraints"] for row in rows], [row[method] for row in rows], marker="o", label=method)
    axes.set(xlabel="constraints", ylabel="well categorised", ylim=(0, 1), title=name)
    axes.legend(fontsize=7)
    figure.savefig(HERE / "results" / f"{name}.png", dpi=110)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--methods", nargs="*", default=[], help="only these; what was kept of the others stays")
    parser.add_argument("--sets", nargs="*", default=list(SETS), choices=list(SETS))
    given = parser.parse_args()
    wanted = given.methods
    for name, sizes in ((name, SETS[name]) for name in given.sets):
        found = load(sizes)
        if found is None:
            continue
        X, truth = found
        path = HERE / "results" / f"{name}.json"
        earlier = kept_rows(path) if wanted else []
        rows = []
        for count in CONFIG["constraints"]:
            there = next((row for row in earlier if row["constraints"] == count), {})
            rows.append({**there, "constraints": count, **measure(X, truth, len(sizes), count, wanted)})
            shown = {key: round(value, 3) for key, value in rows[-1].items() if isinstance(value, float)}
            print(name, count, shown, flush=True)
        config = {**CONFIG, "set": name, "sizes": sizes, "dimensions": X.shape[1]}
        keep(path, config=config, results=rows, adds=bool(wanted))
        draw(name, rows)


if __name__ == "__main__":
    main()
