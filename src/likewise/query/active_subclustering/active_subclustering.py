"""Active subclustering: questions that make a few examples of every class right."""

from __future__ import annotations

from collections.abc import Collection, Generator
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Constraints
from likewise.query.active_subclustering.incremental import IncrementalSubclusters
from likewise.query.base import State, Strategy, open_pairs, take_batch
from likewise.query.question import Pair, Question


class ActiveSubclustering(Strategy):
    r"""Ask whether two subclusters show the same class, and whether an example is of its centre's class.

    The utility of a question about two centres is :math:`P(c_i = c_j)`; of one about an example
    :math:`(1 - P(c_k = I)) (1 - \max_c P(c_k = c))`, lower when its centre may be replaced anyway. When two centres are
    of one class the search continues; a wrong example is replaced by the next nearest item, which is asked about at
    once, up to q_th times.

    Parameters
    ----------
    clusterer : estimator, optional
        Clusterer of all items under the answers; :class:`likewise.cluster.HACC` by default. The subclusters are in
        :meth:`subclusters`.
    size : int, default=10
        Number of items of a subcluster.
    restricted : int, array-like of int or None
        The items that may be centres, as in :class:`likewise.cluster.Subclustering`.
    probability : "shared" or "exponential"
        Definition of P, as in :class:`likewise.cluster.Subclustering`.
    scale : float or "auto"
        λ of "exponential".

    References
    ----------
    A. Biswas, *Semi-supervised and Active Image Clustering with Pairwise Constraints from Humans*, 2014, §4.3 and 6.3,
    eq. 4.3. Deviations: what follows from answers is never asked; items known to be the same as the centre are the
    first to replace a wrong one; after q_th questions the utility of a slot is halved, every time again; without a
    number of clusters there are √(n / 2); when no question about the subclusters is left, all other pairs follow.

    Examples
    --------
    >>> from likewise import Session
    >>> X = [[0.0], [0.1], [0.3], [5.0], [5.1], [9.0]]
    >>> s = Session(X, strategy="active-subclustering", n_clusters=2, size=2, random_state=0)
    >>> s.ask().reason
    'two subclusters that may show the same'
    """

    name = "active-subclustering"

    def __init__(
        self,
        *,
        clusterer: Any = None,
        size: int = 10,
        restricted: Any = None,
        probability: str = "shared",
        scale: float | str = "auto",
    ) -> None:
        super().__init__(clusterer=clusterer)
        self.size = size
        self.restricted = restricted
        self.probability = probability
        self.scale = scale

    def ask(self, state: State, n: int = 1, skip: Collection[Pair] = ()) -> list[Question]:
        """Rank pairs of centres and examples; see :meth:`Strategy.ask`."""
        if state.n < 2:
            return []
        ranked = self._ranked(state, skip)
        try:
            return take_batch(state, ranked, n)
        finally:
            ranked.close()

    def subclusters(self, state: State) -> NDArray[np.int64]:
        """Items of every subcluster under all answers so far, the centre first, (k, size)."""
        return self._run(state).subclusters

    def _ranked(self, state: State, skip: Collection[Pair]) -> Generator[Question, None, None]:
        yield from self._run(state).ranked(skip)
        for pair in open_pairs(state, skip):
            yield Question("pair", pair, 0.0, "the subclusters are settled")

    def _run(self, state: State) -> IncrementalSubclusters:
        """The subclusters of a state; only the answers not seen before are processed."""
        runs: WeakKeyDictionary[State, tuple[Any, Any, IncrementalSubclusters]]
        runs = self.__dict__.setdefault("_runs", WeakKeyDictionary())
        found = runs.get(state)
        if found is None:
            pool, centres = self._start(state)
            run = IncrementalSubclusters(pool.copy(), centres)
        else:
            pool, centres, run = found
            n_taken = len(run.answers)
            if n_taken > len(state.history) or (n_taken and run.answers[-1] is not state.history[n_taken - 1]):
                run = IncrementalSubclusters(pool.copy(), centres)  # answers were undone
        runs[state] = pool, centres, run
        for answer in state.history[len(run.answers) :]:
            run.take(answer)
        return run

    def _start(self, state: State) -> tuple[Any, NDArray[np.int64]]:
        from likewise.cluster import Subclustering

        n_clusters = state.n_clusters or max(1, min(state.n, round((state.n / 2) ** 0.5)))
        random = np.random.RandomState(state.seed % 2**32)
        model = Subclustering(
            n_clusters,
            size=self.size,
            metric=state.metric,
            restricted=self.restricted,
            probability=self.probability,
            scale=self.scale,
        )
        pool = model.candidates(state.X, n_clusters, Constraints(state.n), random)
        return pool, random.permutation(len(pool.items))[:n_clusters].astype(np.int64)

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in super().__getstate__().items() if key != "_runs"}
