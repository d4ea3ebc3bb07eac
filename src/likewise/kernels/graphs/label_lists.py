"""Items with equal labels as linked lists: those of a label are found, and moved, without a pass over all."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.kernel import kernel

NONE = -1


class LabelLists(NamedTuple):
    """Items by label; labels are below n.

    - `labels` (n,): Label of every item, or -1.
    - `sizes` (n,) float64: Number of items, by label.
    - `first` (n,): One item of every label, or -1.
    - `next`, `previous` (n,): The items before and after an item in the list of its label, or -1.
    """

    labels: NDArray[np.int64]
    sizes: NDArray[np.float64]
    first: NDArray[np.int64]
    next: NDArray[np.int64]
    previous: NDArray[np.int64]


@kernel(nogil=True)
def move_items(lists, items, labels):
    """Give items (m,) other labels; labels (n,) those of all items, of which only theirs are read. O(m)."""
    for s in range(len(items) - 1, -1, -1):  # the last first, so that lists that are made at once rise
        i = items[s]
        before, after = lists.labels[i], labels[i]
        if before != NONE:
            if lists.previous[i] == NONE:
                lists.first[before] = lists.next[i]
            else:
                lists.next[lists.previous[i]] = lists.next[i]
            if lists.next[i] != NONE:
                lists.previous[lists.next[i]] = lists.previous[i]
            lists.sizes[before] -= 1.0
        head = lists.first[after]
        lists.previous[i], lists.next[i] = NONE, head
        if head != NONE:
            lists.previous[head] = i
        lists.first[after] = i
        lists.labels[i] = after
        lists.sizes[after] += 1.0


@kernel(nogil=True)
def items_with(lists, labels):
    """The items with each of some labels (m,), label by label, those of one rising. O(items found · log)."""
    total = 0
    for label in labels:
        total += int(lists.sizes[label])
    found = np.empty(total, np.int64)
    end = 0
    for label in labels:
        start, rises = end, True
        i = lists.first[label]
        while i != NONE:
            found[end] = i
            rises = rises and (end == start or found[end - 1] < i)
            end += 1
            i = lists.next[i]
        if not rises:
            found[start:end].sort()
    return found
