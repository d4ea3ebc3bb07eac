"""Simulated workers fitted to 24,945 answers of 176 paid ones: ``python -m benchmarks.crowd.fitted_workers`` fits and compares.

Fitted are a Beta distribution of people's shares of wrong answers of each kind (by maximum likelihood, beta-binomial), how the two go together
(Spearman's correlation of people with eight answers of each kind or more), and how far two people err about the same pair. The first two are the
constants of `likewise.simulate.SimulatedWorkers`; then as many workers answer as many pairs each, and both are set side by side.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import brentq, minimize
from scipy.special import betaln
from scipy.stats import multivariate_normal, norm, spearmanr

from benchmarks.record import data_folder, keep
from likewise import Question
from likewise.simulate import SimulatedWorkers

KEPT = Path(__file__).with_suffix(".json")
KINDS = ("same", "different")
FEWEST = 8  # answers of each kind of a person whose two shares are compared
RUNS = 10


def beta_of(wrong: np.ndarray, count: np.ndarray) -> tuple[float, float]:
    """The Beta distribution that makes so many wrong of so many, by person, most probable."""

    def loss(logs: np.ndarray) -> float:
        a, b = np.exp(logs)
        return -float((betaln(a + wrong, b + count - wrong) - betaln(a, b)).sum())

    a, b = np.exp(minimize(loss, [0.0, 0.0], method="Nelder-Mead").x)
    return float(a), float(b)


def alike_of(rate: float, both: float) -> float:
    """Correlation of two normal variables that are both below the quantile of a rate with probability `both`."""
    at = norm.ppf(rate)

    def excess(rho: float) -> float:
        return float(multivariate_normal.cdf([at, at], cov=[[1, rho], [rho, 1]])) - both

    return 0.0 if excess(0.0) >= 0 else float(brentq(excess, 0.0, 0.99))


def both_wrong(table: pd.DataFrame) -> float:
    """How often two answers about one pair are both wrong."""
    sums = table.groupby(["a", "b"]).wrong.agg(["sum", "count"])
    return float((sums["sum"] * (sums["sum"] - 1)).sum() / (sums["count"] * (sums["count"] - 1)).sum())


def fit(table: pd.DataFrame) -> dict[str, Any]:
    """The constants."""
    found: dict[str, Any] = {}
    for kind in KINDS:
        of_kind = table[table.truth == kind]
        people = of_kind.groupby("worker").wrong.agg(["sum", "count"])
        found[kind] = beta_of(people["sum"].to_numpy(), people["count"].to_numpy())
        found[f"{kind}_alike"] = alike_of(of_kind.wrong.mean(), both_wrong(of_kind))
    both = table.pivot_table(index="worker", columns="truth", values="wrong", aggfunc=["mean", "count"])
    both = both[(both["count"] >= FEWEST).all(axis=1)]["mean"]
    found["correlation"] = float(spearmanr(both["same"], both["different"]).statistic)
    return found


def simulated(table: pd.DataFrame, seed: int) -> pd.DataFrame:
    """The same table, with answers of simulated workers instead of each."""
    truth = table.truth.to_numpy()
    classes = np.arange(2 * len(table))  # every pair gets two items of its own
    pairs = table.groupby(["a", "b"]).ngroup().to_numpy()
    classes[2 * pairs[truth == "same"] + 1] = classes[2 * pairs[truth == "same"]]
    names, who = np.unique(table.worker, return_inverse=True)
    workers = SimulatedWorkers(classes, len(names), random_state=seed)
    asked = (Question("pair", (int(2 * pair), int(2 * pair + 1))) for pair in pairs)
    said = [workers.answer(question, workers.names[k]) for question, k in zip(asked, who, strict=True)]
    return table.assign(wrong=(np.array(said) != truth).astype(float))


def describe(table: pd.DataFrame) -> dict[str, Any]:
    """Shares of wrong answers, of workers, and of pairs."""
    workers = 1 - table.groupby("worker").wrong.mean()
    by_kind = table.groupby(["truth", "worker"]).wrong.mean()
    of_pair = table.groupby(["a", "b"]).wrong.mean()
    kinds = {kind: table[table.truth == kind] for kind in KINDS}
    return {
        "accuracy": float(1 - table.wrong.mean()),
        "majority": float((of_pair < 0.5).mean()),
        "worker_mean": float(workers.mean()),
        "worker_quartiles": workers.quantile([0.25, 0.5, 0.75]).tolist(),
        **{f"worker_wrong_of_{kind}": float(by_kind[kind].mean()) for kind in KINDS},
        **{f"worker_deviation_of_{kind}": float(by_kind[kind].std()) for kind in KINDS},
        **{f"wrong_of_{kind}": float(one.wrong.mean()) for kind, one in kinds.items()},
        **{f"both_wrong_of_{kind}": both_wrong(one) for kind, one in kinds.items()},
    }


def main() -> None:
    path = data_folder("crowd", "product-pairs.csv")
    if path is None:
        return
    table = pd.read_csv(path)
    table["wrong"] = (table.answer != table.truth).astype(float)
    fitted, real = fit(table), describe(table)
    runs = [describe(simulated(table, seed)) for seed in range(RUNS)]
    mean = {key: np.mean([one[key] for one in runs], axis=0).tolist() for key in real}
    print("fitted", fitted)
    for key, value in real.items():
        print(key, np.round(value, 3), np.round(mean[key], 3))
    config = {"file": "crowd/product-pairs.csv", "runs": RUNS, "fewest": FEWEST}
    keep(KEPT, config=config, results={"fitted": fitted, "real": real, "simulated": mean, "runs": runs})


if __name__ == "__main__":
    main()
