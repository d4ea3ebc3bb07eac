"""Which answers stand when they contradict each other: those that let as few as possible be set aside."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

import numpy as np

from likewise.constraints import Conflict, Constraints, Statement

Order = list[int]

MOST_CONFLICTS = 100  # beyond so many nothing is weighed any more


class Ledger:
    """Everything said of pairs, in the order in which it was said, and what stands of it.

    Parameters
    ----------
    n : int
        Number of items.
    weighs : bool
        Whether statements that more contradict are set aside for those (:func:`weigh`); else the earlier always stand.

    Attributes
    ----------
    constraints : Constraints
        What stands, and what follows.
    statements : list of (i, j, relation)
        All that was said.
    given : set of int
        The places of those that stand whatever is said, unless what was said earlier contradicts them.

    Examples
    --------
    >>> ledger = Ledger(3, weighs=True)
    >>> for said in ((0, 1, "same"), (0, 1, "different"), (0, 1, "different")):
    ...     _ = ledger.add(said)
    >>> ledger.constraints.known(0, 1), ledger.conflicts()[0].statement
    ('different', (0, 1, 'same'))
    """

    def __init__(self, n: int, *, weighs: bool = False) -> None:
        self.weighs = weighs
        self.constraints = Constraints(n)
        self.statements: list[Statement] = []
        self.given: set[int] = set()
        self._order: Order = []  # places of the statements, in the order in which the constraints have them

    def give(self, statement: Statement) -> None:
        """Take a statement that nobody was asked for: it stands whatever is said from now on."""
        self.given.add(len(self.statements))
        self._append(statement)

    def add(self, statement: Statement) -> Conflict | None:
        """Take a statement; the conflict it makes with what stands, if any."""
        conflict = self._append(statement)
        if conflict is not None and self.weighs and 1 < len(self.constraints.conflicts()) <= MOST_CONFLICTS:
            n = self.constraints.n
            self.constraints, self._order = weigh(n, self.statements, self._order, self.given)
        return conflict

    def contradicted_by(self, statements: Iterable[Statement]) -> list[Conflict]:
        """The conflicts that further statements would make; nothing is kept of them."""
        conflicts = [self._append(statement) for statement in statements]
        self._pop(len(conflicts))
        return [conflict for conflict in conflicts if conflict is not None]

    def undo(self, n: int = 1) -> None:
        """Take the last n statements back, exactly."""
        if self._order == sorted(self._order):
            self._pop(n)
            return
        left = self.statements[: len(self.statements) - n]
        self.given = {place for place in self.given if place < len(left)}
        self.constraints, self.statements, self._order = Constraints(self.constraints.n), [], []
        for place, statement in enumerate(left):  # what stands may have changed with them
            (self._append if place in self.given else self.add)(statement)

    def conflicts(self) -> list[Conflict]:
        """Statements that are set aside, with the chains that say the opposite, by their places in what was said."""
        return sorted((self._as_said(each) for each in self.constraints.conflicts()), key=lambda c: c.place)

    def standing(self) -> list[Statement]:
        """What was said but for what was given and what is set aside, in the order in which it was said."""
        return [self.statements[place] for place in self.standing_places()]

    def standing_places(self) -> list[int]:
        """Where these are in :attr:`statements`."""
        out = self.given | {self._order[conflict.place] for conflict in self.constraints.conflicts()}
        return [place for place in range(len(self.statements)) if place not in out]

    def _append(self, statement: Statement) -> Conflict | None:
        self._order.append(len(self.statements))
        self.statements.append(statement)
        conflict = self.constraints.add(*statement)
        return None if conflict is None else self._as_said(conflict)

    def _pop(self, n: int) -> None:
        for _ in range(n):
            self.constraints.undo()
            self._order.pop()
            self.given.discard(len(self.statements) - 1)
            self.statements.pop()

    def _as_said(self, conflict: Conflict) -> Conflict:
        chain = tuple(self._order[at] for at in conflict.chain_places)
        return replace(conflict, place=self._order[conflict.place], chain_places=chain)


def weigh(
    n: int, statements: list[Statement], order: Order, given: Collection[int] = ()
) -> tuple[Constraints, Order]:
    """Constraints under which fewer statements are set aside than under those read in this order.

    Read one after another, an earlier statement stands against all later ones. Those that contradict more than there
    are of them are outweighed: they are read last instead, and so set aside for the others. Tried are the single
    statements behind the newest contradiction, and the fewest that together make it: all *same* without which its
    ends fall apart, or all *different* between its groups. This goes on while it helps; with as many against as
    many, what was said earlier stands. So it does where more than 100 statements contradict others: those are no
    slips, and votes or reliabilities are the way to read them.

    Parameters
    ----------
    n : int
        Number of items.
    statements : list of (i, j, relation)
        All that was said.
    order : list of int
        The places of the statements, in the order in which they are read first.
    given : collection of int
        The places of statements that are never outweighed.

    Returns
    -------
    constraints : Constraints
        With the statements in the order found.
    order : list of int
        The places of the statements in that order.

    Examples
    --------
    >>> said = [(0, 1, "same"), (2, 0, "same"), (1, 3, "same"), (2, 1, "different"), (0, 3, "different")]
    >>> constraints, order = weigh(4, said, list(range(5)))
    >>> [conflict.statement for conflict in constraints.conflicts()], order
    ([(0, 1, 'same')], [1, 2, 3, 4, 0])
    """
    now = read_in(n, statements, order)
    while now.conflicts():
        reading = Standing(statements, now, order)
        orders = [reading.with_last(some) for some in reading.suspects() if some.isdisjoint(given)]
        others = [(read_in(n, statements, its), its) for its in orders]
        best = min(others, key=lambda other: len(other[0].conflicts()), default=(now, order))
        if len(best[0].conflicts()) >= len(now.conflicts()):
            break
        now, order = best
    return now, order


def read_in(n: int, statements: list[Statement], order: Iterable[int]) -> Constraints:
    """Constraints from the statements, read in this order."""
    constraints = Constraints(n)
    for place in order:
        constraints.add(*statements[place])
    return constraints


class Standing:
    """What stands of statements and what is set aside, by their places."""

    def __init__(self, statements: list[Statement], constraints: Constraints, order: Order) -> None:
        self.statements, self.constraints, self.order = statements, constraints, order
        self.conflicts = constraints.conflicts()
        self.aside = sorted(order[conflict.place] for conflict in self.conflicts)
        self.places = sorted(set(order) - set(self.aside))

    def with_last(self, some: set[int]) -> Order:
        """The order in which these come after everything else."""
        return [*(place for place in self.places if place not in some), *self.aside, *sorted(some)]

    def suspects(self) -> Iterator[set[int]]:
        """Statements that stand and may be outweighed: what no chain of a conflict needs cannot be what makes it."""
        chains = [{self.order[at] for at in conflict.chain_places} for conflict in self.conflicts]
        newest = max(self.conflicts, key=lambda conflict: self.order[conflict.place])
        singles = ({self.order[at]} for at in sorted(newest.chain_places, key=lambda at: -self.order[at]))
        for some in (*singles, *self._behind(newest)):
            if sum(not chain.isdisjoint(some) for chain in chains) > len(some) > 0:
                yield some

    def _behind(self, conflict: Conflict) -> Iterator[set[int]]:
        """The fewest statements that together contradict one."""
        i, j, relation = conflict.statement
        if relation == "different":
            yield from self._cuts(i, j)
            return
        apart = next(statement for statement in conflict.chain if statement[2] == "different")
        sides = {self.constraints.group_of(i), self.constraints.group_of(j)}
        yield {place for place in self.places if self._says_different(place, sides)}
        a, b = apart[:2] if self.constraints.known(i, apart[0]) == "same" else apart[1::-1]
        yield from self._cuts(i, a)
        yield from self._cuts(b, j)

    def _says_different(self, place: int, sides: set[int]) -> bool:
        i, j, relation = self.statements[place]
        return (
            relation == "different" and {self.constraints.group_of(i), self.constraints.group_of(j)} == sides
        )

    def _cuts(self, i: int, j: int) -> Iterator[set[int]]:
        """The fewest statements *same* without which two items fall apart, nearest the one and nearest the other."""
        if i == j:
            return
        number = {item: at for at, item in enumerate(sorted(self.constraints.members(i)))}
        said = [place for place in self.places if self._joins(place, number)]
        ends = np.array([[number[item] for item in self.statements[place][:2]] for place in said], np.int32)
        for cut in smallest_cuts(len(number), ends, number[i], number[j]):
            yield {said[at] for at in cut}

    def _joins(self, place: int, number: dict[int, int]) -> bool:
        i, _, relation = self.statements[place]
        return relation == "same" and i in number


def smallest_cuts(n: int, edges: np.ndarray, source: int, target: int) -> list[list[int]]:
    """The fewest edges (m, 2) without which two nodes are not joined, those nearest each of them: positions.

    Examples
    --------
    >>> smallest_cuts(4, np.array([[0, 1], [0, 1], [1, 2], [2, 3]]), 0, 3)
    [[2], [3]]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import breadth_first_order, maximum_flow

    both = np.vstack([edges, edges[:, ::-1]])
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
