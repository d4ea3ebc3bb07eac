"""Discriminative clustering from pairs and from triplets beside metric learners and others (Fig. 3.2 to 3.5 and 3.8).

``LIKEWISE_DATA=… python -m benchmarks.papers.pei2016_unified [SET ...] [--seeds 20] [--first-seed 0] [--shares 0.1 0.3 0.6]
[--kept FOLDER]`` adds what is missing to ``results/SET.json`` and draws ``results/SET.png``. Triplets are half as many as pairs, as in
the thesis; for Fig. 3.8 two for every three pairs, which show as many items.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time

import numpy as np
from sklearn.cluster import KMeans

from benchmarks.papers.curves import draw_panels, scaled_vectors
from benchmarks.papers.seeds import Runs, kept_runs, mean_and_interval
from benchmarks.record import keep
from benchmarks.speed.discriminative import questions
from likewise.cluster import ConstrainedEM, DiscriminativeClustering, SSSVaD
from likewise.cluster.logistic.sssvad import comparisons_of
from likewise.distances import ITML, LSML, MMC, SparseLP
from likewise.metrics import pairwise_f

HERE = Path(__file__).parent
SETS = ("ionosphere", "diabetes", "balance-scale", "digits-389", "letters-IJLT", "flowers-7")
CHOSEN = {
    "letters-IJLT": ("letter-recognition", [8, 9, 11, 19]),
    "digits-389": ("pendigits", [3, 8, 9]),
    "flowers-7": ("flowers-17", [0, 1, 2, 3, 4, 5, 6]),
}
N_COMPONENTS = 32  # of the embeddings of pictures
GRID = {"tau": [0.5, 1.0, 1.5], "regularization": [2.0**-e for e in (10, 8, 6, 4, 2)]}
KERNELS = [None, "rbf"]
PAIRS = ("DC-P", "DC-P planes", "DC-P hard", "ITML", "MMC", "MMC diagonal", "ConstrainedEM", "ConstrainedEM diagonal")
TRIPLETS = ("DC-R", "DC-R planes", "DC-R-C", "DC-R hard", "LSML", "SSSVaD", "SparseLP")
SAME_ITEMS = ("DC-R same items", "DC-R-C same items")
CONFIG = {
    "seeds": "in every row",
    "seeds_of_the_thesis": 20,
    "parameters": "τ and λ of DC-P and DC-R, and whether they have a Gaussian kernel, chosen by five folds of the answers from "
    "the grid of the thesis; planes: never a kernel, as in the thesis; hard, -C and same items take what was chosen for DC-P and "
    "DC-R; ε = 0.05; the others have their defaults",
}


def vectors(name: str, kept: Path | None = None):
    """Vectors scaled to variance 1 a column, and classes."""
    return scaled_vectors(name, CHOSEN, kept, N_COMPONENTS if name == "flowers-7" else None)


def under_metric(learner, X, k, seed, **given):
    return KMeans(k, n_init=50, random_state=seed).fit_predict(learner.fit(X, **given).transform(X))


def told(triplets):
    return [t for t in triplets if t[3] != "none"]


def run(X, truth, share: float, seed: int) -> dict[str, dict[str, float]]:
    """F and seconds of every method at a share of pairs."""
    k, m = len(np.unique(truth)), int(share * len(X))
    pairs, drawn = questions(np.random.default_rng(seed), truth, m)
    triplets, same_items = drawn["triplets"][: m // 2], drawn["triplets"][: 2 * m // 3]
    compared = comparisons_of(len(X), triplets)
    out = {}

    def keep_labels(method, labels_of):
        start = process_time()
        labels = labels_of()
        out[method] = {"f": pairwise_f(truth, labels), "seconds": process_time() - start}

    def chosen(method, hard, given):
        model = DiscriminativeClustering(k, kernel=KERNELS, random_state=seed, **GRID)
        keep_labels(method, lambda: model.fit_predict(X, **given))
        setting = {"tau": model.tau_, "regularization": model.regularization_, "kernel": model.kernel_}
        out[method].update(setting)
        setting["random_state"] = seed
        planes = DiscriminativeClustering(k, random_state=seed, **GRID)
        keep_labels(f"{method} planes", lambda: planes.fit_predict(X, **given))
        keep_labels(hard, lambda: DiscriminativeClustering(k, epsilon=0.0, **setting).fit_predict(X, **given))
        return setting

    chosen("DC-P", "DC-P hard", pairs)
    keep_labels("ITML", lambda: under_metric(ITML(), X, k, seed, **pairs))
    keep_labels("MMC", lambda: under_metric(MMC(), X, k, seed, **pairs))
    keep_labels("MMC diagonal", lambda: under_metric(MMC(diagonal=True), X, k, seed, **pairs))
    keep_labels("ConstrainedEM", lambda: ConstrainedEM(k, random_state=seed).fit_predict(X, **pairs))
    diagonal = ConstrainedEM(k, covariance="diagonal", random_state=seed)
    keep_labels("ConstrainedEM diagonal", lambda: diagonal.fit_predict(X, **pairs))
    setting = chosen("DC-R", "DC-R hard", {"triplets": triplets})
    for method, given in (
        ("DC-R-C", told(triplets)),
        ("DC-R same items", same_items),
        ("DC-R-C same items", told(same_items)),
    ):
        keep_labels(method, lambda given=given: DiscriminativeClustering(k, **setting).fit_predict(X, triplets=given))
    keep_labels("LSML", lambda: under_metric(LSML(random_state=seed), X, k, seed, triplets=compared))
    keep_labels("SSSVaD", lambda: SSSVaD(k, random_state=seed).fit_predict(X, triplets=triplets))
    keep_labels("SparseLP", lambda: under_metric(SparseLP(), X, k, seed, triplets=compared))
    return out


def summary(runs: Runs) -> list[dict]:
    """Mean F of every method and share; runs by share and seed."""
    table = []
    for method in (*PAIRS, *TRIPLETS, *SAME_ITEMS):
        for share, seeds in runs.items():
            mean, interval = mean_and_interval([r[method]["f"] for r in seeds.values()])
            seconds = round(float(np.mean([r[method]["seconds"] for r in seeds.values()])), 3)
            row = {"method": method, "share": float(share), "pairwise_f": mean, "interval_95": interval}
            table.append({**row, "seconds": seconds, "seeds": len(seeds)})
    return table


def draw(name: str, table: list[dict]) -> None:
    draw_panels(
        HERE / "results" / f"{name}.png",
        table,
        {"pairs (3.2, 3.4)": PAIRS, "triplets (3.3, 3.5)": TRIPLETS, "as many items (3.8)": ("DC-P", *SAME_ITEMS)},
        along="share",
        xlabel="pairs an item",
        width=15,
        is_ours=lambda method: method in ("DC-P", "DC-R"),
        label=lambda row: row["method"],
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*", default=list(SETS))
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--shares", type=float, nargs="*", default=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    parser.add_argument("--kept", type=Path)
    given = parser.parse_args()
    sets = {name: found for name in given.sets if (found := vectors(name, given.kept)) is not None}
    for seed in map(str, range(given.first_seed, given.first_seed + given.seeds)):
        for name, (X, truth) in sets.items():
            path = HERE / "results" / f"{name}.json"
            runs = kept_runs(path)
            for share in map(str, given.shares):
                if seed not in runs.get(share, {}):
                    runs.setdefault(share, {})[seed] = run(X, truth, float(share), int(seed))
            table = summary(runs)
            keep(path, config={"set": name, "n": len(X), **CONFIG}, results={"table": table, "runs": runs}, adds=True)
            draw(name, table)
            print(
                name, [(r["method"], r["share"], r["pairwise_f"], r["seconds"], r["seeds"]) for r in table], flush=True
            )


if __name__ == "__main__":
    main()
