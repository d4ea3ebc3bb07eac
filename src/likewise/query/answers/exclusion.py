"""What follows when the number of clusters is known: an item that differs from all but one belongs to it."""

from __future__ import annotations

from collections import deque

import numpy as np

from likewise.constraints import Constraints, Statement

STARTS = 8


def by_exclusion(constraints: Constraints, n_clusters: int) -> list[Statement]:
    """Pairs that must be the same because there are no more than so many clusters.

    Where as many groups as there are clusters are known to differ from each other, they are the clusters (looked for
    greedily, the group with the most cannot-links first). A further group that differs from all of these but one
    belongs to that one; what differs from it then differs from this cluster, and so on.

    - `constraints`: What is known.
    - `n_clusters`: The number of clusters. When more groups than that differ from each other it was wrong, and
      nothing follows.

    Examples
    --------
    >>> by_exclusion(Constraints(4, cannot_link=[(0, 1), (0, 2), (2, 3)]), 2)
    [(2, 1, 'same'), (3, 0, 'same')]
    """
    _, first = np.unique(constraints.labels(), return_index=True)
    different: list[set[int]] = [set() for _ in first]
    for g, h in constraints.group_cannot_links().tolist():
        different[g].add(h)
        different[h].add(g)
    clusters = _all_different(different)
    if len(clusters) != n_clusters:
        return []
    home = {group: k for k, group in enumerate(clusters)}
    barred = [{home[other] for other in others if other in home} for others in different]
    waiting = deque(g for g, those in enumerate(barred) if len(those) >= n_clusters - 1 and g not in home)
    found: list[Statement] = []
    while waiting:
        g = waiting.popleft()
        left = set(range(n_clusters)) - barred[g]
        if not left:  # it is one more cluster
            return []
        home[g] = left.pop()
        found.append((int(first[g]), int(first[clusters[home[g]]]), "same"))
        for other in different[g] - set(clusters):
            if len(barred[other]) == n_clusters - 2 and home[g] not in barred[other]:
                waiting.append(other)
            barred[other].add(home[g])
            if home.get(other) == home[g]:
                return []
    return found


def _all_different(different: list[set[int]]) -> list[int]:
    """Groups that all differ from each other, as many as are found greedily from the few with the most others."""
    by_number = sorted(range(len(different)), key=lambda group: (-len(different[group]), group))
    best: list[int] = []
    for start in by_number[:STARTS]:
        some, left = [start], different[start]
        while left:
            group = min(left, key=lambda other: (-len(different[other] & left), other))
            some.append(group)
            left = left & different[group]
        best = max(best, some, key=len)
    return best
