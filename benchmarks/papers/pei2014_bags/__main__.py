"""Letter-Carroll and Letter-Frost: NMI and purity against the share of labelled bags, and against the number of clusters.

``LIKEWISE_DATA=… python -m benchmarks.papers.pei2014_bags [--seeds 20]`` keeps ``results.json`` and draws ``results.png``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

from benchmarks.record import data_folder, keep
from likewise.cluster import BagSpectral, SpectralLearning, SpectralRegularized, bag_links
from likewise.distances import local_affinity
from likewise.metrics import nmi, purity

HERE = Path(__file__).parent
POEMS = ("carroll", "frost")
# The thesis writes an affinity for every pair (§2.5.1) and counts the cost by those that are not 0 (§2.4.2): both are run.
AFFINITIES = {"all pairs": {"divisor": 2.0}, "10 nearest": {"divisor": 2.0, "graph_neighbors": 10}}
SHARES = (0.2, 0.4, 0.6, 0.8, 1.0)
ALPHA, BETA = 0.7, 20.0
# The last is not in the thesis: CSP with the links that follow from the labels written into the affinities besides.
METHODS = ("SP", "SpLearn", "SpReg", "CSP", "CSP w.o. clml", "CSP + links")


def draw_letters(words: list[str], table, rng: np.random.Generator):
    """Rows of the letter table for the letters of every word, drawn without replacement; letters and bags."""
    letters = np.array([c for word in words for c in word.upper()])
    bags = np.repeat(np.arange(len(words)), [len(word) for word in words])
    X = np.empty((len(letters), 16))
    for letter in np.unique(letters):
        at = np.flatnonzero(letters == letter)
        rows = rng.choice(np.flatnonzero(table.label.to_numpy() == letter), len(at), replace=False)
        X[at] = table.filter(regex="^x").to_numpy(float)[rows]
    deviation = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0), letters, bags


def written(W: np.ndarray, same: np.ndarray, different: np.ndarray) -> np.ndarray:
    """SpLearn's affinities: 1 for must-links, 0 for cannot-links, entry by entry."""
    changed = W.copy()
    for pairs, value in ((same, 1.0), (different, 0.0)):
        changed[pairs[:, 0], pairs[:, 1]] = changed[pairs[:, 1], pairs[:, 0]] = value
    return changed


def cluster(method: str, W, bags, labels, n_clusters: int, n_classes: int, seed: int) -> np.ndarray:
    same, different = bag_links(bags, labels, must_link=n_clusters == n_classes)
    options = {"affinity": "precomputed", "random_state": seed}
    if method == "SP":
        return BagSpectral(n_clusters, 0.0, **options).fit_predict(W)
    if method == "SpLearn":
        model = SpectralLearning(n_clusters, laplacian="additive", keep=False, **options)
        return model.fit_predict(written(W, same, different))
    if method == "SpReg":
        return SpectralRegularized(n_clusters, beta=BETA, **options).fit_predict(W, must_link=same)
    if method == "CSP + links":
        options["write_links"] = "both" if n_clusters == n_classes else "cannot"
    model = BagSpectral(n_clusters, ALPHA, with_links=method != "CSP w.o. clml", **options)
    return model.fit_predict(W, bags=bags, bag_labels=labels)


class Poem(NamedTuple):
    """Affinities of the letters of a poem, which letters they are, their bags, and the labels of all bags."""

    W: np.ndarray
    truth: np.ndarray
    bags: np.ndarray
    labels: dict[int, set[str]]


def read_poem(poem: str):
    """The words of a poem and the letter table, or None when they are not there."""
    import pandas as pd

    path = data_folder("multilabel", "letter-bags", f"{poem}.txt")
    table_path = data_folder("tables", "letter-recognition.csv")
    if path is None or table_path is None:
        return None
    return path.read_text().split(), pd.read_csv(table_path)


def draw_poem(words: list[str], table, kind: str, rng: np.random.Generator) -> Poem:
    """A draw of the letters of a poem."""
    X, truth, bags = draw_letters(words, table, rng)
    W = local_affinity(X, n_neighbors=7, **AFFINITIES[kind])
    W = W if isinstance(W, np.ndarray) else W.toarray()
    return Poem(W, truth, bags, {b: set(truth[bags == b].tolist()) for b in range(len(words))})


