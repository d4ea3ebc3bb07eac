"""Class purity against α, the weight of the bags (Fig. 2.1), all bags labelled, K = C.

``LIKEWISE_DATA=… python -m benchmarks.papers.pei2014_bags.alpha [--seeds 20]`` keeps ``alpha.json``. The thesis has two sets of bird
songs whose segments are labelled, which are not to be had; these are the letters of its other sets.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from benchmarks.papers.pei2014_bags.__main__ import AFFINITIES, POEMS, draw_poem, read_poem
from benchmarks.record import keep
from likewise.cluster import BagSpectral
from likewise.metrics import nmi, purity

ALPHAS = tuple(round(0.1 * k, 1) for k in range(11))  # the thesis: by 0.005


def run(poem: str, kind: str, seeds: int) -> list[dict]:
    """Purity and NMI of every α, by seed; at 0 it is clustering without constraints."""
    found = read_poem(poem)
    if found is None:
        return []
    rows = [
        {"poem": poem, "affinity": kind, "alpha": alpha, "purity_by_seed": [], "nmi_by_seed": []} for alpha in ALPHAS
    ]
    for seed in range(seeds):
        drawn = draw_poem(*found, kind, np.random.default_rng(seed))
        n_classes = len(np.unique(drawn.truth))
        for row in rows:
            model = BagSpectral(n_classes, row["alpha"], affinity="precomputed", random_state=seed)
            labels = model.fit_predict(drawn.W, bags=drawn.bags, bag_labels=drawn.labels)
            row["purity_by_seed"].append(round(purity(drawn.truth, labels), 4))
            row["nmi_by_seed"].append(round(nmi(drawn.truth, labels), 4))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=20)
    seeds = parser.parse_args().seeds
    rows = [row for poem in POEMS for kind in AFFINITIES for row in run(poem, kind, seeds)]
    if not rows:
        return
    for row in rows:
        print(row["poem"], row["affinity"], row["alpha"], np.mean(row["purity_by_seed"]).round(3))
    config = {"affinities": AFFINITIES, "alphas": ALPHAS, "labelled": 1.0, "seeds": seeds}
    keep(Path(__file__).parent / "alpha.json", config=config, results=rows)


if __name__ == "__main__":
    main()
