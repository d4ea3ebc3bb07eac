"""Right statements of mixed kinds, and what they do to the clusters: ``LIKEWISE_DATA=… python -m benchmarks.askers.right_work``.

A simulated person asserts only what is true: answers pairs, confirms, splits, moves, merges, checks grids. After each of them the adjusted
Rand index and pairwise F of all items are taken. Kept are the curves and every fall above 0.02.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from benchmarks.askers.sets import load
from benchmarks.record import keep
from likewise import Session
from likewise.metrics import ari, pairwise_f

KEPT = Path(__file__).with_suffix(".json")
PLOT = Path(__file__).parents[2] / "docs/assets/askers/right-work.svg"
KINDS = ("asked", "random", "grid", "belongs", "does not belong", "confirm", "split", "move", "merge")
SETS = ("flowers-600", "flowers-17", "orl-faces")
GRID = 24


def load_set(name: str, kept: Path | None) -> tuple[np.ndarray, np.ndarray] | None:
    """A set of benchmarks.askers.sets; ``flowers-600`` is 75 of each of eight flowers."""
    found = load("flowers-17" if name == "flowers-600" else name, kept)
    if found is None or name != "flowers-600":
        return found
    X, truth = found
    some = np.concatenate([np.flatnonzero(truth == c)[:75] for c in (0, 2, 5, 8, 11, 14, 15, 16)])
    return X[some], truth[some]


class RightPerson:
    """Says what is true, of a kind; a class is a group of its own name."""

    def __init__(self, session: Session, truth: np.ndarray, seed: int) -> None:
        self.session, self.truth, self.rng = session, truth, np.random.default_rng(seed)

    def say(self, kind: str) -> bool:
        """Say something of this kind; whether there was anything to say."""
        session, truth, rng = self.session, self.truth, self.rng
        labels = session.labels_
        items = np.flatnonzero(labels == labels[rng.integers(session.n)])
        group = int(np.bincount(truth[items]).argmax())
        right, wrong = items[truth[items] == group], items[truth[items] != group]
        before = len(session.history)
        if kind in ("asked", "random"):
            question = session.ask() if kind == "asked" else None
            i, j = question.items if question else rng.choice(session.n, 2, replace=False).tolist()
            session.answer((i, j), "same" if truth[i] == truth[j] else "different")
        elif kind == "grid":
            shown = rng.permutation(items)[:GRID]
            session.belongs([*right[:1].tolist(), *shown[truth[shown] == group].tolist()], group)
            if outside := shown[truth[shown] != group].tolist():
                session.does_not_belong(outside, group)
        elif kind == "belongs":
            session.belongs(rng.permutation(right)[:3].tolist(), group)
        elif kind == "confirm" and not len(wrong):
            session.belongs(items.tolist(), group)
        elif kind in ("does not belong", "split") and len(wrong):
            session.belongs(right[:1].tolist(), group)
            session.does_not_belong(wrong[: 3 if kind == "does not belong" else None].tolist(), group)
        elif kind == "move" and len(wrong):
            other = int(truth[wrong[0]])
            session.belongs(wrong[truth[wrong] == other].tolist(), other)
        elif kind == "merge":
            halves = [np.flatnonzero(labels == c) for c in np.unique(labels[truth == group])]
            whole = [half for half in halves if (truth[half] == group).all() and len(half) > 1]
            if len(whole) > 1:
                session.belongs(np.concatenate(whole[:2]).tolist(), group)
        return len(session.history) > before


def run(X, truth, seed: int, steps: int, start: int) -> list[list]:
    """Kind, adjusted Rand index and pairwise F after each step."""
    session = Session(X, random_state=seed)
    person = RightPerson(session, truth, seed)
    for _ in range(start):
        person.say("asked")
    rows = [["start", ari(truth, session.labels_), pairwise_f(truth, session.labels_)]]
    while len(rows) <= steps and not session.finished:
        kind = str(person.rng.choice(KINDS))
        if person.say(kind):
            rows.append([kind, ari(truth, session.labels_), pairwise_f(truth, session.labels_)])
    return rows


def summary(rows: list[list]) -> dict:
    """Start, end, falls of the index and the mean fall of F."""
    index, f = (np.array([row[k] for row in rows]) for k in (1, 2))
    steps = np.diff(index)
    falls = [[int(k) + 1, rows[k + 1][0], round(float(steps[k]), 4)] for k in np.flatnonzero(steps < -0.02)]
    lost = np.minimum(np.diff(f), 0).mean()
    worst = float(steps.min())
    return {
        "start": float(index[0]),
        "end": float(index[-1]),
        "worst": worst,
        "falls": falls,
        "mean_fall_of_f": float(lost),
    }


def draw(results: dict) -> None:
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
    for colour, (name, runs) in enumerate(results.items()):
        for k, one in enumerate(runs):
            curve = [row[1] for row in one["curve"]]
            axes.plot(curve, color=f"C{colour}", lw=1, label=None if k else name)
    axes.set(xlabel="right statements of mixed kinds", ylabel="adjusted Rand index")
    axes.legend(frameon=False)
    figure.savefig(PLOT)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--start", type=int, default=25)
    parser.add_argument("--kept", type=Path, help="folder in which embeddings are kept")
    given = parser.parse_args()
    results: dict[str, list[dict]] = {}
    config = {"sets": given.sets, "seeds": given.seeds, "steps": given.steps, "start": given.start, "kinds": KINDS}
    for name in given.sets:
        found = load_set(name, given.kept)
        for seed in range(given.seeds if found is not None else 0):
            rows = run(*found, seed, given.steps, given.start)
            results.setdefault(name, []).append({**summary(rows), "curve": rows})
            print(name, seed, summary(rows), flush=True)
            keep(KEPT, config=config, results=results)
            draw(results)


if __name__ == "__main__":
    main()
