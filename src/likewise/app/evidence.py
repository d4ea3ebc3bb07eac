"""What the events in force say: the answers, what people said of groups, and what waits for more people."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Conflict, Constraints
from likewise.query.answers.people import AnnotatorRates
from likewise.query.answers.taken import GIVEN, SourcedConflict, TakenAnswers
from likewise.query.question import Answer, Pair, Question
from likewise.store.votes import Votes

# a contradiction: the event that is set aside, and the events of the chain that contradicts it
Contradiction: TypeAlias = tuple[Conflict, int, list[int]]
Indices: TypeAlias = NDArray[np.int64]
FACT = -1  # instead of the number of an event: nobody said it, it is in the data


@dataclass(frozen=True)
class Evidence:
    """Answers in force, each with the number of its event.

    - `answers`, list of (int, Answer): The answers and memberships, in order; several people's answers to one question
      are one.
    - `waiting`, set of pairs: Pairs that somebody answered and that are still undecided: not to be asked anew.
    """

    answers: list[tuple[int, Answer]] = field(default_factory=list)
    waiting: set[Pair] = field(default_factory=set)

    @classmethod
    def of(cls, votes: Votes) -> Evidence:
        """The evidence in all ballots."""
        return cls([(event.seq, answer) for event, answer in votes.answers()], votes.waiting())


class SourcedLedger:
    """The answers in force, with the event each is from.

    The engine's session has the same answers in the same order, in another process; this one says at once whether a
    pair is known and what contradicts what.

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
        self.version = 0  # changes whenever something is said or taken back
        self._taken = TakenAnswers(0)
        self._seqs: list[int] = []
        self._groups: Indices | None = None  # by item; of these constraints
        self._groups_of: Constraints | None = None

    @property
    def constraints(self) -> Constraints:
        """The answers that are not set aside, and what follows from them."""
        return self._taken.constraints

    @property
    def people(self) -> Mapping[str, AnnotatorRates]:
        """How often everybody errs by what others said, where that is weighed."""
        return self._taken.people

    @property
    def not_counted(self) -> frozenset[str]:
        """People whose answers weigh nothing."""
        return self._taken.not_counted

    def control_question(self, annotator: str, may_ask: Callable[[Pair], bool]) -> Question | None:
        """A question that tests somebody by what others said; see :meth:`TakenAnswers.control_question`."""
        with self.lock:
            return self._taken.control_question(annotator, may_ask)

    def spoke_others(self, annotator: str, pairs: Iterable[Pair]) -> bool:
        """Whether others than this person spoke of one of these pairs, the lower item first."""
        with self.lock:
            return any(self._taken.controls.voters(pair) - {annotator} for pair in pairs)

    @property
    def apart(self) -> list[tuple[int, ...]]:
        """The groups of items no two of which are the same, by the data."""
        return self._taken.apart

    def become(self, n_items: int, evidence: Evidence, *, outvote: bool, apart: Sequence[tuple[int, ...]] = ()) -> None:
        """Hold this evidence instead; as much as is the same stays as it is.

        - `apart`: Groups of items no two of which are the same: a fact of the data, which nobody said.
        """
        with self.lock:
            if (self._taken.n, self._taken.outvote, self._taken.apart) != (n_items, outvote, list(apart)):
                self._taken = TakenAnswers(n_items, outvote=outvote, apart=apart)
            self._taken.become([answer for _, answer in evidence.answers])
            self._seqs = [seq for seq, _ in evidence.answers]
            self._groups = None
            self.version += 1

    def add(self, answer: Answer, seq: int) -> None:
        """Take one more answer, from the event `seq`."""
        with self.lock:
            self._taken.take(answer)
            self._seqs.append(seq)
            self._groups = None if answer.kind == "membership" else self._with_groups_of(answer.items)
            self.version += 1

    def groups_of_items(self) -> Indices:
        """By item: a number that items known to be the same share, (n,); kept, and not to be changed."""
        with self.lock:
            constraints = self.constraints
            if self._groups is None or self._groups_of is not constraints:
                self._groups, self._groups_of = np.arange(constraints.n), constraints
                said = constraints.mentioned()
                self._groups[said] = np.fromiter(map(constraints.group_of, said), np.int64, len(said))
            return self._groups

    def contradictions(self, seq: int | None = None) -> list[Contradiction]:
        """All contradictions, or those in which the answer of one event is set aside."""
        with self.lock:
            found = [self._with_events(conflict) for conflict in self._taken.conflicts()]
        return [each for each in found if seq is None or each[1] == seq]

    def contradicted_by(self, answers: Iterable[Answer]) -> list[Contradiction]:
        """The contradictions that further answers would make; nothing is kept of them."""
        with self.lock:
            return [self._with_events(conflict) for conflict in self._taken.contradicted_by(answers)]

    def differing(self, parts: Sequence[Sequence[int]]) -> list[Contradiction]:
        """What says that an item of one part differs from one of another: every such statement, as a contradiction."""
        if len(parts) < 2:
            return []
        with self.lock:
            part_of = {self.constraints.group_of(item): k for k, items in enumerate(parts) for item in items}
            found = []
            for place, (i, j, relation) in enumerate(self._taken.ledger.statements):
                if relation != "different":
                    continue
                left, right = (part_of.get(self.constraints.group_of(item)) for item in (i, j))
                if None not in (left, right) and left != right:
                    conflict = Conflict((i, j, "same"), ((i, j, relation),), len(self._taken.sources), (place,))
                    found.append((conflict, 0, [self._event(self._taken.sources[place])]))
            return found

    def _with_groups_of(self, items: Iterable[int]) -> Indices | None:
        """The groups of items, brought up to date for these and those that are the same."""
        constraints = self.constraints
        if self._groups is None or self._groups_of is not constraints:
            return None
        groups = self._groups.copy()  # who reads the one of before goes on reading it
        for item in items:
            groups[constraints.members(item)] = constraints.group_of(item)
        return groups

    def _with_events(self, found: SourcedConflict) -> Contradiction:
        conflict, source, chain = found
        return conflict, self._event(source), [self._event(each) for each in chain]

    def _event(self, index: int) -> int:
        """The event that an answer is from; 0 for one that is only being tried, -1 for a fact of the data."""
        if index == GIVEN:
            return FACT
        return self._seqs[index] if index < len(self._seqs) else 0
