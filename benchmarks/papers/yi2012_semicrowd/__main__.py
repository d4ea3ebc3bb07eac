"""Figure 3 and table 1: ``python -m benchmarks.papers.yi2012_semicrowd``.

Digits (pixels) and flowers-17 (square roots of colour and texture histograms, 100 singular directions, not centred) stand in
for the bags of visual words of ImageNet and PASCAL. Simulated annotators as the paper describes them: every item gets three
keywords from each of five people; a hit is one round of all items, so that every pair has five votes, of which the filter asks
four (0.8). What the annotations were like is measured and kept. All learners get pairs of the completed matrix (at most
`pairs` of each kind, drawn at random).
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from time import process_time

import numpy as np
from sklearn.datasets import load_digits
from sklearn.decomposition import TruncatedSVD

from benchmarks.papers.curves import plot_sets
from benchmarks.record import data_folder, keep
from likewise.cluster.semicrowd import COMPLETION_TOL, SemiCrowdClustering, scale_rows, spectral_labels
from likewise.crowd import complete_matrix, filter_similarity, hit_similarity, keyword_hits
from likewise.distances import DCA, ITML, LMNN, MMC, RCA, RDML
from likewise.metrics import nmi

HERE = Path(__file__).parent
CONFIG = {
    "n": [100, 300, 600, 1000],
    "keywords": {"noise": 0.36, "general": 4, "synonyms": 3, "hits_per_item": 5, "keywords": 3},
    "pairs": 2000,
    "seeds": "one a trial, from 0",
    "sets": ["digits", "flowers-17"],
    "settings": {"ITML": {"max_iter": 50}, "MMC": {"max_iter": 100}, "LMNN": {"max_iter": 30}},
}
LEARNERS = {"GDM": MMC, "LMNN": LMNN, "ITML": ITML, "DCA": DCA, "RCA": RCA}


def flowers() -> tuple[np.ndarray, np.ndarray] | None:
    folder = data_folder("images", "flowers-17")
    if folder is None:
        return None
    from likewise.images import describe

    paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".jpg", ".png"))
    truth = np.unique([p.parent.name for p in paths], return_inverse=True)[1]
    X = np.asarray(describe(paths, descriptors=["hsv", "laplacian", "hough"]), dtype=np.float64)
    return TruncatedSVD(100, random_state=0).fit_transform(np.sqrt(np.maximum(X, 0.0))), truth


def pairs_of(A: np.ndarray, count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Must-links and cannot-links read off a completed matrix."""
    i, j = np.triu_indices(len(A), 1)
    sides = [np.flatnonzero(A[i, j] > 0.5), np.flatnonzero(A[i, j] <= 0.5)]
    drawn = [rng.permutation(s)[:count] for s in sides]
    return tuple(np.column_stack([i[d], j[d]]) for d in drawn)


def describe_annotations(average: np.ndarray, A: np.ndarray, true: np.ndarray) -> dict:
    """How much of what was said, kept and completed is wrong."""
    seen = ~np.isnan(average) & ~np.eye(len(true), dtype=bool)
    kept = filter_similarity(average)
    wrong = {
        "wrong among the hits' labels 'similar'": (np.nan_to_num(average) * seen, ~true),
        "wrong among pairs most call similar": (seen & (average > 0.5), ~true),
        "wrong among ones after the filter": (seen & (kept == 1), ~true),
        "wrong among zeros after the filter": (seen & (kept == 0), true),
    }
    facts = {key: float((said * off).sum() / max(said.sum(), 1.0)) for key, (said, off) in wrong.items()}
    facts["share of pairs kept by the filter"] = float((~np.isnan(kept))[seen].mean())
    facts["wrong after completion"] = float(((A > 0.5) != true).mean())
    return facts


def one_run(X: np.ndarray, truth: np.ndarray, n: int, seed: int) -> tuple[dict, dict, dict]:
    """NMI and processor seconds of every method, and what the annotations were like."""
    rng = np.random.default_rng(seed)
    items = np.sort(rng.choice(len(X), n, replace=False))
    hits = keyword_hits(truth, items, items_per_hit=n, random_state=seed, **CONFIG["keywords"])
    k, V = len(np.unique(truth)), scale_rows(X)
    average = hit_similarity(hits, len(X))[np.ix_(items, items)]
    scores, seconds = {}, {}
    for method, name in (("base", "Base"), ("raw", "Raw")):
        model = SemiCrowdClustering(k, method=method, random_state=seed).fit(X, hits=hits)
        scores[name] = nmi(truth, model.labels_)
    start = process_time()
    A = complete_matrix(filter_similarity(average), "balance", n_clusters=k, tol=COMPLETION_TOL)
    seconds["Matrix completion"] = process_time() - start
    facts = describe_annotations(average, A, truth[items][:, None] == truth[items])
    start = process_time()
    learner = RDML("auto").fit(V[items], similarity=A)
    seconds["RDML"] = process_time() - start
    scores["Semi-Crowd (RDML)"] = nmi(truth, spectral_labels(learner.transform(V), k, 10, seed))
    facts["lambda"] = learner.regularization_
    fixed = RDML(1.0).fit(V[items], similarity=A)
    scores["Semi-Crowd, lambda 1"] = nmi(truth, spectral_labels(fixed.transform(V), k, 10, seed))
    must, cannot = pairs_of(A, CONFIG["pairs"], rng)
    for name, kind in LEARNERS.items():
        start = process_time()
        learner = kind(**CONFIG["settings"].get(kind.__name__, {}))
        learner.fit(V[items], must_link=must, cannot_link=cannot)
        seconds[name] = process_time() - start
        scores[name] = nmi(truth, spectral_labels(learner.transform(V), k, 10, seed))
    return scores, seconds, facts


def run(name: str, X: np.ndarray, truth: np.ndarray, trials: int) -> list[dict]:
    rows = []
    for n in CONFIG["n"]:
        sums: list[dict[str, list[float]]] = [defaultdict(list) for _ in range(3)]
        for seed in range(trials):
            for total, values in zip(sums, one_run(X, truth, n, seed), strict=True):
                for key, value in values.items():
                    total[key].append(value)
        scores, seconds, facts = ({key: float(np.mean(v)) for key, v in total.items()} for total in sums)
        rows.append({"set": name, "n": n, "nmi": scores, "seconds": seconds, "annotations": facts})
        print(name, n, {m: round(s, 3) for m, s in scores.items()}, flush=True)
        print("   seconds", {m: round(s, 3) for m, s in seconds.items()}, facts, flush=True)
    return rows


def plot(rows: list[dict]) -> None:
    scores: dict[str, dict] = {row["set"]: {} for row in rows}
    for row in rows:
        scores[row["set"]][row["n"]] = row["nmi"]
    plot_sets(HERE / "figure3.png", scores, "annotated items", "NMI")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--only", choices=["digits", "flowers-17"])
    options = parser.parse_args()
    rows = []
    if options.only != "digits" and (found := flowers()) is not None:
        rows += run("flowers-17", *found, options.trials)
    if options.only != "flowers-17":
        rows += run("digits", *load_digits(return_X_y=True), options.trials)
    keep(HERE / "results.json", config={**CONFIG, "trials": options.trials}, results=rows)
    plot(rows)


if __name__ == "__main__":
    main()
