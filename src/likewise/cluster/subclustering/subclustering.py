"""Subclustering: a few good examples of every class, without clustering the rest."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state, check_scalar

from likewise.cluster.base import ConstrainedClusterer
from likewise.cluster.renamed import renamed_attribute
from likewise.cluster.seeding import draw_restricted
from likewise.cluster.subclustering.candidates import Candidates
from likewise.cluster.subclustering.nearest_blocks import nearest_items
from likewise.cluster.subclustering.probabilities import Exponential, Probability, Shared
from likewise.constraints import Constraints
from likewise.distances import check_distances, pairwise

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

WITNESSES = 4000
"""Witnesses of who is close to whom, where there are fewer candidates than that."""
LISTED = 64
"""Nearest witnesses of an item at most."""


class Subclustering(ConstrainedClusterer):
    """K subclusters of a few items each, all of one class and no two of the same, from any number of items.

    With P(i = j) from the distances, the probability that all items of a subcluster are as its centre and that all
    centres differ is maximised. Centres come from a restricted set; a subcluster is a centre and its nearest items.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of subclusters.
    size : int, default=10
        Items in each, the centre among them; never more than n / n_clusters.
    metric : "euclidean", "precomputed", another name of :func:`likewise.distances.pairwise`, or callable
        How far two items are from each other.
    restricted : int, array-like of int or None
        The items that may be centres, or how many to draw; 20 for every subcluster when not given.
    probability : "shared" or "exponential"
        P(i = j): the share of their nearest witnesses, as many as a class has on average, that i and j have in common;
        or exp(-d(i, j) / scale) as published. Witnesses are the candidates, and other items where those are few.
    scale : float or "auto", default="auto"
        λ of "exponential"; "auto" is the mean distance of the candidates to their nearest size - 1 items.
    n_init : int, default=1
        Starts from other centres; the lowest cost is kept.
    max_iter : int, default=10000
        Swaps at most.
    dtype : "float64" or "float32"
        Type of the products of vectors that find nearest items; distances and costs are float64.
    client : dask.distributed.Client, optional
        Who computes the distances; the result is the same.
    random_state : int, RandomState or None
        Seed of the restricted set and the first centres.

    Attributes
    ----------
    subclusters_ : ndarray of shape (n_clusters, size)
        Items of every subcluster, the centre first, then by distance.
    medoid_indices_ : ndarray of shape (n_clusters,)
        The centres.
    labels_ : ndarray of shape (n,)
        Subcluster of every item, -1 for the rest; an item of several is in that with the nearest centre.
    n_clusters_ : int
        Number of subclusters.
    objective_ : float
        The cost reached.
    objective_path_ : ndarray
        The cost at the start and after every swap; it never rises.
    scale_ : float
        The λ used, with "exponential".
    n_iter_ : int
        Rounds of the search: swaps, and the last round, which found none.

    References
    ----------
    A. Biswas, *Semi-supervised and Active Image Clustering with Pairwise Constraints from Humans*, 2014, §4.2 and
    6.2, eq. 4.2 (each pair of centres counted in both orders). Deviations: P by default, for with exp(-d / λ)
    two subclusters of a dense class cost less than one of a sparse class at any λ; `scale` is not learned from
    a held-out set; duplicates, at P = 1, cost 1e9 instead of infinity; items known to be the same as a
    centre are its nearest, items known to differ never in its subcluster.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> truth = np.repeat([0, 1, 2], 20)
    >>> X = 9.0 * truth[:, None] + rng.normal(size=(60, 2))
    >>> truth[Subclustering(3, size=4, random_state=0).fit(X).subclusters_].tolist()
    [[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2]]
    """

    cost_ = renamed_attribute("cost_", "objective_")
    cost_path_ = renamed_attribute("cost_path_", "objective_path_")

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        size: int = 10,
        metric: Any = "euclidean",
        restricted: int | ArrayLike | None = None,
        probability: str = "shared",
        scale: float | str = "auto",
        n_init: int = 1,
        max_iter: int = 10_000,
        dtype: Any = "float64",
        client: Any = None,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.size = size
        self.metric = metric
        self.restricted = restricted
        self.probability = probability
        self.scale = scale
        self.n_init = n_init
        self.max_iter = max_iter
        self.dtype = dtype
        self.client = client
        self.random_state = random_state

    def _check_input(self, X: ArrayLike) -> NDArray[Any]:
        from sklearn.utils.validation import validate_data

        checked = validate_data(self, X, dtype=[np.float64, np.float32], ensure_min_samples=1)
        if self.metric == "precomputed":
            return check_distances(checked)
        # A memory-mapped array stays one: blocks of it are read where they are needed.
        mapped = isinstance(X, np.memmap) and X.dtype in (np.float64, np.float32)
        return X if mapped else np.asarray(checked)  # type: ignore[return-value]

    def _fit(self, X: NDArray[Any], constraints: Constraints) -> None:
        n_clusters = self._check_n_clusters(self.n_clusters, len(X))
        if self.probability == "exponential" or self.scale != "auto":
            self._scale(np.empty(0))
        check_scalar(self.size, "size", Integral, min_val=1)
        check_scalar(self.n_init, "n_init", Integral, min_val=1)
        check_scalar(self.max_iter, "max_iter", Integral, min_val=1)
        random = check_random_state(self.random_state)
        pool = self.candidates(X, n_clusters, constraints, random)
        best: tuple[list[float], Indices] | None = None
        for _ in range(self.n_init):
            pool.choose(random.permutation(len(pool.items))[:n_clusters], constraints)
            path = pool.swap(self.max_iter)
            if best is None or path[-1] < best[0][-1]:
                best = path, pool.centres
        assert best is not None
        self._keep(X, pool, *best)

    def candidates(
        self, X: NDArray[Any], n_clusters: int, constraints: Constraints, random: np.random.RandomState
    ) -> Candidates:
        """The restricted set with its subclusters: all that costs O(RN)."""
        if self.probability not in ("shared", "exponential"):
            raise ValueError(f"probability must be shared or exponential, got {self.probability!r}")
        restricted = min(len(X), 20 * n_clusters) if self.restricted is None else self.restricted
        items = draw_restricted(restricted, len(X), n_clusters, random)
        everyone, is_witness = items, np.zeros(len(items), bool)
        if self.probability == "shared":
            everyone, is_witness = add_witnesses(items, len(X), n_clusters, random)
        n_witnesses = int(is_witness.sum())
        n_neighbors = min(int(self.size), len(X) // n_clusters) - 1
        neighbours, distances, lists = nearest_items(
            X,
            everyone,
            n_neighbors,
            witnesses=is_witness,
            n_listed=min(max(2, round(n_witnesses / max(2, n_clusters))), n_witnesses),
            metric=self.metric,
            dtype=self.dtype,
            client=self.client,
        )
        own = np.searchsorted(everyone, items)
        neighbours, distances = neighbours[own], distances[own]
        known = rows_with_constraints(items, constraints)
        for row in known:
            gaps = np.delete(known_gaps(X, self.metric, int(items[row]), constraints), items[row])
            order = np.argsort(gaps, kind="stable")[:n_neighbors]
            neighbours[row] = order + (order >= items[row])
        found: Probability = Shared(items, lists, len(everyone))
        if self.probability == "exponential":
            self.scale_ = self._scale(distances)
            found = Exponential(X, self.metric, items, self.scale_)
        pool = Candidates(X, self.metric, items, neighbours, found)
        for row in known:
            pool.set_known(row, constraints)
        return pool

    def _scale(self, distances: Floats) -> float:
        if isinstance(self.scale, str):
            if self.scale != "auto":
                raise ValueError(f"scale must be a number or 'auto', got {self.scale!r}")
            return float(distances.mean() if distances.size else 1.0) or 1.0
        check_scalar(self.scale, "scale", Real, min_val=0, include_boundaries="neither")
        return float(self.scale)

    def _keep(self, X: NDArray[Any], pool: Candidates, path: list[float], centres: Indices) -> None:
        order = np.argsort(pool.items[centres])
        self.subclusters_ = pool.members[centres[order]]
        self.medoid_indices_ = self.subclusters_[:, 0].copy()
        self.n_clusters_ = len(centres)
        self.labels_ = subcluster_labels(X, self.metric, self.subclusters_)
        self.objective_path_ = np.array(path)
        self.objective_ = path[-1]
        self.n_iter_ = len(path)
        self._settled = len(path) <= self.max_iter  # the last round of these found no swap


def add_witnesses(
    items: Indices, n: int, n_clusters: int, random: np.random.RandomState
) -> tuple[Indices, NDArray[np.bool_]]:
    """Candidates and witnesses together, sorted, and which of them are witnesses.

    - `items` (r,): The candidates, sorted.
    - `n`: Number of items.
    - `n_clusters`: Number of classes, each of which has at most `LISTED` witnesses on average.
    - `random`: Source of the draws.
    """
    # With one class, half of the witnesses: if all were listed, all lists would be the same.
    count = min(n, max(len(items), WITNESSES), LISTED * max(2, n_clusters))
    if count <= len(items):
        is_witness = np.zeros(len(items), bool)
        is_witness[random.permutation(len(items))[:count]] = True
        return items, is_witness
    others = np.setdiff1d(np.arange(n), items)
    more = others[random.permutation(len(others))[: count - len(items)]]
    everyone = np.sort(np.concatenate([items, more]))
    return everyone, np.ones(len(everyone), bool)


def rows_with_constraints(items: Indices, constraints: Constraints) -> list[int]:
    """Rows of the candidates about which anything is known."""
    labels = constraints.labels()
    touched = np.bincount(labels, minlength=1) > 1
    touched[constraints.group_cannot_links().ravel()] = True
    return list(np.flatnonzero(touched[labels[items]]).tolist()) if len(constraints) else []


def known_gaps(X: NDArray[Any], metric: Any, item: int, constraints: Constraints) -> Floats:
    """Distances of an item to all, (n,): 0 to those known to be the same, infinite to those known to differ."""
    gaps = item_gaps(X, metric, item)
    for other in range(len(X)):
        relation = constraints.known(item, other)
        if relation is not None:
            gaps[other] = 0.0 if relation == "same" else np.inf
    return gaps


def item_gaps(X: NDArray[Any], metric: Any, item: int) -> Floats:
    """Distances of one item to all, (n,), a new array."""
    if isinstance(metric, str) and metric == "precomputed":
        return np.array(X[item], np.float64)
    return np.array(pairwise(X[item : item + 1], X, metric=metric)[0])


def subcluster_labels(X: NDArray[Any], metric: Any, subclusters: Indices) -> Indices:
    """Subcluster of every item, (n,): that with the nearest centre, -1 for items of none."""
    labels = np.full(len(X), -1, np.int64)
    nearest = np.full(len(X), np.inf)
    for k, members in enumerate(subclusters):
        if isinstance(metric, str) and metric == "precomputed":
            gaps = np.asarray(X[members[0], members])
        else:
            gaps = pairwise(X[members[:1]], X[members], metric=metric)[0]
        closer = gaps < nearest[members]
        labels[members[closer]] = k
        nearest[members[closer]] = gaps[closer]
    return labels
