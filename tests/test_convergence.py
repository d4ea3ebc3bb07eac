"""Everything public that takes `max_iter` says when that was too little, and is silent when it settled.

What takes it is found by looking: none is forgotten.
"""

import inspect
import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from likewise import cluster, crowd, distances, hierarchy

X, y = load_iris(return_X_y=True)
PAIRS = {"must_link": [(0, 1), (50, 51), (2, 30), (60, 99)], "cannot_link": [(0, 50), (1, 60), (70, 120), (55, 140)]}
TAGS = np.column_stack([y == 0, y == 1, y > 0, X[:, 0] > 6])
SMALL = {"n_clusters": 5, "max_clusters": 5, "size": 10, "random_state": 0}
# What settles in one round as above: data that needs more, and arguments with which it ends.
OTHER_DATA = {"SSSVaD": X + np.random.default_rng(0).normal(size=X.shape)}
OTHER_ARGUMENTS = {"HMRF": {"max_iter": 1000}}


def rooms():
    """All public names that take `max_iter`, by name."""
    found = {}
    for room in (cluster, crowd, distances, hierarchy):
        for name in room.__all__:
            thing = getattr(room, name)
            if callable(thing) and "max_iter" in inspect.signature(thing).parameters:
                found[name] = thing
    return found


ALL = rooms()


def run(name, **arguments):
    """Fit to data that takes some rounds; what was said about not having settled."""
    thing = ALL[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if not inspect.isclass(thing):
            FUNCTIONS[name](thing, **arguments)
        else:
            taken = inspect.signature(thing).parameters
            model = thing(**{key: value for key, value in {**SMALL, **arguments}.items() if key in taken})
            data = OTHER_DATA.get(name, X)
            if issubclass(thing, cluster.ConstrainedClusterer | distances.MetricLearner):
                model.fit(data, **PAIRS)
            elif "must_link" in inspect.signature(model.fit).parameters:
                model.fit(distances.pairwise(data), **PAIRS)
            else:
                model.fit(data, TAGS)
    return [str(each.message) for each in caught if issubclass(each.category, ConvergenceWarning)]


def complete(function, **arguments):
    known = np.where(np.random.default_rng(0).random((30, 30)) < 0.5, np.equal.outer(*[np.arange(30) % 3] * 2), np.nan)
    function(np.where(np.tri(30, dtype=bool), known, known.T), **arguments)


def vote(function, **arguments):
    rng = np.random.default_rng(0)
    units, people = np.repeat(np.arange(20), 3).tolist(), [0, 1, 2] * 20
    function(units, people, rng.choice(["a", "b"], 60).tolist(), **arguments)


def refine(function, **arguments):
    labels = np.random.default_rng(0).integers(0, 3, len(X))
    function(X, labels, np.arange(len(X)) // 5, {k: [str(k % 3)] for k in range(-(-len(X) // 5))}, **arguments)


FUNCTIONS = {"complete_matrix": complete, "dawid_skene": vote, "refine_with_bags": refine}


def test_the_families_are_all_there():
    assert len(ALL) >= 22
    assert {name for name, thing in ALL.items() if not inspect.isclass(thing)} == set(FUNCTIONS)


@pytest.mark.parametrize("name", sorted(ALL))
def test_who_stops_at_the_last_round_warns(name):
    said = run(name, max_iter=1)
    assert said
    assert all(name in each and "max_iter=1" in each for each in said)


@pytest.mark.parametrize("name", sorted(ALL))
def test_who_settles_says_nothing(name):
    assert run(name, **OTHER_ARGUMENTS.get(name, {})) == []
