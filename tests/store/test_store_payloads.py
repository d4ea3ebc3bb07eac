"""Payloads: whatever of every kind is written is read back, and written again byte for byte."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from likewise.query.question import ANSWERS
from likewise.store.database import to_json
from likewise.store.fields import MAX_NUMBER
from likewise.store.payloads import KINDS, read_payload

numbers = st.integers(0, MAX_NUMBER)
some = st.lists(numbers, min_size=1, max_size=6, unique=True)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
objects = st.dictionaries(texts, plain, max_size=3)


@st.composite
def asked(draw):
    kind = draw(st.sampled_from(["pair", "triplet"]))
    size = 2 if kind == "pair" else 3
    items = draw(st.lists(numbers, min_size=size, max_size=size, unique=True))
    return {"kind": kind, "items": items, "value": draw(st.sampled_from(ANSWERS[kind]))}


@st.composite
def parted(draw, *names, spare=()):
    """Pictures in parts that share none; the parts in `spare` may be empty."""
    items = draw(st.lists(numbers, min_size=len(names), max_size=9, unique=True))
    parts = {name: [item] for name, item in zip(names, items, strict=False)}
    for item in items[len(names) :]:
        parts.setdefault(draw(st.sampled_from([*names, *spare])), []).append(item)
    return {**{name: [] for name in spare}, **parts}


@st.composite
def grids(draw):
    items = draw(some)
    return {"items": items, "odd": [i for i in items if draw(st.booleans())], "shown": draw(objects)}


@st.composite
def edits(draw):
    what = draw(st.sampled_from(["name", "confirm", "unconfirm", "split", "group", "move", "merge", "reject", "open"]))
    groups = draw(st.lists(numbers, min_size=3, max_size=3, unique=True))
    words = st.sampled_from(["belongs", "does_not_belong", "open"])
    said_of = draw(st.lists(st.tuples(st.sampled_from(groups), words, some), max_size=3))
    seen = draw(st.lists(st.tuples(st.sampled_from(groups), some), max_size=2))
    merged = groups[1:] if what == "merge" else []
    form = {"what": what, "group": groups[0], "items": draw(some), "name": draw(texts), "merged": merged}
    return {**form, "memberships": [list(each) for each in said_of], "seen": [list(each) for each in seen]}


def with_fields(base, **more):
    return st.builds(lambda first, rest: {**first, **rest}, base, st.fixed_dictionaries(more))


said = with_fields(asked(), shown=objects)
listed = st.fixed_dictionaries({"items": some}, optional={"shown": objects})
questions = st.lists(st.tuples(asked(), st.booleans()), max_size=3).map(
    lambda found: [[each["kind"], each["items"], practice] for each, practice in found]
)
marks = st.dictionaries(numbers, st.lists(texts, max_size=3), min_size=1, max_size=4).map(
    lambda found: [[item, words] for item, words in found.items()]
)
PAYLOADS = {
    "adjudicate": said,
    "answer": said,
    "bad": listed,
    "confirm": listed,
    "crowd": st.fixed_dictionaries(
        {
            "name": texts,
            "kind": st.sampled_from(["keywords", "grouping"]),
            "hits": st.lists(some, min_size=1, max_size=3),
            "overlap": st.integers(1, 9),
        }
    ),
    "crowd-hit": st.fixed_dictionaries({"name": texts, "hit": numbers, "marks": marks}),
    "crowd-start": st.fixed_dictionaries({"name": texts, "hit": numbers}),
    "edit": edits(),
    "gold": said,
    "grid": grids(),
    "merge": parted("a", "b", "c").map(lambda parts: {"groups": list(parts.values())}),
    "move": parted("taken", "target", spare=("source",)),
    "name": st.fixed_dictionaries({"items": some, "name": texts}),
    "restore": listed,
    "split": parted("kept", "taken"),
    "study": st.fixed_dictionaries({"name": texts, "plan": objects}),
    "study-answer": with_fields(asked(), name=texts, number=numbers, shown=objects),
    "study-start": st.fixed_dictionaries({"name": texts, "questions": questions}),
    "study-survey": st.fixed_dictionaries({"name": texts, "choices": objects, "comment": texts}),
    "tag": st.fixed_dictionaries(
        {
            "items": some,
            "name": texts.map(lambda name: " ".join(name.split()) or "oak"),
            "value": st.sampled_from(["yes", "no", "open"]),
        }
    ),
    "take-back": st.fixed_dictionaries({"name": texts, "events": some}),
    "unconfirm": listed,
    "unstack": listed,
    "withdraw": st.fixed_dictionaries({"events": some, "how": st.sampled_from(["undo", "redo", "choice"])}),
}


def test_every_kind_has_payloads_to_try():
    assert set(PAYLOADS) == set(KINDS)


@pytest.mark.parametrize("kind", PAYLOADS)
@given(data=st.data())
def test_what_is_written_is_read_back_and_written_again_alike(kind, data):
    given_fields = data.draw(PAYLOADS[kind])
    payload = read_payload(kind, given_fields)
    written = to_json(payload.data())
    assert json.loads(to_json(given_fields)).items() <= json.loads(written).items()
    again = read_payload(kind, json.loads(written))
    assert again == payload
    assert to_json(again.data()) == written
    assert again.judgements() == payload.judgements()
    assert replace(payload) == payload


@given(some)
def test_numbers_of_numpy_are_numbers(items):
    expected = read_payload("bad", {"items": items})
    for form in (np.array(items), [np.int64(i) for i in items], iter(items), dict.fromkeys(items).keys()):
        found = read_payload("bad", {"items": form})
        assert found == expected
        assert all(type(item) is int for item in found.items)


@pytest.mark.parametrize("item", [-1, 2**31, True, 1.0, "1", None, np.float64(1), np.bool_(True), [1]])
def test_what_is_no_number_is_refused(item):
    with pytest.raises(ValueError, match=r"bad: items holds .* no image or event number"):
        read_payload("bad", {"items": [0, item]})


@pytest.mark.parametrize("depth", [10, 300, 900])
def test_what_is_nested_deep_is_refused_in_a_short_sentence(depth):
    value = 0
    for _ in range(depth):
        value = [value]
    for field in ([value], [0, value]):
        with pytest.raises(ValueError, match="no image or event number") as caught:
            read_payload("bad", {"items": field})
        assert len(str(caught.value)) < 200
