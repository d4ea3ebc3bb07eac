"""Constraints against closure by repetition: apply the two rules until nothing changes."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from likewise.cluster.base import consistent_constraints
from likewise.constraints import ConflictError, Constraints, as_pairs


def slow_closure(n, statements):
    """Relation of every pair, by applying same∘same and same∘different until nothing changes."""
    known = {}
    for i, j, relation in statements:
        known[i, j] = known[j, i] = relation
    changed = True
    while changed:
        changed = False
        for i in range(n):
            for j in range(n):
                for k in range(n):
                    if i == j or known.get((i, k)) is None or known.get((k, j)) is None:
                        continue
                    pair = {known[i, k], known[k, j]}
                    if pair == {"different"} or known.get((i, j)) is not None:
                        continue
                    known[i, j] = "same" if pair == {"same"} else "different"
                    changed = True
    return known


def apply_in_order(n, statements):
    """Which statements stand when each is taken only if it does not contradict the earlier ones."""
    standing, refused = [], []
    for i, j, relation in statements:
        known = slow_closure(n, standing).get((i, j))
        if known is not None and known != relation:
            refused.append((i, j, relation))
        else:
            standing.append((i, j, relation))
    return standing, refused


@st.composite
def some_statements(draw, max_n=7):
    n = draw(st.integers(2, max_n))
    pair = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda p: p[0] != p[1])
    relation = st.sampled_from(["same", "different"])
    return n, [(i, j, r) for (i, j), r in draw(st.lists(st.tuples(pair, relation), max_size=10))]


@given(some_statements())
@settings(max_examples=300, deadline=None)
def test_closure_equals_repetition(case):
    n, statements = case
    constraints = Constraints(n)
    for statement in statements:
        constraints.add(*statement)
    standing, refused = apply_in_order(n, statements)
    truth = slow_closure(n, standing)
    for i in range(n):
        for j in range(n):
            if i != j:
                assert constraints.known(i, j) == truth.get((i, j))
    assert [c.statement for c in constraints.conflicts()] == refused
    must, cannot = constraints.closure()
    assert {tuple(p) for p in must.tolist()} == {p for p, r in truth.items() if r == "same" and p[0] < p[1]}
    assert {tuple(p) for p in cannot.tolist()} == {p for p, r in truth.items() if r == "different" and p[0] < p[1]}
    assert constraints.n_open() == n * (n - 1) // 2 - len(must) - len(cannot)


@given(some_statements())
@settings(max_examples=200, deadline=None)
def test_conflict_is_explained_by_a_chain_that_says_the_opposite(case):
    n, statements = case
    constraints = Constraints(n)
    for k, (i, j, relation) in enumerate(statements):
        conflict = constraints.add(i, j, relation)
        if conflict is None:
            continue
        assert conflict.place == k
        assert conflict.chain == tuple(statements[place] for place in conflict.chain_places)
        assert max(conflict.chain_places) < k
        assert slow_closure(n, conflict.chain)[i, j] != relation
        here = i  # the links hang together from i to j
        for a, b, _ in conflict.chain:
            assert here in (a, b)
            here = b if here == a else a
        assert here == j


@given(some_statements(), st.integers(0, 10))
@settings(max_examples=200, deadline=None)
def test_undo_restores_exactly(case, n_undone):
    n, statements = case
    constraints = Constraints(n)
    for statement in statements:
        constraints.add(*statement)
    n_undone = min(n_undone, len(statements))
    for k in range(n_undone):
        assert constraints.undo() == statements[-1 - k]
    fresh = Constraints(n)
    for statement in statements[: len(statements) - n_undone]:
        fresh.add(*statement)
    assert constraints.groups() == fresh.groups()
    assert constraints.conflicts() == fresh.conflicts()
    assert constraints.group_cannot_links().tolist() == fresh.group_cannot_links().tolist()
    assert constraints.must_link.tolist() == fresh.must_link.tolist()
    for statement in statements[len(statements) - n_undone :]:  # and it can go on from there
        assert (constraints.add(*statement) is None) == (fresh.add(*statement) is None)
    assert constraints.groups() == fresh.groups()


def test_groups_and_labels():
    constraints = Constraints(5, must_link=[(3, 1)], cannot_link=[(1, 4)])
    assert constraints.groups() == [[0], [1, 3], [2], [4]]
    assert constraints.labels().tolist() == [0, 1, 2, 1, 3]
    assert constraints.group_cannot_links().tolist() == [[1, 3]]
    assert sorted(constraints.members(3)) == [1, 3]
    assert constraints.mentioned() == [3, 1, 4]


def test_very_many_items_and_statements():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 100, 10_000)
    pairs = rng.integers(0, 10_000, (100_000, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    constraints = Constraints(10_000, must_link=pairs[same], cannot_link=pairs[~same])
    assert len(constraints) == len(pairs)
    assert not constraints.conflicts()
    labels = constraints.labels()
    assert len(labels) == 10_000
    assert (labels[pairs[same][:, 0]] == labels[pairs[same][:, 1]]).all()


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([(0, 9)], "holds index 9, but there are 3 items"),
        ([(-1, 0)], "holds index -1"),
        ([(1, 1)], "pairs item 1 with itself"),
        ([(0, 1, 2)], r"shape \(m, 2\)"),
        ([(0, 0.5)], "integer indices"),
        ([("a", "b")], "integer indices"),
    ],
)
def test_bad_pairs_get_a_clear_error(pairs, message):
    with pytest.raises(ValueError, match=message):
        Constraints(3, must_link=pairs)


def test_bad_relation_and_nothing_to_undo():
    with pytest.raises(ValueError, match="'same' or 'different'"):
        Constraints(3).add(0, 1, "unsure")
    with pytest.raises(IndexError, match="nothing to undo"):
        Constraints(3).undo()


def test_empty_and_none_are_no_pairs():
    assert as_pairs(None, 3).shape == (0, 2)
    assert as_pairs([], 3).shape == (0, 2)
    assert len(Constraints(0)) == 0
    assert Constraints(3, must_link=None, cannot_link=None).groups() == [[0], [1], [2]]


def test_contradiction_names_the_chain():
    with pytest.raises(ConflictError, match=r"0 and 2 cannot be different: 0 and 1 same; 1 and 2 same"):
        consistent_constraints(3, [(0, 1), (1, 2)], [(0, 2)])


@pytest.mark.parametrize("seed", range(30))
def test_copies_and_pickles_go_their_own_way(seed):
    rng = np.random.default_rng(seed)
    original = Constraints(8)
    for _ in range(15):
        i, j = rng.choice(8, 2, replace=False).tolist()
        original.add(i, j, str(rng.choice(["same", "different"])))
    before = [original.known(i, j) for i in range(8) for j in range(8)]
    for twin in (copy.deepcopy(original), pickle.loads(pickle.dumps(original))):
        assert [twin.known(i, j) for i in range(8) for j in range(8)] == before
        while len(twin):
            twin.undo()
        assert twin.groups() == [[k] for k in range(8)]
        assert twin.conflicts() == []
        assert [original.known(i, j) for i in range(8) for j in range(8)] == before


class ColumnTable:
    """As a Polars table: going through it gives its columns, while as an array it has rows."""

    def __init__(self, columns):
        self.columns = columns

    def __iter__(self):
        return iter(np.asarray(self.columns))

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.columns, dtype).T


def test_columns_of_a_table_are_the_ends_of_its_pairs():
    import pandas as pd

    left, right = [0, 1], [2, 3]  # two rows and two columns: rows cannot be told from columns by the shape
    for table in (pd.DataFrame({"a": left, "b": right}), ColumnTable([left, right])):
        assert Constraints(5, must_link=table).must_link.tolist() == [[0, 2], [1, 3]]


def test_an_item_that_is_not_there_has_no_relation():
    with pytest.raises(ValueError, match="item -1 is not there: there are 5 items"):
        Constraints(5).known(0, -1)


@pytest.mark.parametrize("n", [True, 2.5, "3", None])
def test_the_number_of_items_is_whole(n):
    with pytest.raises(ValueError, match="n must be a whole number"):
        Constraints(n)


@given(st.lists(st.sampled_from([-1, 0, 1, 2]), max_size=9))
def test_labels_say_what_is_the_same_and_what_is_different(labels):
    found = Constraints.from_labels(labels)
    assert found.n == len(labels)
    for i in range(len(labels)):
        for j in range(i):
            expected = None if -1 in (labels[i], labels[j]) else "same" if labels[i] == labels[j] else "different"
            assert found.known(i, j) == expected


def test_labels_may_be_words_and_gaps():
    found = Constraints.from_labels(["oak", None, "elm", float("nan"), "oak"])
    assert found.must_link.tolist() == [[0, 4]]
    assert found.cannot_link.tolist() == [[0, 2]]
    with pytest.raises(ValueError, match="labels must be of shape"):
        Constraints.from_labels([[0, 1]])
