"""Which statements are kept when they contradict each other: as few as possible are set aside."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from likewise.constraints import Conflict, Constraints, Statement

Order = list[int]

# outvoting stops when more than this share of the statements contradict others; the bound is between these two
CONFLICTS, FEWEST, MOST = 0.05, 30, 200


class Ledger:
    """All statements about pairs in the order in which they came, and which of them are kept.

    - `n`: Number of items.
    - `outvote`: Whether an outvoted statement is set aside (:func:`outvote_statements`); else the earlier one is
      always kept.
    - `constraints`: The statements that are kept, and what follows from them.
    - `statements`, list of (i, j, relation): All statements.
    - `given`, set of int: Positions of the statements that are never outvoted.

    Examples
    --------
    >>> ledger = Ledger(3, outvote=True)
    >>> for statement in ((0, 1, "same"), (0, 1, "different"), (0, 1, "different")):
    ...     _ = ledger.add(statement)
    >>> ledger.constraints.known(0, 1), ledger.conflicts()[0].statement
    ('different', (0, 1, 'same'))
    """

    def __init__(self, n: int, *, outvote: bool = False) -> None:
        self.outvote = outvote
        self.constraints = Constraints(n)
        self.statements: list[Statement] = []
        self.given: set[int] = set()
        self._order: Order = []  # positions of the statements, in the order in which the constraints have them
        # after every vote that changed the order: the number of statements, and the order
        self._orders: list[tuple[int, Order]] = []

    def give(self, statement: Statement) -> None:
        """Take a statement that nobody was asked for, and that is never outvoted."""
        self.given.add(len(self.statements))
        self._append(statement)

    def add(self, statement: Statement) -> Conflict | None:
        """Take a statement; the conflict it makes with those that are kept, if any."""
        conflict = self._append(statement)
        if conflict is not None and self.outvote and 1 < len(self.constraints.conflicts()) <= self._most():
            constraints, order = outvote_statements(self.constraints, self.statements, self._order, self.given)
            if constraints is not self.constraints:
                self._orders.append((len(self._order), order.copy()))
                self.constraints, self._order = constraints, order
        return conflict

    def grow(self, n: int) -> None:
        """Have n items, of which those of before are the first."""
        self.constraints.grow(n)

    def become(self, statements: Sequence[tuple[Statement, bool]]) -> None:
        """Hold these statements instead, each with whether it is given; a shared beginning is not read again."""
        before = [(statement, place in self.given) for place, statement in enumerate(self.statements)]
        both = zip(before, statements, strict=False)
        shared = next((k for k, (a, b) in enumerate(both) if a != b), min(len(before), len(statements)))
        self.undo(len(before) - shared)
        for statement, given in statements[shared:]:
            (self.give if given else self.add)(statement)

    def with_given(self, further: Sequence[Statement]) -> Ledger:
        """A ledger that is given these as well; this one stays as it is."""
        other = Ledger(self.constraints.n, outvote=self.outvote)
        places = range(len(self.statements), len(self.statements) + len(further))
        other.statements, other.given = [*self.statements, *further], {*self.given, *places}
        other._order, other._orders = [*self._order, *places], list(self._orders)
        other.constraints = read_in(self.constraints.n, other.statements, other._order)
        return other

    def contradicted_by(self, statements: Iterable[Statement]) -> list[Conflict]:
        """The conflicts that further statements would make; nothing is kept of them."""
        conflicts = [self._append(statement) for statement in statements]
        self._pop(len(conflicts))
        return [conflict for conflict in conflicts if conflict is not None]

    def undo(self, n: int = 1) -> None:
        """Take the last n statements back, exactly."""
        left = len(self.statements) - n
        if not self._orders or self._orders[-1][0] <= left:
            self._pop(n)
            return
        while self._orders and self._orders[-1][0] > left:
            self._orders.pop()
        voted, order = self._orders[-1] if self._orders else (0, [])
        del self.statements[left:]
        self.given = {place for place in self.given if place < left}
        self._order = [*order, *range(voted, left)]
        self.constraints = read_in(self.constraints.n, self.statements, self._order)

    def conflicts(self) -> list[Conflict]:
        """Statements that are set aside, each with the chain that contradicts it, by position."""
        return sorted((self._as_added(each) for each in self.constraints.conflicts()), key=lambda c: c.place)

    def standing(self) -> list[Statement]:
        """Statements that are neither given nor set aside, in the order in which they came."""
        return [self.statements[place] for place in self.standing_places()]

    def standing_places(self) -> list[int]:
        """Positions of these in :attr:`statements`."""
        out = self.given | {self._order[conflict.place] for conflict in self.constraints.conflicts()}
        return [place for place in range(len(self.statements)) if place not in out]

    def _most(self) -> float:
        return min(MOST, max(FEWEST, CONFLICTS * len(self.statements)))

    def _append(self, statement: Statement) -> Conflict | None:
        self._order.append(len(self.statements))
        self.statements.append(statement)
        conflict = self.constraints.add(*statement)
        return None if conflict is None else self._as_added(conflict)

    def _pop(self, n: int) -> None:
        for _ in range(n):
            self.constraints.undo()
            self._order.pop()
            self.given.discard(len(self.statements) - 1)
            self.statements.pop()

    def _as_added(self, conflict: Conflict) -> Conflict:
        chain = tuple(self._order[at] for at in conflict.chain_places)
        return replace(conflict, place=self._order[conflict.place], chain_places=chain)


def outvote_statements(
    constraints: Constraints, statements: list[Statement], order: Order, given: Collection[int] = ()
) -> tuple[Constraints, Order]:
    """Constraints under which fewer statements are set aside than under those read in this order.

    Read one after another, an earlier statement is kept against all later ones. Statements that contradict more
    others than there are of them are outvoted: they are read last, and so set aside. Tried are the single statements
    of the newest contradiction's chain, and the smallest sets that together make it: the *same* that connect its
    ends, or the *different* between its groups. This goes on while it helps; where votes are equal, the earlier
    statement is kept. (A :class:`Ledger` does this while at most one in twenty statements contradicts others, 30 at
    the least and 200 at the most: more than that are no slips, and need votes or reliabilities.)

    - `constraints`: With the statements in the order in which they were read.
    - `statements`, list of (i, j, relation): All statements.
    - `order`, list of int: Their positions in that order.
    - `given`, collection of int: Positions of statements that are never outvoted.
    - Returns `constraints`: With the statements in the order found.
    - Returns `order`, list of int: Their positions in that order.

    Examples
    --------
    >>> statements = [(0, 1, "same"), (2, 0, "same"), (1, 3, "same"), (2, 1, "different"), (0, 3, "different")]
    >>> constraints, order = outvote_statements(read_in(4, statements, range(5)), statements, list(range(5)))
    >>> [conflict.statement for conflict in constraints.conflicts()], order
    ([(0, 1, 'same')], [1, 2, 3, 4, 0])
    """
    while constraints.conflicts():
        kept = KeptStatements(statements, constraints, order)
        trials = [(kept.n_aside_with_last(some), some) for some in kept.suspects() if some.isdisjoint(given)]
        fewest, some = min(trials, key=lambda trial: trial[0], default=(len(kept.aside), set()))
        if fewest >= len(kept.aside):
            break
        order = kept.with_last(some)
        constraints = read_in(constraints.n, statements, order)
    return constraints, order


def read_in(n: int, statements: list[Statement], order: Iterable[int]) -> Constraints:
    """Constraints from the statements, read in this order."""
    constraints = Constraints(n)
    for place in order:
        constraints.add(*statements[place])
    return constraints


class KeptStatements:
    """The statements that are kept and those that are set aside, by their positions."""

    def __init__(self, statements: list[Statement], constraints: Constraints, order: Order) -> None:
        self.statements, self.constraints, self.order = statements, constraints, order
        self.conflicts = constraints.conflicts()
        self.chains = {order[each.place]: {order[at] for at in each.chain_places} for each in self.conflicts}
        self.aside = sorted(self.chains)
        stands = np.ones(len(statements), bool)
        stands[self.aside] = False
        self.places = np.flatnonzero(stands)
        columns = [[statement[k] for statement in statements] for k in range(3)]
        self._pairs = np.array(columns[:2], np.int64).T[self.places]
        self._same = np.array([relation == "same" for relation in columns[2]], bool)[self.places]
        self._group = constraints.labels()

    def with_last(self, some: set[int]) -> Order:
        """The order in which these come after everything else."""
        return [*(place for place in self.places.tolist() if place not in some), *self.aside, *sorted(some)]

    def n_aside_with_last(self, some: set[int]) -> int:
        """How many are set aside in that order; only the statements that these contradict are read again."""
        barred = [place for place, chain in self.chains.items() if not chain.isdisjoint(some)]
        tried = [self.statements[place] for place in (*sorted(barred), *sorted(some))]
        left = ~np.isin(self.places, list(some))
        same, different = self._pairs[left & self._same], self._pairs[left & ~self._same]
        return len(self.aside) - len(barred) + n_contradicting(self.constraints.n, same, different, tried)

    def suspects(self) -> Iterator[set[int]]:
        """Sets of kept statements that may be outvoted: those that more conflicts need than there are of them."""
        newest = max(self.conflicts, key=lambda conflict: self.order[conflict.place])
        singles = ({self.order[at]} for at in sorted(newest.chain_places, key=lambda at: -self.order[at]))
        for some in (*singles, *self._behind(newest)):
            if sum(not chain.isdisjoint(some) for chain in self.chains.values()) > len(some) > 0:
                yield some

    def _behind(self, conflict: Conflict) -> Iterator[set[int]]:
        """The fewest statements that together contradict one."""
        i, j, relation = conflict.statement
        if relation == "different":
            yield from self._cuts(i, j)
            return
        apart = next(statement for statement in conflict.chain if statement[2] == "different")
        between = np.sort(self._group[self._pairs], axis=1) == np.sort(self._group[[i, j]])
        yield set(self.places[between.all(axis=1) & ~self._same].tolist())
        a, b = apart[:2] if self._group[i] == self._group[apart[0]] else apart[1::-1]
        yield from self._cuts(i, a)
        yield from self._cuts(b, j)

    def _cuts(self, i: int, j: int) -> Iterator[set[int]]:
        """The smallest sets of *same* that connect two items: nearest the one, and nearest the other."""
        if i == j:
            return
        here = np.flatnonzero(self._same & (self._group[self._pairs[:, 0]] == self._group[i]))
        items, ends = np.unique(self._pairs[here], return_inverse=True)
        source, target = np.searchsorted(items, [i, j]).tolist()
        for cut in smallest_cuts(len(items), ends.reshape(-1, 2), source, target):
            yield set(self.places[here[cut]].tolist())


def n_contradicting(n: int, same: np.ndarray, different: np.ndarray, further: list[Statement]) -> int:
    """How many of further statements, read in order, contradict pairs (m, 2) that hold together, or each other.

    Examples
    --------
    >>> n_contradicting(3, np.array([[0, 1]]), np.array([[1, 2]]), [(0, 2, "same"), (0, 2, "different")])
    1
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    pairs = same.T.astype(np.int32)  # older SciPy finds nothing in graphs with longer indices
    joined = coo_array((np.ones(len(same), np.int8), pairs), shape=(n, n))
    label = connected_components(joined, directed=False)[1]
    items = np.array([statement[:2] for statement in further], np.int64).reshape(-1, 2)
    touched, ends = np.unique(label[items], return_inverse=True)
    number = np.full(n, -1)
    number[touched] = range(len(touched))
    apart = number[label[different]]
    groups = Constraints(len(touched), cannot_link=apart[(apart >= 0).all(axis=1)])
    count = 0
    for (a, b), (_, _, relation) in zip(ends.reshape(-1, 2).tolist(), further, strict=True):
        count += relation == "different" if a == b else groups.add(a, b, relation) is not None
    return count


def smallest_cuts(n: int, edges: np.ndarray, source: int, target: int) -> list[list[int]]:
    """The fewest edges (m, 2) without which two nodes are not joined, those nearest each of them: positions.

    Examples
    --------
    >>> smallest_cuts(4, np.array([[0, 1], [0, 1], [1, 2], [2, 3]]), 0, 3)
    [[2], [3]]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import breadth_first_order, maximum_flow

    both = np.vstack([edges, edges[:, ::-1]]).astype(np.int32)  # for older SciPy
    capacity = coo_array((np.ones(len(both), np.int32), both.T), shape=(n, n)).tocsr()
    capacity.sum_duplicates()
    left = capacity - maximum_flow(capacity, source, target).flow
    left.data[left.data < 0] = 0
    left.eliminate_zeros()
    cuts = []
    for graph, end in ((left, source), (left.T.tocsr(), target)):
        reached = np.zeros(n, bool)
        reached[breadth_first_order(graph, end, return_predecessors=False)] = True
        cuts.append(np.flatnonzero(reached[edges[:, 0]] != reached[edges[:, 1]]).tolist())
    return cuts
