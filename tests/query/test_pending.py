"""No two people are asked the same at once, and sessions and questions show themselves."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from likewise import Question, Session
from likewise.query.pending import pairs_of

X, truth = load_iris(return_X_y=True)


@pytest.mark.parametrize("options", [{}, {"forms": "auto"}, {"forms": ("triplet",)}, {"strategy": "random"}])
def test_two_people_are_never_asked_the_same_at_once(options):
    session = Session(X[::3], random_state=0, **options)
    names = ["ann", "bob", "cem"]
    before = {name: session.ask(annotator=name) for name in names}
    rng = np.random.default_rng(0)
    for _ in range(15):
        pairs = [set(pairs_of(question.items)) for question in before.values()]
        assert len(set.union(*pairs)) == sum(map(len, pairs))
        name = names[rng.integers(3)]
        session.answer(before[name], "unsure", annotator=name)
        before[name] = session.ask(annotator=name)


def test_a_question_stays_with_whom_it_was_handed_to_until_answered_or_released():
    session = Session(X[::10], random_state=0)
    first = session.ask(annotator="ann")
    assert session.ask(annotator="ann") == first
    assert session.ask() != first
    assert session.ask(annotator="bob") != first
    session.release("ann")
    assert session.ask(annotator="bob") == first
    session.answer(tuple(reversed(first.items)), "unsure", annotator="bob")
    assert session._pending.of_others("ann") == set()


def test_nobody_gets_the_last_question_twice():
    session = Session([[0.0], [1.0]], random_state=0)
    last = session.ask(annotator="ann")
    assert last.items in [(0, 1), (1, 0)]
    assert session.ask(annotator="bob") is None
    assert session.ask(3, annotator="bob") == []
    session.answer(last, "unsure", annotator="ann")
    assert {*session.ask(annotator="bob").items} == {0, 1}


def test_without_names_asking_twice_gives_the_same():
    session = Session(X, random_state=0)
    assert session.ask() == session.ask()
    assert session.ask(3) == session.ask(3)


def test_a_session_shows_its_numbers_and_takes_no_new_ones():
    session = Session(X[::10], random_state=0)
    assert "none yet" in session._repr_html_()
    assert "clusters" not in session._repr_html_()
    session.answer((0, 1), "same")
    session.answer((1, 14), "different")
    session.answer((0, 14), "same")
    n = session.n_clusters_
    page = session._repr_html_()
    for row in ("<th>items</th><td>15</td>", "1 different, 2 same", "<th>contradictions</th><td>1</td>"):
        assert row in page
    assert f"<th>clusters</th><td>{n}</td>" in page


def test_a_question_shows_what_is_asked_and_no_markup_of_its_words():
    page = Question("pair", (3, 8), reason="near", prompt="<b>same</b> leaf?")._repr_html_()
    assert "&lt;b&gt;same&lt;/b&gt; leaf?" in page
    assert "3, 8" in page
    assert "same, different, unsure" in page
    for kind, words in (("grid", "do not belong"), ("pick", "is it?"), ("triplet", "which two")):
        assert words in Question(kind, (1, 2, 3))._repr_html_()
