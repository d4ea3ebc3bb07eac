"""The answers in force, question by question, kept while a project is served: one is taken out without reading all."""

from __future__ import annotations

from likewise.store import Event
from likewise.store.payloads import Said
from likewise.store.statements import SCREENS
from likewise.store.votes import GOLD, RULINGS, Ballot, Votes, subject_of


class KeptVotes(Votes):
    """Votes out of which an event can be taken again.

    - `events`, iterable of Event: Events in force, in order.
    """

    def remove(self, event: Event) -> bool:
        """Take an event out that was taken back; false, and nothing changed, where all has to be read anew.

        What decided a question, and what tests a person, weighs on other answers too: these are read anew.
        """
        payload = event.payload
        if not isinstance(payload, Said):
            self._in_order = [each for each in self._in_order if each[1] is not event]
            return True
        if payload.kind in SCREENS and payload.value != "unsure":
            return self._remove_screen(event, payload)
        if event.kind in RULINGS or payload.shown.get(GOLD):
            return False
        subject = subject_of(payload.items)
        ballot = self.ballots.get(subject)
        if payload.value == "unsure":
            self._in_order = [each for each in self._in_order if each[1] is not event]
            return True
        if ballot is None or ballot.ruling is not None:
            return False
        if len(ballot.votes) > 1 and ballot.votes[0][0] is event:  # the question is as old as its first answer
            return False
        if ballot.controls and event in [vote for vote, _ in ballot.votes]:  # what was beside it may be a vote then
            return False
        ballot.controls = [control for control in ballot.controls if control[0] is not event]
        ballot.votes = [vote for vote in ballot.votes if vote[0] is not event]
        if len(ballot.choices) < 2:
            self._divided.discard(subject)
        self._drop_or_read(subject, ballot)
        return True

    def _remove_screen(self, event: Event, payload: Said) -> bool:
        first, *shown = payload.items
        subjects = [subject_of((first, item)) for item in shown]
        ballots = [self.ballots.get(subject) for subject in subjects]
        if any(each is None or each.ruling or any(said is not event for said in _said_on(each)) for each in ballots):
            return False  # somebody else spoke of one of its pairs
        for subject in subjects:
            self._of.pop(subject, None)
            del self.ballots[subject]
        self._in_order = [each for each in self._in_order if each[1] is not event]
        return True

    def twin(self) -> Votes:
        """The votes as they are now, to be read while these go on."""
        twin = KeptVotes()
        twin.ballots, twin._of = self.ballots.copy(), self._of.copy()
        twin._in_order, twin._divided = self._in_order.copy(), self._divided.copy()
        twin._tests = {who: right.copy() for who, right in self._tests.items()}
        return twin

    def _drop_or_read(self, subject: tuple[int, ...], ballot: Ballot) -> None:
        if ballot.votes or ballot.controls:
            self._read(subject, 0)
            return
        gone = {rank for rank, _, _ in self._of.pop(subject, [])}
        self._in_order = [each for each in self._in_order if each[0] not in gone]
        del self.ballots[subject]


def _said_on(ballot: Ballot) -> list[Event]:
    return [event for event, _ in (*ballot.votes, *ballot.controls)]
