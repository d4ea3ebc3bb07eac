"""Fig. 5.3-5.5: Robinson–Foulds distance, F1 and the estimated share of missing tags over the true share.

``python -m benchmarks.papers.pei2017_hierarchy [SET ...]`` runs, keeps ``results/SET.json`` and draws ``SET.png``;
with ``--epsilon 0.05``, the paper's, ``results/SET-epsilon-0.05.json``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np
from scipy.stats import t
from sklearn.metrics import f1_score

from benchmarks.papers.pei2017_hierarchy.sets import Set, load
from benchmarks.record import keep
from likewise.hierarchy import BinaryRelevance, FastTag, LabelHierarchy, chow_liu
from likewise.metrics import robinson_foulds

HERE = Path(__file__).parent
SETS = ("newsgroups", "church-fun", "scenes")
RATES = (0.1, 0.2, 0.3, 0.4, 0.5)
SEEDS = 5
TRAIN = 0.7
CHOICE_SEEDS, CHOICE_RATE = (97, 98, 99), 0.3
STRENGTHS = (1.0, 3.0, 10.0, 30.0, 100.0)
GRID = {"learn": STRENGTHS, "no tree": STRENGTHS, "BR": STRENGTHS, "FastTag": (1e-3, 1e-2, 1e-1, 1.0)}
# Of the trees and of the same model without one: half as threshold and a penalised intercept, or neither; chosen with the strength.
DECISIONS = {
    "half": {},
    "best-f1": {"decide": "best-f1", "free_intercept": True},
    "best-f1-micro": {"decide": "best-f1-micro", "free_intercept": True},
}
TREES = ("learn", "no tree")
MEASURES = ("f1_micro", "f1_macro")


class Chosen(NamedTuple):
    """What each method is run with: its strength, and how the trees decide."""

    strength: dict[str, float]
    decisions: dict[str, str]


def split(data: Set, rate: float, seed: int):
    """Vectors and incomplete tags to learn from, vectors and complete tags to be judged by."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(data.X))
    cut = round(TRAIN * len(order))
    train, test = order[:cut], order[cut:]
    Z = data.Y[train] & (rng.random((cut, data.Y.shape[1])) >= rate)
    return data.X[train], Z, data.X[test], data.Y[test]


def models(chosen: Chosen, parents: np.ndarray, epsilon: float) -> dict:
    strength, decisions = chosen
    true_tree = np.column_stack([parents, np.arange(len(parents))])
    known = {"GT": true_tree, "learn": None, "no tree": []}
    trees = {
        name: LabelHierarchy(tree, regularization=strength[of], epsilon=epsilon, **DECISIONS[decisions[of]])
        for (name, tree), of in zip(known.items(), ("learn", "learn", "no tree"), strict=True)
    }
    others = {"BR": BinaryRelevance(strength["BR"]), "FastTag": FastTag(regularization=strength["FastTag"])}
    return trees | others


def f1(truth: np.ndarray, found: np.ndarray) -> dict[str, float]:
    return {f"f1_{how}": float(f1_score(truth, found, average=how, zero_division=0)) for how in ("micro", "macro")}


def distances(data: Set, edges: np.ndarray) -> dict[str, float]:
    """RF with the dummy root's edges, the same with directions, and among the tags alone."""
    truth = np.column_stack([data.parents, np.arange(len(data.parents))])
    inner, true_inner = edges[edges[:, 0] >= 0], truth[truth[:, 0] >= 0]
    return {
        "rf": robinson_foulds(truth, edges, directed=False),
        "rf_directed": robinson_foulds(truth, edges),
        "rf_among_tags": robinson_foulds(true_inner, inner, directed=False),
    }


def choose(data: Set, epsilon: float) -> dict[str, Chosen]:
    """For each measure, the strength and decision of each method with the best mean of it, on splits that are not measured."""
    splits = [split(data, CHOICE_RATE, seed) for seed in CHOICE_SEEDS]
    best: dict[str, dict[str, tuple]] = {measure: {} for measure in MEASURES}
    for name, grid in GRID.items():
        scores: dict[str, dict[tuple, float]] = {measure: {} for measure in MEASURES}
        for how in DECISIONS if name in TREES else ["half"]:
            for value in grid:
                tried = Chosen(dict.fromkeys(GRID, value), dict.fromkeys(TREES, how))
                model = models(tried, data.parents, epsilon)[name]
                found = [f1(Y_test, model.fit(X, Z).predict(X_test)) for X, Z, X_test, Y_test in splits]
                for measure in MEASURES:
                    scores[measure][value, how] = float(np.mean([each[measure] for each in found]))
        for measure in MEASURES:
            best[measure][name] = max(scores[measure], key=scores[measure].__getitem__)
    return {
        measure: Chosen({n: value for n, (value, _) in of.items()}, {n: of[n][1] for n in TREES})
        for measure, of in best.items()
    }


