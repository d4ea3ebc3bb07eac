"""Clusters by their medoids.

cost (r, n) holds the distance of every item to every candidate, candidates (r,) their items; a medoid is a
row of cost until it is handed out.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.groups import Groups
from likewise.cluster.seeding import Points, neighbourhood_seeds

Vectors = NDArray[np.float64]
Labels = NDArray[np.int64]


def best_medoids(cost: Vectors, candidates: Labels, labels: Labels, n_clusters: int) -> Labels:
    """The candidate with the lowest total distance to each cluster, from inside it where there is one, (k,).

    - `cost` (r, n): Distance of every item to every candidate.
    - `candidates` (r,): Which items the candidates are.
    - `labels` (n,): Cluster of every item; none is empty.
    - `n_clusters`: Number of clusters.
    """

    def totals(rows: Labels, members: Labels) -> Vectors:
        return np.asarray(cost[np.ix_(rows, members)].sum(axis=1))

    return best_medoids_by(totals, candidates, labels, n_clusters)


def best_medoids_by(
    totals: Callable[[Labels, Labels], Vectors], candidates: Labels, labels: Labels, n_clusters: int
) -> Labels:
    """:func:`best_medoids` from what sums the distances of some items to each of some candidates."""
    medoids = np.empty(n_clusters, np.int64)
    everyone = np.arange(len(candidates))
    for cluster in range(n_clusters):
        members = np.flatnonzero(labels == cluster)
        rows = np.flatnonzero(labels[candidates] == cluster)
        rows = rows if len(rows) else everyone
        medoids[cluster] = rows[np.argmin(totals(rows, members))]
    return medoids


def group_cost(cost: Vectors, groups: Groups) -> Vectors:
    """Total distance of every group to every candidate, (r, g)."""
    if len(groups.members) == 0:
        return np.empty((len(cost), 0))
    return np.asarray(np.add.reduceat(cost[:, groups.members], groups.start[:-1], axis=1))


def medoid_seeds(
    cost: Vectors, candidates: Labels, groups: Groups, n_clusters: int, random: np.random.RandomState, number: int
) -> Labels:
    """:func:`neighbourhood_seeds` for medoids, all different: the middle of a group is its best candidate."""

    def column(row: int) -> Vectors:
        return np.asarray(cost[:, candidates[row]])

    middles = np.argmin(group_cost(cost, groups), axis=0)
    return medoid_seeds_by(column, len(candidates), middles, groups, n_clusters, random, number)


def medoid_seeds_by(
    column: Callable[[int], Vectors],
    n_candidates: int,
    middles: Labels,
    groups: Groups,
    n_clusters: int,
    random: np.random.RandomState,
    number: int,
) -> Labels:
    """:func:`medoid_seeds` from what gives the distances of all candidates to one, and the groups' best candidates."""

    def gap(points: Points, point: Points) -> Vectors:
        return np.asarray(column(int(point))[points] ** 2)

    rows = np.arange(n_candidates)
    seeds = neighbourhood_seeds(rows, middles, gap, groups, n_clusters, random, number)
    _, firsts = np.unique(seeds, return_index=True)
    again = np.setdiff1d(np.arange(n_clusters), firsts)
    seeds[again] = np.setdiff1d(rows, seeds)[: len(again)]
    return seeds
