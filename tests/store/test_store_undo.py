"""Undo, redo and withdrawals against slower and more obvious models, without and with a database."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from likewise.store import Event, Log, NothingToUndoError
from likewise.store.payloads import Listed, Withdrawn

NOW = datetime(2025, 1, 1, tzinfo=UTC)
PEOPLE = ["", "bob <b>\n🌿"]

STEPS = st.sampled_from(["act", "undo", "undo", "redo", "redo"])


def event(log, person, payload):
    kind = "withdraw" if isinstance(payload, Withdrawn) else "bad"
    return Event(len(log) + 1, kind, person, NOW, None, payload, str(len(log)))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PEOPLE), STEPS), min_size=10, max_size=40))
def test_undo_and_redo_are_those_of_an_editor(steps):
    log = Log()
    done = {person: [] for person in PEOPLE}
    undone = {person: [] for person in PEOPLE}
    for person, step in steps:
        if step == "act":
            done[person].append(len(log) + 1)
            undone[person].clear()
            log.add(event(log, person, Listed(items=(len(log),))))
            continue
        source, target = (done, undone) if step == "undo" else (undone, done)
        choose = log.to_undo if step == "undo" else log.to_redo
        try:
            chosen = choose(person)
        except NothingToUndoError:
            assert not source[person]
            continue
        target[person].append(source[person].pop())
        log.add(event(log, person, Withdrawn(events=(chosen.seq,), how=step)))
        standing = sorted(seq for own in done.values() for seq in own)
        assert [e.seq for e in log.standing() if e.kind != "withdraw"] == standing


def force_by_definition(targets):
    """targets[i]: the events that event i + 1 withdraws; an event counts unless a later one that counts names it."""
    in_force = []
    for seq in range(len(targets), 0, -1):
        in_force.insert(0, not any(counts and seq in targets[seq + i] for i, counts in enumerate(in_force)))
    return in_force


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_withdrawals_of_withdrawals(data):
    log, targets = Log(), []
    for number in range(data.draw(st.integers(1, 25))):
        before = data.draw(st.sets(st.integers(1, number), max_size=3)) if number else set()
        payload = Withdrawn(events=tuple(before)) if before else Listed(items=(0,))
        log.add(event(log, "", payload))
        targets.append(before)
        assert [log.in_force(seq + 1) for seq in range(len(targets))] == force_by_definition(targets)


def test_a_long_chain_of_withdrawals_needs_no_stack():
    log = Log()
    log.add(event(log, "", Listed(items=(0,))))
    for number in range(1, 1500):
        log.add(event(log, "", Withdrawn(events=(number,))))
    assert log.in_force(1) == (len(log) % 2 == 1)


class Machine(RuleBasedStateMachine):
    """A project beside a plain list of what was done to it."""

    store = None
    count = 0

    def __init__(self):
        super().__init__()
        type(self).count += 1
        self.project = self.store.create_project(f"machine {self.count}")
        self.project.add_items(["a", "b", "c"])
        self.model = []  # (seq, annotator, how, what it withdraws, item)
        self.keys = {}

    def standing(self):
        force = force_by_definition([set(row[3]) for row in self.model])
        return [row for row, counts in zip(self.model, force, strict=True) if counts]

    def take(self, event, person, how, events, item):
        assert event.seq == len(self.model) + 1
        self.model.append((event.seq, person, how, events, item))
        self.keys[event.key] = event

    @rule(person=st.sampled_from(PEOPLE), item=st.integers(0, 2), bad=st.booleans())
    def say(self, person, item, bad):
        event = self.project.append("bad" if bad else "restore", {"items": [item]}, annotator=person)
        self.take(event, person, "bad" if bad else "restore", (), item)

    @rule(data=st.data(), person=st.sampled_from(PEOPLE))
    def withdraw(self, data, person):
        possible = [row[0] for row in self.standing()]
        if possible:
            events = tuple(data.draw(st.sets(st.sampled_from(possible), min_size=1, max_size=2)))
            event = self.project.append("withdraw", {"events": events}, annotator=person)
            self.take(event, person, "choice", events, None)

    @rule(person=st.sampled_from(PEOPLE))
    def undo(self, person):
        own = [row for row in self.standing() if row[1] == person and row[2] not in ("undo", "redo")]
        self.step("undo", person, own[-1][0] if own else None)

    @rule(person=st.sampled_from(PEOPLE))
    def redo(self, person):
        acts = [row[0] for row in self.model if row[1] == person and row[2] not in ("undo", "redo")]
        own = [row for row in self.standing() if row[1] == person and row[2] == "undo"]
        own = [row for row in own if row[0] > max(acts, default=0)]
        self.step("redo", person, own[-1][0] if own else None)

    def step(self, how, person, expected):
        act = getattr(self.project, how)
        try:
            event = act(person)
        except NothingToUndoError:
            assert expected is None
        else:
            assert event.payload.events == (expected,)
            self.take(event, person, how, (expected,), None)

    @rule(data=st.data())
    def send_again(self, data):
        if self.keys:
            event = self.keys[data.draw(st.sampled_from(sorted(self.keys)))]
            again = self.project.append(event.kind, event.payload, annotator=event.annotator, key=event.key)
            assert again == event

    @rule()
    def open_again(self):
        self.project = self.store.project(self.project.name)

    @invariant()
    def agrees(self):
        last = {row[4]: row[2] for row in self.standing() if row[4] is not None}
        assert self.project.bad_images() == sorted(item for item, how in last.items() if how == "bad")
        assert [event.seq for event in self.project.log().standing()] == [row[0] for row in self.standing()]


def test_a_project_does_what_a_plain_list_does(store):
    Machine.store = store
    run_state_machine_as_test(Machine, settings=settings(max_examples=10, stateful_step_count=40, deadline=None))


def test_undo_and_redo_pass_over_what_is_said_outside_the_session(project):
    said = project.append("answer", {"kind": "pair", "items": [0, 1], "value": "same"}, annotator="ann")
    study = {"name": "s1", "number": 0, "kind": "pair", "items": [2, 3], "value": "same"}
    project.append("study-answer", study, annotator="ann")
    assert project.undo("ann").payload.events == (said.seq,)
    with pytest.raises(NothingToUndoError):
        project.undo("ann")
    project.append("study-answer", study | {"number": 1}, annotator="ann")
    project.redo("ann")
    assert len(project.answers()) == 1
