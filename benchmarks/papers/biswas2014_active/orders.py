"""Iris in ten orders of its items: how much of the figure after three questions is which of equal questions comes first.

``python -m benchmarks.papers.biswas2014_active.orders`` keeps ``orders.json``: the share of well-categorised items, the best within
three questions, for P by consensus, with a floor, shrunk and calibrated; and the best that any one and any two questions
reach with HACC. Many distances of iris are equal, so are the scores of many questions, and ties go by the order of the items.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.papers.biswas2014_active.sets import Set, load
from benchmarks.record import keep
from likewise import Session
from likewise.constraints import Constraints
from likewise.metrics import well_categorized
from likewise.query.active_hacc.consensus import consensus_probability
from likewise.query.active_hacc.expected_change import EdgeOrder, Stop, cluster_in_order

HERE = Path(__file__).parent
CONFIG = {"orders": 10, "questions": 3, "floors": [0.0, 0.1], "shrunk": 0.2}


def variants(consensus: np.ndarray) -> dict[str, np.ndarray | None]:
    """P by name; None is the calibrated one."""
    shrunk = CONFIG["shrunk"] + (1 - 2 * CONFIG["shrunk"]) * consensus
    floors = {f"consensus, at least {f:g}": np.maximum(consensus, f) for f in CONFIG["floors"]}
    return {"calibrated": None} | floors | {f"shrunk by {CONFIG['shrunk']:g}": shrunk}


def within(data: Set, order: np.ndarray, seed: int) -> dict[str, float]:
    """The best share within three questions, of every P."""
    X = data.X[order] if data.euclidean else data.D[np.ix_(order, order)].copy()
    metric, truth = "euclidean" if data.euclidean else "precomputed", data.truth[order]
    found = {}
    for name, P in variants(consensus_probability(X, 3, metric=metric, random_state=seed)).items():
        session = Session(X, metric=metric, strategy="active-hacc", n_clusters=3, random_state=seed, probability=P)
        shares = []
        for _ in range(CONFIG["questions"]):
            i, j = session.ask().items
            session.answer((i, j), "same" if truth[i] == truth[j] else "different")
            shares.append(well_categorized(truth, session.labels_))
        found[name] = round(float(max(shares)), 4)
    return found


def reachable(data: Set, questions: int) -> list[float]:
    """The best share after 1, 2, … questions of any choice: every answer that contradicts the clusters is tried."""
    order, truth, n = EdgeOrder(data.D), data.truth, len(data.D)
    said: dict[bytes, tuple[Constraints, np.ndarray]] = {}
    start = Constraints(n)
    said[b""] = start, cluster_in_order(order, start, Stop(3, len(order)))
    best = []
    for _ in range(questions):
        after: dict[bytes, tuple[Constraints, np.ndarray]] = {}
        for constraints, labels in said.values():
            same, together = truth[:, None] == truth, labels[:, None] == labels
            for i, j in np.argwhere(np.triu(same != together, 1)):
                more = Constraints(n, constraints.must_link, constraints.cannot_link)
                if more.known(int(i), int(j)) is not None:
                    continue
                more.add(int(i), int(j), "same" if same[i, j] else "different")
                found = cluster_in_order(order, more, Stop(3, len(order)))
                after.setdefault(found.tobytes(), (more, found))
        said = after
        best.append(round(float(max(well_categorized(truth, labels) for _, labels in said.values())), 4))
    return best


def main() -> None:
    results: dict[str, object] = {}
    for name in ("iris", "iris-chi2"):
        data = load(name)
        assert data is not None
        runs = [within(data, np.random.default_rng(o).permutation(len(data.D)), o) for o in range(CONFIG["orders"])]
        results[name] = {key: [run[key] for run in runs] for key in runs[0]}
        print(
            name, {key: (min(v), round(float(np.mean(v)), 4), max(v)) for key, v in results[name].items()}, flush=True
        )
    results["best of any questions, iris"] = reachable(load("iris"), 2)
    keep(HERE / "orders.json", config=CONFIG, results=results)
    print(results["best of any questions, iris"])


if __name__ == "__main__":
    main()
