"""What compares stored events with what people were told notices whatever is wrong; the kills are in `make hostile`."""

import types
from dataclasses import replace

import pytest

pytest.importorskip("benchmarks.hostile")  # not in the source archive

from benchmarks.hostile._comparing import WRONG, Comparison
from benchmarks.hostile._people import Told
from likewise.app.location import Location

SAID = {"kind": "pair", "items": [0, 1], "value": "same"}


@pytest.fixture
def stored(tmp_path):
    """A folder with an answer and an edit that took it back, and who was told of both."""
    location = Location(str(tmp_path), str(tmp_path), "leaves", "test")
    with location.open_store() as store:
        project = location.project_of(store)
        project.add_items(["a", "b"])
        project.append("answer", SAID, annotator="ann", key="k1")
        project.append("withdraw", {"events": [1]}, annotator="ann", key="k2/withdraw")
        project.append("name", {"items": [0], "name": "oak"}, annotator="ann", key="k2")
    done = [Told("answers", "k1", 1, "ann", SAID), Told("clusters/name", "k2", 3, "ann", {})]
    return str(tmp_path), types.SimpleNamespace(done=done, refused=[("undo", "k3")], resent=0)


def compared(stored, *, at_the_end=True):
    folder, person = stored
    comparison = Comparison(folder, folder, [person])
    comparison.at_the_end() if at_the_end else comparison.after_kill()
    figures = comparison.figures()
    assert comparison.held() == (not any(figures[name] for name in WRONG))
    return {name: figures[name] for name in WRONG if figures[name]}


def test_nothing_is_wrong_where_all_that_was_told_is_stored(stored):
    assert compared(stored) == {}


@pytest.mark.parametrize(
    "told",
    [
        Told("undo", "k9", 4, "ann", {}),
        Told("answers", "k9", 1, "ann", SAID),
        Told("answers", "k1", 1, "bob", SAID),
        Told("answers", "k1", 1, "ann", SAID | {"value": "different"}),
    ],
)
def test_what_was_told_and_is_not_stored_so_is_lost(stored, told):
    stored[1].done.append(told)
    assert compared(stored) == {"lost": 1}


def test_what_was_refused_or_never_told_and_is_stored_is_noticed(stored):
    stored[1].done.pop()
    assert compared(stored, at_the_end=False) == {}  # it may still be told
    assert compared(stored) == {"not_told": 1}
    stored[1].refused.append(("clusters/name", "k2"))
    assert compared(stored, at_the_end=False) == {"refused_but_stored": 1}


def test_an_event_that_is_another_one_than_before_is_noticed(stored):
    folder, person = stored
    comparison = Comparison(folder, folder, [person])
    comparison.after_kill()
    comparison._before[1] = replace(comparison._before[1], annotator="bob")
    comparison.after_kill()
    assert comparison.figures()["changed"] == 1
