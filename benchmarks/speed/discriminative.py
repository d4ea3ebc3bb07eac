"""Discriminative clustering beside one multinomial logistic regression on the same matrix, at the size of HJA Birdsong.

Seconds are those of the processor, on one thread: the machine may be shared.
"""

from __future__ import annotations

from pathlib import Path
from time import process_time

import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.record import keep
from likewise.cluster import DiscriminativeClustering
from likewise.metrics import pairwise_f

CONFIG = {
    "n": 4998,
    "d": 38,
    "classes": 13,
    "n_constraints": 1500,
    "gaps": [0.35, 0.6, 1.0],
    "repeats": 3,
    "seed": 0,
    "threads": 1,
}


def best_time(run, repeats):
    times = []
    for _ in range(repeats):
        start = process_time()
        result = run()
        times.append(process_time() - start)
    return min(times), result


def value(a, b, c):
    if a == b:
        return "ab" if b != c else "none"
    return "ac" if a == c else "bc" if b == c else "none"


def questions(rng, truth, m):
    """Random pairs and triplets, answered by the classes."""
    pairs = np.array([rng.choice(len(truth), 2, replace=False) for _ in range(m)])
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    triplets = [rng.choice(len(truth), 3, replace=False).tolist() for _ in range(m)]
    return (
        {"must_link": pairs[same], "cannot_link": pairs[~same]},
        {"triplets": [(*t, value(*truth[t])) for t in triplets]},
    )


def main() -> None:
    rng = np.random.default_rng(CONFIG["seed"])
    n, k = CONFIG["n"], CONFIG["classes"]
    rows = []
    DiscriminativeClustering(2, random_state=0).fit(
        rng.normal(size=(40, 2)), must_link=[(0, 1)], triplets=[(2, 3, 4, "none")]
    )
    for gap in CONFIG["gaps"]:
        truth = rng.integers(0, k, n)
        X = rng.normal(size=(n, CONFIG["d"])) + gap * rng.normal(size=(k, CONFIG["d"]))[truth]
        X = (X - X.mean(axis=0)) / X.std(axis=0)
        reference, model = best_time(
            lambda X=X, truth=truth: LogisticRegression(max_iter=1000).fit(X, truth), CONFIG["repeats"]
        )
        for form, given in zip(("pairs", "triplets"), questions(rng, truth, CONFIG["n_constraints"]), strict=True):
            seconds, fitted = best_time(
                lambda X=X, given=given: DiscriminativeClustering(k, random_state=0).fit(X, **given), CONFIG["repeats"]
            )
            rows.append(
                {
                    "gap": gap,
                    "form": form,
                    "seconds": seconds,
                    "logistic_regression_seconds": reference,
                    "ratio": seconds / reference,
                    "pairwise_f": pairwise_f(truth, fitted.labels_),
                    "accuracy_of_logistic_regression": float(model.score(X, truth)),
                    "n_iter": fitted.n_iter_,
                    "bound": fitted.lower_bound_[-1],
                }
            )
            print({key: v if isinstance(v, str) else round(v, 3) for key, v in rows[-1].items()}, flush=True)
    keep(Path(__file__).with_suffix(".json"), config=CONFIG, results=rows)


if __name__ == "__main__":
    main()
