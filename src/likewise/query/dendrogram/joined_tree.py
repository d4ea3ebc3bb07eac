"""The tree joined from below under answers; what did not change since the last time is not joined again."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.graphs.tree_cuts import close_again, close_below
from likewise.kernels.graphs.tree_joins import JoinEvidence, join_along_tree
from likewise.kernels.graphs.tree_labels import Places, WrittenLabels, share_inside
from likewise.query.base import Labels
from likewise.query.calibration import SameCurve
from likewise.query.dendrogram.known_groups import KnownGroups
from likewise.query.dendrogram.structure import Graph, Structure

# log-odds added to the evidence for joining a set that lies mostly elsewhere: without, and with, an item asked about
GAINS = np.array([-1.0, 3.0])
SURE = 0.5  # least share of an item's neighbours in its piece for it to represent the piece
MANY = 0.1  # share of the merges from which on all are looked at again


class JoinedTree:
    """Sets of items joined along the tree, each labelled by its lowest item.

    They depend on what is given to :meth:`update` alone, not on what was given before.

    - `structure`: What does not depend on the answers.
    - `labels` (n,): Label of every item's set.
    - `changed`, ndarray: Items whose label is another since the last update, rising.
    """

    def __init__(self, structure: Structure) -> None:
        n = len(structure.pieces)
        self._structure = structure
        self._wanted: NDArray[np.bool_] | None = None
        self._allowed = np.zeros(n - 1, bool)
        nothing = np.empty(0, np.int64)
        self._places = Places(nothing, nothing, nothing)
        self._written = WrittenLabels(np.full(n, -1), np.full(2 * n - 1, -1), np.empty(n, np.int64))
        self._at = np.full(2 * n - 1, -1)
        self.labels: Labels = self._written.labels
        self.changed: Labels = nothing

    def update(
        self, wanted: NDArray[np.bool_], known: KnownGroups, curve: SameCurve, graph: Graph, asked: Collection[int]
    ) -> None:
        """Join the tree anew.

        - `wanted` (n-1,): Merges to join; those above one that is not wanted are not allowed.
        - `known`: Items known to be the same or different.
        - `curve`: Probability that two sets are the same.
        - `graph`: Neighbours of the items.
        - `asked`, collection of int: Items that the asker chose, to represent what is around them.
        """
        geometry, tree = self._structure.geometry, self._structure.tree
        flipped = self._close(wanted)
        evidence = JoinEvidence(curve.odds, GAINS, self._representing(known, graph, asked))
        self._places, self.changed = join_along_tree(
            geometry.points,
            geometry.given,
            tree,
            self._allowed,
            flipped,
            known.sets,
            evidence,
            self._places,
            self._written,
            self._at,
        )

    def _close(self, wanted: NDArray[np.bool_]) -> Labels:
        """Find the merges that are allowed; those for which this may have changed are returned."""
        tree, before = self._structure.tree, self._wanted
        self._wanted = wanted.copy()
        if before is None:
            self._allowed = close_below(tree.children, wanted)
            return np.arange(len(wanted))
        at = np.flatnonzero(wanted != before)
        if len(at) < MANY * len(wanted):
            return np.asarray(close_again(tree.children, tree.parent, wanted, at, self._allowed))
        past, self._allowed = self._allowed, close_below(tree.children, wanted)
        return np.flatnonzero(self._allowed != past)

    def _representing(self, known: KnownGroups, graph: Graph, asked: Collection[int]) -> NDArray[np.bool_]:
        """Whether a named item was asked about and represents its piece: its neighbours lie there."""
        chosen = np.isin(known.items, np.fromiter(asked, np.int64, len(asked)))
        inside = share_inside(graph, self._structure.tree, self._allowed, known.items[chosen])
        chosen[chosen] = inside >= SURE
        return chosen
