"""What a learned distance saves in the next folder: ``LIKEWISE_DATA=… python -m benchmarks.images.learned_start [--kept FOLDER] [SET …]``.

The pictures of a set are cut into two folders. In the first, a person who is always right answers so many questions; the second starts from
the network's vectors, or from those under the distance that was learned (as ``likewise photos2/ --learned photos/`` does). Once both folders
have pictures of every class, once the classes of the second are none of those of the first.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from benchmarks.askers.sets import load_vectors
from benchmarks.record import keep
from likewise import Session
from likewise.app.learned import head_of, reduction_of
from likewise.app.reduction import DIMENSIONS, Reduction
from likewise.distances.rca import shrunk_components
from likewise.metrics import ari

PATH = Path(__file__).with_suffix(".json")
CONFIG = {
    "sets": ["flowers-17", "orl-faces", "leaf-99", "scene-300"],
    "learned_from": 300,
    "places": [0, 25, 50, 100, 200],
    "seeds": 3,
}


def answered(X: np.ndarray, truth: np.ndarray, n: int, seed: int) -> tuple[Session, dict[str, float]]:
    """A session after up to n right answers, and the index on the way."""
    session, scores = Session(X, random_state=seed), {}
    for k in range(n + 1):
        if k in CONFIG["places"]:
            scores[str(k)] = ari(truth, session.labels_)
        question = session.ask()
        if question is None:
            break
        i, j = question.items
        session.answer(question, "same" if truth[i] == truth[j] else "different")
    return session, scores


def cut(truth: np.ndarray, rng: np.random.Generator, *, new_classes: bool) -> np.ndarray:
    """Which items are in the first folder, (n,)."""
    if not new_classes:
        return rng.random(len(truth)) < 0.5
    classes = rng.permutation(np.unique(truth))
    return np.isin(truth, classes[: len(classes) // 2])


def run(rows: np.ndarray, truth: np.ndarray, seed: int, *, new_classes: bool) -> dict[str, dict[str, float]]:
    """The index in the second folder after so many answers, with and without what was learned in the first."""
    first = cut(truth, np.random.default_rng(seed), new_classes=new_classes)
    reduction = Reduction.of(rows[first], DIMENSIONS)
    session, _ = answered(reduction.apply(rows[first]), truth[first], CONFIG["learned_from"], seed)
    components = shrunk_components(reduction.apply(rows[first]), session.state.constraints.must_link)
    head = reduction_of(head_of(reduction, components, "default", CONFIG["learned_from"]))
    other, classes = rows[~first], truth[~first]
    most = max(CONFIG["places"])
    return {
        "plain": answered(Reduction.of(other, DIMENSIONS).apply(other), classes, most, seed)[1],
        "learned": answered(head.apply(other), classes, most, seed)[1],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=CONFIG["sets"])
    parser.add_argument("--kept", type=Path)
    given = parser.parse_args()
    results = json.loads(PATH.read_text())["results"] if PATH.exists() else {}
    for name in given.sets:
        found = load_vectors(name, given.kept)
        for new in (False, True) if found is not None else ():
            runs = [run(*found, seed, new_classes=new) for seed in range(CONFIG["seeds"])]
            table = {
                way: {k: float(np.mean([one[way].get(k, 1.0) for one in runs])) for k in map(str, CONFIG["places"])}
                for way in ("plain", "learned")
            }
            results.setdefault(name, {})["new classes" if new else "same classes"] = table
            print(name, "new classes" if new else "same classes", table, flush=True)
        keep(PATH, config=CONFIG, results=results, adds=True)


if __name__ == "__main__":
    main()
