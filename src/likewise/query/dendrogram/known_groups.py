"""Groups of items known to be the same, and which of them are known to differ."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Constraints, Pairs
from likewise.kernels.graphs.joined_sets import KnownSets
from likewise.query.dendrogram.geometry import Integers


@dataclass
class KnownGroups:
    """What the answers tell; items that no answer names are in no group.

    - `n`: Number of items.
    - `items` (m,): The items named, in order of first occurrence.
    - `groups` (m,): Group of each, numbered by the smallest member.
    - `different` (k, 2): Pairs of groups known to differ.
    """

    n: int
    items: Integers
    groups: Integers
    different: Pairs

    @classmethod
    def of(cls, constraints: Constraints) -> KnownGroups:
        """The groups of the constraints."""
        return cls(constraints.n, *constraints.spoken())

    @cached_property
    def sizes(self) -> Integers:
        """Number of items of every group."""
        return np.bincount(self.groups)

    @cached_property
    def firsts(self) -> Integers:
        """The smallest item of every group."""
        firsts = np.full(len(self.sizes), self.n)
        np.minimum.at(firsts, self.groups, self.items)
        return firsts

    @cached_property
    def group_of(self) -> Integers:
        """Group of every item (n,), -1 for those not named."""
        group = np.full(self.n, -1)
        group[self.items] = self.groups
        return group

    def sizes_of(self, items: Integers) -> Integers:
        """Number of items of the group of each of some items, 0 for those not named."""
        order = np.argsort(self.items, kind="stable")
        named = self.items[order]
        at = np.searchsorted(named, items)
        at[at == len(named)] = 0
        found = named[at] == items if len(named) else np.zeros(len(items), bool)
        sizes = np.zeros(len(items), np.int64)
        sizes[found] = self.sizes[self.groups[order[at[found]]]]
        return sizes

    @cached_property
    def sets(self) -> KnownSets:
        """The same for the kernels."""
        near, far = np.vstack([self.different, self.different[:, ::-1]]).T
        order = np.lexsort((far, near))
        starts = np.searchsorted(near[order], np.arange(len(self.sizes) + 1))
        place = np.full(len(self.sizes), len(self.items))
        np.minimum.at(place, self.groups, np.arange(len(self.items)))
        return KnownSets(self.items, self.groups, place, starts, far[order])

    def core_groups(self, labels: Integers) -> NDArray[np.bool_]:
        """Whether a group is the largest of its cluster; of equal groups the first."""
        home = labels[self.firsts]
        order = np.lexsort((np.arange(len(home)), -self.sizes, home))
        leads = np.ones(len(order), bool)
        leads[1:] = home[order][1:] != home[order][:-1]
        is_core = np.zeros(len(home), bool)
        is_core[order[leads]] = True
        return is_core

    def cores(self, labels: Integers) -> NDArray[np.bool_]:
        """Whether an item is in the largest group of its cluster, (n,)."""
        cores = np.zeros(self.n, bool)
        cores[self.items] = self.core_groups(labels)[self.groups]
        return cores

    def differing_clusters(self, labels: Integers) -> Pairs:
        """Pairs of clusters that are known to differ, the lower one first, (k, 2), sorted."""
        pairs = np.sort(labels[self.firsts[self.different]], axis=1)
        return np.unique(pairs, axis=0) if len(pairs) else pairs
