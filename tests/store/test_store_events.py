"""Events: written once, given back as they were, taken back and restored, and folded into what holds."""

import math
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

from likewise.query import question
from likewise.query.answers.taken import TakenAnswers
from likewise.query.question import Answer
from likewise.session import Session
from likewise.store import Entry, KeyReusedError, NothingToUndoError, Store
from likewise.store.payloads import ANSWERS, KINDS, Merged, read_payload

SAME = {"kind": "pair", "items": [0, 1], "value": "same"}
DIFFERENT = {"kind": "pair", "items": [1, 2], "value": "different"}
EXAMPLES = {
    "adjudicate": {"kind": "pair", "items": [8, 9], "value": "unsure"},
    "answer": {"kind": "triplet", "items": [3, 1, 2], "value": "ac", "shown": {"strip": [[4, 5], []]}},
    "bad": {"items": [4]},
    "edit": {
        "what": "move",
        "group": 3,
        "items": [7, 8],
        "memberships": [[3, "belongs", [7, 8]], [1, "does_not_belong", [7]]],
        "seen": [[3, [5, 7, 8]], [1, []]],
    },
    "confirm": {"items": [7, 8, 9]},
    "gold": {"kind": "pair", "items": [6, 9], "value": "different"},
    "grid": {"items": [0, 1, 2, 3], "odd": [1, 3]},
    "merge": {"groups": [[0, 1], [5, 6], [2]]},
    "move": {"taken": [3, 4], "source": [1, 2], "target": [8, 9]},
    "name": {"items": [1, 2], "name": "oak"},
    "restore": {"items": [4]},
    "split": {"kept": [5, 6], "taken": [1, 2, 3]},
    "tag": {"items": [3, 4], "name": "oak tree", "value": "no"},
    "unconfirm": {"items": [8]},
    "unstack": {"items": [8, 9]},
    "withdraw": {"events": [1], "how": "choice"},
    "crowd": {"name": "w1", "kind": "keywords", "hits": [[0, 1, 2], [3, 4]], "overlap": 2},
    "crowd-start": {"name": "w1", "hit": 1},
    "crowd-hit": {"name": "w1", "hit": 1, "marks": [[3, ["red", "leaf"]], [4, []]]},
    "study": {"name": "s1", "plan": {"pairs": 1}},
    "study-start": {"name": "s1", "questions": [["pair", [0, 1], False], ["triplet", [2, 1, 0], True]]},
    "study-answer": {"name": "s1", "number": 0, "kind": "pair", "items": [0, 1], "value": "same"},
    "study-survey": {"name": "s1", "choices": {"preference": "pair"}, "comment": "easy"},
    "take-back": {"name": "s1", "events": [1]},
}
FOLLOWING = {
    "adjudicate": [("pair", (8, 9), "unsure")],
    "gold": [("pair", (6, 9), "different")],
    "answer": [("triplet", (3, 1, 2), "ac")],
    "grid": [("pair", (0, 2), "same"), ("pair", (0, 1), "different"), ("pair", (0, 3), "different")],
    "merge": [("pair", (0, 5), "same"), ("pair", (0, 2), "same")],
    "move": [("pair", (3, 8), "same"), ("pair", (4, 8), "same"), ("pair", (3, 1), "different")],
    "split": [("pair", (1, 2), "same"), ("pair", (1, 3), "same"), ("pair", (1, 5), "different")],
}
WRONG = [
    ("guess", {}, "no event of the kind 'guess'"),
    ("answer", [1, 2], "a payload is an object"),
    ("tag", {"items": [1], "name": "oak", "value": "maybe"}, "yes, no or open"),
    ("tag", {"items": [1], "name": " oak", "value": "yes"}, "no white space around it"),
    ("tag", {"items": [1], "name": " ", "value": "yes"}, "not empty"),
    ("answer", {"items": [0, 1], "value": "same"}, "'kind' is missing"),
    ("answer", {**SAME, "colour": 1}, "unknown field 'colour'"),
    ("answer", {**SAME, "kind": "quad"}, "one of pair, triplet, grid, pick"),
    ("answer", {**SAME, "items": [0, 1, 2]}, "a pair has not 3 items"),
    ("answer", {**SAME, "value": "ab"}, "one of same, different, unsure"),
    ("answer", {**SAME, "items": [0, 0]}, "names the same one twice"),
    ("answer", {**SAME, "items": [0, -1]}, "no image or event number"),
    ("answer", {**SAME, "items": [0, True]}, "no image or event number"),
    ("answer", {**SAME, "items": [0, 1.0]}, "no image or event number"),
    ("answer", {**SAME, "items": "01"}, "items is a list"),
    ("answer", {**SAME, "items": [0, 10]}, "image 10 is not there: there are 10"),
    ("answer", {**SAME, "shown": {"x": math.nan}}, "cannot be written as JSON"),
    ("answer", {**SAME, "shown": {"x": object()}}, "cannot be written as JSON"),
    ("answer", {**SAME, "shown": [1]}, "shown is an object"),
    ("bad", {"items": []}, "items is empty"),
    ("name", {"items": [1], "name": "\0"}, "a character that is none"),
    ("name", {"items": [1], "name": "\udc80"}, "a character that is none"),
    ("name", {"items": [1], "name": "x" * 1001}, "1001 characters"),
    ("name", {"items": [1], "name": 5}, "name is a text"),
    ("merge", {"groups": [[1, 2]]}, "at least two groups"),
    ("merge", {"groups": [[1, 2], [2]]}, "names the same one twice"),
    ("merge", {"groups": [[1], [2]], "statements": [[1, 3, "same"]]}, "not about the images"),
    ("merge", {"groups": [[1], [2]], "statements": [[1, 2, "unsure"]]}, "a statement is"),
    ("split", {"kept": [1], "taken": [1]}, "names the same one twice"),
    ("move", {"taken": [1], "target": [1]}, "names the same one twice"),
    ("grid", {"items": [1, 2], "odd": [3]}, "not among the items"),
    ("study-start", {"name": "s", "questions": [["pair", [0], False]]}, "a pair has not 1 items"),
    ("study-start", {"name": "s", "questions": [["pair", [0, 1]]]}, "a question is"),
    ("study-answer", {"name": "s", "number": 0, "kind": "pair", "items": [0, 1], "value": "ab"}, "no answer to a pair"),
    ("crowd", {"name": "w", "kind": "sorting", "hits": [[0]], "overlap": 1}, "keywords or for grouping"),
    ("crowd", {"name": "w", "kind": "keywords", "hits": [[0]], "overlap": 0}, "at least one person"),
    ("crowd-hit", {"name": "w", "hit": 0, "marks": [[0, []], [0, []]]}, "names the same one twice"),
    ("crowd-hit", {"name": "w", "hit": 0, "marks": [[0, ["x" * 101]]]}, "101 characters"),
    ("withdraw", {"events": [1], "how": "magic"}, "undo, redo or choice"),
    ("withdraw", {"events": [7]}, "there is no event 7"),
    ("withdraw", {"events": [2]}, "there is no event 2"),
]


