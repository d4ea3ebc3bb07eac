"""Quality at a size that no matrix of distances allows: ``LIKEWISE_DATA=… python -m benchmarks.askers.large [--kept FOLDER] [SET …]``.

A simulated person who is always right answers 10,000 questions; the adjusted Rand index after some of them, beside k-means with the number
of classes and subclustering with as many subclusters. Pictures through the default network, 64 principal components.
"""

from __future__ import annotations

import argparse
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.askers.sets import N_COMPONENTS, embedded, numbered
from benchmarks.record import data_folder, keep
from benchmarks.speed.large_loop import draw

MOST_SUBCLUSTERS = (
    2_000  # it keeps a matrix of centres × candidates: with 20,000 centres 16 GB, gone through at every swap
)
PATH = Path(__file__).with_suffix(".json")
CONFIG: dict[str, Any] = {
    "sets": {
        "cifar-50k": {},
        "100,000 in 1,000 classes": {"n": 100_000, "classes": 1_000, "spread": 1.0},
        "100,000 in 20,000 classes": {"n": 100_000, "classes": 20_000, "spread": 0.5},
    },
    "checkpoints": [0, 100, 1_000, 10_000],
    "seed": 0,
}


def load_set(name: str, kept: Path | None) -> tuple[np.ndarray, np.ndarray]:
    """Vectors in float32 and classes."""
    if settings := CONFIG["sets"][name]:
        return draw(**settings)
    from sklearn.decomposition import PCA

    archive = data_folder("images", "cifar-50k.tar.gz")
    if archive is None:
        raise SystemExit("cifar-50k.tar.gz is not there: set LIKEWISE_DATA")
    with TemporaryDirectory() as folder:
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
        files = sorted(p for p in Path(folder).rglob("*") if p.is_file())
        vectors = embedded(files, kept / "cifar-50k.npy" if kept else None)
        truth = numbered([p.parent.name for p in files])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return PCA(N_COMPONENTS, random_state=0).fit_transform(vectors).astype(np.float32), truth


def ask(X: np.ndarray, truth: np.ndarray) -> Iterator[dict[str, float]]:
    """At every checkpoint: the index after all up to it, and the median seconds of a question."""
    from likewise import Session
    from likewise.metrics import ari

    session, scores, waits = Session(X, random_state=CONFIG["seed"]), {}, []
    for k in range(max(CONFIG["checkpoints"]) + 1):
        if k in CONFIG["checkpoints"]:
            scores[str(k)] = ari(truth, session.labels_)
            print(k, scores[str(k)], f"{np.median(waits or [0]):.3f} s a question", flush=True)
            yield scores | {"median_seconds": float(np.median(waits or [0]))}
        start = perf_counter()
        question = session.ask()
        waits.append(perf_counter() - start)
        if question is None:
            break
        i, j = question.items
        session.answer(question, "same" if truth[i] == truth[j] else "different")


def without_asking(X: np.ndarray, truth: np.ndarray) -> Iterator[dict[str, float]]:
    """Index of k-means, then of subclustering (every item with the nearest mean of one), given the number of classes."""
    import faiss

    from likewise.cluster import Subclustering
    from likewise.metrics import ari

    k = len(np.unique(truth))
    means = faiss.Kmeans(X.shape[1], k, niter=20, seed=CONFIG["seed"], max_points_per_centroid=len(X))
    means.train(X)
    yield {"k-means": ari(truth, means.index.search(X, 1)[1].ravel())}
    if k > MOST_SUBCLUSTERS:
        return
    examples = Subclustering(n_clusters=k, random_state=CONFIG["seed"]).fit(X).subclusters_
    centres = faiss.IndexFlatL2(X.shape[1])
    centres.add(X[examples].mean(axis=1))
    yield {"subclustering": ari(truth, centres.search(X, 1)[1].ravel())}


def large_section() -> list[str]:
    """What the page on askers says of it."""
    if not PATH.exists():
        return []
    places = [str(k) for k in CONFIG["checkpoints"]]
    lines = [
        "## Large sets\n",
        "The adjusted Rand index after so many right answers, beside k-means and subclustering that are given the number of classes and no",
        "answer (`python -m benchmarks.askers.large`): 50,000 pictures of CIFAR-10 through the default network, and 100,000 drawn vectors.\n",
        f"| set | {' | '.join(places)} | k-means | subclustering |",
        "|---" * (len(places) + 3) + "|",
    ]
    told: list[str] = []
    for name, found in json.loads(PATH.read_text())["results"].items():
        figures = [found.get("auto", {}).get(k) for k in places] + [found.get("k-means"), found.get("subclustering")]
        lines.append(f"| {name} | {' | '.join('–' if f is None else f'{f:.3f}'.lstrip('0') for f in figures)} |")
        between = [k for k in found.get("auto", {}) if k.isdecimal() and k not in places]
        told += (
            [f"{name}: " + ", ".join(f"{found['auto'][k]:.3f}".lstrip("0") + f" after {int(k):,}" for k in between)]
            if between
            else []
        )
    further = [f"In between: {'; '.join(told)}.", ""] if told else []
    return [
        *lines,
        "",
        "*–*: not run, or not as far (subclustering keeps a matrix of centres × candidates: 16 GB for 20,000 centres).",
        *further,
        "",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=list(CONFIG["sets"]))
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--without", action="store_true", help="nothing is asked; what is kept of asking stays")
    chosen = parser.parse_args()
    results = json.loads(PATH.read_text())["results"] if PATH.exists() else {}
    for name in chosen.sets:
        X, truth = load_set(name, chosen.kept)
        print(name, X.shape, flush=True)
        for found in without_asking(X, truth):
            print(found, flush=True)
            results[name] = results.get(name, {}) | found
            keep(PATH, config=CONFIG, results=results, adds=True)
        for scores in ask(X, truth) if not chosen.without else ():  # kept as far as it went
            results[name]["auto"] = scores
            keep(PATH, config=CONFIG, results=results, adds=True)


if __name__ == "__main__":
    main()
