"""Which statements are kept when they contradict each other: as few as possible are set aside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from likewise.constraints import Conflict, Constraints, Statement
from likewise.query.answers.weighing import CERTAIN, Partition, Said, agree
from likewise.query.question import Pair

Order = list[int]


class Ledger:
    """All statements about pairs in the order in which they came, and which of them are kept.

    - `n`: Number of items.
    - `outvote`: Whether what weighs least is set aside (:class:`~likewise.query.answers.weighing.Partition`); else the
      earlier statement is always kept.
    - `constraints`: The statements that are kept, and what follows from them.
    - `statements`, list of (i, j, relation): All statements.
    - `given`, set of int: Positions of the statements that are never outvoted.
    - `weights`, list of float: For how many typical statements each counts.

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
        self.weights: list[float] = []
        self.not_counted: set[int] = set()  # positions of the statements that weigh nothing
        # by item: others, with the weight, negative for *different*
        self._said: Said = {}
        self._order: Order = []  # positions of the statements, in the order in which the constraints have them
        # after every vote that changed the order: the number of statements, and the order
        self._orders: list[tuple[int, Order]] = []

    def give(self, statement: Statement) -> None:
        """Take a statement that nobody was asked for, and that is never outvoted."""
        self.given.add(len(self.statements))
        self._append(statement, CERTAIN)

    def add(self, statement: Statement, weight: float = 1.0) -> Conflict | None:
        """Take a statement; the conflict it makes with those that are kept, if any."""
        conflict = self._append(statement, weight)
        if conflict is not None and self.outvote:
            self._weigh(statement[:2])
        return conflict

    def reweigh(self, weights: Sequence[float], leaning: Mapping[Pair, float] | None = None) -> None:
        """Weigh all statements anew; those that weigh nothing are not counted.

        - `weights` (m,): Weight of each.
        - `leaning`, mapping of pair to float: What speaks for *same* before anything is said, of some pairs.
        """
        self.weights = [CERTAIN if place in self.given else weight for place, weight in enumerate(weights)]
        self.not_counted = {place for place, weight in enumerate(self.weights) if weight == 0}
        self._said = {}
        for (i, j), lean in ({} if leaning is None else leaning).items():  # first: what is undone is at the end
            self._lean(i, j, lean)
        for statement, weight in zip(self.statements, self.weights, strict=True):
            self._say(statement, weight)
        self._order = [place for place in self._order if place not in self.not_counted]
        missing = set(range(len(self.statements))) - self.not_counted - set(self._order)
        self._order += sorted(missing)
        self.constraints = read_in(self.constraints.n, self.statements, self._order)
        self._orders.append((len(self.statements), self._order.copy()))
        aside = (conflict.statement[:2] for conflict in self.constraints.conflicts())
        self._weigh([item for pair in (*aside, *({} if leaning is None else leaning)) for item in pair])

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
        other.not_counted = set(self.not_counted)
        other.weights = [*self.weights, *[CERTAIN] * len(further)]
        other._order, other._orders = [*self._order, *places], list(self._orders)
        other.constraints = read_in(self.constraints.n, other.statements, other._order)
        return other

    def contradicted_by(self, statements: Iterable[Statement]) -> list[Conflict]:
        """The conflicts that further statements would make; nothing is kept of them."""
        conflicts = [self._append(statement, 1.0) for statement in statements]
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
        for _ in range(n):
            self._unsay()
        self._order = [*order, *(place for place in range(voted, left) if place not in self.not_counted)]
        self.constraints = read_in(self.constraints.n, self.statements, self._order)

    def conflicts(self) -> list[Conflict]:
        """Statements that are set aside, each with the chain that contradicts it, by position."""
        return sorted((self._as_added(each) for each in self.constraints.conflicts()), key=lambda c: c.place)

    def standing(self) -> list[Statement]:
        """Statements that are neither given nor set aside, in the order in which they came."""
        return [self.statements[place] for place in self.standing_places()]

    def standing_places(self) -> list[int]:
        """Positions of these in :attr:`statements`."""
        out = self.given | self.not_counted | {self._order[conflict.place] for conflict in self.constraints.conflicts()}
        return [place for place in range(len(self.statements)) if place not in out]

    def _weigh(self, items: Iterable[int]) -> None:
        """Believe what weighs most around some items."""
        found = Partition(self._said, self.constraints.members)
        if not found.improve(items):
            return
        counted = (place for place in range(len(self.statements)) if place not in self.not_counted)
        order = sorted(counted, key=lambda place: not agree(self.statements[place], found.label))
        self._orders.append((len(self.statements), order.copy()))
        self.constraints, self._order = read_in(self.constraints.n, self.statements, order), order

    def _append(self, statement: Statement, weight: float) -> Conflict | None:
        place = len(self.statements)
        self.statements.append(statement)
        self.weights.append(weight)
        self._say(statement, weight)
        if weight == 0:
            self.not_counted.add(place)
            return None
        self._order.append(place)
        conflict = self.constraints.add(*statement)
        return None if conflict is None else self._as_added(conflict)

    def _say(self, statement: Statement, weight: float) -> None:
        if self.outvote:
            i, j, relation = statement
            self._lean(i, j, weight if relation == "same" else -weight)

    def _lean(self, i: int, j: int, signed: float) -> None:
        self._said.setdefault(i, []).append((j, signed))
        self._said.setdefault(j, []).append((i, signed))

    def _unsay(self) -> None:
        """Forget the last statement, apart from the constraints."""
        statement = self.statements.pop()
        self.weights.pop()
        for item in statement[:2] if self.outvote else ():
            self._said[item].pop()
        self.given.discard(len(self.statements))
        self.not_counted.discard(len(self.statements))

    def _pop(self, n: int) -> None:
        for _ in range(n):
            if len(self.statements) - 1 not in self.not_counted:
                self.constraints.undo()
                self._order.pop()
            self._unsay()

    def _as_added(self, conflict: Conflict) -> Conflict:
        chain = tuple(self._order[at] for at in conflict.chain_places)
        return replace(conflict, place=self._order[conflict.place], chain_places=chain)


def read_in(n: int, statements: list[Statement], order: Iterable[int]) -> Constraints:
    """Constraints from the statements, read in this order."""
    constraints = Constraints(n)
    for place in order:
        constraints.add(*statements[place])
    return constraints