def run(poem: str, kind: str, seeds: int, more_seeds: int) -> list[dict] | None:
    found = read_poem(poem)
    if found is None:
        return None
    words, table = found
    rows = []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        W, truth, bags, everything = draw_poem(words, table, kind, rng)
        n_classes = len(np.unique(truth))
        order = rng.permutation(len(words))
        jobs = [(share, n_classes) for share in SHARES]
        if seed < more_seeds:
            jobs += [(1.0, k) for k in np.linspace(n_classes, 2 * n_classes, 7).astype(int)[1:].tolist()]
        for share, k in jobs:
            labels = {b: everything[b] for b in order[: round(share * len(words))].tolist()}
            for method in METHODS:
                if method == "SpReg" and k > n_classes:
                    continue
                start = perf_counter()
                found = cluster(method, W, bags, labels, k, n_classes, seed)
                rows.append(
                    {
                        "poem": poem,
                        "affinity": kind,
                        "method": method,
                        "share": share,
                        "n_clusters": k,
                        "seed": seed,
                        "nmi": nmi(truth, found),
                        "purity": purity(truth, found),
                        "seconds": perf_counter() - start,
                    }
                )
    return rows


def summary(rows: list[dict]) -> list[dict]:
    """Means and deviations over the seeds."""
    import pandas as pd

    keys = ["poem", "affinity", "method", "share", "n_clusters"]
    table = pd.DataFrame(rows).groupby(keys, sort=False)
    out = table[["nmi", "purity", "seconds"]].mean().round(4)
    for measure in ("nmi", "purity"):
        out[f"{measure}_deviation"] = table[measure].std().fillna(0.0).round(4)
    out["seeds"] = table.size()
    out["nmi_by_seed"] = table["nmi"].agg(lambda values: [round(value, 4) for value in values])
    return out.reset_index().to_dict("records")


def draw(table: list[dict], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 13), layout="constrained")
    axes = figure.subplots(4, 3, squeeze=False)
    for row, (poem, kind) in enumerate((p, a) for p in POEMS for a in AFFINITIES):
        mine = [r for r in table if r["poem"] == poem and r["affinity"] == kind]
        if not mine:
            continue
        fewest = min(r["n_clusters"] for r in mine)
        for method in METHODS:
            by_share = [r for r in mine if r["method"] == method and r["n_clusters"] == fewest]
            for column, measure in enumerate(("nmi", "purity")):
                axes[row][column].errorbar(
                    [r["share"] for r in by_share],
                    [r[measure] for r in by_share],
                    [r[f"{measure}_deviation"] for r in by_share],
                    label=method,
                    capsize=2,
                )
                axes[row][column].set(title=f"{poem}, {kind}, K = C", xlabel="share of labelled bags", ylabel=measure)
            by_count = [r for r in mine if r["method"] == method and r["share"] == 1.0]
            axes[row][2].plot([r["n_clusters"] for r in by_count], [r["purity"] for r in by_count], "o-", label=method)
            axes[row][2].set(title=f"{poem}, {kind}, all bags labelled", xlabel="clusters", ylabel="purity")
        axes[row][0].legend(fontsize=7)
    figure.savefig(path, dpi=90)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--more-seeds", type=int, default=5, help="seeds of the runs with more clusters")
    given = parser.parse_args()
    rows = [
        row for poem in POEMS for kind in AFFINITIES for row in run(poem, kind, given.seeds, given.more_seeds) or []
    ]
    if not rows:
        return
    table = summary(rows)
    for row in table:
        print(
            f"{row['poem']}, {row['affinity']}: {row['method']:14s} {row['share']:.0%} K={row['n_clusters']}: "
            f"NMI {row['nmi']:.3f}, purity {row['purity']:.3f}"
        )
    config = {
        "affinities": AFFINITIES,
        "alpha": ALPHA,
        "beta": BETA,
        "seeds": given.seeds,
        "seeds_more_clusters": given.more_seeds,
    }
    keep(HERE / "results.json", config=config, results=table)
    draw(table, HERE / "results.png")


if __name__ == "__main__":
    main()
