"""All answers in the order in which they came, and what follows from them together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias, cast

from likewise.constraints import Conflict, Constraints, Relation, Statement
from likewise.query.answers.controls import ControlPairs
from likewise.query.answers.ledger import Ledger
from likewise.query.answers.memberships import Memberships, Sourced
from likewise.query.answers.people import AnnotatorRates, keep_most, rate_by_others, same_by_others
from likewise.query.answers.shared_pairs import weigh_shared
from likewise.query.question import Answer, Membership, Pair, Question

N_ROUNDS = 2  # people and what they said are weighed in turn
GIVEN = -1  # the source of what was given beforehand
# a conflict, the index of the answer that is set aside, and those of the chain; one more than there are: a trial
SourcedConflict: TypeAlias = tuple[Conflict, int, list[int]]


class TakenAnswers:
    """Answers to questions and memberships, the ledger of what they state, and which answer stated it.

    What people say of items and groups is given: an answer that it contradicts is set aside, whichever came first.

    - `n`: Number of items.
    - `outvote`: Whether an outvoted answer is set aside. None: as soon as two people answered, so that votes count.
    - `given`, sequence of groups of items: Groups known beforehand.
    - `apart`, sequence of groups of items: Groups no two items of which are the same, unless somebody put both into one
      group by hand.
    - `answers`, list of Answer: All that were taken.
    - `sources`, list of int: By statement of the ledger: the index of the answer that stated it.
    - `controls`: Who spoke of which pair.
    - `people`: How often everybody errs, by name; empty where nothing is outvoted or one person answered.

    Examples
    --------
    >>> taken = TakenAnswers(3)
    >>> taken.take(Answer("pair", (0, 1), "different"))
    >>> taken.take(Answer("membership", (0, 1), "belongs", group="roses")).statement
    (0, 1, 'different')
    >>> taken.constraints.known(0, 1)
    'same'
    """

    def __init__(
        self,
        n: int,
        *,
        outvote: bool | None = False,
        given: Sequence[tuple[int, ...]] = (),
        apart: Sequence[tuple[int, ...]] = (),
    ) -> None:
        self.n, self.given, self.apart = n, list(given), list(apart)
        self.setting, self.outvote = outvote, bool(outvote)  # what was wanted, and what holds now
        self.answers: list[Answer] = []
        self.memberships = Memberships()
        self.sources: list[int] = []
        self.ledger = Ledger(n, outvote=self.outvote)
        self.people: dict[str, AnnotatorRates] = {}
        self.controls = ControlPairs()
        self._added: list[int | None] = []  # by answer: how many statements it added; None: it changed others
        self._read_again()

    @property
    def constraints(self) -> Constraints:
        """The statements that are not set aside, and what follows from them."""
        return self.ledger.constraints

    def take(self, answer: Answer) -> Conflict | None:
        """Take an answer; the conflict it makes, if any, in which an answer to a question is set aside."""
        if self.setting is None and not self.outvote and are_several([*self.answers[:1], answer]):
            return self._take_second(answer)
        if answer.kind == "membership":
            return self._take_membership(answer)
        conflicts = [
            self.ledger.add(statement, self.weight_of(answer.annotator, statement[2]))
            for statement in answer.statements()
        ]
        self.sources += [len(self.answers)] * len(conflicts)
        self._added.append(len(conflicts))
        self.answers.append(answer)
        self.controls.add(answer)
        if self.outvote and is_due(self.answers, len(self.answers)):
            self.people = weigh_people(self.ledger, self.sources, self.answers, self.people)
            self._added[-1] = None
        return next((conflict for conflict in conflicts if conflict is not None), None)

    def weight_of(self, annotator: str, relation: Relation) -> float:
        """For how many typical statements one of a person counts that says so."""
        return self.people[annotator].weight_of(relation) if annotator in self.people else 1.0

    @property
    def not_counted(self) -> frozenset[str]:
        """People whose answers weigh nothing."""
        return frozenset(name for name, rates in self.people.items() if rates.weight == 0)

    def control_question(self, annotator: str, may_ask: Callable[[Pair], bool]) -> Question | None:
        """A question that tests somebody by what people said who are counted; None where it is not time for one.

        Parameters are those of :meth:`ControlPairs.question`; nobody is tested where no wrong answers are expected.
        """
        if not self.setting:
            return None
        out = self.not_counted

        def fits(pair: Pair) -> bool:
            return not self.controls.voters(pair) <= out and may_ask(pair)

        return self.controls.question(annotator, fits)

    def take_back(self) -> Answer:
        """Take the last answer back, exactly, and return it."""
        answer, n_added = self.answers.pop(), self._added.pop()
        self.controls.remove(answer)
        if answer.kind == "membership":
            self.memberships = _memberships_of(self.answers)
        if n_added is None:
            self._read_again()
        else:
            self.ledger.undo(n_added)
            del self.sources[len(self.sources) - n_added :]
        return answer

    def grow(self, n: int) -> None:
        """Have n items, of which those of before are the first."""
        self.n = n
        self.ledger.grow(n)

    def become(self, answers: Sequence[Answer]) -> None:
        """Hold these answers instead; as much as is the same at the beginning stays as it is."""
        before, now = self.answers, list(answers)
        differing = (k for k, (a, b) in enumerate(zip(before, now, strict=False)) if a != b)
        shared = next(differing, min(len(before), len(now)))
        if None in self._added[shared:] or any(answer.kind == "membership" for answer in now[shared:]):
            self._start(now)  # all is read again for each of these: once is enough
            return
        for _ in range(len(before) - shared):
            self.take_back()
        for answer in now[shared:]:
            self.take(answer)

    def conflicts(self) -> list[SourcedConflict]:
        """Statements that are set aside, each with the answers behind it."""
        return [self._sourced(conflict, self.sources) for conflict in self.ledger.conflicts()]

    def contradicted_by(self, answers: Iterable[Answer]) -> list[SourcedConflict]:
        """The conflicts that further answers would make; nothing is kept of them."""
        ledger, sources, after = self.ledger, self.sources, self.memberships.copy()
        tried: list[Statement] = []
        new: list[Sourced] | None = []
        for answer in answers:
            tried += answer.statements()
            if answer.kind == "membership":
                added = _put(after, answer, len(self.answers))
                new = None if new is None or added is None else [*new, *added]
        if new is None:
            now = after.statements()
            ledger, sources = self._read([each for each in now if each[1] < len(self.answers)])
            new = [each for each in now if each[1] >= len(self.answers)]
        tried += [statement for statement, _ in new]
        return [self._sourced(conflict, sources) for conflict in ledger.contradicted_by(tried)]

    def _take_membership(self, answer: Answer) -> Conflict | None:
        index = len(self.answers)
        added = _put(self.memberships, answer, index)
        self.answers.append(answer)
        conflicts = added and self.ledger.contradicted_by([statement for statement, _ in added])
        if added is None or conflicts or self.ledger.constraints.conflicts():
            self._read_again()
            return next((conflict for conflict, _, chain in self.conflicts() if index in chain), None)
        for statement, source in added:
            self.ledger.give(statement)
            self.sources.append(source)
        self._added.append(len(added))
        return None

    def _take_second(self, answer: Answer) -> Conflict | None:
        """Take the first answer of a second person: from now on votes count."""
        index = len(self.answers)
        self._start([*self.answers, answer])
        return next((conflict for conflict, source, chain in self.conflicts() if index in (source, *chain)), None)

    def _start(self, answers: list[Answer]) -> None:
        """Hold these answers, all read anew."""
        self.answers, self.memberships, self.controls = answers, _memberships_of(answers), ControlPairs()
        for answer in answers:
            self.controls.add(answer)
        self._read_again()

    def _read_again(self) -> None:
        """Read all answers anew; memberships come first then, so that one of them is not at the end to be undone."""
        self.people = {}
        self.outvote = are_several(self.answers) if self.setting is None else self.setting
        self.ledger, self.sources = self._read(self.memberships.statements(), self.people)
        second = None if self.setting is not None else second_person(self.answers)
        self._added = [
            None
            if each.kind == "membership" or k == second or (self.outvote and is_due(self.answers, k + 1))
            else len(each.statements())
            for k, each in enumerate(self.answers)
        ]

    def _read(
        self, memberships: Iterable[Sourced], people: dict[str, AnnotatorRates] | None = None
    ) -> tuple[Ledger, list[int]]:
        """A ledger of what was given, of memberships, and of all answers to questions; the source of each statement."""
        ledger, sources = Ledger(self.n, outvote=self.outvote), []
        for group in self.given:
            for item in group[1:]:
                ledger.give((group[0], item, "same"))
                sources.append(GIVEN)
        for statement, source in memberships:
            ledger.give(statement)
            sources.append(source)
        for pair in self._apart_pairs():
            if ledger.constraints.known(*pair) != "same":  # what people did by hand goes before it
                ledger.give((*pair, "different"))
                sources.append(GIVEN)
        people = {} if people is None else people
        for k, answer in enumerate(self.answers):
            rates = people.get(answer.annotator)
            for stated in answer.statements():
                ledger.add(stated, 1.0 if rates is None else rates.weight_of(stated[2]))
                sources.append(k)
            if self.outvote and is_due(self.answers, k + 1):
                people.update(weigh_people(ledger, sources, self.answers, people))
        return ledger, sources

    def _apart_pairs(self) -> Iterable[tuple[int, int]]:
        return (pair for group in self.apart for pair in combinations(group, 2))

    def _sourced(self, conflict: Conflict, sources: Sequence[int]) -> SourcedConflict:
        def source(place: int) -> int:
            return sources[place] if place < len(sources) else len(self.answers)

        return conflict, source(conflict.place), [source(place) for place in conflict.chain_places]


def is_due(answers: Sequence[Answer], n: int) -> bool:
    """Whether people are weighed after the first n answers: every fifth of two or more people, then more rarely."""
    every = max(5, (1 << n.bit_length()) // 8)
    return n >= 10 and n % every == 0 and are_several(answers[:n])


def second_person(answers: Sequence[Answer]) -> int | None:
    """Position of the first answer that another person gave than the first one; None where there is none."""
    return next((k for k, answer in enumerate(answers) if answer.annotator != answers[0].annotator), None)


def are_several(answers: Sequence[Answer]) -> bool:
    """Whether two or more people answered."""
    return second_person(answers) is not None


def weigh_people(
    ledger: Ledger, sources: Sequence[int], answers: Sequence[Answer], before: Mapping[str, AnnotatorRates]
) -> dict[str, AnnotatorRates]:
    """How often everybody errs, given what was thought of them before; the ledger weighs what they said accordingly."""
    given, suspected = ledger.given, {name: rates.suspicion for name, rates in before.items()}
    names = [None if place in given else answers[source].annotator for place, source in enumerate(sources)]
    people: dict[str, AnnotatorRates] = {}
    for _ in range(N_ROUNDS):
        by_others = same_by_others(ledger.constraints, ledger.statements, names, ledger.weights)
        people = keep_most(rate_by_others(ledger.statements, names, by_others, suspected))
        opposite = {name for name, rates in people.items() if rates.suspicion == "opposite"}
        said = weigh_shared(ledger.statements, names, by_others, opposite)
        people = {name: rates.weighed(said) for name, rates in people.items()}
        shared = dict.fromkeys(said.shared, said.leaning)
        weights = [
            1.0 if name is None else people[name].weight_of(relation, shared=(min(i, j), max(i, j)) in shared)
            for name, (i, j, relation) in zip(names, ledger.statements, strict=True)
        ]
        ledger.reweigh(weights, shared)
    return people


def _put(memberships: Memberships, answer: Answer, source: int) -> list[Sourced] | None:
    return memberships.put(answer.items, cast(Membership, answer.value), answer.group, source)


def _memberships_of(answers: Iterable[Answer]) -> Memberships:
    found = Memberships()
    for k, answer in enumerate(answers):
        if answer.kind == "membership":
            _put(found, answer, k)
    return found
