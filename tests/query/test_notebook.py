"""A page in a notebook asks every form of question, and what is pressed there is an answer."""

import base64
import io
import sys

import numpy as np
import pytest
from PIL import Image
from sklearn.datasets import load_digits

from likewise import Question, Session
from likewise.query.notebook.desk import NotebookDesk
from likewise.query.notebook.pictures import SIDE, picture_address, show_item

X, truth = load_digits(return_X_y=True)
X, truth, PICTURES = X[:60] / 16, truth[:60], load_digits().images[:60] / 16


def number(item):
    return f"<p>{item}</p>"


def value_of(view):
    """What somebody who knows the truth presses."""
    first, *rest = (truth[shown["item"]] for shown in view["items"])
    others = [shown["item"] for shown in view["items"][1:]]
    if view["kind"] == "pair":
        return "same" if first == rest[0] else "different"
    if view["kind"] == "grid":
        return [item for item, label in zip(others, rest, strict=True) if label != first]
    return next((item for item, label in zip(others, rest, strict=True) if label == first), "none")


@pytest.mark.parametrize("form", ["pair", "grid", "pick"])
def test_a_person_at_the_desk_answers_what_a_loop_would(form):
    by_hand, session = (Session(X, random_state=0, forms=(form,)) for _ in range(2))
    desk = NotebookDesk(session, number, "ann")
    kinds = set()
    for _ in range(15):
        view = desk.view()
        question = by_hand.ask(annotator="ann")
        assert (view["kind"], [shown["item"] for shown in view["items"]]) == (question.kind, list(question.items))
        assert view["items"][0]["html"] == number(question.items[0])
        by_hand.answer(question, value_of(view), annotator="ann", seconds=1.5)
        assert desk.take({"type": "answer", "number": view["number"], "value": value_of(view), "seconds": 1.5}) == ""
        kinds.add(view["kind"])
    assert session.history == by_hand.history
    assert form in kinds


def test_a_press_for_an_earlier_question_and_nonsense_are_left_alone():
    session = Session(X, random_state=0)
    desk = NotebookDesk(session, number)
    view = desk.view()
    press = {"type": "answer", "number": view["number"], "value": "same"}
    assert desk.take(press) == ""
    for message in (press, {"type": "answer"}, {"type": "dance"}, None, [], "same"):
        assert desk.take(message) == ""
    assert len(session.history) == 1
    assert "one of same, different, unsure" in desk.take(
        {"type": "answer", "number": view["number"] + 1, "value": "perhaps"}
    )
    assert len(session.history) == 1


def test_undo_takes_back_and_asks_again():
    session = Session(X, random_state=0)
    desk = NotebookDesk(session, number)
    assert desk.take({"type": "undo"}) == "nothing to undo"
    view = desk.view()
    desk.take({"type": "answer", "number": view["number"], "value": "same"})
    desk.take({"type": "undo"})
    again = desk.view()
    assert (session.history, again["items"]) == ([], view["items"])
    assert again["number"] > view["number"]


def test_a_contradiction_is_said_and_the_end_is_shown():
    session = Session([[0.0], [1.0], [2.0]], random_state=0)
    desk = NotebookDesk(session, number)
    desk._question = Question("pair", (0, 2))
    session.answer((0, 1), "same")
    session.answer((1, 2), "same")
    assert desk.take({"type": "answer", "number": 0, "value": "different"}) == "this contradicts earlier answers"
    assert desk.view() == {"number": 1, "kind": "none", "answers": 3}
    assert desk.take({"type": "answer", "number": 1, "value": "same"}) == ""


def opened(address):
    head, data = address.split(",")
    assert head == "data:image/png;base64"
    return Image.open(io.BytesIO(base64.b64decode(data)))


def test_pictures_of_every_kind_are_shown(tmp_path):
    Image.new("RGB", (960, 300), "red").save(tmp_path / "red.png")
    assert opened(picture_address(tmp_path / "red.png")).size == (SIDE, 100)
    assert opened(picture_address(str(tmp_path / "red.png"))).getpixel((0, 0)) == (255, 0, 0)
    assert opened(picture_address(Image.new("L", (4, 2), 7))).getpixel((0, 0)) == (7, 7, 7)
    assert opened(picture_address(np.full((3, 5), 0.5))).getpixel((0, 0)) == (128, 128, 128)
    assert opened(picture_address(np.full((3, 5, 3), 9, np.uint8))).size == (5, 3)
    with pytest.raises(ValueError, match="shape"):
        picture_address(np.zeros(4))
    with pytest.raises(ValueError, match="from 0 to 1"):
        picture_address(np.full((2, 2), 3.0))


def test_text_is_text_and_html_is_html():
    assert show_item(1, None, ["a", "<b>"], None) == "<p>&lt;b&gt;</p>"
    assert show_item(0, None, ["a"], ["<i>x</i>"]) == "<p>a</p><i>x</i>"
    assert show_item(4, None, None, None) == "<p>item 4</p>"
    assert show_item(0, [np.zeros((2, 2))], None, None).startswith('<img alt="item 0" src="data:')


def test_lists_of_another_length_are_refused():
    with pytest.raises(ValueError, match="texts must have one entry for each of the 60 items, got 1"):
        Session(X).widget(texts=["a"])


def test_without_anywidget_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "likewise.query.notebook.widget", raising=False)
    with pytest.raises(ImportError, match=r"pip install 'likewise\[notebook\]'"):
        Session(X).widget()


def test_the_widget_shows_the_question_and_hears_answers():
    pytest.importorskip("anywidget")
    session = Session(X, random_state=0, prompt="the same digit?")
    widget = session.widget(PICTURES, texts=[f"no. {i}" for i in range(60)])
    first = widget.view
    assert (first["kind"], first["words"]) == ("pair", "the same digit?")
    assert f"no. {first['items'][0]['item']}" in first["items"][0]["html"]
    widget._handle_custom_msg({"type": "answer", "number": first["number"], "value": "same", "seconds": 2.0}, [])
    assert [answer.seconds for answer in session.history] == [2.0]
    assert widget.view["number"] == first["number"] + 1
    widget._handle_custom_msg({"type": "answer", "number": widget.view["number"], "value": "perhaps"}, [])
    assert "one of same, different, unsure" in widget.message
    widget._handle_custom_msg({"type": "undo"}, [])
    assert session.history == []
    assert widget.message == ""
