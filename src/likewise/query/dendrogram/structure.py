"""What does not depend on the answers: distances, their dendrogram, the graph of neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.distances import local_affinity, pairwise
from likewise.kernels.graphs.average_linkage import link_average, number_merges
from likewise.kernels.graphs.tree_cuts import close_below, number_pieces, sum_distances
from likewise.kernels.metric.neighbours import select_neighbours
from likewise.query.base import Labels, State
from likewise.query.calibration import SameCurve

Floats = NDArray[np.float64]

IN_FLOAT64 = 4096  # items up to which distances are kept in float64, beyond it in float32
N_FAR = 2000  # random pairs, taken to be different before there are answers


class Tree(NamedTuple):
    """A tree of merges: nodes 0 … n-1 are the items, node n+k is the k-th merge."""

    children: NDArray[np.int64]
    size: NDArray[np.int64]
    parent: NDArray[np.int64]
    first: NDArray[np.int64]
    leaves: NDArray[np.int64]
    height: Floats

    def items(self, node: int) -> NDArray[np.int64]:
        """The items below a node."""
        return self.leaves[self.first[node] : self.first[node] + self.size[node]]

    def meeting(self, i: int, j: int) -> int:
        """The lowest merge that joins two different items."""
        a, b = i, j
        while a != b:
            a, b = (int(self.parent[a]), b) if a < b else (a, int(self.parent[b]))
        return a - len(self.leaves)

    @property
    def pairs(self) -> Floats:
        """Number of pairs between the two sides of every merge."""
        sides = self.size[self.children].astype(np.float64)
        return np.asarray(sides[:, 0] * sides[:, 1])


class Graph(NamedTuple):
    """Neighbours: those of item i are ends[starts[i] : starts[i + 1]], with weights that sum to 1."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    weights: Floats


@dataclass
class Structure:
    """Distances, tree, graph and first pieces of a set of items.

    - `D` (n, n): Distances.
    - `tree`: Average linkage.
    - `graph`: Nearest neighbours, either way, with locally scaled affinities.
    - `near`, `far`, ndarray: Distances of nearest neighbours and of random pairs.
    - `pieces` (n,): The tree cut where, before any answer, two sides are as probably different as the same.
    - `sums` (m, m): Sums of distances between the pieces.
    """

    D: NDArray[Any]
    tree: Tree
    graph: Graph
    near: Floats
    far: Floats
    pieces: Labels
    sums: Floats


def build_structure(state: State, n_neighbors: int) -> Structure:
    """Distances, tree and graph of a state with at least two items, whatever its answers.

    - `state`: Items, metric and seed.
    - `n_neighbors`: Number of neighbours of an item in the graph.
    """
    D = _distances(state)
    tree = average_tree(D)
    near = select_neighbours(D, 1, True)[1][:, 0].astype(np.float64)
    rng = np.random.default_rng(state.seed)
    i = rng.integers(state.n, size=N_FAR)
    far = D[i, (i + rng.integers(1, state.n, size=N_FAR)) % state.n].astype(np.float64)
    probable = SameCurve(near, far)(tree.height, tree.pairs) >= 0.5
    pieces = number_pieces(tree.children, close_below(tree.children, probable))
    sums, _ = sum_distances(D, pieces, int(pieces.max()) + 1)
    X, metric = (D, "precomputed") if D.dtype == np.float64 else (state.X, state.metric)
    return Structure(D, tree, neighbour_graph(X, metric, n_neighbors), near, far, pieces, sums)


def average_tree(D: NDArray[Any]) -> Tree:
    """Average linkage of distances, (n, n) with n at least 2.

    Examples
    --------
    >>> tree = average_tree(np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 6.0], [4.0, 6.0, 0.0]]))
    >>> tree.children.tolist(), tree.height.tolist()
    ([[0, 1], [3, 2]], [1.0, 5.0])
    """
    left, right, height = link_average(D.astype(D.dtype if len(D) <= IN_FLOAT64 else np.float32))
    order = np.argsort(height, kind="stable")
    children, size, parent, first, leaves = number_merges(left, right, order)
    return Tree(children, size, parent, first, leaves, height[order])


def _distances(state: State) -> NDArray[Any]:
    given = not state.has_vectors or callable(state.metric) or "distances" in state.__dict__
    if given or state.n <= IN_FLOAT64:
        return state.distances
    return pairwise(state.X, metric=state.metric, dtype=np.float32)


def neighbour_graph(X: NDArray[Any], metric: Any, n_neighbors: int) -> Graph:
    """Nearest neighbours, either way, with locally scaled affinities; X holds vectors, or distances."""
    n = len(X)
    affinity: Any = local_affinity(X, metric=metric, graph_neighbors=min(n_neighbors, n - 1))
    ends = affinity.indices.astype(np.int64)
    rows = np.repeat(np.arange(n), np.diff(affinity.indptr))
    weights = np.where(ends == rows, 0.0, affinity.data)
    totals = np.bincount(rows, weights, minlength=n)
    weights /= np.where(totals > 0, totals, 1.0)[rows]
    return Graph(affinity.indptr.astype(np.int64), ends, weights)
