"""What the dendrogram asker knows before anything is said: distances, their tree, the graph of neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Relation
from likewise.distances import local_affinity, pairwise
from likewise.kernels.graphs.average_linkage import link_average, number_merges
from likewise.kernels.graphs.tree_cuts import close_below, number_pieces, sum_distances
from likewise.kernels.metric.neighbours import select_neighbours
from likewise.query.base import Labels, State
from likewise.query.calibration import SameCurve

Floats = NDArray[np.float64]
Statement = tuple[int, int, Relation]

IN_FLOAT64 = 4096  # items up to which distances are kept in float64, beyond it in float32
N_FAR = 2000  # random pairs that stand for different ones before anything is known


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
        """The merge below which two different items first lie together."""
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
    """Neighbours: those of item i are ends[starts[i] : starts[i + 1]], with weights that add up to 1."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    weights: Floats


@dataclass
class Ground:
    """Distances, tree, graph and first pieces of a set of items.

    Attributes
    ----------
    D : ndarray of shape (n, n)
        Distances.
    tree : Tree
        Average linkage.
    graph : Graph
        Nearest neighbours, either way, with locally scaled affinities.
    near, far : ndarray
        Distances of nearest neighbours and of random pairs.
    pieces : ndarray of shape (n,)
        The tree cut where, before any answer, two sides are as probably different as the same.
    sums : ndarray of shape (m, m)
        Sums of distances between the pieces.
    """

    D: NDArray[Any]
    tree: Tree
    graph: Graph
    near: Floats
    far: Floats
    pieces: Labels
    sums: Floats


def survey(state: State, n_neighbors: int) -> Ground:
    """The ground of a state with at least two items; nothing that was said is looked at.

    Parameters
    ----------
    state : State
        Its items, metric and seed.
    n_neighbors : int
        Neighbours of an item in the graph.
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
    return Ground(D, tree, neighbour_graph(X, metric, n_neighbors), near, far, pieces, sums)


def average_tree(D: NDArray[Any]) -> Tree:
    """Average linkage over distances, (n, n), which are left as they are; n is at least 2.

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


class Evidence:
    """What each answer said about two sets of items, and how far these were from each other at that time.

    The answers are gone through over the first pieces: two pieces said to be the same become one set, and an answer
    about items of different sets is about these sets; one about items of the same piece is about the two sides
    of the merge where they meet.

    Parameters
    ----------
    ground : Ground
        Tree and pieces.

    Attributes
    ----------
    distances, pairs, same : lists
        Mean distance, number of pairs and answer, one entry a statement.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._pairs_below = ground.tree.pairs
        self._sizes = np.bincount(ground.pieces).astype(np.float64)
        self._taken: list[Statement] = []
        self._clear()

    def take(self, statements: list[Statement]) -> None:
        """Hold exactly these statements; cheap when they go on from those held before."""
        if statements[: len(self._taken)] != self._taken:
            self._clear()
        for i, j, relation in statements[len(self._taken) :]:
            self._add(i, j, relation == "same")
        self._taken = list(statements)

    def _clear(self) -> None:
        self.distances: list[float] = []
        self.pairs: list[float] = []
        self.same: list[bool] = []
        self._taken = []
        self._set_of = np.arange(len(self._sizes))
        self._set_sums = self._ground.sums.copy()
        self._set_sizes = self._sizes.copy()

    def _add(self, i: int, j: int, same: bool) -> None:
        a, b = self._ground.pieces[i], self._ground.pieces[j]
        left, right = self._set_of[a], self._set_of[b]
        if a == b:
            merge = self._ground.tree.meeting(i, j)
            self._note(float(self._ground.tree.height[merge]), self._pairs_below[merge], same)
        elif left == right:
            pairs = self._sizes[a] * self._sizes[b]
            self._note(self._ground.sums[a, b] / pairs, pairs, same)
        else:
            pairs = self._set_sizes[left] * self._set_sizes[right]
            self._note(self._set_sums[left, right] / pairs, pairs, same)
            if same:
                self._set_sums[left] += self._set_sums[right]
                self._set_sums[:, left] += self._set_sums[:, right]
                self._set_sizes[left] += self._set_sizes[right]
                self._set_of[self._set_of == right] = left

    def _note(self, distance: float, pairs: float, same: bool) -> None:
        self.distances.append(distance)
        self.pairs.append(pairs)
        self.same.append(same)
