"""What does not depend on the answers: items, their dendrogram, the graph of neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.distances import nearest
from likewise.distances.affinity import nearest_elsewhere, scale_graph
from likewise.distances.metric import prepare
from likewise.distances.neighbours import Neighbours, graph_of
from likewise.kernels.graphs.average_linkage import link_average, number_merges
from likewise.kernels.graphs.graph_linkage import FoundMerges, LinkedClusters, merge_along
from likewise.kernels.graphs.tree_cuts import close_below, find_lowest, number_pieces
from likewise.query.base import Labels, State
from likewise.query.calibration import SameCurve, compress
from likewise.query.dendrogram.geometry import Floats, Geometry, MatrixGeometry, Sets, VectorGeometry

WITH_CENTRES = ("euclidean", "cosine")  # metrics that need no matrix
N_NEIGHBORS = 15  # of the graph that the tree is built along
N_EDGES, MOST_NEIGHBORS = 400_000, 64  # of few items there are more, up to so many edges in all
N_PROBE = 16  # cells that are looked into for the neighbours of an item, where not all items are
N_CENTRES = 10  # neighbours of a centre, among the centres of what no edge joins
MOST_JOINED = 256  # number of clusters up to which all pairs of them are edges
N_FAR = 2000  # random pairs, taken to be different before there are answers
SCALE_AT = 7  # rank of the neighbour whose distance scales the affinities of an item


class Tree(NamedTuple):
    """A tree of merges: nodes 0 … n-1 are the items, node n+k is the k-th merge.

    - `children` (n-1, 2), `size`, `parent`, `first` (2n-1,), `leaves` (n,): As number_merges gives them.
    - `lowest` (2n-1,): The lowest item below each node.
    - `height` (n-1,): Distance of the two sides of each merge.
    - `log_pairs` (n-1,): Logarithm of the number of pairs between them.
    """

    children: NDArray[np.int64]
    size: NDArray[np.int64]
    parent: NDArray[np.int64]
    first: NDArray[np.int64]
    leaves: NDArray[np.int64]
    lowest: NDArray[np.int64]
    height: Floats
    log_pairs: Floats

    def items(self, node: int) -> NDArray[np.int64]:
        """The items below a node."""
        return self.leaves[self.first[node] : self.first[node] + self.size[node]]

    def meeting(self, i: int, j: int) -> int:
        """The lowest merge that joins two different items."""
        a, b = i, j
        while a != b:
            a, b = (int(self.parent[a]), b) if a < b else (a, int(self.parent[b]))
        return a - len(self.leaves)


class Graph(NamedTuple):
    """Neighbours: those of item i are ends[starts[i] : starts[i + 1]], with weights that sum to 1."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    weights: Floats


@dataclass
class Structure:
    """Tree, graph and first pieces of a set of items.

    - `geometry`: The items, and how far they are from each other.
    - `neighbours`: The nearest of every item.
    - `tree`: Average linkage.
    - `graph`: The nearest of the nearest, either way, with locally scaled affinities.
    - `near`, `far`, ndarray: Distances of nearest neighbours and of random pairs, or quantiles of them.
    - `pieces` (n,): The tree cut where, before any answer, two sides are as probably different as the same.
    - `sets`: The pieces as sets.
    """

    geometry: Geometry
    neighbours: Neighbours
    tree: Tree
    graph: Graph
    near: Floats
    far: Floats
    pieces: Labels
    sets: Sets


