"""What a pair and a triplet tell, by the number of classes of equal size (Fig. 3.6).

``python -m benchmarks.papers.pei2016_unified.information`` draws ``docs/assets/informativeness.png``.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from likewise.query import informativeness

PICTURE = Path(__file__).parents[3] / "docs" / "assets" / "informativeness.png"
COUNTS = range(2, 31)


def main() -> None:
    from matplotlib.figure import Figure

    told = [informativeness(np.ones(k)) for k in COUNTS]
    figure = Figure(figsize=(10, 3.8), layout="constrained")
    for axes, triplets, pairs, names in zip(
        figure.subplots(1, 2),
        (1, 2),
        (1, 3),
        (("one triplet", "one pair"), ("two triplets", "three pairs")),
        strict=True,
    ):
        axes.plot(COUNTS, [triplets * t.triplet for t in told], "o-", ms=3, label=names[0])
        axes.plot(COUNTS, [pairs * t.pair for t in told], "s-", ms=3, label=names[1])
        axes.set(xlabel="classes of equal size", ylabel="information (nats)")
        axes.grid(alpha=0.3)
        axes.legend()
    figure.savefig(PICTURE, dpi=90)


if __name__ == "__main__":
    main()
