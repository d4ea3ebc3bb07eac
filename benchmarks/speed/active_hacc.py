"""Choosing a question by Active-HACC beside one run of HACC on the same sorted pairs; growth; memory at N = 5,000."""

from __future__ import annotations

import resource
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.record import keep
from likewise.constraints import Constraints
from likewise.distances import pairwise
from likewise.query.active_hacc.consensus import consensus_probability
from likewise.query.active_hacc.expected_change import EdgeOrder, Stop, cluster_in_order, rank_effects
from likewise.query.active_hacc.pair_probability import PairProbability, bin_values

CONFIG = {
    "main": {"n": 1042, "classes": 62, "answers": 300},
    "growth": {"n": [250, 500, 1000, 2000], "items_a_class": 17, "answers_an_item": 0.29},
    "large": {"n": 5000, "classes": 298, "answers": 100},
    "d": 16,
    "spread_of_classes": 1.6,
    "n_consensus": 30,
    "last_questions_timed": 20,
    "seconds": "processor time",
    "seed": 0,
}


class Trial:
    """Points of Gaussian classes, and perfect answers to what Active-HACC asks."""

    def __init__(self, n: int, n_classes: int) -> None:
        rng = np.random.default_rng(CONFIG["seed"])
        self.truth = rng.integers(0, n_classes, n)
        centres = CONFIG["spread_of_classes"] * rng.normal(size=(n_classes, CONFIG["d"]))
        X = rng.normal(size=(n, CONFIG["d"])) + centres[self.truth]
        P = consensus_probability(X, n_classes, metric="euclidean", n_runs=CONFIG["n_consensus"])
        self.likely_same = PairProbability(P, bin_values(P), lambda values: values, True)
        self.order = EdgeOrder(pairwise(X))
        self.stop = Stop(n_classes, len(self.order))
        self.constraints = Constraints(n)

    def answer(self, n_answers: int) -> dict[str, float]:
        """Seconds to choose each of the last questions, and to cluster."""
        choosing, clustering = [], []
        for _ in range(n_answers):
            start = process_time()
            effect = next(rank_effects(self.order, self.constraints, self.stop, self.likely_same))
            choosing.append(process_time() - start)
            start = process_time()
            cluster_in_order(self.order, self.constraints, self.stop)
            clustering.append(process_time() - start)
            same = self.truth[effect.i] == self.truth[effect.j]
            self.constraints.add(effect.i, effect.j, "same" if same else "different")
        last = slice(-CONFIG["last_questions_timed"], None)
        choose, hacc = float(np.median(choosing[last])), float(np.median(clustering[last]))
        return {
            "choose_seconds": choose,
            "slowest_seconds": float(max(choosing[5:])),
            "hacc_seconds": hacc,
            "hacc_runs": choose / hacc,
        }


def main() -> None:
    Trial(60, 4).answer(10)  # compile
    results = {}
    part = CONFIG["main"]
    results["main"] = Trial(part["n"], part["classes"]).answer(part["answers"])
    print(f"N = {part['n']}, after {part['answers']} answers: {results['main']['hacc_runs']:.1f} HACC runs a question")
    part, rows = CONFIG["growth"], []
    for n in part["n"]:
        found = Trial(n, n // part["items_a_class"]).answer(round(part["answers_an_item"] * n))
        rows.append({"n": n, **found})
        print(f"N = {n}: {found['choose_seconds'] * 1e3:.1f} ms, {found['hacc_runs']:.1f} HACC runs")
    logs = np.log([[row["n"], row["choose_seconds"]] for row in rows])
    results["growth"] = {"rows": rows, "exponent": float(np.polyfit(*logs.T, 1)[0])}
    print(f"grows as N^{results['growth']['exponent']:.2f}")
    part = CONFIG["large"]
    found = Trial(part["n"], part["classes"]).answer(part["answers"])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    results["large"] = {**found, "peak_gib": peak}
    print(f"N = {part['n']}: {found['choose_seconds'] * 1e3:.0f} ms a question, peak {peak:.2f} GiB")
    keep(Path(__file__).with_suffix(".json"), config=CONFIG, results=results)


if __name__ == "__main__":
    main()
