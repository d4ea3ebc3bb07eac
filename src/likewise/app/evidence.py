"""What the events in force say about pairs: the answers, the confirmed groups, and what waits for more people."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from likewise.constraints import Conflict, Constraints, Statement
from likewise.query.answers.ledger import Ledger
from likewise.query.question import Answer, Pair
from likewise.store.votes import Votes

# a contradiction: the event that is set aside, and the events of the chain that contradicts it
Contradiction: TypeAlias = tuple[Conflict, int, list[int]]


@dataclass(frozen=True)
class Evidence:
    """Answers and groups in force, each with the number of its event.

    - `groups`, list of (int, items): Groups that people confirmed as a whole.
    - `answers`, list of (int, Answer): The other answers, in order; several people's answers to one question are
      one.
    - `waiting`, set of pairs: Pairs that somebody answered and that are still undecided: not to be asked anew.
    """

    groups: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    answers: list[tuple[int, Answer]] = field(default_factory=list)
    waiting: set[Pair] = field(default_factory=set)

    @classmethod
    def of(cls, votes: Votes) -> Evidence:
        """The evidence in all ballots."""
        evidence = cls(waiting=votes.waiting())
        for event, answer in votes.answers():
            if event.kind != "confirm":
                evidence.answers.append((event.seq, answer))
            elif (event.seq, event.payload.images()) not in evidence.groups[-1:]:
                evidence.groups.append((event.seq, event.payload.images()))
        return evidence

    def statements(self) -> list[tuple[Statement, int, bool]]:
        """Statements as a session takes them, groups first; each with its event, and whether it is given."""
        given = [((items[0], item, "same"), seq, True) for seq, items in self.groups for item in items[1:]]
        said = [(each, seq, False) for seq, answer in self.answers for each in answer.statements()]
        return [*given, *said]  # type: ignore[list-item]


class SourcedLedger:
    """A ledger that knows the event each statement is from.

    The engine's session has the same statements in the same order, in another process; this one answers at once
    whether a pair is known and what contradicts what.

    Examples
    --------
    >>> ledger = SourcedLedger()
    >>> ledger.become(3, Evidence(answers=[(1, Answer("pair", (0, 1), "same"))]), outvote=False)
    >>> ledger.add(Answer("pair", (0, 1), "different"), 2)
    >>> [(seq, chain) for _, seq, chain in ledger.contradictions()]
    [(2, [1])]
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._ledger = Ledger(0)
        self._sources: list[int] = []

    @property
    def constraints(self) -> Constraints:
        """The answers that are not set aside, and what follows from them."""
        return self._ledger.constraints

    def become(self, n_items: int, evidence: Evidence, *, outvote: bool) -> None:
        """Hold this evidence instead; as much as is the same stays as it is."""
        with self.lock:
            if (self._ledger.constraints.n, self._ledger.outvote) != (n_items, outvote):
                self._ledger = Ledger(n_items, outvote=outvote)
            statements = evidence.statements()
            self._ledger.become([(statement, given) for statement, _, given in statements])
            self._sources = [seq for _, seq, _ in statements]

    def add(self, answer: Answer, seq: int) -> None:
        """Take one more answer, from the event `seq`."""
        with self.lock:
            for statement in answer.statements():
                self._ledger.add(statement)
                self._sources.append(seq)

    def contradictions(self, seq: int | None = None) -> list[Contradiction]:
        """All contradictions, or those in which the answer of one event is set aside."""
        with self.lock:
            found = [self._with_sources(conflict) for conflict in self._ledger.conflicts()]
        return [each for each in found if seq is None or each[1] == seq]

    def contradicted_by(self, answers: Iterable[Answer]) -> list[Contradiction]:
        """The contradictions that further answers would make; nothing is kept of them."""
        with self.lock:
            statements = [statement for answer in answers for statement in answer.statements()]
            return [self._with_sources(conflict) for conflict in self._ledger.contradicted_by(statements)]

    def _with_sources(self, conflict: Conflict) -> Contradiction:
        return conflict, self._source(conflict.place), [self._source(k) for k in conflict.chain_places]

    def _source(self, index: int) -> int:
        """The event that a statement is from; 0 for one that is only being tried."""
        return self._sources[index] if index < len(self._sources) else 0
