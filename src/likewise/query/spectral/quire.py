"""QUIRE: the sample that is both informative and representative. A baseline for comparison."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.spectral.signed_graph import Laplacian
from likewise.query.base import State
from likewise.query.neighbourhood.skeleton import Skeleton
from likewise.query.spectral.base import Graph, Rounding, SpectralStrategy

Floats = NDArray[np.float64]
LEAST_VARIANCE = 1e-9


class QUIRE(SpectralStrategy):
    r"""Settle the sample whose worst label leaves the lowest regularised loss (two classes).

    A baseline for comparison with URASC.

    Minimises over the sample s the maximum over its label, and the minimum over all labels that are unknown, of
    :math:`y^\top (K + \lambda I)^{-1} y`, K being the affinities. Labels come from pairwise answers through certain
    sets.

    Parameters
    ----------
    regularization : float, default=1.0
        The λ of the loss.
    n_clusters, affinity, laplacian, graph_neighbors, clusterer
        As in :class:`URASC`.
    graph, reading, keep, exclusion, explore, cannot_link_affinity
        As in :class:`URASC`.

    References
    ----------
    S.-J. Huang, R. Jin, Z.-H. Zhou, *Active Learning by Querying Informative and Representative Examples*, NIPS 2010;
    not compared with its authors' code. The inner minimum is a Schur complement and so the inverse of the labelled
    block, which gives :math:`(1 + |\mu_s|)^2 / v_s` with the mean and variance of a Gaussian process. Deviation: with
    more than two certain sets, the sum over each of them against the rest.

    Examples
    --------
    >>> from likewise import Session
    >>> s = Session([[0.0], [0.1], [5.0], [5.1]], strategy="quire", n_clusters=2, random_state=0)
    >>> s.ask().kind
    'pair'
    """

    name = "quire"

    def __init__(
        self,
        *,
        regularization: float = 1.0,
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
        self.regularization = regularization

    def rank_points(self, state: State, skeleton: Skeleton) -> Iterator[tuple[int, float]]:
        """By the inverse of the loss, falling."""
        outside = np.flatnonzero(skeleton.home < 0)
        inside = np.flatnonzero(skeleton.home >= 0)
        signs = np.where(skeleton.home[inside][:, None] == np.arange(len(skeleton)), 1.0, -1.0)
        W = self.affinities(state)
        parts = [W[inside][:, inside], W[inside][:, outside]]
        known, across = (part if isinstance(part, np.ndarray) else part.toarray() for part in parts)
        loss = worst_losses(known, across, signs, self.regularization)
        yield from self.spread_out(state, skeleton, outside, 1 / loss)

    def reason(self, state: State, skeleton: Skeleton) -> str:
        """Why the sample is asked about."""
        return "the image that is both doubtful and like many others"


def worst_losses(known: Floats, across: Floats, signs: Floats, regularization: float) -> Floats:
    """The loss each unlabelled sample adds with its worse label, (b,), summed over the columns of signs.

    - `known` (l, l): Affinities of the labelled samples; the diagonal is taken as 1.
    - `across` (l, b): Affinities of the labelled samples to the others.
    - `signs` (l, c): Labels, +1 and -1; each column is a problem of its own.
    - `regularization`: Added to the diagonal.
    """
    K = known.copy()
    np.fill_diagonal(K, 1 + regularization)
    weights = np.linalg.solve(K, across)
    variance = np.maximum(1 + regularization - (across * weights).sum(axis=0), LEAST_VARIANCE)
    means = weights.T @ signs
    return np.asarray(((1 + np.abs(means)) ** 2 / variance[:, None]).sum(axis=1))
