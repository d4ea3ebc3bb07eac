"""The Chow–Liu tree: mutual information of tags, without vectors or missing tags. A baseline for comparison."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree

from likewise.hierarchy.tags import check_tags
from likewise.hierarchy.trees import edges_of


def mutual_information(Z: Any) -> NDArray[np.float64]:
    """Mutual information (k, k) of any two tags, in nats; the entropy of each on the diagonal.

    Examples
    --------
    >>> mutual_information([[0, 0], [1, 1]]).round(3).tolist()
    [[0.693, 0.693], [0.693, 0.693]]
    """
    tags = check_tags(Z).astype(np.float64)
    values = [1.0 - tags, tags]
    total = np.zeros((tags.shape[1], tags.shape[1]))
    for first in values:
        for second in values:
            both = first.T @ second / len(tags)
            alone = np.outer(first.mean(axis=0), second.mean(axis=0))
            there = both > 0.0
            total += np.where(there, both * np.log(np.where(there, both, 1.0) / np.where(there, alone, 1.0)), 0.0)
    return np.maximum(total, 0.0)


def chow_liu(Z: Any) -> NDArray[np.int64]:
    """Tree of greatest mutual information among the tags, directed away from the most frequent tag.

    A baseline for comparison with :class:`LabelHierarchy`.

    Parameters
    ----------
    Z : array-like or sparse matrix of shape (n, k)
        Tags, 0 or 1.

    Returns
    -------
    ndarray of shape (k, 2)
        (parent, child) pairs ordered by the child; the most frequent tag is the child of the dummy root, -1.

    References
    ----------
    C. Chow, C. Liu, *Approximating discrete probability distributions with dependence trees*, 1968; the
    baseline of Pei (2017, §5.5.1), which does not say where the root is.

    Examples
    --------
    >>> chow_liu([[1, 1, 0], [1, 1, 0], [1, 0, 1], [1, 0, 1], [0, 0, 0], [0, 0, 0]]).tolist()
    [[-1, 0], [0, 1], [0, 2]]
    """
    information = mutual_information(Z)
    # The sparse tree takes 0 for no edge, so the costs start at 1.
    costs = 1.0 + information.max() - information
    np.fill_diagonal(costs, 0.0)
    top = int(check_tags(Z).sum(axis=0).argmax())
    _, before = breadth_first_order(minimum_spanning_tree(costs), top, directed=False)
    parents = before.astype(np.int64)
    parents[top] = -1
    return edges_of(parents)
