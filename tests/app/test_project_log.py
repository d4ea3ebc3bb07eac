"""The log in memory says what a log says that is read anew, whatever is answered, decided, tested and taken back."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from likewise.app.kept_log import KeptLog
from likewise.app.project_log import ProjectLog
from likewise.store import Entry, Log

START = datetime(2026, 1, 1, tzinfo=UTC)


class Stored:
    """Stands for the store: gives events their numbers."""

    def __init__(self):
        self.stored = []

    def append_many(self, entries):
        new = []
        for entry in entries:
            seq = len(self.stored) + 1
            new.append(entry.checked().numbered(seq, START + timedelta(seconds=seq)))
            self.stored.append(new[-1])
        return new

    def events(self, since=0):
        return self.stored[since:]


def random_entry(rng, log, n):
    pair = sorted(rng.choice(6, 2, replace=False).tolist())
    who, key = str(rng.choice(["ann", "bob", "eve"])), f"k{n}"
    said = {"kind": "pair", "items": pair, "value": str(rng.choice(["same", "different", "unsure"], p=[0.5, 0.3, 0.2]))}
    chosen = rng.random()
    if chosen < 0.25 and (standing := [event.seq for event in log.standing()]):
        last = standing[-1] if rng.random() < 0.6 else int(rng.choice(standing))
        return Entry("withdraw", {"events": [last]}, who, key)
    if chosen < 0.3:
        return Entry("gold", said | {"value": "same"}, who, key)
    if chosen < 0.35:
        return Entry("adjudicate", said, who, key)
    if chosen < 0.4:
        return Entry(str(rng.choice(["bad", "restore"])), {"items": pair}, who, key)
    if chosen < 0.5:
        edit = {
            "what": "confirm",
            "group": 3,
            "items": pair,
            "memberships": [(3, "belongs", pair)],
            "seen": [(3, pair)],
        }
        return Entry("edit", edit, who, key)
    if chosen < 0.55:
        return Entry("grid", {"items": [0, 1, 2, 3], "odd": [3]}, who, key)
    shown = [{}, {"overlap": 2}, {"gold": "same"}][rng.choice(3, p=[0.7, 0.2, 0.1])]
    return Entry("answer", said | {"shown": shown}, who, key)


def plain(votes):
    ballots = {s: (b.need, [e.seq for e, _ in b.votes], b.ruling and b.ruling[0].seq) for s, b in votes.ballots.items()}
    said = [(event.seq, answer) for event, answer in votes.answers()]
    disputed = [ballot.votes[0][0].seq for ballot in votes.disputed()]
    return ballots, list(ballots), said, votes.waiting(), votes.tests(), disputed


@pytest.mark.parametrize("seed", range(25))
def test_what_is_kept_is_what_is_read_anew(seed):
    rng, store = np.random.default_rng(seed), Stored()
    kept = ProjectLog(store)
    for n in range(60):
        _, new = kept.append([random_entry(rng, Log(store.stored), n)])
        before = kept.snapshot()
        if None in [kept.take(event) for event in new]:
            kept.rebuild()
        fresh = Log(store.stored)
        assert plain(kept.votes) == plain(fresh.votes()) == plain(kept.snapshot().votes()) == plain(before.votes())
        counts = {}
        for event in fresh.standing():
            if event.kind != "gold" and (said := len(event.payload.judgements())):
                counts[event.annotator] = counts.get(event.annotator, 0) + said
        assert kept.n_answers_by_annotator() == counts
        assert kept.n_answers == sum(counts.values())
        assert kept.left_out() == fresh.bad()
        again = ProjectLog(store)
        again.follow()
        again.rebuild()
        assert list(kept.answered()) == list(again.answered())


def test_a_log_that_goes_its_own_way_has_votes_of_its_own():
    store = Stored()
    kept = ProjectLog(store)
    kept.append([Entry("answer", {"kind": "pair", "items": [0, 1], "value": "same"}, "ann", "k1")])
    kept.rebuild()
    supposed = kept.supposing([("answer", {"kind": "pair", "items": [1, 2], "value": "same"})])
    assert isinstance(supposed, KeptLog)
    assert len(supposed.votes().answers()) == 2
    assert len(kept.snapshot().votes().answers()) == 1
