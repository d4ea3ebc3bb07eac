"""Clusters of items that come in bags, where only the bags have labels."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from likewise.cluster.base import consistent_constraints
from likewise.cluster.spectral.bag_constraints import Bags, read_bags, write_bag_links
from likewise.cluster.spectral.signed_graph import Floats, lead, unit_rows, write_constraints
from likewise.cluster.spectral.spectral import SpectralBase
from likewise.constraints import Constraints


class BagSpectral(SpectralBase):
    r"""Spectral clustering under bag constraints (CSP).

    Bags whose labels are alike shall have like clusters: the eigenvectors are those of
    :math:`D^{-1/2} (W + \alpha Q) D^{-1/2}` with :math:`Q = B (Y^\top Y - \mu I) B^\top`, where B says which item
    is in which bag and Y which share each class has in the labels of a bag. Q is multiplied by and never formed.
    Constraints are soft.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters: as many as classes, or more.
    alpha : float, default=0.7
        Weight of the bags beside the affinities.
    with_links : bool, default=True
        False leaves out what must-links could say as well if there were as many clusters as classes (CSP w.o. clml).
    write_links : "both", "cannot" or None, default=None
        Which links that follow from the labels (:func:`bag_links`) are written into the affinities besides: 1 for
        must-links, where classes are clusters, and 0 for cannot-links; "cannot" where a class may have several
        clusters. On a graph of few neighbours the affinities alone tell less than the links.
    bags, bag_labels : optional
        Used where :meth:`fit` is given none, as when a session reads its clusters with this estimator.
    metric, affinity, n_neighbors, graph_neighbors, n_init, random_state
        As in :class:`SpectralLearning`.

    Attributes
    ----------
    labels_, n_clusters_, embedding_
        As in :class:`SpectralLearning`.
    mu_ : float
        The mean similarity of the labels of two bags (eq. 2.12).

    References
    ----------
    Y. Pei, *Learning with Partial Supervision for Clustering and Classification*, 2017, chapter 2, Algorithm 1.
    Deviations: must-links and cannot-links of items may be given besides, and are written into W as 1 and 0, as
    are those of the labels with `write_links`; by default the affinities are those of Zelnik-Manor and Perona,
    without the further 2 of §2.5.1 (give ``affinity=lambda X: local_affinity(X, divisor=2)`` for it).

    Examples
    --------
    >>> X = [[0.0], [4.0], [0.5], [4.5], [2.2]]
    >>> model = BagSpectral(2, random_state=0)
    >>> model.fit(X, bags=[0, 0, 1, 1, 2], bag_labels={0: {"a", "b"}, 1: {"a", "b"}, 2: {"a"}}).labels_.tolist()
    [0, 1, 0, 1, 0]
    """

    def __init__(
        self,
        n_clusters: int = 8,
        alpha: float = 0.7,
        *,
        with_links: bool = True,
        write_links: Literal["both", "cannot"] | None = None,
        bags: ArrayLike | None = None,
        bag_labels: Mapping[Any, Iterable[Hashable]] | None = None,
        metric: Any = "euclidean",
        affinity: Any = "local",
        n_neighbors: int = 7,
        graph_neighbors: int | None = None,
        n_init: int = 10,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.with_links = with_links
        self.write_links = write_links
        self.bags = bags
        self.bag_labels = bag_labels
        self.metric = metric
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.graph_neighbors = graph_neighbors
        self.n_init = n_init
        self.random_state = random_state

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        *,
        must_link: ArrayLike | None = None,
        cannot_link: ArrayLike | None = None,
        bags: ArrayLike | None = None,
        bag_labels: Mapping[Any, Iterable[Hashable]] | None = None,
    ) -> Self:
        """Cluster the items.

        Parameters
        ----------
        X : array-like of shape (n, d), or (n, n) with ``metric="precomputed"``
            Vectors, or distances.
        y : ignored
            Present for scikit-learn.
        must_link, cannot_link : array-like of shape (m, 2), optional
            What is known of pairs of items.
        bags : array-like of shape (n,), optional
            The bag of every item; by default that of the constructor, and without either a bag of its own.
        bag_labels : mapping of bag to labels, optional
            Labels of bags, by default those of the constructor; bags that are not in it are unlabelled.
        """
        checked = self._check_input(X)
        bags = self.bags if bags is None else bags
        bag_labels = self.bag_labels if bag_labels is None else bag_labels
        read = read_bags(np.arange(len(checked)) if bags is None else bags, bag_labels, len(checked))
        self._fit_bags(checked, consistent_constraints(len(checked), must_link, cannot_link), read)
        return self

    def _fit_bags(self, X: Any, constraints: Constraints, bags: Bags) -> None:
        n_clusters = self._check_n_clusters(self.n_clusters, len(X))
        if not (np.isfinite(self.alpha) and self.alpha >= 0):
            raise ValueError(f"alpha must not be negative, got {self.alpha!r}")
        if self.write_links not in ("both", "cannot", None):
            raise ValueError(f"write_links must be 'both', 'cannot' or None, got {self.write_links!r}")
        W = self._affinities(X)
        if self.write_links is not None:
            W = write_bag_links(W, bags, must_link=self.write_links == "both")
        graph = write_constraints(W, constraints, 0.0)
        scale = 1 / np.sqrt(graph.degrees + 1)  # an item's affinity to itself is 1

        def apply(V: Floats) -> Floats:
            column = scale if V.ndim == 1 else scale[:, None]
            U = column * V
            return np.asarray(column * (graph.apply(U) + U + self.alpha * bags.apply(U, with_links=self.with_links)))

        self.mu_ = bags.mu
        _, vectors = lead(apply, n_clusters, n=len(X))
        self._round(unit_rows(vectors), n_clusters, None)
