"""The maximum arborescence against all trees, for up to six tags."""

from itertools import product

import numpy as np
import pytest

from likewise.hierarchy import maximum_arborescence
from likewise.hierarchy.em import tree_value
from likewise.hierarchy.trees import add_ancestors, check_tree, drop_orphans, edges_of, top_down


def all_trees(k):
    for parents in product(range(-1, k), repeat=k):
        if any(p == c for c, p in enumerate(parents)):
            continue
        for start in range(k):
            seen, tag = set(), start
            while tag >= 0 and tag not in seen:
                seen.add(tag)
                tag = parents[tag]
            if tag >= 0:
                break
        else:
            yield np.array(parents)


TREES = {k: list(all_trees(k)) for k in range(1, 7)}


def test_there_are_as_many_trees_as_cayley_says():
    assert [len(TREES[k]) for k in TREES] == [(k + 1) ** (k - 1) for k in TREES]


@pytest.mark.parametrize("k", list(TREES))
@pytest.mark.parametrize("levels", [None, 2, 4])
def test_no_tree_weighs_more(k, levels):
    rng = np.random.default_rng(k)
    for _ in range(40):
        if levels is None:
            weights, root = 100 * rng.normal(size=(k, k)), 100 * rng.normal(size=k)
        else:  # ties
            weights, root = rng.integers(0, levels, (k, k)) * 1.0, rng.integers(0, levels, k) * 1.0
        found = maximum_arborescence(weights, root)
        top_down(found)  # an error if it is no tree
        with_root = np.vstack([weights, root])  # the last row, -1, is the dummy root's
        best = with_root[np.array(TREES[k]), np.arange(k)].sum(axis=1).max()
        assert tree_value(weights, root, found) == pytest.approx(best, rel=1e-12)


def test_large_trees_are_no_worse_than_local_changes():
    rng = np.random.default_rng(0)
    weights, root = rng.normal(size=(60, 60)), rng.normal(size=60) - 5
    found = maximum_arborescence(weights, root)
    value = tree_value(weights, root, found)
    for child in range(60):
        for parent in range(-1, 60):
            other = found.copy()
            other[child] = parent
            try:
                top_down(other)
            except ValueError:
                continue
            assert tree_value(weights, root, other) <= value + 1e-9


def test_a_planted_tree_is_found():
    rng = np.random.default_rng(1)
    for k in (1, 2, 10, 40):
        planted = np.array([rng.integers(-1, c) for c in range(k)])
        weights = np.zeros((k, k))
        root = np.zeros(k)
        for child, parent in enumerate(planted):
            if parent < 0:
                root[child] = 1.0
            else:
                weights[parent, child] = 1.0
        assert maximum_arborescence(weights, root).tolist() == planted.tolist()


def test_equal_weights_hang_everything_on_the_root():
    assert maximum_arborescence(np.zeros((4, 4)), np.zeros(4)).tolist() == [-1] * 4


@pytest.mark.parametrize(
    ("weights", "root", "words"),
    [(np.zeros((2, 3)), [0, 0], "shape"), ([[0, np.nan], [0, 0]], [0, 0], "finite"), (np.eye(1), [np.inf], "finite")],
)
def test_weights_are_checked(weights, root, words):
    with pytest.raises(ValueError, match=words):
        maximum_arborescence(weights, root)


@pytest.mark.parametrize(
    ("edges", "words"),
    [
        ([(0, 1), (1, 0)], "circle"),
        ([(0, 0)], "circle"),
        ([(0, 2), (1, 2)], "two parents"),
        ([(0, 3)], "not one of"),
        ([(-2, 1)], "not one of"),
        ([(0, -1)], "not one of"),
        ([(0, 1, 2)], "pairs"),
        ([(0.5, 1.0)], "pairs"),
    ],
)
def test_what_is_no_tree_is_an_error(edges, words):
    with pytest.raises(ValueError, match=words):
        check_tree(edges, 3)


def test_trees_as_edges_and_back():
    parents = np.array([2, -1, 1, 1])
    np.testing.assert_array_equal(check_tree(edges_of(parents), 4), parents)
    assert check_tree([], 2).tolist() == [-1, -1]
    tags = np.array([[1, 0, 0, 0], [0, 0, 0, 1]])
    assert add_ancestors(tags, parents).astype(int).tolist() == [[1, 1, 1, 0], [0, 1, 0, 1]]
    assert not drop_orphans(tags, parents).any()
