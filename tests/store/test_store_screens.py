"""Grids and picks: one event a screen, voted on pair by pair, read as screens again."""

import signal
import subprocess
import sys
import time
from datetime import UTC, datetime

import numpy as np
import pytest

from likewise.app.kept_votes import KeptVotes
from likewise.query.question import Answer
from likewise.store import Entry, KeyReusedError, Log, Store
from likewise.store.archive import read_archive, write_archive
from likewise.store.event_rows import SET_ASIDE
from likewise.store.statements import join_parts, split_answer
from likewise.store.votes import Votes
from tests.store.test_store_votes import TWO, slow_combination

NOW = datetime(2026, 1, 1, tzinfo=UTC)
GRID = {"kind": "grid", "items": [0, 3, 1, 2], "value": "marked", "chosen": [2, 3]}
PICK = {"kind": "pick", "items": [4, 0, 5], "value": "chosen", "chosen": [5]}


def screen(seq, who, form, items, value, chosen=(), kind="answer", **shown):
    payload = {"kind": form, "items": items, "value": value, "shown": shown}
    payload |= {"chosen": list(chosen)} if form in ("grid", "pick") else {}
    return Entry(kind, payload, who, f"k{seq}").checked().numbered(seq, NOW)


def statements(log):
    return sorted((min(i, j), max(i, j), said) for answer in log.answers() for i, j, said in answer.statements())


def test_a_screen_is_one_event_and_one_answer(project):
    event = project.append("answer", GRID, annotator="ann", seconds=8.0, key="a screen")
    (answer,) = project.answers()
    assert answer == Answer("grid", (0, 3, 1, 2), "marked", "ann", 8.0, chosen=(3, 2))  # in the order shown
    assert statements(project.log()) == [(0, 1, "same"), (0, 2, "different"), (0, 3, "different")]
    assert project.append("answer", GRID | {"chosen": [3, 2]}, annotator="ann", seconds=8.0, key="a screen") == event
    with pytest.raises(KeyReusedError):
        project.append("answer", GRID | {"chosen": []}, annotator="ann", seconds=8.0, key="a screen")
    project.append("answer", PICK, annotator="ann")
    assert statements(project.log())[-2:] == [(0, 4, "different"), (4, 5, "same")]
    assert [event.kind for event in project.events()] == ["answer", "answer"]


def test_undo_and_redo_take_a_screen_as_a_whole(project):
    project.append("answer", {"kind": "pair", "items": [7, 8], "value": "same"}, annotator="ann")
    project.append("answer", GRID, annotator="ann")
    before = statements(project.log())
    project.undo("ann")
    assert statements(project.log()) == [(7, 8, "same")]
    project.redo("ann")
    assert statements(project.log()) == before


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"items": [0]}, "a grid has not 1 items"),
        ({"items": list(range(10)) * 20}, "the same one twice"),
        ({"items": list(range(200))}, "a grid has not 200 items"),
        ({"value": "same"}, "marked, unsure"),
        ({"chosen": [0]}, "not among those shown"),
        ({"chosen": [9]}, "not among those shown"),
        ({"value": "unsure"}, "chosen is empty"),
        ({"kind": "pick", "value": "chosen"}, "one group is chosen, got 2"),
        ({"kind": "pick", "value": "none"}, "chosen is empty"),
        ({"kind": "pair", "items": [0, 1], "value": "same", "chosen": [1]}, "chosen is empty"),
        ({"kind": "heap"}, "pair, triplet, grid, pick"),
    ],
)
def test_what_is_no_answer_to_a_screen_is_refused_in_a_sentence(project, change, why):
    with pytest.raises(ValueError, match=why):
        project.append("answer", GRID | change)
    assert project.events() == []


@pytest.mark.parametrize("kind", ["gold", "adjudicate"])
def test_what_is_decided_is_a_pair_and_no_screen(project, kind):
    with pytest.raises(ValueError, match="pair or a triplet"):
        project.append(kind, GRID)


def test_pairs_are_written_as_they_always_were(project):
    event = project.append("answer", {"kind": "pair", "items": [0, 1], "value": "same"})
    assert event.payload.data() == {"kind": "pair", "items": (0, 1), "value": "same", "shown": {}}


def test_an_archive_brings_screens_along(project, store, tmp_path):
    project.append("answer", GRID, annotator="ann", seconds=8.0)
    project.append("answer", PICK | {"value": "unsure", "chosen": []}, annotator="bob")
    write_archive(project, tmp_path / "kept.zip", tmp_path / "files")
    with Store.open(tmp_path / "other") as other:
        copy = read_archive(other, tmp_path / "kept.zip")
        assert [event.as_dict() for event in copy.events()] == [event.as_dict() for event in project.events()]
        assert copy.answers() == project.answers()


def test_two_people_agree_pair_by_pair():
    votes = Votes(
        [
            screen(1, "ann", "grid", [0, 1, 2, 3], "marked", [3], **TWO),
            screen(2, "bob", "grid", [0, 1, 2, 3], "marked", [2, 3], **TWO),
        ]
    )
    assert [(event.seq, answer.items, answer.chosen) for event, answer in votes.answers()] == [(1, (0, 1, 3), (3,))]
    (ballot,) = votes.disputed()
    assert {(event.seq, answer.items, answer.value) for event, answer in ballot.votes} == {
        (1, (0, 2), "same"),
        (2, (0, 2), "different"),
    }
    assert votes.waiting() == {(0, 2)}


