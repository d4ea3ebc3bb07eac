"""pKNN+AL: the sample whose settled neighbours agree least. A baseline for comparison."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from likewise.cluster.spectral.signed_graph import Laplacian
from likewise.query.base import State
from likewise.query.neighbourhood.skeleton import Skeleton
from likewise.query.spectral.base import Graph, Rounding, SpectralStrategy


class PKNNAL(SpectralStrategy):
    """Settle the sample whose most probable class is least probable, by the settled samples nearest to it.

    A baseline for comparison with URASC.

    The probability of a certain set is its share in the affinities of the sample to its nearest settled samples.

    Parameters
    ----------
    n_neighbors : int, default=20
        Number of settled samples that count.
    n_clusters, affinity, laplacian, graph_neighbors, clusterer
        As in :class:`URASC`.
    graph, reading, keep, exclusion, explore, cannot_link_affinity
        As in :class:`URASC`.

    References
    ----------
    P. Jain, A. Kapoor, *Active Learning for Large Multi-class Problems*, CVPR 2009 (probabilistic k nearest
    neighbours), through certain sets as in Xiong, Johnson and Corso (see :class:`URASC`), §6.3. Deviation: the
    affinities are those of the session; their kernel is not learned.

    Examples
    --------
    >>> from likewise import Session
    >>> s = Session([[0.0], [0.1], [5.0], [5.1]], strategy="pknn-al", n_clusters=2, random_state=0)
    >>> s.ask().kind
    'pair'
    """

    name = "pknn-al"

    def __init__(
        self,
        *,
        n_neighbors: int = 20,
        n_clusters: int | None = None,
        affinity: Any = "local",
        laplacian: Laplacian = "normalized",
        graph_neighbors: int | None = None,
        graph: Graph = "merged",
        reading: Rounding = "regression",
        keep: bool = True,
        exclusion: bool = True,
        explore: bool = False,
        cannot_link_affinity: float = -1.0,
        clusterer: Any = None,
    ) -> None:
        super().__init__(
            n_clusters=n_clusters,
            affinity=affinity,
            laplacian=laplacian,
            graph_neighbors=graph_neighbors,
            graph=graph,
            reading=reading,
            keep=keep,
            exclusion=exclusion,
            explore=explore,
            cannot_link_affinity=cannot_link_affinity,
            clusterer=clusterer,
        )
        self.n_neighbors = n_neighbors

    def rank_points(self, state: State, skeleton: Skeleton) -> Iterator[tuple[int, float]]:
        """By falling uncertainty, 1 - the largest probability."""
        outside = np.flatnonzero(skeleton.home < 0)
        inside = np.flatnonzero(skeleton.home >= 0)
        part = self.affinities(state)[outside][:, inside]
        near = part if isinstance(part, np.ndarray) else part.toarray()
        nearest = np.argsort(-near, axis=1, kind="stable")[:, : self.n_neighbors]
        weights = np.take_along_axis(near, nearest, axis=1)
        sets = skeleton.home[inside][nearest]
        share = np.stack([np.sum(weights, axis=1, where=sets == k) for k in range(len(skeleton))], axis=1)
        total = share.sum(axis=1)
        uncertainty = np.where(total > 0, 1 - share.max(axis=1) / np.where(total > 0, total, 1.0), 1.0)
        yield from self.spread_out(state, skeleton, outside, np.maximum(uncertainty, 0.0))

    def reason(self, state: State, skeleton: Skeleton) -> str:
        """Why the sample is asked about."""
        return "the image whose settled neighbours agree least"
