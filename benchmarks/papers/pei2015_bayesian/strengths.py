"""Info+BC beside random pairs by λ, the precision of the weights: whether the printed λ = 10 is why choosing pairs gains nothing.

``LIKEWISE_DATA=… python -m benchmarks.papers.pei2015_bayesian.strengths [SET ...] [--seeds 3]`` adds to ``strengths.json``: pairwise F after 10
to 60 answers, of pairs chosen by Info and by Uncertain and of random ones, by λ; "chosen" is the one of several under which held-out answers are
likeliest.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from benchmarks.papers.curves import scaled_vectors
from benchmarks.papers.pei2015_bayesian.__main__ import CHOSEN, HERE, PASSIVE, SETS, listen, run
from benchmarks.record import keep

PATH = HERE / "strengths.json"
METHODS = ("BC+tree", "Info+BC", "Uncertain+BC")
STRENGTHS: dict[str, Any] = {"10": 10.0, "1": 1.0, "chosen": [30.0, 10.0, 3.0, 1.0, 0.3]}
CONFIG = {"strengths": STRENGTHS, "methods": METHODS}


def add_seed(name: str, data: tuple, runs: dict[str, Any], seed: int, strengths: list[str]) -> bool:
    """Run what is missing of a seed; whether there was anything."""
    missing = [
        (strength, method)
        for strength in strengths
        for method in METHODS
        if str(seed) not in runs.get(strength, {}).get(method, {})
    ]
    for strength, method in missing:
        one = listen if method in PASSIVE else run
        found = one(*data, method, seed, regularization=STRENGTHS[strength])["f"]
        kept = runs.setdefault(strength, {}).setdefault(method, {})
        kept[str(seed)] = {count: round(value, 4) for count, value in found.items()}
        print(name, seed, strength, method, kept[str(seed)], flush=True)
    return bool(missing)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*", default=list(SETS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--strengths", nargs="*", default=list(STRENGTHS))
    given = parser.parse_args()
    sets = {name: data for name in given.sets if (data := scaled_vectors(name, CHOSEN)) is not None}
    runs = json.loads(PATH.read_text())["results"] if PATH.exists() else {}
    for seed in range(given.seeds):
        for name, data in sets.items():
            if add_seed(name, data, runs.setdefault(name, {}), seed, given.strengths):
                keep(PATH, config=CONFIG, results=runs, adds=True)


if __name__ == "__main__":
    main()
