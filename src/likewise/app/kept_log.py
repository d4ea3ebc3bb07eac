"""The events of a project in memory, with what follows from those that are rare: groups, and pictures left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from likewise.store import Event, Log
from likewise.store.edit_events import Edited
from likewise.store.groups import BY_HAND, SPOKEN, TouchedGroups
from likewise.store.left_out import LeftOut, read_left_out
from likewise.store.votes import Votes

LEAVING_OUT = ("bad", "restore")
UNSTACKING = "unstack"


class KeptLog(Log):
    """A log that does not read ten thousand answers again to say what people did by hand.

    Events by hand and reports of pictures are few: they are listed apart, and the groups of before are carried on.

    - `events`: The first events of a project, from number 1 on.
    - `votes_of`: Gives the votes of these events where somebody keeps them, and None otherwise.
    """

    votes_of: Callable[[], Votes | None] | None = None  # gives votes kept elsewhere while they are of these events

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._by_hand: list[Event] = []
        self._leaving_out: list[Event] = []
        self._unstacking: list[Event] = []
        self._first_free = 0
        self._groups = TouchedGroups()
        self._taken: list[int] = []  # numbers of the events that the groups take in
        super().__init__(events)

    def copy(self) -> KeptLog:
        """A log that goes its own way."""
        twin = KeptLog()
        twin._events, twin._against = self._events.copy(), self._against.copy()
        twin._by_hand, twin._leaving_out = self._by_hand.copy(), self._leaving_out.copy()
        twin._unstacking = self._unstacking.copy()
        twin._first_free = self._first_free
        self.groups()  # once for all copies
        twin._groups, twin._taken = self._groups, self._taken
        return twin

    def add(self, event: Event) -> None:
        """Take the next event."""
        super().add(event)
        self.votes_of = None
        if event.kind in BY_HAND:
            self._by_hand.append(event)
        elif event.kind in LEAVING_OUT:
            self._leaving_out.append(event)
        elif event.kind == UNSTACKING:
            self._unstacking.append(event)
        if isinstance(event.payload, Edited):
            self._first_free = max((self._first_free, *(number + 1 for number in event.payload.numbers())))

    def groups(self) -> TouchedGroups:
        """The groups that people made or touched, as they are now; not to be changed."""
        events = self._in_force(self._by_hand)
        numbers = [event.seq for event in events]
        if numbers != self._taken:
            n_taken = len(self._taken)
            before, n = (self._groups, n_taken) if numbers[:n_taken] == self._taken else (TouchedGroups(), 0)
            self._groups, self._taken = before.after(events[n:]), numbers
        return self._groups.as_of(self._last_answer(), self._first_free)

    def votes(self) -> Votes:
        """The answers in force, question by question."""
        kept = None if self.votes_of is None else self.votes_of()
        return super().votes() if kept is None else kept

    def left_out(self) -> LeftOut:
        """The items that are left out, and those that people reported."""
        return read_left_out(self._in_force(self._leaving_out))

    def apart(self) -> list[int]:
        """The items that people took out of their stacks, sorted."""
        return sorted({item for event in self._in_force(self._unstacking) for item in event.payload.images()})

    def _in_force(self, events: Sequence[Event]) -> list[Event]:
        return [event for event in events if not self._against[event.seq - 1]]

    def _last_answer(self) -> int:
        """Number of the last event in force that answers a question; 0 where there is none."""
        for event, against in zip(reversed(self._events), reversed(self._against), strict=True):
            if not against and event.kind in SPOKEN:
                return event.seq
        return 0
