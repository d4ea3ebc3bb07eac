"""A kernel gives the same bits interpreted and compiled, and is compiled when that is worth it."""

import sys
from collections import Counter
from contextlib import contextmanager

import numpy as np
import pytest
from numba import config
from scipy.sparse import csr_array
from sklearn.datasets import load_digits, load_iris, load_wine

from likewise import Session
from likewise.cluster import HACC
from likewise.distances import pairwise
from likewise.kernels import kernel as kernel_module
from likewise.kernels.graphs import cluster_values, graph_linkage, kruskal, propagation, tree_cuts, union_find
from likewise.kernels.kernel import _Uncompiled, compiling_all, is_small, kernel
from likewise.kernels.metric import neighbours
from likewise.simulate import SimulatedAnnotator

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")


def is_kernel(value):
    return isinstance(getattr(value, "_compile_for_args", None), _Uncompiled)


def copied(value):
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, tuple):
        parts = [copied(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def bits(value):
    """What a value is made of, to the last bit; a number of Python and one of NumPy are the same."""
    if isinstance(value, tuple):
        return tuple(bits(part) for part in value)
    value = np.asarray(value)
    if value.ndim == 0 and value.dtype.kind in "iub":
        return int(value)
    return str(value.dtype), value.shape, value.tobytes()


UNWRITTEN = {"new_tile", "_doubled"}  # some of what these return is nothing yet
EVERY, EACH = 200, 61  # calls of a kernel that are all compared; of those after them, every so manieth


class Twins:
    """Runs every kernel both ways, whoever calls it, interpreted ones included, and compares.

    Small kernels are called a hundred thousand times by the interpreted ones: from some number on most of these calls
    are compiled ones alone. What called them is compared as a whole all the same.
    """

    def __init__(self):
        self.places = [
            (module.__dict__, name, value, self.wrap(value))
            for key, module in list(sys.modules.items())
            if key.startswith("likewise.")
            for name, value in vars(module).items()
            if is_kernel(value)
        ]
        self.calls = Counter()
        self.compared = set()
        self.types = set()  # of which compiled code is there

    @contextmanager
    def in_place(self, wrapped=True):
        for names, name, value, wrapper in self.places:
            names[name] = wrapper if wrapped else value
        try:
            yield
        finally:
            for names, name, value, wrapper in self.places:
                names[name] = value if wrapped else wrapper

    def wrap(self, compiled):
        name = compiled.py_func.__name__

        def both(*args):
            self.calls[name] += 1
            if self.calls[name] > EVERY and self.calls[name] % EACH:
                return self.run_compiled(compiled, args)
            twins = copied(args)
            expected = self.run_compiled(compiled, twins)
            with np.errstate(all="ignore"):
                found = compiled.py_func(*args)
            self.compared.add(name)
            if name not in UNWRITTEN:
                assert bits(found) == bits(expected), name
                assert bits(args) == bits(twins), name
            return found

        return both

    def run_compiled(self, compiled, args):
        types = (compiled, *(compiled.typeof_pyval(argument) for argument in args))
        if types in self.types:
            return compiled(*args)
        self.types.add(types)
        with self.in_place(wrapped=False), compiling_all():
            return compiled(*args)


def answer_some(X, truth, n, error_rate=0.0, **options):
    session = Session(X, random_state=0, **options)
    person = SimulatedAnnotator(truth, error_rate=error_rate, unsure_rate=0.1, random_state=0)
    for _ in range(n):
        question = session.ask()
        session.answer(question, person.answer(question))
    return session


def run_sessions():
    X, truth = load_iris(return_X_y=True)
    session = answer_some(X[::4], truth[::4], 8)
    session.extend(X[1::8])
    session.predict(X[2::8])
    session.ask()
    D = np.linalg.norm(X[::6, None] - X[::6], axis=2)
    answer_some(D, truth[::6], 6, metric="precomputed")
    X, truth = load_digits(return_X_y=True)
    answer_some((X[:50] / 16).astype(np.float32), truth[:50], 8, forms="auto")
    X, truth = load_wine(return_X_y=True)
    answer_some(((X - X.mean(0)) / X.std(0))[::4], truth[::4], 25, error_rate=0.1, recheck=True)


def run_others():
    X = load_iris().data[::4].astype(np.float32)
    for metric in ("euclidean", "chi2", "robust"):
        HACC(3, metric=metric).fit(X, must_link=[(0, 5)], cannot_link=[(0, 30), (30, 37), (1, 31)])
    rng = np.random.default_rng(0)
    neighbours.order_candidates(X, X, 2, rng.integers(-1, len(X), (len(X), 5)))
    pairwise(csr_array(X), X[:5], metric="chi2")
    union_find.merge_pairs(9, rng.integers(0, 9, (5, 2)))
    home, differs = np.array([7, 8, 9]), (np.array([0, 1, 2, 2]), np.array([1, 0]))
    cluster_values.assign_groups(
        np.array([0, 2]), np.array([0, 2]), np.array([2, 3]), np.array([8, 5, 7]), *differs, home
    )
    assert home.tolist() == [5, 8, 7]
    kruskal.merge_rows(rng.random((6, 6)) < 0.3, 2, 4)
    tree_cuts.find_blocks(np.array([[0, 1], [2, 3], [4, 5]]), np.array([4, 4, 5, 5, 6, 6, -1]), np.array([1, 1, 2, -1]))
    keys = graph_linkage._new_table(6)
    for key in (1, 9, 14, 23):
        graph_linkage._put(keys, key)
    graph_linkage._without_gone(keys, np.array([0, 1, 1, 3, 4]), 5)
    assert bits(propagation._doubled(np.arange(3.0))[:3]) == bits(np.arange(3.0))


def test_every_kernel_gives_the_same_bits_interpreted_and_compiled():
    run_sessions()  # imports what they need
    twins = Twins()
    with twins.in_place():
        run_sessions()
        run_others()
    everyone = {value.py_func.__name__ for _, _, value, _ in twins.places}
    assert twins.compared == everyone


def test_little_is_interpreted_until_it_takes_long_and_compiled_from_then_on(monkeypatch):
    monkeypatch.setattr(kernel_module, "PATIENCE", 100.0)
    for values, is_compiled in ((np.arange(3.0), False), (np.ones((600, 2)), True)):
        assert double(values) == 2 * values.size
        assert (len(double.signatures) > 0) == is_compiled
    monkeypatch.setattr(kernel_module, "PATIENCE", -1.0)
    assert double(np.arange(3)) == 6
    assert len(double.signatures) == 2


def test_all_is_compiled_where_that_is_asked_for():
    with compiling_all():
        assert half(4.0) == 2.0
    assert len(half.signatures) == 1


def test_what_numba_kept_is_taken_however_little_there_is(monkeypatch):
    with compiling_all():
        third(3.0)
    again = kernel()(third.py_func)
    assert again(6.0) == 2.0
    assert len(again.signatures) == 1


@kernel()
def double(values):
    return 2 * values.size


@kernel()
def half(value):
    return value / 2


@kernel()
def third(value):
    return value / 3


def test_arrays_inside_tuples_count():
    assert is_small((3, "a", (np.zeros(100), (np.zeros((500, 3)),))))
    assert not is_small(((np.zeros(kernel_module.MOST_ENTRIES), (np.zeros(1),)),))
    assert not is_small((np.zeros((513, 1)),))
