"""Starting centres: from the constraints, and from the spread of the data where there are none."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likewise.cluster.groups import Groups
from likewise.kernels.metric.distances import compute_sqeuclidean

Vectors = NDArray[np.float64]
# Vectors, or the indices of items in a distance matrix.
Points = NDArray[Any]
Gap = Callable[[Points, Points], Vectors]


def neighbourhood_seeds(
    items: Points,
    middles: Points,
    gap: Gap,
    groups: Groups,
    n_clusters: int,
    random: np.random.RandomState,
    number: int,
) -> Points:
    """Starting centres: the middles of must-link groups as far as they go, then items.

    With more groups than clusters, weighted farthest-first traversal: the largest group first, then
    whichever has the largest size × squared distance to the nearest chosen one. When groups run out,
    items that may meet none of the chosen groups come first, then items drawn by squared distance
    (k-means++). Later starts differ: every odd one draws groups with the chances that the first ranks
    them by, every even one does without groups.

    - `items` (n, d) or (n,): All points.
    - `middles` (g, d) or (g,): The middle of every group.
    - `gap`: Squared distances of points from one point.
    - `groups`: What is known about the items.
    - `n_clusters`: Number of centres.
    - `random`: Source of the draws.
    - `number`: Which start it is, from 0.
    """
    large = np.flatnonzero(groups.sizes > 1) if number == 0 or number % 2 else np.empty(0, np.int64)
    weights = groups.sizes[large].astype(np.float64)
    chosen = large[_traverse(middles[large], weights, gap, min(n_clusters, len(large)), random, number > 0)]
    known = set(chosen.tolist())
    seeds = list(middles[chosen])
    nearest = np.full(len(items), np.inf)
    for seed in seeds:
        nearest = np.minimum(nearest, gap(items, seed))
    while len(seeds) < n_clusters:
        differing = _differing_from_all(groups, known)
        if len(differing):
            group = int(differing[random.randint(len(differing))])
            known.add(group)
            seed = middles[group]
        else:
            seed = items[_draw(nearest, random)]
        seeds.append(seed)
        nearest = np.minimum(nearest, gap(items, seed))
    return np.array(seeds)


def mean_seeds(X: Vectors, groups: Groups, n_clusters: int, random: np.random.RandomState, number: int) -> Vectors:
    """:func:`neighbourhood_seeds` for vectors: the middle of a group is its mean."""
    middles = np.empty((0, X.shape[1]))
    if len(groups.members):
        sums = np.add.reduceat(X[groups.members], groups.start[:-1], axis=0)
        middles = sums / groups.sizes[:, None]
    return neighbourhood_seeds(X, middles, _gap_of_vectors, groups, n_clusters, random, number)


def draw_restricted(
    restricted: int | ArrayLike, n: int, n_clusters: int, random: np.random.RandomState
) -> NDArray[np.int64]:
    """The items that may be centres, sorted, (r,).

    - `restricted`, int or array-like of int: How many to draw, or which.
    - `n`: Number of items.
    - `n_clusters`: Number of centres.
    - `random`: Source of the draw.
    """
    if isinstance(restricted, Integral):
        chosen = np.sort(random.permutation(n)[: max(int(restricted), 0)])
    else:
        chosen = np.unique(np.asarray(restricted))
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu" or (chosen < 0).any() or (chosen >= n).any():
            raise ValueError(f"restricted must hold indices of the {n} items")
    if len(chosen) < n_clusters:
        raise ValueError(f"restricted leaves {len(chosen)} items for n_clusters={n_clusters} centres")
    return chosen.astype(np.int64)


def _gap_of_vectors(points: Points, point: Points) -> Vectors:
    return np.asarray(compute_sqeuclidean(point[None], points)[0])


def _traverse(
    points: Points, weights: Vectors, gap: Gap, count: int, random: np.random.RandomState, sample: bool
) -> NDArray[np.int64]:
    chosen: list[int] = []
    gain = weights.copy()
    nearest = np.full(len(points), np.inf)
    while len(chosen) < count:
        k = _draw(gain, random) if sample else int(np.argmax(gain))
        chosen.append(k)
        nearest = np.minimum(nearest, gap(points, points[k]))
        gain = weights * nearest
        if not gain.any():
            gain = np.where(np.isin(np.arange(len(points)), chosen), 0.0, weights)
    return np.array(chosen, np.int64)


def _differing_from_all(groups: Groups, known: set[int]) -> NDArray[np.int64]:
    """Groups outside known under a cannot-link with every one of known; none when known is empty."""
    met: dict[int, int] = {}
    for g in known:
        for enemy in groups.enemies[groups.enemy_start[g] : groups.enemy_start[g + 1]].tolist():
            met[enemy] = met.get(enemy, 0) + 1
    return np.array(sorted(g for g, count in met.items() if count == len(known) and g not in known), np.int64)


def _draw(chances: Vectors, random: np.random.RandomState) -> int:
    """An index drawn with the given chances; evenly when they are all zero or all infinite."""
    if not np.isfinite(chances).all() or not chances.any():
        return int(random.randint(len(chances)))
    cumulative = np.cumsum(chances)
    return int(min(np.searchsorted(cumulative, random.random_sample() * cumulative[-1], "right"), len(chances) - 1))
