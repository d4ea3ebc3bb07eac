"""Labels spread over a graph of neighbours, step by step; every item carries its few strongest.

Labels are any numbers below the number of items. What the items carry after a step depends on what their neighbours carried
before it, so that after a change of some items only those around them are computed anew.
"""

import numpy as np

from likewise.kernels.kernel import kernel

NONE = -1
PARTS = 256.0  # shares are whole numbers of so many parts: what is less changes nothing further away
MANY = 32  # one in so many items: from there on they are not sorted but looked for


@kernel(nogil=True)
def start_layer(labels, n_kept):
    """What items carry before the first step: their own label (n,) alone. Returns carried (n, k) and shares (n, k)."""
    carried, shares = np.full((len(labels), n_kept), NONE, np.int32), np.zeros((len(labels), n_kept), np.float32)
    for i in range(len(labels)):
        carried[i, 0] = labels[i]
        shares[i, 0] = 1.0
    return carried, shares


@kernel(nogil=True)
def spread_step(graph, source, share, items, before, after, scratch):
    """One step for some items (m,): what they carry afterwards is written, and those for which it changed returned.

    An item takes `share` of what it carries from its neighbours and the rest from its own label; fixed items carry their own
    alone. graph: starts (n+1,), ends, weights, rows adding up to 1 (or 0). source: labels (n,); fixed (n,) bool; row (n,), the
    item's row r in barred, or -1; barred_starts, barred_labels: it may not carry barred_labels[barred_starts[r] :
    barred_starts[r + 1]]. before, after: carried (n, k) int32, strongest first, -1 where nothing is, and shares (n, k) float32.
    scratch: total (n,) of zeros, touched (n,) and two rows (k,). O(m · degree · k).
    """
    starts, ends, weights = graph
    labels, fixed, row, barred_starts, barred_labels = source
    total, touched, new_carried, new_shares = scratch
    carried, shares = before
    changed = np.empty(len(items), np.int64)
    n_changed = 0
    for i in items:
        new_carried[:] = NONE
        new_shares[:] = 0.0
        new_carried[0] = labels[i]
        new_shares[0] = 1.0
        if not fixed[i] and starts[i] < starts[i + 1]:
            total[labels[i]] = 1.0 - share
            touched[0] = labels[i]
            n_touched = 1
            for e in range(starts[i], starts[i + 1]):
                n_touched = _add(ends[e], share * weights[e], carried, shares, total, touched, n_touched)
            if row[i] >= 0:
                for b in range(barred_starts[row[i]], barred_starts[row[i] + 1]):
                    total[barred_labels[b]] = 0.0
            _keep_strongest(total, touched[:n_touched], new_carried, new_shares)
        if _replace(after, i, new_carried, new_shares):
            changed[n_changed] = i
            n_changed += 1
    return changed[:n_changed]


@kernel(nogil=True)
def _add(j, weight, carried, shares, total, touched, n_touched):
    """Add what item j carries, times a weight, to the totals; how many labels have been touched."""
    for s in range(carried.shape[1]):
        label = carried[j, s]
        amount = weight * shares[j, s]
        if label == NONE or amount <= 0.0:
            break
        if total[label] == 0.0:
            touched[n_touched] = label
            n_touched += 1
        total[label] += amount
    return n_touched


@kernel(nogil=True)
def _keep_strongest(total, touched, carried, shares):
    """The largest shares of the totals, in whole parts, ties to the lower label; totals are cleared."""
    carried[:] = NONE
    shares[:] = 0.0
    whole = 0.0
    for c in touched:
        whole += total[c]
    for c in touched:
        value = np.float32(np.floor(total[c] * (PARTS / whole) + 0.5) / PARTS)
        total[c] = 0.0
        at = len(shares) if value > 0.0 else 0
        while at > 0 and (shares[at - 1] < value or (shares[at - 1] == value and carried[at - 1] > c)):
            at -= 1
        if value > 0.0 and at < len(shares):
            for s in range(len(shares) - 1, at, -1):
                shares[s], carried[s] = shares[s - 1], carried[s - 1]
            shares[at], carried[at] = value, c


