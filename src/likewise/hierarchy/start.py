"""First trees, from the counts of tags alone, allowing for missing tags."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.hierarchy.trees import Parents, maximum_arborescence

SLACK = 0.01  # share of a child's instances outside its parent; at 0.05 rare tags would get any parent
SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)  # shares of missing tags that are tried


def count_tree(tags: NDArray[np.bool_], alpha: float, slack: float = SLACK) -> Parents:
    """Tree of eq. 5.9 for classifiers that know only the frequency of each tag.

    Tags (n, k) are observed with probability 1 - alpha, so two of them together with (1 - alpha)².

    Examples
    --------
    >>> count_tree(np.array([[1, 1], [1, 0], [0, 0], [0, 0]], bool), 0.0).tolist()
    [-1, 0]
    """
    n = len(tags)
    seen = tags.astype(np.float64)
    count = np.minimum(seen.sum(axis=0) / (1.0 - alpha), n)
    both = np.minimum(seen.T @ seen / (1.0 - alpha) ** 2, np.minimum.outer(count, count))
    parent, child = np.broadcast_to(count[:, None], both.shape), np.broadcast_to(count, both.shape)
    weights = _log_share(both, parent) + _log_share(parent - both, parent)
    weights += (child - both) * np.log(slack) + np.maximum(n - parent - child + both, 0.0) * np.log1p(-slack)
    whole = np.full(len(count), float(n))
    return maximum_arborescence(weights, _log_share(count, whole) + _log_share(n - count, whole))


def first_trees(tags: NDArray[np.bool_]) -> list[Parents]:
    """The different trees among those for each share of missing tags."""
    return _distinct([count_tree(tags, alpha) for alpha in SHARES])


def drawn_trees(tags: NDArray[np.bool_], random: np.random.RandomState) -> list[Parents]:
    """The same from instances drawn with replacement, for another start."""
    return first_trees(tags[random.randint(len(tags), size=len(tags))])


def _log_share(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    """Part · log(part / whole), 0 where there is none."""
    fine = part > 0.0
    return np.where(fine, part * np.log(np.where(fine, part, 1.0) / np.where(fine, whole, 1.0)), 0.0)


def _distinct(trees: list[Parents]) -> list[Parents]:
    return list({tuple(tree.tolist()): tree for tree in trees}.values())
