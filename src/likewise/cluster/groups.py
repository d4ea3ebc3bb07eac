"""The constrained part of the data: must-link groups and the cannot-links between them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Constraints

Integers = NDArray[np.int64]


class Groups(NamedTuple):
    """Must-link groups that any constraint touches; an item without a constraint is in none.

    - `of_item` (n,): Group of every item, -1 where nothing is known about it.
    - `start`, `members` (g + 1,) and (m,): Items of group k are ``members[start[k]:start[k + 1]]``, in order.
    - `enemy_start`, `enemies` (g + 1,) and (2 e,): Groups that group k must not meet are
      ``enemies[enemy_start[k]:enemy_start[k + 1]]``.
    """

    of_item: Integers
    start: Integers
    members: Integers
    enemy_start: Integers
    enemies: Integers

    @property
    def sizes(self) -> Integers:
        """Number of items in each group."""
        return np.diff(self.start)

    @property
    def of_member(self) -> Integers:
        """Group of every entry of ``members``."""
        return self.of_item[self.members]

    @property
    def free(self) -> Integers:
        """Items that no constraint touches."""
        return np.flatnonzero(self.of_item < 0)

    def enemy_pairs(self) -> Integers:
        """Every cannot-link between groups once, (e, 2), lower first."""
        left = np.repeat(np.arange(len(self.start) - 1), np.diff(self.enemy_start))
        once = left < self.enemies
        return np.column_stack([left[once], self.enemies[once]])


def constrained_groups(constraints: Constraints) -> Groups:
    """Groups of two or more items, and single items under a cannot-link, numbered by smallest member.

    - `constraints`: The constraints; contradictions among them are ignored.

    Examples
    --------
    >>> groups = constrained_groups(Constraints(5, must_link=[(1, 4)], cannot_link=[(4, 2)]))
    >>> groups.of_item
    array([-1,  0,  1, -1,  0])
    >>> groups.enemy_pairs()
    array([[0, 1]])
    """
    labels = constraints.labels()
    pairs = constraints.group_cannot_links()
    sizes = np.bincount(labels, minlength=1)
    touched = sizes > 1
    touched[pairs.ravel()] = True
    number = np.where(touched, np.cumsum(touched) - 1, -1)
    of_item = number[labels] if len(labels) else labels
    bound = np.flatnonzero(of_item >= 0)
    members = bound[np.argsort(of_item[bound], kind="stable")]
    start = np.concatenate([[0], np.cumsum(sizes[touched])])
    ends = number[np.concatenate([pairs, pairs[:, ::-1]])]
    ends = ends[np.lexsort((ends[:, 1], ends[:, 0]))]
    degree = np.bincount(ends[:, 0], minlength=len(start) - 1)
    enemy_start = np.concatenate([[0], np.cumsum(degree)])
    return Groups(of_item, start, members, enemy_start, np.ascontiguousarray(ends[:, 1]))


def count_members(groups: Groups, labels: Integers, n_clusters: int) -> Integers:
    """Items of every group in every cluster, (g, k).

    - `groups`: The constraints.
    - `labels` (n,): Cluster of every item.
    - `n_clusters`: Number of clusters.
    """
    n_groups = len(groups.start) - 1
    flat = groups.of_member * n_clusters + labels[groups.members]
    return np.bincount(flat, minlength=n_groups * n_clusters).reshape(n_groups, n_clusters)