def build_structure(state: State, n_neighbors: int, given: Neighbours | None = None) -> Structure:
    """Tree and graph of a state with at least two items, whatever its answers.

    - `state`: Items, metric and seed.
    - `n_neighbors`: Number of neighbours of an item in the graph.
    - `given`: The nearest of every item, found before; where there are too few, they are found again.
    """
    geometry = geometry_of(state)
    count = min(max(N_NEIGHBORS, n_neighbors, SCALE_AT), state.n - 1)
    if isinstance(geometry, VectorGeometry):
        wide = max(count, min(N_EDGES // state.n, MOST_NEIGHBORS, state.n - 1))
        if given is not None and given.indices.shape[0] == state.n and given.indices.shape[1] >= wide:
            found = order_given(geometry, np.asarray(given.indices[:, :wide], np.int64))
        else:
            found = nearest(geometry.points, n_neighbors=wide, n_probe=N_PROBE)
        tree = graph_tree(geometry.points, found)
        found = Neighbours(found.indices[:, :count].copy(), found.distances[:, :count].copy())
    else:
        found = nearest(geometry.points, n_neighbors=count, metric="precomputed")
        tree = matrix_tree(geometry.points)
    rng = np.random.default_rng(state.seed)
    i = rng.integers(state.n, size=N_FAR)
    far = compress(geometry.pairs(i, (i + rng.integers(1, state.n, size=N_FAR)) % state.n))
    near = compress(found.distances[:, 0])
    pieces, sets = find_pieces(geometry, tree, near, far)
    return Structure(geometry, found, tree, neighbour_graph(found, n_neighbors), near, far, pieces, sets)


def order_given(geometry: VectorGeometry, indices: Labels) -> Neighbours:
    """Neighbours by their distances here, which need not be those they were found by (of cosine: their squares)."""
    rows = np.repeat(np.arange(len(indices)), indices.shape[1])
    distances = geometry.pairs(rows, indices.ravel()).reshape(indices.shape)
    order = np.lexsort((indices, distances))
    return Neighbours(np.take_along_axis(indices, order, 1), np.take_along_axis(distances, order, 1))


def find_pieces(geometry: Geometry, tree: Tree, near: Floats, far: Floats) -> tuple[Labels, Sets]:
    """The pieces that the tree falls into before there are answers: that of every item (n,), and all as sets."""
    probable = SameCurve(near, far).logit(tree.height, logs=tree.log_pairs) >= 0
    pieces = number_pieces(tree.children, close_below(tree.children, probable))
    return pieces, geometry.sets(pieces, int(pieces.max()) + 1)


def geometry_of(state: State) -> Geometry:
    """The items of a state: vectors where the metric allows, else the matrix of their distances."""
    if state.metric in WITH_CENTRES:
        X = prepare(state.X, None, state.metric).A
        return VectorGeometry(X)
    return MatrixGeometry(state.distances)


def matrix_tree(D: NDArray[Any]) -> Tree:
    """Average linkage of distances, (n, n) with n at least 2.

    Examples
    --------
    >>> tree = matrix_tree(np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 6.0], [4.0, 6.0, 0.0]]))
    >>> tree.children.tolist(), tree.height.tolist()
    ([[0, 1], [3, 2]], [1.0, 5.0])
    """
    return tree_of(*link_average(D.copy()))


def graph_tree(X: NDArray[np.float32], found: Neighbours) -> Tree:
    """Average linkage along the edges to the nearest neighbours.

    What no edge joins is joined along the edges between the nearest centres.

    - `X` (n, d): Vectors, n at least 2.
    - `found`: Their nearest neighbours.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [9.0]], np.float32)
    >>> graph_tree(X, nearest(X, n_neighbors=1)).height.round(3).tolist()
    [1.0, 8.5]
    """
    n = len(X)
    clusters = LinkedClusters(np.arange(n), np.ones(n), np.zeros(n), X.copy(), np.zeros_like(X))
    merges = FoundMerges(np.empty(n - 1, np.int64), np.empty(n - 1, np.int64), np.empty(n - 1))
    graph = graph_of(found, "union")
    rows = np.repeat(np.arange(n), np.diff(graph.indptr))
    once = rows < graph.indices
    edges = rows[once], graph.indices[once].astype(np.int64)
    n_merges = merge_along(*edges, clusters, merges, 0)
    while n_merges < n - 1:
        roots = np.flatnonzero(clusters.parent == np.arange(n))
        n_merges = merge_along(*_edges_between(roots, clusters.means[roots]), clusters, merges, n_merges)
    return tree_of(*merges)


def _edges_between(roots: Labels, centres: NDArray[np.float32]) -> tuple[Labels, Labels]:
    """Edges between all of few clusters; of many, between the nearest centres."""
    if len(roots) <= MOST_JOINED:
        left, right = np.triu_indices(len(roots), 1)
    else:
        graph = graph_of(nearest(centres, n_neighbors=N_CENTRES), "union")
        left, right = np.repeat(np.arange(len(roots)), np.diff(graph.indptr)), graph.indices
        left, right = left[left < right], right[left < right]
    return roots[left], roots[right]


def tree_of(left: Labels, right: Labels, height: Floats) -> Tree:
    """The tree of merges, given in any order by an item of each side (n-1,) and their heights (n-1,)."""
    order = np.argsort(height, kind="stable")
    children, size, parent, first, leaves = number_merges(left, right, order)
    sides = np.log(size[children])
    return Tree(children, size, parent, first, leaves, find_lowest(children), height[order], sides[:, 0] + sides[:, 1])


def neighbour_graph(found: Neighbours, n_neighbors: int) -> Graph:
    """The nearest of every item, either way, with affinities as of :func:`~likewise.distances.local_affinity`.

    - `found`: Nearest neighbours of all items.
    - `n_neighbors`: How many of them.
    """
    scales = found.distances[:, min(SCALE_AT, found.distances.shape[1]) - 1].copy()
    zero = scales == 0  # of an item with many duplicates: the nearest in another place, of those found
    scales[zero] = nearest_elsewhere(found.distances[zero])
    graph = scale_graph(found, scales, n_neighbors)
    rows = np.repeat(np.arange(len(scales)), np.diff(graph.indptr))
    totals = np.bincount(rows, graph.data, minlength=len(scales))
    weights = graph.data / np.where(totals > 0, totals, 1.0)[rows]
    return Graph(graph.indptr.astype(np.int64), graph.indices.astype(np.int64), weights)