@kernel(nogil=True)
def _replace(layer, i, new_carried, new_shares):
    """Write a row of a layer; whether it changed."""
    carried, shares = layer
    changed = False
    for s in range(len(new_carried)):
        changed = changed or carried[i, s] != new_carried[s] or shares[i, s] != new_shares[s]
        carried[i, s], shares[i, s] = new_carried[s], new_shares[s]
    return changed


@kernel(nogil=True)
def with_neighbours(graph, some, others, marked):
    """Items some (m,), their neighbours, and others (m',), each once, rising; marked (n,) bool of False, left so.

    O(what is found · log of it + neighbours).
    """
    starts, ends, _ = graph
    found = np.empty(len(some) + len(others) + 64, np.int64)
    count = 0
    for i in others:
        found, count = _mark(i, marked, found, count)
    for i in some:
        found, count = _mark(i, marked, found, count)
        for e in range(starts[i], starts[i + 1]):
            found, count = _mark(ends[e], marked, found, count)
    found = found[:count].copy()
    if MANY * count > len(marked):  # one pass over all is faster than sorting them
        found = np.flatnonzero(marked)
    else:
        found.sort()
    for i in found:
        marked[i] = False
    return found


@kernel(nogil=True)
def _mark(i, marked, found, count):
    """Mark an item, and note it if it was not; the items found and their number."""
    if not marked[i]:
        marked[i] = True
        if count == len(found):
            found = _doubled(found)
        found[count] = i
        count += 1
    return found, count


@kernel(nogil=True)
def find_reached(graph, items, labels, carried, reached):
    """Whether any neighbour of each of some items (m,) carries a label that is not the item's own, written to reached (n,).

    graph, labels, carried: as in spread_step. O(m · degree).
    """
    starts, ends, _ = graph
    for i in items:
        reached[i] = False
        for e in range(starts[i], starts[i + 1]):
            row = carried[ends[e]]
            if row[0] != labels[i] or (len(row) > 1 and row[1] != NONE):
                reached[i] = True
                break


@kernel(nogil=True)
def sum_leaks(graph, items, labels, layer, reached, scratch):
    """What clusters receive of each other label from the neighbours of their items, where it is anything.

    items (m,): all items of these clusters, those of a cluster together; labels (n,): cluster of every item; layer: carried and
    shares as in spread_step; reached (n,) bool, as of find_reached: the other items add to their own label alone, and are passed
    over; scratch: total (n,) of zeros and touched (n,). Returns rows, others (m',) and sums (m',): cluster rows[k] receives
    sums[k] of label others[k], in the order of the items, others rising; where others[k] is rows[k] it is not all of it.
    O(m + edges of the items reached · k).
    """
    starts, ends, weights = graph
    total, touched = scratch
    carried, shares = layer
    rows, others, sums = np.empty(1024, np.int64), np.empty(1024, np.int64), np.empty(1024)
    count, n_touched = 0, 0
    for p in range(len(items)):
        i = items[p]
        for e in range(starts[i], starts[i + 1] if reached[i] else starts[i]):
            n_touched = _add(ends[e], weights[e], carried, shares, total, touched, n_touched)
        if p + 1 < len(items) and labels[items[p + 1]] == labels[i]:
            continue
        while count + n_touched > len(others):
            rows, others, sums = _doubled(rows), _doubled(others), _doubled(sums)
        for label in np.sort(touched[:n_touched]):
            rows[count], others[count], sums[count] = labels[i], label, total[label]
            total[label] = 0.0
            count += 1
        n_touched = 0
    return rows[:count].copy(), others[:count].copy(), sums[:count].copy()


@kernel(nogil=True)
def _doubled(values):
    """The same values with room for as many more."""
    more = np.empty(2 * len(values), values.dtype)
    more[: len(values)] = values
    return more
