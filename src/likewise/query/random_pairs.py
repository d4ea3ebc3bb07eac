"""Random pairs: the baseline of every paper."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from likewise.query.base import State, Strategy, open_pairs, take_batch
from likewise.query.question import Pair, Question


class RandomPairs(Strategy):
    """Ask about open pairs drawn uniformly at random.

    A baseline for comparison: "Random Constraints" in A. Biswas, *Semi-supervised and Active Image Clustering with
    Pairwise Constraints from Humans*, 2014, Table 3.1. What follows from earlier answers is never drawn.

    Parameters
    ----------
    clusterer : estimator, optional
        Clusterer to use under the answers; :class:`likewise.cluster.HACC` by default.

    Examples
    --------
    >>> from likewise import Session
    >>> s = Session([[0.0], [0.1], [5.0]], strategy="random", n_clusters=2, random_state=0)
    >>> s.ask().kind
    'pair'
    """

    name = "random"

    def ask(self, state: State, n: int = 1, skip: Collection[Pair] = ()) -> list[Question]:
        """Draw open pairs; see :meth:`Strategy.ask`."""
        drawn = (Question("pair", pair, reason="drawn at random") for pair in self._draw(state, skip, tries=64 * n))
        return take_batch(state, drawn, n)

    def _draw(self, state: State, skip: Collection[Pair], tries: int) -> Iterator[Pair]:
        """Uniform by rejection while open pairs are common, by listing them when they are rare."""
        if state.n < 2:
            return
        rng = state.rng()
        for _ in range(tries):
            i, j = sorted(rng.choice(state.n, size=2, replace=False).tolist())
            if state.is_open(i, j, skip):
                yield i, j
        rest = list(open_pairs(state, skip))
        for k in rng.permutation(len(rest)).tolist():
            yield rest[k]
