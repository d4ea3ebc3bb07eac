"""MinMax: the point least like everything in the skeleton."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from likewise.query.base import State
from likewise.query.neighbourhood.base import NeighbourhoodStrategy
from likewise.query.neighbourhood.skeleton import Skeleton


class MinMax(NeighbourhoodStrategy):
    """Settle the point whose highest similarity to the skeleton, the items settled so far, is lowest.

    The point is argmin over x outside of max over y in the skeleton of s(x, y); it is compared with the
    neighbourhoods by falling similarity until one is the same.

    Parameters
    ----------
    clusterer : estimator, optional
        Clusterer to use under the answers; by default :class:`likewise.cluster.MPCKMeans` on Euclidean vectors
        and :class:`likewise.cluster.HACC` otherwise.

    References
    ----------
    P. K. Mallapragada, R. Jin, A. K. Jain, *Active Query Selection for Semi-supervised Clustering*, ICPR
    2008, §2. Their similarity exp(-d²/σ²) falls with the distance, so σ decides nothing and the choice is the
    point farthest from the skeleton; it is computed from distances, where no value underflows. Their Explore
    phase (Basu et al. 2004) takes the same points, so the two phases are one here.

    Examples
    --------
    >>> from likewise import Session
    >>> s = Session([[0.0], [0.1], [5.0], [9.0]], strategy="minmax", n_clusters=3, random_state=0)
    >>> s.answer((0, 1), "same")
    >>> s.ask().items
    (1, 3)
    """

    name = "minmax"

    def __init__(self, *, clusterer: Any = None) -> None:
        super().__init__(clusterer=clusterer)

    def rank_points(self, state: State, skeleton: Skeleton) -> Iterator[tuple[int, float]]:
        """Farthest first; the score is the distance to the nearest settled item."""
        return self._farthest_first(state, skeleton)

    def reason(self, state: State, skeleton: Skeleton) -> str:
        """Why the point is asked about."""
        return "the point least like anything settled so far"