def run_one(data: Set, rate: float, seed: int, chosen: dict[str, Chosen], epsilon: float) -> dict[str, dict]:
    """F1 of every method, each measure with what was chosen for it; all else with what was chosen for F1-micro."""
    X, Z, X_test, Y_test = split(data, rate, seed)
    out: dict[str, dict] = {"Chow-Liu": distances(data, chow_liu(Z))}
    by_macro = models(chosen["f1_macro"], data.parents, epsilon)
    for name, model in models(chosen["f1_micro"], data.parents, epsilon).items():
        start = perf_counter()
        model.fit(X, Z)
        row = {"seconds": perf_counter() - start, "f1_micro": f1(Y_test, model.predict(X_test))["f1_micro"]}
        row["f1_macro"] = f1(Y_test, by_macro[name].fit(X, Z).predict(X_test))["f1_macro"]
        if isinstance(model, LabelHierarchy):
            row["alpha"] = float(model.alpha_)
        if name == "learn":
            row |= distances(data, model.edges_)
            done = model.complete(Z, X)
            order = np.random.default_rng(seed).permutation(len(data.X))[: len(X)]
            row["f1_completed"] = f1(data.Y[order], done)["f1_micro"]
            row["f1_as_tagged"] = f1(data.Y[order], Z)["f1_micro"]
        out[name] = row
    return out


def summarise(runs: list[dict]) -> dict:
    """Mean and half the 95 % interval of everything measured, over the seeds; F1 of each seed as well."""
    out: dict = {}
    half = t.ppf(0.975, len(runs) - 1) / np.sqrt(len(runs)) if len(runs) > 1 else 0.0
    for name in runs[0]:
        out[name] = {}
        for key in runs[0][name]:
            values = np.array([run[name][key] for run in runs])
            spread = values.std(ddof=1) if len(runs) > 1 else 0.0
            out[name][key] = [round(float(values.mean()), 4), round(float(half * spread), 4)]
            if key in MEASURES:
                out[name][f"{key}_by_seed"] = values.round(4).tolist()
    return out


def draw(data: Set, results: dict, path: Path) -> None:
    from matplotlib.figure import Figure

    panels = {"rf": "Robinson–Foulds", "f1_micro": "F1-micro", "f1_macro": "F1-macro", "alpha": "estimated α"}
    figure = Figure(figsize=(14, 3.6), layout="constrained")
    for axes, (key, title) in zip(figure.subplots(1, 4), panels.items(), strict=True):
        for name in ("GT", "learn", "no tree", "BR", "FastTag", "Chow-Liu"):
            points = [(float(r), *row[name][key]) for r, row in results.items() if key in row[name]]
            if points:
                x, y, half = np.array(points).T
                axes.errorbar(x, y, half, label=name, capsize=2, lw=2 if name in ("GT", "learn") else 1)
        if key == "alpha":
            axes.plot(RATES, RATES, color="grey", ls=":", label="true")
        axes.set(title=title, xlabel="missing tags")
        axes.grid(alpha=0.3)
        axes.legend(fontsize=7)
    figure.suptitle(f"{data.name}: {len(data.X)} instances, {len(data.tags)} tags")
    figure.savefig(path, dpi=90)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*", default=list(SETS))
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--epsilon", type=float, default=LabelHierarchy().epsilon)
    arguments = parser.parse_args()
    for name in arguments.sets:
        data = load(name)
        if data is None:
            continue
        chosen = choose(data, arguments.epsilon)
        print(f"{name}: {data.X.shape}, {len(data.tags)} tags, {chosen}", flush=True)
        results = {}
        for rate in RATES:
            results[str(rate)] = row = summarise(
                [run_one(data, rate, seed, chosen, arguments.epsilon) for seed in range(arguments.seeds)]
            )
            told = "; ".join(
                f"{m} " + " ".join(f"{v[0]:.3g}" for k, v in r.items() if k != "seconds" and not k.endswith("by_seed"))
                for m, r in row.items()
            )
            print(f"  {rate}: {told}", flush=True)
        config = {
            "set": name,
            "n": len(data.X),
            "d": data.X.shape[1],
            "tags": data.tags,
            "seeds": arguments.seeds,
            "epsilon": arguments.epsilon,
            "train": TRAIN,
            "chosen": {measure: each._asdict() for measure, each in chosen.items()},
            "grid": GRID,
            "choice": {"seeds": CHOICE_SEEDS, "missing": CHOICE_RATE, "by": "the measure that is shown"},
            "interval": "mean and half the 95 % t-interval over the seeds",
        }
        usual = arguments.epsilon == LabelHierarchy().epsilon
        stem = name if usual else f"{name}-epsilon-{arguments.epsilon}"
        keep(HERE / "results" / f"{stem}.json", config=config, results=results)
        draw(data, results, HERE / "results" / f"{stem}.png")


if __name__ == "__main__":
    main()
