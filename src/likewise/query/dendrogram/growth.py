"""Tree and graph when items are added: the new ones are put in; from time to time all is built anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from likewise.distances.growing import extend_neighbours
from likewise.distances.metric import prepare
from likewise.distances.neighbours import Neighbours
from likewise.kernels.graphs.tree_insertion import insert_items
from likewise.query.base import State
from likewise.query.dendrogram.geometry import VectorGeometry
from likewise.query.dendrogram.structure import (
    N_NEIGHBORS,
    Structure,
    build_structure,
    find_pieces,
    neighbour_graph,
    tree_of,
)

GROWTH = 2.0  # all is built anew when there are so many times the items that it was built of
LEAST = 256  # fewer items than these are built anew at once


def follow_stages(
    state: State, n_neighbors: int, known: tuple[int, Structure] | None = None, given: Neighbours | None = None
) -> Structure:
    """The structure of a state to which items were added, the same whenever it is asked for.

    - `state`: Items, in stages.
    - `n_neighbors`: Number of neighbours of an item in the graph.
    - `known`: The structure after one of the stages, with its number, if there is one.
    - `given`: The nearest of the items of a stage, found before; used if all is built anew there.
    """
    sizes = [n for _, n in state.stages]
    built = _last_built(sizes)
    at, structure = known if known is not None and known[0] >= built else (built, None)
    if structure is None:
        structure = build_structure(state.among(sizes[built]), n_neighbors, given)
    for stage in range(at + 1, len(sizes)):
        structure = grow_structure(structure, state.among(sizes[stage]), n_neighbors)
    return structure


def grow_structure(structure: Structure, state: State, n_neighbors: int) -> Structure:
    """A structure with the items that a state has more; built anew where nothing can be put in.

    - `structure`: That of the first items.
    - `state`: All items.
    - `n_neighbors`: Number of neighbours of an item in the graph.
    """
    geometry, n = structure.geometry, len(structure.pieces)
    if not isinstance(geometry, VectorGeometry):
        return build_structure(state, n_neighbors)
    new = prepare(state.X[n:], None, state.metric).A
    if new.shape[1] != geometry.n_columns or structure.neighbours.indices.shape[1] < N_NEIGHBORS:
        return build_structure(state, n_neighbors)
    grown = geometry.with_more(new)
    found, before = extend_neighbours(grown.points, structure.neighbours)
    tree = structure.tree
    beside, height = insert_items(grown.points, tree, found.indices[n:], before)
    left = np.concatenate([tree.lowest[tree.children[:, 0]], beside])
    right = np.concatenate([tree.lowest[tree.children[:, 1]], np.arange(n, len(grown.points))])
    both = tree_of(left, right, np.concatenate([tree.height, height]))
    pieces, sets = find_pieces(grown, both, structure.near, structure.far)
    graph = neighbour_graph(found, n_neighbors)
    return replace(structure, geometry=grown, neighbours=found, tree=both, graph=graph, pieces=pieces, sets=sets)


def _last_built(sizes: list[int]) -> int:
    """The last stage at which all is built anew.

    Examples
    --------
    >>> _last_built([100, 255, 300, 511]), _last_built([1000, 1999]), _last_built([1000, 1999, 2000, 2100])
    (2, 0, 2)
    """
    built = 0
    for stage, n in enumerate(sizes):
        if n >= GROWTH * sizes[built] or sizes[built] < LEAST:
            built = stage
    return built