def test_a_decision_on_one_pair_leaves_the_rest_of_the_screen():
    events = [
        screen(1, "ann", "pick", [0, 1, 2, 3], "chosen", [2]),
        screen(2, "boss", "pair", [0, 2], "different", kind="adjudicate"),
    ]
    told = [(answer.kind, answer.items, answer.value) for _, answer in Votes(events).answers()]
    assert told == [("pick", (0, 1, 3), "none"), ("pair", (0, 2), "different")]


def in_pairs(event):
    """An event of a screen as it would be had each pair been asked for itself."""
    (answer,) = event.answers()
    if answer.value == "unsure" or answer.kind == "pair":
        return [event]
    return [
        screen(event.seq, event.annotator, "pair", list(part.items), part.value, **event.payload.shown)
        for part in split_answer(answer)
    ]


@pytest.mark.parametrize("seed", range(40))
def test_votes_on_screens_are_votes_on_their_pairs(seed):
    rng = np.random.default_rng(seed)
    overlap = int(rng.integers(1, 4))
    events, votes, before = [], KeptVotes(), []
    for seq in range(1, 30):
        who, items = f"p{rng.integers(4)}", rng.permutation(6)[: rng.integers(2, 6)].tolist()
        form = str(rng.choice(["grid", "pick", "pair", "ruling"], p=[0.4, 0.3, 0.2, 0.1]))
        shown = {"overlap": overlap} | ({"control": True} if rng.random() < 0.3 else {})
        if form == "grid":
            new = screen(seq, who, form, items, "marked", [k for k in items[1:] if rng.random() < 0.3], **shown)
        elif form == "pick":
            value = str(rng.choice(["chosen", "none", "unsure"], p=[0.6, 0.3, 0.1]))
            new = screen(seq, who, form, items, value, items[1:2] if value == "chosen" else [], **shown)
        else:
            value, kind = str(rng.choice(["same", "different"])), "adjudicate" if form == "ruling" else "answer"
            new = screen(seq, who, "pair", items[:2], value, kind=kind, **shown)
        events.append(new)
        told = votes.add(new)
        now = votes.answers()
        assert now == Votes(events).answers()
        if told is not None:
            assert now == before + told
        before = now
    slow = slow_combination([part for event in events for part in in_pairs(event)])
    ranks = sorted((rank[0], answer.value) for rank, _, answer in votes._in_order)
    assert ranks == slow
    said = sorted((event.seq, part.items, part.value) for event, a in before for part in split_answer(a))
    parts = [(event.seq, part.items, part.value) for _, event, a in votes._in_order for part in split_answer(a)]
    assert said == sorted(parts), "nothing is lost where pairs are put together again"
    gone = events[int(rng.integers(len(events)))]
    if votes.remove(gone):
        assert votes.answers() == Votes([event for event in events if event is not gone]).answers()


def test_a_part_of_a_screen_takes_a_part_of_its_time():
    whole = Answer("grid", (0, 1, 2, 3, 4), "marked", "ann", 8.0, chosen=(2, 4))
    part = join_parts(whole, {1, 2})
    assert (part.items, part.chosen, part.seconds) == ((0, 1, 2), (2,), 4.0)
    assert join_parts(whole, {1, 2, 3, 4}) is whole
    assert sum(each.seconds for each in split_answer(whole)) == 8.0


WRITER = """
import sys
from likewise.store import Store
with Store.open(sys.argv[1]) as store:
    project = store.project("leaves")
    n = int(sys.argv[2])
    while True:
        chosen = [k for k in range(1, 31) if (n >> (k % 8)) & 1]
        project.append("answer", {"kind": "grid", "items": list(range(31)), "value": "marked", "chosen": chosen},
                       annotator="ann", key=f"screen {n}", seconds=10.0)
        print(n, flush=True)
        n += 1
"""


def test_a_kill_leaves_every_screen_whole_or_not_at_all(tmp_path):
    with Store.open(tmp_path) as store:
        store.create_project("leaves").add_items(f"{k}.jpg" for k in range(31))
    told = 0
    for _ in range(4):
        command = [sys.executable, "-c", WRITER, str(tmp_path), str(told)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            for _ in range(3):
                told = int(writer.stdout.readline()) + 1
            time.sleep(0.01 * (told % 3))
            writer.send_signal(signal.SIGKILL)
            told = max([told, *(int(line) + 1 for line in writer.stdout if line.endswith("\n"))])
        with Store.open(tmp_path) as store:
            events = store.project("leaves").events()
            assert len(events) in (told, told + 1), "what was told is there, and at most the one that was under way"
            told = len(events)
            for n, event in enumerate(events):
                assert event.kind != SET_ASIDE
                wanted = [k for k in range(1, 31) if (n >> (k % 8)) & 1]
                assert (event.key, list(event.payload.chosen)) == (f"screen {n}", wanted)
            assert len(statements(Log(events))) == 30 * len(events)
