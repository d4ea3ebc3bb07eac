"""What a session was told so far, to be read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Conflict, Pairs, Relation
from likewise.query.answers.people import AnnotatorRates
from likewise.query.answers.taken import GIVEN
from likewise.query.arguments import as_items
from likewise.query.base import State
from likewise.query.form_times import FormTime, fit_times
from likewise.query.question import Answer, Form, GroupName


class ToldSoFar:
    """Items, answers, and what follows from them."""

    _state: State

    @property
    def state(self) -> State:
        """What the strategy looks at: the items and everything answered so far. To be read, not changed."""
        return self._state

    @property
    def n(self) -> int:
        """Number of items."""
        return self._state.n

    @property
    def vectors(self) -> NDArray[np.float64] | None:
        """The items' vectors, (n, d), or None when distances were given."""
        return self._state.X if self._state.has_vectors else None

    @property
    def given(self) -> list[tuple[int, ...]]:
        """The groups known beforehand."""
        return list(self._state.given)

    @property
    def apart(self) -> list[tuple[int, ...]]:
        """The groups no two items of which are the same, known beforehand."""
        return list(self._state.apart)

    @property
    def history(self) -> list[Answer]:
        """The answers in force, oldest first, and what was said of items and groups."""
        return list(self._state.history)

    @property
    def must_link(self) -> Pairs:
        """Pairs known to be the same, (m, 2)."""
        return self._state.constraints.must_link

    @property
    def cannot_link(self) -> Pairs:
        """Pairs known to be different, (m, 2)."""
        return self._state.constraints.cannot_link

    @property
    def triplets(self) -> list[tuple[int, int, int, str]]:
        """Answered triplets ``(a, b, c, value)``, the unsure ones left out."""
        return [
            (*answer.items, answer.value)  # type: ignore[misc]
            for answer in self._state.history
            if answer.kind == "triplet" and answer.value != "unsure"
        ]

    @property
    def conflicts(self) -> list[Conflict]:
        """Answers that are set aside, each with the chain of answers that contradicts it."""
        return self._state.ledger.conflicts()

    @property
    def annotators_(self) -> dict[str, AnnotatorRates]:
        """How often everybody errs, by what others said, and for how much their answers count.

        Empty without `recheck`, and as long as fewer than two people answered. It is estimated anew every few answers.

        Examples
        --------
        >>> from likewise import Session
        >>> Session([[0.0], [1.0]], recheck=True).annotators_
        {}
        """
        return dict(self._state.taken.people)

    def answers_behind(self, conflict: Conflict) -> list[Answer]:
        """The answers of one of the :attr:`conflicts`: the one that is set aside, then those of the chain.

        Examples
        --------
        >>> from likewise import Question, Session
        >>> s = Session([[0.0], [1.0], [2.0]], random_state=0)
        >>> s.answer(Question("grid", (0, 1, 2)), [])
        >>> [answer.kind for answer in s.answers_behind(s.answer((1, 2), "different"))]
        ['pair', 'grid', 'grid']
        """
        sources = [self._state.taken.sources[place] for place in (conflict.place, *conflict.chain_places)]
        return [self._state.history[source] for source in sources if source != GIVEN]

    def known(self, i: int, j: int) -> Relation | None:
        """What follows from the answers for two items: "same", "different" or None when it is open."""
        return self._state.constraints.known(*as_items((i, j), self.n))

    @property
    def groups(self) -> dict[GroupName, list[int]]:
        """The items that belong to each group that people made."""
        return self._state.taken.memberships.groups()

    @property
    def finished(self) -> bool:
        """Whether every pair is known, so that nothing is left to ask anybody."""
        return self._state.constraints.n_open() == 0

    def form_times(self, annotator: str = "") -> dict[Form, FormTime]:
        """Seconds that a person takes for a question of each form, by the answers so far.

        See :func:`likewise.query.form_times.fit_times`: priors, fitted to everybody's answers and then to the person's.

        Examples
        --------
        >>> from likewise import Session
        >>> Session([[0.0], [1.0]]).form_times()["grid"].seconds(30, 2)
        10.4
        """
        return fit_times(self._state.history, annotator)
