"""Affinities in which every must-link group is one node."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.groups import Groups
from likewise.cluster.spectral.signed_graph import Matrix, SignedGraph

Integers = NDArray[np.int64]


def merge_groups(W: Matrix, groups: Groups) -> tuple[SignedGraph, Integers]:
    """The graph whose nodes are the must-link groups and the items in none, and the node of every item, (n,).

    Affinities of nodes are sums of those of their items; between groups known to differ there is none. The affinities
    inside a group stay with its node as a loop. The normalised cut of the merged graph is that of the items under the
    condition that groups are whole: nothing is added to what is near to a group.

    - `W`, ndarray or csr_array of shape (n, n): Symmetric affinities; the diagonal is ignored.
    - `groups`: What is known. Its groups are the first nodes, the free items follow in order.

    Examples
    --------
    >>> from likewise import Constraints
    >>> from likewise.cluster.groups import constrained_groups
    >>> known = Constraints(4, must_link=[(0, 2)], cannot_link=[(2, 3)])
    >>> graph, node = merge_groups(np.full((4, 4), 0.5), constrained_groups(known))
    >>> graph.toarray(), node
    (array([[1. , 0. , 1. ],
           [0. , 0. , 0.5],
           [1. , 0.5, 0. ]]), array([0, 2, 0, 1]))
    """
    n_groups = len(groups.start) - 1
    node = groups.of_item.copy()
    node[groups.free] = n_groups + np.arange(len(groups.free))
    size = n_groups + len(groups.free)
    pairs = groups.enemy_pairs()
    A = _dense(W, groups, size) if isinstance(W, np.ndarray) else _sparse(W, node, n_groups, size, pairs)
    if isinstance(A, np.ndarray):
        A[pairs[:, 0], pairs[:, 1]] = A[pairs[:, 1], pairs[:, 0]] = 0.0
    return SignedGraph(A, np.full(size, -1), np.empty((0, 0))), node


def _dense(W: Matrix, groups: Groups, size: int) -> NDArray[np.float64]:
    free, members, n_groups = groups.free, groups.members, len(groups.start) - 1
    A = np.empty((size, size))
    A[n_groups:, n_groups:] = W[np.ix_(free, free)]
    np.fill_diagonal(A[n_groups:, n_groups:], 0.0)
    if n_groups:
        first = groups.start[:-1]
        sums = np.add.reduceat(W[members], first, axis=0)
        A[:n_groups, n_groups:] = sums[:, free]
        A[n_groups:, :n_groups] = sums[:, free].T
        A[:n_groups, :n_groups] = np.add.reduceat(sums[:, members], first, axis=1)
        own = np.add.reduceat(W[members, members], first)
        A[np.arange(n_groups), np.arange(n_groups)] -= own
    return A


def _sparse(W: Matrix, node: Integers, n_groups: int, size: int, pairs: Integers) -> Matrix:
    from scipy.sparse import coo_array

    entries = W.tocoo()
    rows, columns = entries.coords
    differing = np.concatenate([pairs[:, 0] * size + pairs[:, 1], pairs[:, 1] * size + pairs[:, 0]])
    left, right = node[rows], node[columns]
    kept = rows != columns
    both = np.flatnonzero((left < n_groups) & (right < n_groups))
    kept[both] &= ~np.isin(left[both] * size + right[both], differing)
    return coo_array((entries.data[kept], (left[kept], right[kept])), shape=(size, size)).tocsr()
