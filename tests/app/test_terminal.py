"""The terminal and the page ask about the same project, by the same two verbs."""

from pathlib import Path

import pytest

from likewise.app.people import Person
from likewise.app.screens import ShownQuestion
from likewise.cli import ask

TRUTH = [kind for kind in range(4) for _ in range(6)]


class Script:
    """A person at the terminal who answers by the truth, for so many questions."""

    def __init__(self, monkeypatch, live, n):
        self.live, self.left, self.lines, self.asked = live, n, [], []
        monkeypatch.setattr(ask.typer, "prompt", self.prompt)
        monkeypatch.setattr(ask.typer, "echo", self.lines.append)
        monkeypatch.setattr(ask, "_ask_one", self.watch(ask._ask_one))

    def watch(self, ask_one):
        def watched(live, folder, person, question):
            self.asked.append(question)
            return ask_one(live, folder, person, question)

        return watched

    def prompt(self, words):
        self.left -= 1
        if self.left < 0:
            return "q"
        question = self.asked[-1]
        kinds = [TRUTH[picture.id] for picture in question.items]
        if question.kind == "pair":
            assert "same (s)" in words
            return "s" if kinds[0] == kinds[1] else "d"
        assert "A and B (1)" in words
        a, b, c = kinds
        if a == b == c or len({a, b, c}) == 3:
            return "0"
        return "1" if a == b else "2" if a == c else "3"


def answers(live):
    return [event for event in live.log().standing() if event.kind == "answer"]


def items_on_page(page, annotator="ann"):
    return [item["id"] for item in page.get("question", annotator=annotator)["items"]]


def test_pairs_in_the_terminal_are_those_of_the_page(page, monkeypatch):
    first = items_on_page(page)
    script = Script(monkeypatch, page.live, 5)
    ask.ask_until_done(page.live, Path("photos"), Person("manager", "ann"))
    assert [picture.id for picture in script.asked[0].items] == first
    stored = answers(page.live)
    assert [event.payload.items for event in stored] == [
        tuple(picture.id for picture in question.items) for question in script.asked[:5]
    ]
    assert len({frozenset(event.payload.items) for event in stored}) == 5  # none twice
    assert all(event.annotator == "ann" and event.seconds is not None for event in stored)
    page.wait()
    assert items_on_page(page) == [picture.id for picture in script.asked[-1].items]
    assert any(line.endswith(".jpg") for line in script.lines)


def test_triplets_in_the_terminal_are_stored_as_triplets_and_none_is_asked_twice(page, monkeypatch):
    page.client.put("/api/settings", json={"kind": "triplet"})
    script = Script(monkeypatch, page.live, 6)
    ask.ask_until_done(page.live, Path("photos"), Person("manager", "ann"))
    stored = answers(page.live)
    assert len(stored) == 6
    assert {event.payload.kind for event in stored} <= {"pair", "triplet"}
    assert any(event.payload.kind == "triplet" for event in stored)
    assert [len(event.payload.items) for event in stored] == [
        3 if event.payload.kind == "triplet" else 2 for event in stored
    ]
    assert len({frozenset(event.payload.items) for event in stored}) == 6
    assert len(script.asked) == 7


def test_check_questions_come_to_the_terminal_and_are_marked(page, monkeypatch):
    page.live.settings["check_rate"] = 1.0
    script = Script(monkeypatch, page.live, 30)
    ask.ask_until_done(page.live, Path("photos"), Person("manager", "ann"))
    checks = [question for question in script.asked[:30] if question.check]
    marked = [event for event in answers(page.live) if "check" in event.payload.shown]
    assert len(checks) == len(marked) > 0
    assert all(0 < event.payload.shown["check"] <= 1 for event in marked)


def test_gold_questions_come_to_the_terminal_and_count_as_on_the_page(page, monkeypatch):
    pairs = [[0, 1, "same"], [0, 6, "different"], [7, 8, "same"], [12, 18, "different"]]
    page.post("team/gold", pairs=pairs, annotator="boss")
    page.wait()
    page.live.settings["gold_rate"] = 1.0
    script = Script(monkeypatch, page.live, 4)
    ask.ask_until_done(page.live, Path("photos"), Person("annotator", "bob"))
    stored = answers(page.live)
    assert {frozenset(event.payload.items) for event in stored} == {frozenset(pair[:2]) for pair in pairs}
    assert all(event.payload.shown["gold"] == event.payload.value for event in stored)
    assert all(question.reason == "" for question in script.asked)
    (row,) = (each for each in page.get("team")["people"] if each["name"] == "bob")
    assert (row["gold"], row["accuracy"][1]) == (4, 1.0)


@pytest.mark.parametrize("typed", ["", "yes", "x9"])
def test_what_is_no_answer_is_said_and_asked_again(page, monkeypatch, typed):
    script = Script(monkeypatch, page.live, 1)
    told = iter([typed, "q"])
    monkeypatch.setattr(ask.typer, "prompt", lambda words: next(told))
    ask.ask_until_done(page.live, Path("photos"), Person("manager", "ann"))
    assert answers(page.live) == []
    assert script.asked[0] == script.asked[1]
    assert any("is no answer" in line for line in script.lines)


def test_undo_and_leaving_a_picture_out(page, monkeypatch):
    script = Script(monkeypatch, page.live, 0)
    told = iter(["s", "z", "xa", "q"])
    monkeypatch.setattr(ask.typer, "prompt", lambda words: next(told))
    ask.ask_until_done(page.live, Path("photos"), Person("manager", "ann"))
    assert answers(page.live) == []
    left_out = script.asked[2].items[0].id
    first, _, again = ([item.id for item in question.items] for question in script.asked[:3])
    assert first == again  # the one that was taken back
    assert page.get("bad") == [left_out]
    assert isinstance(script.asked[3], ShownQuestion)
    assert left_out not in [picture.id for picture in script.asked[3].items]
