"""From rows of eigenvectors to clusters: k-means that keeps what is known."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.groups import Groups
from likewise.kernels.metric.distances import compute_sqeuclidean

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MAX_ROUNDS = 100
VOTES = 20
VOTING_POWER = 2


def certain_sets(groups: Groups, at_most: int) -> list[int]:
    """Groups that are known to differ from one another, the largest first, as far as they go.

    Examples
    --------
    >>> from likewise import Constraints
    >>> from likewise.cluster.groups import constrained_groups
    >>> known = Constraints(6, must_link=[(2, 3)], cannot_link=[(0, 2), (0, 5), (2, 5), (0, 4)])
    >>> certain_sets(constrained_groups(known), at_most=3)  # items 2 and 3, item 0, item 5
    [1, 0, 3]
    """
    taken: list[int] = []
    enemies = [
        set(groups.enemies[a:b].tolist()) for a, b in zip(groups.enemy_start[:-1], groups.enemy_start[1:], strict=True)
    ]
    n_enemies = np.diff(groups.enemy_start)
    for g in np.lexsort((np.arange(len(enemies)), -n_enemies, -groups.sizes)).tolist():
        if len(taken) < at_most and all(other in enemies[g] for other in taken):
            taken.append(g)
    return taken


def round_rows(
    rows: Floats, n_clusters: int, random: np.random.RandomState, *, groups: Groups | None = None, n_init: int = 10
) -> Integers:
    """Clusters of the rows, (n,), by k-means: the lowest sum of squares of several starts.

    With groups, every one moves as a whole, and those known to differ from one another each have a cluster of their
    own from the start. No cluster is left empty while there are enough that can move.

    - `rows` (n, d): Points.
    - `n_clusters`: How many clusters.
    - `random`: Source of the starts.
    - `groups`: What is known.
    - `n_init`: Starts; one is enough where every cluster has a group of its own.
    """
    of_unit, pinned = _units(len(rows), groups, n_clusters)
    weights = np.bincount(of_unit).astype(np.float64)
    units = np.zeros((len(weights), rows.shape[1]))
    np.add.at(units, of_unit, rows)
    units /= weights[:, None]
    best, lowest = np.zeros(len(units), np.int64), np.inf
    for _ in range(1 if len(pinned) >= n_clusters else n_init):
        labels, cost = _search(units, weights, pinned, n_clusters, random)
        if cost < lowest:
            best, lowest = labels, cost
    return best[of_unit]


def vote(W: Any, labels: Integers, groups: Groups, n_clusters: int) -> Integers:
    """Labels after every item, or group, has gone to the cluster it has most affinity with; certain sets stay.

    The must-links between settled items tie them so closely that the rest may look like one cluster to the
    eigenvectors. With a share ρ of the items in certain sets, what is not settled counts (1 - ρ)² beside it: with
    little settled the clusters stay as they are, with much settled its affinities decide. No cluster is emptied.

    - `W`, ndarray or csr_array of shape (n, n): Affinities without the constraints.
    - `labels` (n,): Clusters to start from.
    - `groups`: What is known.
    - `n_clusters`: Number of clusters.
    """
    of_unit, pinned = _units(len(labels), groups, n_clusters)
    fixed = np.isin(of_unit, pinned)
    if not fixed.any():
        return labels
    count = np.where(fixed, 1.0, (1 - fixed.mean()) ** VOTING_POWER)
    for _ in range(VOTES):
        ballots = np.zeros((len(labels), n_clusters))
        ballots[np.arange(len(labels)), labels] = count
        votes = np.zeros((int(of_unit.max()) + 1, n_clusters))
        np.add.at(votes, of_unit, np.asarray(W @ ballots))
        votes[of_unit, labels] += 1e-12  # where nothing is near, an item stays
        new = votes.argmax(axis=1)[of_unit]
        new = np.where(fixed, labels, new)
        emptied = np.bincount(new, minlength=n_clusters) == 0
        new = np.where(emptied[labels], labels, new)
        if np.array_equal(new, labels):
            break
        labels = new
    return labels


def _units(n: int, groups: Groups | None, n_clusters: int) -> tuple[Integers, Integers]:
    """Unit of every item, and the units that have the first clusters to themselves."""
    if groups is None:
        return np.arange(n), np.empty(0, np.int64)
    n_groups = len(groups.start) - 1
    of_unit = groups.of_item.copy()
    of_unit[groups.free] = n_groups + np.arange(len(groups.free))
    return of_unit, np.array(certain_sets(groups, n_clusters), np.int64)


def _search(
    units: Floats, weights: Floats, pinned: Integers, n_clusters: int, random: np.random.RandomState
) -> tuple[Integers, float]:
    centres = _spread(units, weights, pinned, n_clusters, random)
    labels = np.full(len(units), -1)
    gaps = np.empty(0)
    for _ in range(MAX_ROUNDS):
        gaps = compute_sqeuclidean(units, centres)
        old, labels = labels, gaps.argmin(axis=1)
        labels[pinned] = np.arange(len(pinned))
        _fill(labels, gaps, pinned, n_clusters)
        if np.array_equal(old, labels):
            break
        share = np.zeros((n_clusters, len(units)))
        share[labels, np.arange(len(units))] = weights
        total = share.sum(axis=1, keepdims=True)
        centres = np.where(total > 0, share @ units / np.where(total > 0, total, 1.0), centres)
    return labels, float(weights @ gaps[np.arange(len(units)), labels])


def _spread(units: Floats, weights: Floats, pinned: Integers, n_clusters: int, random: np.random.RandomState) -> Floats:
    """Centres: the pinned units, then units drawn by squared distance (k-means++)."""
    chosen = pinned.tolist()
    nearest = np.full(len(units), np.inf)
    if chosen:
        nearest = compute_sqeuclidean(units, units[pinned]).min(axis=1)
    while len(chosen) < n_clusters:
        chances = weights * nearest if chosen else weights
        if not chances.any():
            chances = weights
        cumulative = np.cumsum(chances)
        at = int(np.searchsorted(cumulative, random.random_sample() * cumulative[-1], "right"))
        at = min(at, len(units) - 1)
        chosen.append(at)
        nearest = np.minimum(nearest, compute_sqeuclidean(units, units[[at]])[:, 0])
    return np.asarray(units[chosen])


def _fill(labels: Integers, gaps: Floats, pinned: Integers, n_clusters: int) -> None:
    """Give empty clusters the units that are farthest from their centres, in place."""
    count = np.bincount(labels, minlength=n_clusters)
    if count.all():
        return
    price = gaps[np.arange(len(labels)), labels].copy()
    price[pinned] = -1.0
    for at in np.argsort(-price, kind="stable").tolist():
        empty = np.flatnonzero(count == 0)
        if not len(empty) or price[at] < 0:
            return
        if count[labels[at]] > 1:
            count[labels[at]] -= 1
            labels[at] = empty[0]
            count[empty[0]] = 1
