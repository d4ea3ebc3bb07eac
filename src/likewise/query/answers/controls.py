"""Who said something of which pair, and questions that test somebody by what others said."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, KeysView
from itertools import chain, islice
from typing import TypeVar

from likewise.constraints import Relation
from likewise.query.pending import pairs_of
from likewise.query.question import Answer, Pair, Question

T = TypeVar("T")
N_TESTS, EVERY = 8, 3  # questions that others answered: how many, and one in how many
MOST_TRIED = 200  # pairs that are tried until one fits
REASON = "somebody else answered this: do you see it the same way?"
SCREENS = ("pair", "grid", "pick")
RELATIONS: tuple[Relation, Relation] = ("same", "different")


class ControlPairs:
    """The pairs that everybody spoke of, kept up to date while answers come and are taken back.

    Of the first answers of somebody, one in three is a pair that others spoke of, up to eight, where several people
    answer: what one of them says is known for what it is by what the others say of the same. Pairs that two or more
    spoke of come first, so that a few have the word of everybody; half of the tests are of pairs that were called the
    same, half of pairs that were called different.

    Examples
    --------
    >>> controls = ControlPairs()
    >>> controls.add(Answer("pair", (3, 1), "same", "ann"))
    >>> controls.question("bob", lambda pair: True).items, controls.question("ann", lambda pair: True)
    ((1, 3), None)
    """

    def __init__(self) -> None:
        self._asked: defaultdict[str, Counter[Pair]] = defaultdict(Counter)
        self._n_answers: Counter[str] = Counter()
        self._voters: dict[Pair, Counter[str]] = {}  # who said something of it, and how often
        self._relation: dict[Pair, Relation] = {}  # what was said of it first
        # by that: the pairs that anybody spoke of, and those that several did, as they came
        self._spoken: dict[Relation, dict[Pair, None]] = {each: {} for each in RELATIONS}
        self._shared: dict[Relation, dict[Pair, None]] = {each: {} for each in RELATIONS}
        self._tests: Counter[tuple[str, Relation]] = Counter()  # pairs of somebody that others spoke of too

    def add(self, answer: Answer) -> None:
        """Take note of an answer that comes after all others."""
        if answer.kind == "membership":
            return
        who = answer.annotator
        self._n_answers[who] += 1
        self._asked[who].update(pairs_of(answer.items) if answer.kind in SCREENS else ())
        for i, j, said in answer.statements():
            pair = (min(i, j), max(i, j))
            voters, relation = self._voters.setdefault(pair, Counter()), self._relation.setdefault(pair, said)
            self._spoken[relation].setdefault(pair)
            voters[who] += 1
            if voters[who] == 1 and len(voters) > 1:
                self._shared[relation].setdefault(pair)
                for each in voters if len(voters) == 2 else (who,):
                    self._tests[each, relation] += 1

    def remove(self, answer: Answer) -> None:
        """Forget the last answer."""
        if answer.kind == "membership":
            return
        who = answer.annotator
        self._n_answers[who] -= 1
        for pair in pairs_of(answer.items) if answer.kind in SCREENS else ():
            _less_one(self._asked[who], pair)
        for i, j, _ in reversed(answer.statements()):
            pair = (min(i, j), max(i, j))
            voters, relation = self._voters[pair], self._relation[pair]
            if len(voters) > 1 and voters[who] == 1:
                for each in voters if len(voters) == 2 else (who,):
                    self._tests[each, relation] -= 1
            _less_one(voters, who)
            if len(voters) == 1:
                self._shared[relation].pop(pair, None)
            elif not voters:
                del self._voters[pair], self._relation[pair], self._spoken[relation][pair]

    def asked(self, annotator: str) -> KeysView[Pair]:
        """Pairs that somebody answered, those of a screen among them, and those they were unsure of."""
        return self._asked[annotator].keys()

    def voters(self, pair: Pair) -> KeysView[str]:
        """Who said something of a pair."""
        return self._voters.get(pair, Counter()).keys()

    def question(self, annotator: str, may_ask: Callable[[Pair], bool]) -> Question | None:
        """A pair that others spoke of and this person did not, where it is time for one; None otherwise.

        - `annotator`: Who is asked; nobody in particular (no name) is not tested.
        - `may_ask`: Whether this person may be asked about a pair.
        """
        n_tests = {each: self._tests[annotator, each] for each in RELATIONS}
        total = sum(n_tests.values())
        if not annotator or total >= N_TESTS or total * EVERY > self._n_answers[annotator]:
            return None
        mine = self._asked[annotator]
        for relation in sorted(RELATIONS, key=lambda each: n_tests[each]):
            candidates = chain(self._shared[relation], reversed(self._spoken[relation]))
            for pair in islice(candidates, MOST_TRIED):
                if pair not in mine and annotator not in self._voters[pair] and may_ask(pair):
                    return Question("pair", pair, 0.0, REASON, again=True)
        return None


def _less_one(counts: Counter[T], what: T) -> None:
    counts[what] -= 1
    if not counts[what]:
        del counts[what]