def test_the_words_on_disk_are_those_of_the_questions():
    assert ANSWERS == question.ANSWERS


def test_every_kind_is_given_back_as_it_was_written(project, store):
    project.append("answer", SAME, annotator="ann")
    written = [
        project.append(kind, payload, annotator=f"{kind} 🍂", key=f"key-{kind}", seconds=0.1 + 0.2)
        for kind, payload in EXAMPLES.items()
        if kind != "withdraw"
    ]
    written.append(project.append("withdraw", EXAMPLES["withdraw"]))
    assert {event.kind for event in written} == set(KINDS)
    again = store.project("leaves")
    assert again.events(since=1) == written
    assert [event.seq for event in again.events()] == list(range(1, len(written) + 2))
    assert [event.as_dict() for event in again.log().standing()] == [event.as_dict() for event in written]
    assert written[0].seconds == 0.1 + 0.2
    assert all(abs(event.at - datetime.now(UTC)) < timedelta(minutes=5) for event in written)
    assert [each.name for each in project.annotators()] == ["ann", *(e.annotator for e in written)]


@pytest.mark.parametrize("kind", EXAMPLES)
def test_what_follows_for_pairs(kind):
    payload = read_payload(kind, EXAMPLES[kind])
    assert payload.judgements() == FOLLOWING.get(kind, [])
    assert read_payload(kind, payload) == payload
    assert read_payload(kind, payload.data()) == payload


def test_given_statements_replace_those_that_follow():
    given = {"groups": [[1, 2], [3]], "statements": [[2, 3, "same"], [1, 3, "different"]]}
    expected = [("pair", (2, 3), "same"), ("pair", (1, 3), "different")]
    assert read_payload("merge", given).judgements() == expected
    assert read_payload("merge", {**given, "statements": []}).judgements() == []
    assert read_payload("grid", {"items": [4, 5], "odd": [5, 4]}).judgements() == []
    numbers = np.array([1, 2])
    assert read_payload("bad", {"items": numbers}).items == (1, 2)


@pytest.fixture(scope="module")
def sqlite_project(tmp_path_factory):
    with Store.open(tmp_path_factory.mktemp("refused")) as store:
        project = store.create_project("leaves")
        project.add_items(f"{i}.jpg" for i in range(10))
        project.append("answer", SAME, annotator="ann")
        yield project


