"""What people say of items and groups, against a slow and obvious reading of the same words."""

from __future__ import annotations

import numpy as np
import pytest

from likewise import Session
from likewise.constraints import Constraints
from likewise.query.answers.taken import TakenAnswers
from likewise.query.question import Answer

N = 8
GROUPS = ("a", "b", "c")


def random_answer(rng: np.random.Generator) -> Answer:
    """A pair, or a membership of one to three items."""
    if rng.random() < 0.4:
        pair = tuple(rng.choice(N, 2, replace=False).tolist())
        return Answer("pair", pair, str(rng.choice(["same", "different", "unsure"])))
    items = tuple(rng.choice(N, rng.integers(1, 4), replace=False).tolist())
    value = str(rng.choice(["belongs", "belongs", "does_not_belong", "open"]))
    group = None if value == "open" and rng.random() < 0.3 else str(rng.choice(GROUPS))
    return Answer("membership", items, value, group=group)


def word_by_word(answers: list[Answer]) -> Constraints:
    """What follows, read in the most obvious way: the last word about every item and group, then the answers."""
    inside: dict[int, str] = {}
    outside: set[tuple[int, str]] = set()
    for answer in answers:
        for item in answer.items if answer.kind == "membership" else ():
            named = GROUPS if answer.group is None else (str(answer.group),)
            if answer.value != "belongs" and inside.get(item) in named:
                del inside[item]
            outside -= {(item, group) for group in named}
            if answer.value == "belongs":
                inside[item] = named[0]
            elif answer.value == "does_not_belong":
                outside.add((item, named[0]))
    known = Constraints(N)
    for i, g in inside.items():
        for j, h in inside.items():
            if i < j and g == h:
                assert known.add(i, j, "same") is None
    for i, g in sorted(outside):
        for j, h in inside.items():
            if g == h:
                assert known.add(i, j, "different") is None
    for answer in answers:
        for statement in answer.statements():
            known.add(*statement)
    return known


def relations(known: Constraints) -> list[str | None]:
    return [known.known(i, j) for i in range(N) for j in range(i)]


@pytest.mark.parametrize("seed", range(60))
def test_memberships_are_read_as_the_last_word_and_before_all_answers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    taken, said = TakenAnswers(N), []
    for _ in range(25):
        if said and rng.random() < 0.25:
            assert taken.take_back() == said.pop()
        else:
            said.append(random_answer(rng))
            taken.take(said[-1])
        assert relations(taken.constraints) == relations(word_by_word(said))
        assert len(taken.sources) == len(taken.ledger.statements)
    other = [random_answer(rng) for _ in range(5)]
    taken.become(said[: len(said) // 2] + other)
    assert relations(taken.constraints) == relations(word_by_word(said[: len(said) // 2] + other))
    taken.become(said)
    assert relations(taken.constraints) == relations(word_by_word(said))


@pytest.mark.parametrize("seed", range(40))
def test_what_further_words_contradict_is_what_they_set_aside(seed: int) -> None:
    rng = np.random.default_rng([seed, 1])
    taken = TakenAnswers(N)
    for _ in range(10):
        taken.take(random_answer(rng))
    before = relations(taken.constraints)
    further = [random_answer(rng) for _ in range(2)]
    found = taken.contradicted_by(further)
    assert relations(taken.constraints) == before
    aside = {source for _, source, _ in taken.conflicts()}
    for answer in further:
        taken.take(answer)
    newly = {source for _, source, _ in taken.conflicts()} - aside
    assert bool(found) >= bool({source for source in newly if source < 10})
    for _, source, chain in found:
        assert source == 10 or source in aside
        assert all(0 <= each <= 10 for each in chain)


def test_given_words_are_never_outvoted() -> None:
    session = Session(np.arange(6.0)[:, None], random_state=0, recheck=True)
    session.belongs([0, 1], "roses")
    for _ in range(5):
        session.answer((0, 1), "different")
    assert session.known(0, 1) == "same"
    assert len(session.conflicts) == 5


def test_clusters_follow_memberships_and_undo_is_exact() -> None:
    X = np.r_[np.zeros((4, 1)), np.full((4, 1), 5.0)] + np.arange(8)[:, None] / 100
    session = Session(X, random_state=0)
    before = session.labels_.tolist()
    session.belongs([0, 4], 1)
    session.does_not_belong([1, 2], 1)
    labels = session.labels_
    assert labels[0] == labels[4]
    assert labels[0] not in labels[[1, 2]]
    assert session.groups == {1: [0, 4]}
    assert session.undo().value == "does_not_belong"
    assert session.undo().value == "belongs"
    assert session.labels_.tolist() == before
    assert session.groups == {}


@pytest.mark.parametrize(
    ("items", "group", "words"),
    [([9], "a", "item 9 is not there"), ([], "a", "no item was named"), ([0], 1.5, "a name or a number")],
)
def test_bad_words_are_refused(items: list[int], group: object, words: str) -> None:
    session = Session(np.arange(6.0)[:, None], random_state=0)
    with pytest.raises(ValueError, match=words):
        session.belongs(items, group)  # type: ignore[arg-type]
    assert session.history == []
