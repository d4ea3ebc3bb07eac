"""Trees of tags as arrays: the parent of every tag, -1 under the dummy root."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likewise.kernels.graphs.arborescence import find_arborescence

Parents = NDArray[np.int64]
Reals = NDArray[np.float64]


def maximum_arborescence(weights: ArrayLike, root_weights: ArrayLike) -> Parents:
    """Find the tree of greatest total weight that spans all tags from a dummy root.

    Parameters
    ----------
    weights : array-like of shape (k, k)
        Weight of the edge from tag p to tag c at [p, c]; the diagonal is ignored.
    root_weights : array-like of shape (k,)
        Weight of the edge from the dummy root to each tag.

    Returns
    -------
    ndarray of shape (k,)
        The parent of each tag, -1 for the dummy root. Ties go to the dummy root, then to the lowest index.

    References
    ----------
    H. Gabow, Z. Galil, T. Spencer, R. Tarjan, *Efficient algorithms for finding minimum spanning trees in
    undirected and directed graphs*, Combinatorica 6, 1986; with rows of a matrix instead of heaps: O(k²).

    Examples
    --------
    >>> maximum_arborescence([[0, 5], [9, 0]], [3, 1]).tolist()
    [1, -1]
    """
    inner = np.asarray(weights, np.float64)
    outer = np.asarray(root_weights, np.float64)
    k = len(outer)
    if inner.shape != (k, k):
        raise ValueError(f"weights must have shape ({k}, {k}) to go with root_weights, got {inner.shape}")
    if not (np.isfinite(outer).all() and np.isfinite(inner[~np.eye(k, dtype=bool)]).all()):
        raise ValueError("weights must be finite")
    graph = np.zeros((k + 1, k + 1))
    graph[1:, 1:] = inner
    graph[0, 1:] = outer
    return np.asarray(find_arborescence(graph, 0)[1:] - 1, np.int64)


def check_tree(edges: ArrayLike, n_tags: int) -> Parents:
    """Parents of a given tree; a tag that is nobody's child is a child of the dummy root.

    Examples
    --------
    >>> check_tree([(0, 1), (0, 2)], 3).tolist()
    [-1, 0, 0]
    """
    pairs = np.asarray(edges)
    if pairs.size == 0:
        pairs = np.empty((0, 2), np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.issubdtype(pairs.dtype, np.integer):
        raise ValueError("a tree is given as (parent, child) pairs of tag indices, with -1 for the dummy root")
    if pairs.size and (pairs.min() < -1 or pairs.max() >= n_tags or pairs[:, 1].min() < 0):
        raise ValueError(f"the tree names a tag that is not one of 0 … {n_tags - 1}")
    parents = np.full(n_tags, -1, np.int64)
    given = np.zeros(n_tags, bool)
    for parent, child in pairs.tolist():
        if given[child] and parents[child] != parent:
            raise ValueError(f"the tree gives tag {child} two parents, {parents[child]} and {parent}")
        parents[child], given[child] = parent, True
    top_down(parents)
    return parents


def top_down(parents: Parents) -> Parents:
    """Tags in an order that has parents before children; an error if they form a circle.

    Examples
    --------
    >>> top_down(np.array([2, -1, 1])).tolist()
    [1, 2, 0]
    """
    children = children_of(parents)
    order = list(children[-1])
    for tag in order:
        order.extend(children[tag])
    if len(order) < len(parents):
        missing = min(set(range(len(parents))) - set(order))
        raise ValueError(f"the tree goes round in a circle at tag {missing}")
    return np.array(order, np.int64)


def children_of(parents: Parents) -> dict[int, list[int]]:
    """Children of every tag and of the dummy root, -1.

    Examples
    --------
    >>> children_of(np.array([-1, 0, 0]))
    {-1: [0], 0: [1, 2], 1: [], 2: []}
    """
    children: dict[int, list[int]] = {tag: [] for tag in range(-1, len(parents))}
    for tag, parent in enumerate(parents.tolist()):
        children[parent].append(tag)
    return children


def edges_of(parents: Parents) -> NDArray[np.int64]:
    """(parent, child) pairs, ordered by the child.

    Examples
    --------
    >>> edges_of(np.array([-1, 0])).tolist()
    [[-1, 0], [0, 1]]
    """
    return np.column_stack([parents, np.arange(len(parents))]).astype(np.int64)


def add_ancestors(tags: NDArray[Any], parents: Parents) -> NDArray[np.bool_]:
    """Tags (n, k) with every ancestor of a tag that is there.

    Examples
    --------
    >>> add_ancestors(np.array([[0, 1]]), np.array([-1, 0])).tolist()
    [[True, True]]
    """
    full = np.array(tags, bool)
    for tag in top_down(parents)[::-1]:
        if parents[tag] >= 0:
            full[:, parents[tag]] |= full[:, tag]
    return full


def drop_orphans(tags: NDArray[Any], parents: Parents) -> NDArray[np.bool_]:
    """Tags (n, k) without those whose parent is not there.

    Examples
    --------
    >>> drop_orphans(np.array([[0, 1]]), np.array([-1, 0])).tolist()
    [[False, False]]
    """
    full = np.array(tags, bool)
    for tag in top_down(parents):
        if parents[tag] >= 0:
            full[:, tag] &= full[:, parents[tag]]
    return full