@pytest.mark.parametrize(("kind", "payload", "words"), WRONG)
def test_what_is_wrong_is_refused_and_nothing_is_written(sqlite_project, kind, payload, words):
    project = sqlite_project
    before = project.events()
    with pytest.raises(ValueError, match=words):
        project.append(kind, payload, annotator="new")
    with pytest.raises(ValueError, match=words):
        project.append_many(
            [Entry("answer", SAME, "new"), Entry(kind, payload)] if kind != "withdraw" else [Entry(kind, payload)]
        )
    assert project.events() == before
    assert [each.name for each in project.annotators()] == [event.annotator for event in before]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"seconds": -1}, "how long"),
        ({"seconds": math.inf}, "how long"),
        ({"key": ""}, "key is empty"),
        ({"key": "k" * 201}, "201 characters"),
        ({"annotator": "a\0"}, "a character that is none"),
        ({"annotator": None}, "is a text"),
    ],
)
def test_who_when_and_key_are_checked(sqlite_project, more, words):
    with pytest.raises(ValueError, match=words):
        sqlite_project.append("answer", SAME, **more)
    with pytest.raises(ValueError, match="Merged"):
        sqlite_project.append("split", Merged(groups=((0,), (1,))))
    with pytest.raises(ValueError, match="time zone"):
        sqlite_project.append_many([Entry("answer", SAME, at=datetime(2025, 1, 1))])
    assert len(sqlite_project.events()) == 1


def test_a_key_stands_for_one_event(project):
    first = project.append("answer", SAME, annotator="ann", key="k", seconds=2.5)
    assert project.append("answer", dict(reversed(SAME.items())), annotator="ann", key="k", seconds=2.5) == first
    for kind, payload, annotator, seconds in [
        ("answer", {**SAME, "value": "different"}, "ann", 2.5),
        ("answer", SAME, "bob", 2.5),
        ("answer", SAME, "ann", None),
        ("bad", {"items": [0, 1]}, "ann", 2.5),
    ]:
        with pytest.raises(KeyReusedError, match=f"'k' is that of event {first.seq}"):
            project.append(kind, payload, annotator=annotator, key="k", seconds=seconds)
    with pytest.raises(KeyReusedError, match="not this undo"):
        project.undo("ann", key="k")
    undone = project.undo("ann", key="u")
    assert project.undo("ann", key="u") == undone
    with pytest.raises(KeyReusedError, match="not this undo"):
        project.undo("bob", key="u")
    with pytest.raises(KeyReusedError, match="not this redo"):
        project.redo("ann", key="u")
    withdrawn = project.append("withdraw", {"events": [undone.seq]}, key="w")
    assert project.append("withdraw", {"events": [undone.seq]}, key="w") == withdrawn
    assert project.events() == [first, undone, withdrawn]


def test_many_at_once_are_all_written_or_none(project):
    zone = timezone(timedelta(hours=2))
    moment = datetime(2024, 5, 1, 12, 30, 15, 123456, tzinfo=zone)
    entries = [
        Entry("answer", SAME, "ann", "a", 1.0, moment),
        Entry("answer", DIFFERENT, "bob", "b"),
        Entry("withdraw", {"events": [1]}, "ann", "c"),
        Entry("answer", SAME, "ann", "a", 1.0, moment),
    ]
    events = project.append_many(entries)
    assert [event.seq for event in events] == [1, 2, 3, 1]
    assert events[0].at == moment
    assert events[0].at.tzinfo == UTC
    assert project.append_many(entries) == events
    assert project.events() == events[:3]
    with pytest.raises(ValueError, match="event 1 has already been taken back"):
        project.append_many([Entry("answer", SAME, "eve"), Entry("withdraw", {"events": [1]})])
    with pytest.raises(KeyReusedError):
        project.append_many([Entry("bad", {"items": [1]}, "eve", "x"), Entry("bad", {"items": [2]}, "eve", "x")])
    assert project.append_many([]) == []
    assert project.events() == events[:3]
    assert [each.name for each in project.annotators()] == ["ann", "bob"]


def test_a_whole_log_moves_to_another_project_unchanged(project, store):
    for kind, payload in EXAMPLES.items():
        project.append(kind, payload, annotator=kind, seconds=1.25)
    project.undo("merge")
    events = project.events()
    other = store.create_project("copy")
    other.add_items(image.path for image in project.items())
    other.append_many(Entry(e.kind, e.payload, e.annotator, e.key, e.seconds, e.at) for e in events)
    assert other.events() == events
    assert other.answers() == project.answers()


