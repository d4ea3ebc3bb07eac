"""The known tree beside the learned one over more seeds than the whole comparison has.

``python -m benchmarks.papers.pei2017_hierarchy.known [SET ...] [--seeds 20] [--first-seed 0] [--rates R ...]`` adds seeds to
``known.json``: F1 of both, the distance between the trees and the tags that get another parent, with the strengths and
decisions that ``results/SET.json`` was made with.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from benchmarks.papers.pei2017_hierarchy.__main__ import MEASURES, RATES, SETS, Chosen, distances, f1, models, split
from benchmarks.papers.pei2017_hierarchy.sets import Set, load
from benchmarks.record import keep
from likewise.hierarchy import LabelHierarchy

HERE = Path(__file__).parent
CONFIG = {"methods": ["GT", "learn"], "rates": RATES, "settings": "those of results/SET.json"}


def run(data: Set, rate: float, seed: int, config: dict) -> dict[str, dict[str, float]]:
    """F1 of the known and of the learned tree on one split, and how far the learned tree is from the known."""
    X, Z, X_test, Y_test = split(data, rate, seed)
    found: dict[str, dict] = {name: {} for name in CONFIG["methods"]}
    fitted: dict[str, LabelHierarchy] = {}
    for measure in reversed(MEASURES):  # the tree that is kept is that of F1-micro, as in the whole comparison
        tried = models(Chosen(**config["chosen"][measure]), data.parents, config["epsilon"])
        for name in CONFIG["methods"]:
            if name not in fitted or repr(fitted[name]) != repr(tried[name]):
                fitted[name] = tried[name].fit(X, Z)
            found[name][measure] = round(f1(Y_test, fitted[name].predict(X_test))[measure], 4)
    model = fitted["learn"]
    found["learn"]["rf"] = distances(data, model.edges_)["rf"]
    names = [*data.tags, "the root"]  # the root is -1
    found["learn"]["other parents"] = {
        names[child]: names[parent] for parent, child in model.edges_.tolist() if parent != data.parents[child]
    }
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*", default=list(SETS))
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--rates", type=float, nargs="*", default=list(RATES))
    given = parser.parse_args()
    path = HERE / "known.json"
    runs = json.loads(path.read_text())["results"] if path.exists() else {}
    for name in given.sets:
        data = load(name)
        if data is None:
            continue
        config = json.loads((HERE / "results" / f"{name}.json").read_text())["config"]
        by_rate = runs.setdefault(name, {str(rate): {} for rate in RATES})
        for seed in range(given.first_seed, given.first_seed + given.seeds):
            missing = [rate for rate in given.rates if str(seed) not in by_rate[str(rate)]]
            for rate in missing:
                by_rate[str(rate)][str(seed)] = found = run(data, rate, seed, config)
                print(name, rate, seed, found, flush=True)
            if missing:
                keep(path, config=CONFIG, results=runs, adds=True)


if __name__ == "__main__":
    main()
