"""Real triplets: which of two shoes is more like a third, as 85 shoes were judged by paid people.

``LIKEWISE_DATA=… python -m benchmarks.papers.pei2016_unified.zappos [--seeds 5]`` learns from some of the answers and keeps in
``results/zappos-triplets.json`` how many of the others are predicted. People said that a is more like b than like c, which is less than
that a and b belong together and c does not: read as the latter, and by an error model for which the question has no other answers.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from time import process_time
from zipfile import ZipFile

import numpy as np
from sklearn.decomposition import PCA

from benchmarks.papers.seeds import mean_and_interval
from benchmarks.record import data_folder, keep
from likewise.cluster import DiscriminativeClustering
from likewise.distances import LSML

CONFIG = {"n_learned": [500, 2000], "n_predicted": 20000, "n_components": 20, "n_clusters": 8, "first_seed": 500}
MORE_LIKE = [[0.9, 0.1, 0, 0], [0.1, 0.9, 0, 0], [0.5, 0.5, 0, 0], [0.5, 0.5, 0, 0]]  # what holds, what is said


def load():
    """Vectors (85, d), scaled to variance 1 on the whole, and (a, b, c), a more like b than like c."""
    folder = data_folder("crowd", "zappos-triplets")
    if folder is None:
        return None
    text = {}
    for name in ("cnn_feats", "deconflicted_triplets"):
        with ZipFile(folder / f"{name}.csv.zip") as packed:
            text[name] = packed.read(f"{name}.csv").decode()
    # The ends of the rows of vectors are missing: there two numbers follow each other without a comma.
    numbers = re.sub(r"(\.\d*)(\d\.)", r"\1,\2", text["cnn_feats"])
    X = np.array(numbers.split(","), float).reshape(85, -1)
    X = PCA(CONFIG["n_components"], random_state=0).fit_transform(X)
    triplets = np.array([row.split(",") for row in text["deconflicted_triplets"].split()], int)
    return X / np.sqrt((X**2).mean()), triplets


def by_distance(Z, asked):
    a, b, c = (Z[side] for side in asked.T)
    return float((((a - b) ** 2).sum(axis=1) < ((a - c) ** 2).sum(axis=1)).mean())


def by_clusters(q, asked):
    """How often a is likelier to be in b's cluster than in c's; half when it is as likely."""
    a, b, c = (q[side] for side in asked.T)
    ahead = (a * b).sum(axis=1) - (a * c).sum(axis=1)
    return float((ahead > 0).mean() + 0.5 * (ahead == 0).mean())


def run(X, triplets, n_learned: int, seed: int) -> dict[str, float]:
    order = np.random.default_rng(seed).permutation(len(triplets))
    learned = triplets[order[:n_learned]]
    asked = triplets[order[n_learned : n_learned + CONFIG["n_predicted"]]]
    said = [(*t, "ab") for t in learned.tolist()]
    out = {"plain distance": by_distance(X, asked)}
    out["LSML"] = by_distance(LSML(random_state=seed).fit(X, triplets=learned).transform(X), asked)
    for name, options in (("DC-R", {}), ("DC-R, more like", {"triplet_confusion": MORE_LIKE})):
        start = process_time()
        model = DiscriminativeClustering(CONFIG["n_clusters"], standardize=False, random_state=seed, **options).fit(
            X, triplets=said
        )
        out[name] = by_clusters(model.probabilities_, asked)
        out[f"{name}, seconds"] = process_time() - start
    return out


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    found = load()
    if found is None:
        return
    table = []
    for n_learned in CONFIG["n_learned"]:
        runs = [run(*found, n_learned, CONFIG["first_seed"] + seed) for seed in range(given.seeds)]
        for name in runs[0]:
            mean, interval = mean_and_interval([r[name] for r in runs])
            table.append({"what": name, "learned": n_learned, "mean": mean, "interval_95": interval})
            print(table[-1], flush=True)
    path = Path(__file__).parent / "results" / "zappos-triplets.json"
    keep(path, config={**CONFIG, "seeds": given.seeds}, results=table)


if __name__ == "__main__":
    main()