def test_undo_and_redo(project):
    ann = [project.append("answer", SAME, annotator="ann"), project.append("bad", {"items": [5]}, annotator="ann")]
    bob = project.append("name", {"items": [1], "name": "oak"}, annotator="bob")
    undone = project.undo("ann")
    assert undone.payload.events == (ann[1].seq,)
    assert project.bad_images() == []
    assert project.undo("ann").payload.events == (ann[0].seq,)
    with pytest.raises(NothingToUndoError, match="annotator 'ann' has nothing to undo"):
        project.undo("ann")
    assert [event.seq for event in project.log().standing() if event.kind != "withdraw"] == [bob.seq]
    project.redo("ann")
    assert [answer.items for answer in project.answers()] == [(0, 1)]
    project.redo("ann")
    assert project.bad_images() == [5]
    with pytest.raises(NothingToUndoError, match="nothing to redo"):
        project.redo("ann")
    project.undo("ann")
    project.append("answer", DIFFERENT, annotator="ann")
    with pytest.raises(NothingToUndoError, match="nothing to redo"):
        project.redo("ann")
    with pytest.raises(NothingToUndoError, match="the annotator has nothing to undo"):
        project.undo()


def test_a_chosen_withdrawal_is_undone_like_anything_else(project):
    said = project.append("answer", SAME, annotator="ann")
    project.append("withdraw", {"events": [said.seq]}, annotator="judge")
    assert project.answers() == []
    with pytest.raises(NothingToUndoError):
        project.undo("ann")
    project.undo("judge")
    assert len(project.answers()) == 1
    project.redo("judge")
    assert project.answers() == []


def test_the_last_word_on_an_image_holds(project):
    project.append("name", {"items": [1, 2, 3], "name": "oak"})
    first = project.append("name", {"items": [4], "name": "<b>elm</b>\n"})
    project.append("name", {"items": [3], "name": "ash"})
    assert [(n.name, n.items) for n in project.names()] == [("oak", (1, 2)), ("<b>elm</b>\n", (4,)), ("ash", (3,))]
    project.append("name", {"items": [2, 4], "name": ""})
    assert [(n.name, n.items) for n in project.names()] == [("oak", (1,)), ("ash", (3,))]
    project.undo()
    assert project.names()[1].seq == first.seq
    project.append("confirm", {"items": [1, 2, 3]})
    project.append("confirm", {"items": [6, 5]})
    project.append("confirm", {"items": [3, 9]})
    assert project.confirmed() == [(1, 2), (6, 5), (3, 9)]
    project.append("unconfirm", {"items": [5, 3, 9]})
    assert project.confirmed() == [(1, 2), (6,)]
    project.append("bad", {"items": [8, 1]})
    project.append("restore", {"items": [8]})
    assert project.bad_images() == [1]
    project.undo()
    assert project.bad_images() == [1, 8]


def test_a_confirmed_group_is_the_same_as_long_as_it_is_confirmed(project):
    def told():
        taken = TakenAnswers(10)
        for answer in project.answers():
            taken.take(answer)
        return {tuple(sorted(group)) for group in taken.constraints.groups() if len(group) > 1}

    project.append("confirm", {"items": [4, 1, 7, 2]}, annotator="ann")
    assert told() == {(1, 2, 4, 7)}
    project.append("unconfirm", {"items": [4]}, annotator="bob")  # the others stay together
    assert told() == {(1, 2, 7)}
    project.undo("bob")
    assert told() == {(1, 2, 4, 7)}
    project.append("confirm", {"items": [7, 8]}, annotator="bob")
    assert told() == {(1, 2, 4), (7, 8)}
    project.undo("bob")
    project.undo("ann")
    assert told() == set()
    project.redo("ann")
    assert told() == {(1, 2, 4, 7)}


def test_a_session_is_rebuilt_exactly(project):
    X = np.random.default_rng(0).normal(size=(10, 2))
    live = Session(X, strategy="random", n_clusters=3, random_state=7)
    for turn in range(12):
        question = live.ask(annotator=f"a{turn % 2}")
        value = ("same", "different", "unsure")[turn % 3]
        live.answer(question, value, annotator=f"a{turn % 2}", seconds=turn / 7)
        said = {"kind": question.kind, "items": question.items, "value": value}
        project.append("answer", said, annotator=f"a{turn % 2}", seconds=turn / 7)
    for event in (project.append("merge", {"groups": [[0, 1], [5], [7]]}, annotator="a0", seconds=3.0),):
        assert [answer.seconds for answer in event.answers()] == [1.5, 1.5]
        live.replay(event.answers())
    live.replay([Answer("triplet", (2, 3, 4), "none", "a1")])
    project.append("answer", {"kind": "triplet", "items": [2, 3, 4], "value": "none"}, annotator="a1")
    project.append("bad", {"items": [9]})
    project.append("answer", SAME, annotator="a1")
    project.undo("a1")
    rebuilt = project.rebuild(Session(X, strategy="random", n_clusters=3, random_state=7))
    assert rebuilt.history == live.history == project.answers()
    assert rebuilt.conflicts == live.conflicts
    assert rebuilt.labels_.tolist() == live.labels_.tolist()
    assert rebuilt.ask() == live.ask()
