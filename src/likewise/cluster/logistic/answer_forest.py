"""The forest of answered pairs, in the order in which messages run along it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Statement
from likewise.kernels.inference.forest_messages import find_likeliest, send_down, send_up

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def acyclic(statements: Iterable[Statement], n: int) -> tuple[list[Statement], Integers]:
    """The statements that close no cycle with those before them, and the tree of every item, (n,).

    Examples
    --------
    >>> acyclic([(0, 1, "same"), (1, 2, "different"), (0, 2, "different")], 4)
    ([(0, 1, 'same'), (1, 2, 'different')], array([0, 0, 0, 3]))
    """
    members = {i: [i] for i in range(n)}
    tree = list(range(n))
    kept = []
    for i, j, relation in statements:
        a, b = sorted((tree[i], tree[j]))
        if a == b:
            continue
        kept.append((i, j, relation))
        if len(members[a]) < len(members[b]):
            a, b = b, a
        for item in members[b]:
            tree[item] = a
        members[a] += members.pop(b)
    return kept, np.array(tree, np.int64)


class AnswerForest(NamedTuple):
    """Answered pairs without a cycle.

    - `nodes` (m,): The items, parents before children.
    - `parent` (m,): Position of the parent among the nodes, -1 at a root.
    - `is_same` (m,): The answer to the pair of a node and its parent.
    """

    nodes: Integers
    parent: Integers
    is_same: NDArray[np.bool_]

    @classmethod
    def of(cls, statements: Iterable[Statement]) -> AnswerForest:
        """Order statements that have no cycle, by breadth first from the first item of each tree.

        Examples
        --------
        >>> forest = AnswerForest.of([(3, 1, "same"), (1, 2, "different")])
        >>> forest.nodes.tolist(), forest.parent.tolist(), forest.is_same.tolist()
        ([3, 1, 2], [-1, 0, 1], [True, True, False])
        """
        touching: dict[int, list[tuple[int, bool]]] = {}
        for i, j, relation in statements:
            touching.setdefault(i, []).append((j, relation == "same"))
            touching.setdefault(j, []).append((i, relation == "same"))
        nodes: list[int] = []
        parent: list[int] = []
        is_same: list[bool] = []
        position: dict[int, int] = {}
        for root in touching:
            if root in position:
                continue
            position[root] = len(nodes)
            nodes.append(root)
            parent.append(-1)
            is_same.append(True)
            at = position[root]
            while at < len(nodes):
                for item, same in touching[nodes[at]]:
                    if item not in position:
                        position[item] = len(nodes)
                        nodes.append(item)
                        parent.append(at)
                        is_same.append(same)
                at += 1
        return cls(np.array(nodes, np.int64), np.array(parent, np.int64), np.array(is_same, np.bool_))

    def likelihood(self, p: Floats, epsilon: float) -> tuple[float, Floats]:
        """log P(answers) and P(y | answers) of the nodes, for P(y|x) of the nodes, (m, k)."""
        belief, q = np.empty_like(p), np.empty_like(p)
        value = send_up(np.ascontiguousarray(p), self, epsilon, belief)
        send_down(belief, self, epsilon, q)
        return float(value), q

    def likeliest(self, log_p: Floats, epsilon: float) -> Integers:
        """The likeliest labelling of the nodes, (m,), by max-product."""
        return np.asarray(find_likeliest(np.ascontiguousarray(log_p), self, epsilon), np.int64)
