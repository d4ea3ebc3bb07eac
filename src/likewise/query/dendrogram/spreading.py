"""Labels spread over the graph of neighbours, computed anew only around what changed."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.graphs.propagation import spread_step, start_layer, with_neighbours
from likewise.kernels.threads import count_threads, run_parts
from likewise.query.dendrogram.geometry import Integers
from likewise.query.dendrogram.structure import Graph

SHARE = 0.85  # share of an item's labels that comes from its neighbours
N_STEPS = 5
N_KEPT = 8  # maximum number of labels of an item
N_THREADS = 4  # at most; each has room for all labels
MANY = 10_000  # items from which on a step is shared among threads
MIXED = np.uint64(0x9E3779B97F4A7C15)


class Source(NamedTuple):
    """Where labels come from, and where they may not go.

    - `labels` (n,): Label of every item.
    - `fixed` (n,): Whether an item carries its own label alone.
    - `row` (n,): Row of an item among the barred labels, or -1.
    - `barred_starts` (r+1,), `barred_labels`: The labels that the items of each row may not carry.
    """

    labels: Integers
    fixed: NDArray[np.bool_]
    row: Integers
    barred_starts: Integers
    barred_labels: Integers


class Layer(NamedTuple):
    """What every item carries: labels (n, k), strongest first, -1 where nothing is, and their shares (n, k)."""

    carried: NDArray[np.int32]
    shares: NDArray[np.float32]


class Spreading:
    """What items carry after each of a few steps, as if computed from the start, whatever came before.

    - `graph`: Neighbours, either way.
    - `changed`, ndarray: Items that carry something else since the last update, rising; all of them at first.
    """

    def __init__(self, graph: Graph) -> None:
        n = len(graph.starts) - 1
        self.graph = graph
        self.changed: Integers = np.arange(n)
        self._is_read = False
        self._labels, self._fixed, self._signed = np.zeros(n, np.int64), np.zeros(n, bool), np.zeros(n, np.uint64)
        self._layers = [Layer(*start_layer(np.zeros(n, np.int64), N_KEPT)) for _ in range(N_STEPS + 1)]
        self._marked = np.zeros(n, bool)
        self._scratch = [_scratch(n) for _ in range(min(N_THREADS, count_threads()))]

    @property
    def last(self) -> Layer:
        """What items carry after the last step."""
        return self._layers[-1]

    def update(self, source: Source, among: Integers | None = None) -> Layer:
        """Spread from other labels; :attr:`changed` says which items carry something else than before.

        - `source`: Where labels come from.
        - `among`: Items, rising, outside of which nothing of the source changed since the last time.
        """
        dirty = self._follow(source, among)
        first = self._layers[0]
        first.carried[dirty, 0] = source.labels[dirty]
        first.shares[dirty, 0] = 1.0
        changed = dirty
        for before_it, layer in zip(self._layers[:-1], self._layers[1:], strict=True):
            items = with_neighbours(self.graph, changed, dirty, self._marked)
            changed = self._step(source, items, before_it, layer)
        self.changed = changed if self._is_read else np.arange(len(source.labels))
        self._is_read = True
        return self.last

    def _step(self, source: Source, items: Integers, before: Layer, after: Layer) -> Integers:
        """One step for some items, many of them by several threads; those that carry something else, rising."""

        def spread(part: int, start: int, stop: int) -> Integers:
            what = self.graph, source, SHARE, items[start:stop], before, after, self._scratch[part]
            return np.asarray(spread_step(*what))

        return np.concatenate(run_parts(spread, len(items), len(self._scratch) if len(items) >= MANY else 1))

    def _follow(self, source: Source, among: Integers | None) -> Integers:
        """Remember a source; the items for which it is another one than before."""
        items = np.arange(len(source.labels)) if among is None or not self._is_read else among
        labels, fixed, signed = source.labels[items], source.fixed[items], _sign(source, items)
        if self._is_read:
            differs = (self._labels[items] != labels) | (self._fixed[items] != fixed) | (self._signed[items] != signed)
            items, labels, fixed, signed = items[differs], labels[differs], fixed[differs], signed[differs]
        self._labels[items], self._fixed[items], self._signed[items] = labels, fixed, signed
        return items


def _scratch(n: int) -> tuple[Any, ...]:
    """What :func:`spread_step` writes on."""
    return np.zeros(n), np.empty(n, np.int64), np.empty(N_KEPT, np.int32), np.empty(N_KEPT, np.float32)


def _sign(source: Source, items: Integers) -> NDArray[np.uint64]:
    """A number for what each of some items is barred from; 0 for nothing."""
    with np.errstate(over="ignore"):
        mixed = (source.barred_labels.astype(np.uint64) + np.uint64(1)) * MIXED
        mixed ^= mixed >> np.uint64(29)
        mixed *= MIXED
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mixed, dtype=np.uint64)])
        signs = sums[source.barred_starts[1:]] - sums[source.barred_starts[:-1]]
    found = np.zeros(len(items), np.uint64)
    rows = source.row[items]
    inside = rows >= 0
    found[inside] = signs[rows[inside]] + np.uint64(1)
    return found
