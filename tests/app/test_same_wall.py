"""The wall of arrays is the wall that is built picture by picture, on many random cases."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from likewise.app import edits
from likewise.app.browsing import members_hash
from likewise.app.evidence import Evidence, SourcedLedger
from likewise.app.kept_log import KeptLog
from likewise.app.wall import Clustering, Wall, build_wall, changes, order_by, order_by_doubt, wall_of_log
from likewise.store import Entry, Log
from tests.app.slow_wall import slow_changes, slow_wall

N = 40
START = datetime(2026, 1, 1, tzinfo=UTC)


class Story:
    """A project in which people and the engine do random things; two walls of it, and two logs."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.log, self.kept = Log(), KeptLog()
        self.outvote = bool(self.rng.random() < 0.5)
        self.fast = self.slow = None
        self.cluster()
        self.compare()

    def add(self, kind, payload, annotator="ann"):
        entry = Entry(kind, payload, annotator, key=f"key-{len(self.log)}").checked()
        event = entry.numbered(len(self.log) + 1, START + timedelta(seconds=len(self.log)))
        self.log.add(event)
        self.kept.add(event)

    def cluster(self):
        """The engine has another idea, of other pictures."""
        there = np.flatnonzero(self.rng.random(N) < self.rng.choice([0.0, 0.5, 0.95], p=[0.1, 0.2, 0.7]))
        labels = self.rng.choice([0, 1, 2, 3, 5, 8, 900], len(there), p=[0.3, 0.25, 0.15, 0.1, 0.1, 0.05, 0.05])
        doubt = np.round(self.rng.uniform(0, 0.5, len(there)), 1).astype(np.float32)
        self.clustering = Clustering(len(self.log), there, labels.astype(np.int64), doubt)

    def constraints(self):
        ledger = SourcedLedger()
        ledger.become(N, Evidence.of(self.log.votes()), outvote=self.outvote)
        return ledger.constraints

    def compare(self):
        """Build both walls, and compare all there is of them."""
        constraints = self.constraints() if self.rng.random() < 0.9 else None
        clustering = self.clustering.without(self.log.bad())
        fast = build_wall(clustering, self.log.groups(), constraints, self.fast)
        slow = slow_wall(clustering, self.log.groups(), constraints, self.slow)
        same_wall(fast, slow)
        same_wall(wall_of_log(self.clustering, self.kept.copy(), constraints, self.fast), slow)
        if self.fast is not None:
            assert changes(self.fast, fast) == slow_changes(self.slow, slow)
        self.fast, self.slow = fast, slow

    def some(self, images):
        return self.rng.choice(images, int(self.rng.integers(1, len(images) + 1)), replace=False).tolist()

    def edit(self):
        """Something by hand, whatever it contradicts."""
        if not self.fast.clusters:
            return
        board = edits.Board(self.fast, self.log.groups(), self.constraints())
        number, other = self.rng.choice(list(self.fast.clusters), 2).tolist()
        images = self.fast.clusters[number].images
        make = [
            lambda: edits.name_cluster(board, number, self.rng.choice(["", "oak", "elm"])),
            lambda: edits.confirm_cluster(board, number),
            lambda: edits.unconfirm_cluster(board, number),
            lambda: edits.merge_clusters(board, [number, other]),
            lambda: edits.split_cluster(board, number, self.some(images), as_group=bool(self.rng.integers(2))),
            lambda: edits.move_pictures(board, self.some(images), other),
            lambda: edits.reject_pictures(board, number, self.some(list(self.fast.cluster_of))),
            lambda: edits.open_pictures(board, number, self.some(images)),
            lambda: edits.check_cluster(board, number, self.some(images), []),
        ]
        with suppress(ValueError, edits.NotThereError):
            self.add("edit", make[self.rng.integers(len(make))]().payload())

    def answer(self):
        i, j = self.rng.choice(N, 2, replace=False).tolist()
        value = self.rng.choice(["same", "different", "different"])
        self.add("answer", {"kind": "pair", "items": [i, j], "value": str(value)})

    def old(self):
        """What versions of before wrote."""
        items = self.rng.choice(N, 4, replace=False).tolist()
        kind = str(self.rng.choice(["name", "confirm", "unconfirm"]))
        self.add(kind, {"items": items} | ({"name": "ash"} if kind == "name" else {}))

    def leave_out(self):
        items = self.rng.choice(N, 2, replace=False).tolist()
        self.add(str(self.rng.choice(["bad", "restore"])), {"items": items})

    def take_back(self):
        standing = [event.seq for event in self.log.standing()]
        if standing:
            self.add("withdraw", {"events": [int(self.rng.choice(standing))]})

    def go_on(self):
        steps = [self.edit, self.answer, self.old, self.leave_out, self.take_back, self.cluster]
        chosen = self.rng.choice(len(steps), p=[0.35, 0.3, 0.05, 0.05, 0.1, 0.15])
        steps[chosen]()
        self.compare()


def same_wall(fast, slow):
    assert list(fast.clusters) == list(slow.clusters)
    for number, other in slow.clusters.items():
        one = fast.clusters[number]
        assert (one.name, one.touched, one.confirmed, one.placed) == (
            other.name,
            other.touched,
            other.confirmed,
            other.placed,
        )
        assert one.images.tolist() == other.images.tolist()
        assert one.doubt.tolist() == other.doubt.tolist()
        assert one.suggested.tolist() == other.suggested.tolist()
    assert dict(fast.cluster_of) == dict(slow.cluster_of)
    assert (fast.version, fast.next_id, fast.numbers) == (slow.version, slow.next_id, slow.numbers)


@pytest.mark.parametrize("seed", range(20))
def test_the_wall_is_as_picture_by_picture(seed):
    story = Story(seed)
    for _ in range(20):
        story.go_on()


def test_many_parts_are_sorted_as_by_a_stable_sort():
    parts = np.random.default_rng(0).integers(0, 200_000, 5000)
    parts[::7] = parts[0]
    assert order_by(parts).tolist() == np.argsort(parts, kind="stable").tolist()


def test_doubt_is_sorted_as_by_a_stable_sort():
    doubt = np.random.default_rng(0).uniform(0, 1, 3000).round(2).astype(np.float32)
    doubt[:3] = 0.0, -0.0, 1.0
    assert order_by_doubt(doubt).tolist() == np.argsort(doubt, kind="stable").tolist()


def test_the_hash_of_the_members_changes_with_the_members_alone():
    def wall_of(numbers):
        return Wall(0, {}, dict(zip([2, 5, 6, 9], numbers, strict=True)), 0)

    base = members_hash(wall_of([0, 0, 1, 2]))
    assert members_hash(wall_of([2**30 + 7, 2**30 + 7, 4, 0])) == base
    for other in ([0, 0, 1, 1], [0, 1, 1, 2], [0, 1, 0, 2], [0, 0, 0, 0]):
        assert members_hash(wall_of(other)) != base
    assert members_hash(Wall(0, {}, {}, 0)) == members_hash(Wall(0, {}, {}, 0))
