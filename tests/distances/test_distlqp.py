"""DistLQP against its closed forms, against the program written out plainly and given to Clarabel, and at its edges."""

import itertools

import clarabel
import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline

from likewise.cluster import HACC, COPKMeans
from likewise.constraints import ConflictError
from likewise.distances import DistLQP, pairwise
from likewise.session import Session


def random_metric(rng, n):
    return pairwise(rng.normal(size=(n, 2)))


def all_hard(distance_must=0.0, **kw):
    return DistLQP(must_link_distance=distance_must, triangles="all", tol=1e-13, max_iter=5000, **kw)


@pytest.mark.parametrize("n", [3, 4, 7])
def test_lemmas_1_and_2_a_must_link_averages(n):
    rng = np.random.default_rng(n)
    for _ in range(20):
        D = random_metric(rng, n)
        learned = all_hard().fit_transform(D, must_link=[(0, 1)])
        expected = D.copy()
        expected[0, 1] = expected[1, 0] = 0.0
        for k in range(2, n):
            expected[[0, 1], k] = expected[k, [0, 1]] = (D[0, k] + D[1, k]) / 2
        np.testing.assert_allclose(learned, expected, atol=1e-8)
        assert (learned[0, 2:] >= np.minimum(D[0, 2:], D[1, 2:]) - 1e-8).all()


@pytest.mark.parametrize("n", [3, 4, 7])
def test_lemmas_3_and_4_a_cannot_link_pushes_both_sides(n):
    rng = np.random.default_rng(n)
    seen = set()
    for _ in range(30):
        D = random_metric(rng, n)
        far = D.max()
        learned = all_hard(cannot_link_distance=far).fit_transform(D, cannot_link=[(0, 1)])
        expected = D.copy()
        expected[0, 1] = expected[1, 0] = far
        broken = 0
        for k in range(2, n):
            if D[0, k] + D[1, k] < far:
                broken += 1
                half = (D[0, k] - D[1, k]) / 2
                expected[0, k] = expected[k, 0] = far / 2 + half
                expected[1, k] = expected[k, 1] = far / 2 - half
        seen.add(min(broken, 2))
        np.testing.assert_allclose(learned, expected, atol=1e-8)
        assert (learned[0, 2:] >= D[0, 2:] - 1e-8).all()
    assert len(seen) == 1 if n == 3 else len(seen) > 1


def test_theorem_5_neighbours_get_the_same_distances():
    """With one must-link, every distance to a neighbour of its ends is as if all triangles had been kept."""
    rng = np.random.default_rng(0)
    for _ in range(10):
        D = random_metric(rng, 12)
        full = all_hard(0.0).fit_transform(D, must_link=[(0, 1)])
        part = DistLQP(4, 0.0, must_link_weight=1e3, tol=1e-12).fit_transform(D, must_link=[(0, 1)])
        near = np.argsort(D + np.diag([np.inf] * 12), axis=1)[:, :4]
        for k in range(2, 12):
            if k in near[0] or k in near[1] or 0 in near[k] or 1 in near[k]:
                np.testing.assert_allclose(part[[0, 1], k], full[[0, 1], k], atol=1e-6)
            else:
                np.testing.assert_array_equal(part[[0, 1], k], D[[0, 1], k])


def plain_program(D, must, cannot, k, near, far):
    """QP 2.2 by its definition: edges, and triangles as triples of points."""
    n = len(D)
    pair = lambda i, j: (min(i, j), max(i, j))  # noqa: E731
    order = [sorted((D[i, j], j) for j in range(n) if j != i)[:k] for i in range(n)]
    small = {pair(i, j) for i in range(n) for _, j in order[i]}
    must, cannot = {pair(*p) for p in must}, {pair(*p) for p in cannot}
    said = must | cannot
    broken = {p for p in must if D[p] > near} | {p for p in cannot if D[p] < far}
    core = small | broken
    added = set()
    for i, j, m in itertools.permutations(range(n), 3):
        if pair(i, j) in small and pair(j, m) in broken:
            added.add(pair(i, m))
    edges = core | added
    triangles = []
    for i, j, m in itertools.combinations(range(n), 3):
        sides = [(i, j), (i, m), (j, m)]
        chosen = any(p in said and q in core for p in sides for q in sides if p != q)
        if chosen and all(s in edges for s in sides):
            triangles.append(sides)
    return sorted(edges), triangles, must, cannot


def solve_by_clarabel(D, edges, triangles, must, cannot, near, far, price_must, price_cannot):
    number = {e: i for i, e in enumerate(edges)}
    said = [e for e in edges if e in must or e in cannot]
    size = len(edges) + len(said)
    quadratic, linear, constant = np.zeros(size), np.zeros(size), 0.0
    for e in edges:
        if e not in said:
            quadratic[number[e]], linear[number[e]] = 2.0, -2.0 * D[e]
            constant += D[e] ** 2
    rows, right = [], []
    for slack, e in enumerate(said, len(edges)):
        linear[slack] = price_must if e in must else price_cannot
        sign = 1.0 if e in must else -1.0
        rows.append({number[e]: sign, slack: -1.0})
        right.append(near if e in must else -far)
        rows.append({slack: -1.0})
        right.append(0.0)
    for sides in triangles:
        for s in sides:
            rows.append({number[q]: 1.0 if q == s else -1.0 for q in sides})
            right.append(0.0)
    for i in range(len(edges)):
        rows.append({i: -1.0})
        right.append(0.0)
    A = sparse.lil_array((len(rows), size))
    for r, row in enumerate(rows):
        for c, value in row.items():
            A[r, c] = value
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    cone = [clarabel.NonnegativeConeT(len(rows))]
    P, A = sparse.csc_matrix(sparse.diags(quadratic)), sparse.csc_matrix(A)
    return clarabel.DefaultSolver(P, linear, A, np.array(right), cone, settings).solve().obj_val + constant


def random_case(rng):
    n = int(rng.integers(3, 14))
    D = random_metric(rng, n)
    if rng.random() < 0.3:
        D = np.round(2 * D) / 2  # ties, zeros
    if rng.random() < 0.3:
        noise = rng.uniform(0.2, 2.0, (n, n))
        D *= np.sqrt(noise * noise.T)  # triangle inequalities broken from the start
    D = np.triu(D, 1) + np.triu(D, 1).T
    pairs = np.array(list(itertools.combinations(range(n), 2)))
    drawn = rng.permutation(len(pairs))[: rng.integers(1, len(pairs) + 1)]
    cut = rng.integers(0, len(drawn) + 1)
    near = float(rng.choice([0.0, 0.01, 0.3]))
    far = max(near, float(D.max() / rng.choice([1, 2, 8])))
    prices = (10.0, 1.0) if rng.random() < 0.6 else (float(rng.uniform(0.01, 3)), float(rng.uniform(0.01, 3)))
    return D, pairs[drawn[:cut]], pairs[drawn[cut:]], int(rng.integers(1, min(6, n))), near, far, prices


@pytest.mark.parametrize("seed", range(10))
def test_same_objective_as_clarabel(seed):
    rng = np.random.default_rng(seed)
    for _ in range(20):
        D, must, cannot, k, near, far, prices = random_case(rng)
        program = plain_program(D, must, cannot, k, near, far)
        expected = solve_by_clarabel(D, *program, near, far, *prices)
        model = DistLQP(k, near, far, must_link_weight=prices[0], cannot_link_weight=prices[1], tol=1e-6)
        learned = model.fit_transform(D, must_link=must, cannot_link=cannot)
        assert model.n_edges_ == len(program[0])
        assert model.n_triangles_ == len(program[1])
        assert abs(model.objective_ - expected) <= 1e-4 * max(expected, 1e-3)  # Clarabel's own 1e-8, where it is 0
        check_feasible(learned, D, program)
        assert model.objective_ == pytest.approx(plain_objective(learned, D, program, near, far, prices))


def plain_objective(learned, D, program, near, far, prices):
    total = 0.0
    edges, _, must, cannot = program
    for e in edges:
        if e in must:
            total += prices[0] * max(0.0, learned[e] - near)
        elif e in cannot:
            total += prices[1] * max(0.0, far - learned[e])
        else:
            total += (learned[e] - D[e]) ** 2
    return total


def check_feasible(learned, D, program):
    edges, triangles, _, _ = program
    assert (learned == learned.T).all()
    for sides in triangles:
        a, b, c = (learned[s] for s in sides)
        assert 2 * max(a, b, c) <= a + b + c + 1e-9
    assert learned.min() >= -1e-9
    outside = np.ones_like(D, bool)
    outside[tuple(np.transpose(edges))] = outside.T[tuple(np.transpose(edges))] = False
    assert (learned[outside] == D[outside]).all()


def some_constraints(rng, truth, count):
    pairs = np.array([rng.choice(len(truth), 2, replace=False) for _ in range(count)])
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    return pairs[same], pairs[~same]


def test_a_warm_start_gives_the_same_in_fewer_rounds():
    rng = np.random.default_rng(3)
    truth = rng.integers(5, size=80)
    D = pairwise(rng.normal(size=(5, 4))[truth] + 0.5 * rng.normal(size=(80, 4)))
    must, cannot = some_constraints(rng, truth, 200)
    model = DistLQP(8, warm_start=True, tol=1e-7)
    model.fit(D, must_link=must[:-2], cannot_link=cannot[:-5])
    warm = model.fit_transform(D, must_link=must, cannot_link=cannot)
    cold_model = clone(model).set_params(warm_start=False)
    cold = cold_model.fit_transform(D, must_link=must, cannot_link=cannot)
    assert model.objective_ == pytest.approx(cold_model.objective_, rel=1e-6)
    assert model.n_iter_ < cold_model.n_iter_
    said = np.zeros_like(D, bool)
    for pairs in (must, cannot):
        said[tuple(pairs.T)] = said.T[tuple(pairs.T)] = True
    np.testing.assert_allclose(warm[~said], cold[~said], atol=0.01)


def test_constraints_reach_pairs_nobody_named():
    """Two classes, each in two far halves: must-links between some of the halves bring the rest nearer."""
    x = np.concatenate([np.linspace(at, at + 1, 10) for at in (0, 4, 8, 12)])
    D = np.abs(x[:, None] - x) / 13
    must = [(i, 20 + i) for i in range(5)] + [(10 + i, 30 + i) for i in range(5)]
    learned = DistLQP(9).fit_transform(D, must_link=must)
    asked = np.zeros_like(D, bool)
    asked[tuple(np.transpose(must))] = True
    assert learned[:10, 20:30][~asked[:10, 20:30]].mean() < 0.7 * D[:10, 20:30][~asked[:10, 20:30]].mean()


def test_before_a_clusterer_and_in_a_session():
    rng = np.random.default_rng(5)
    truth = np.repeat([0, 1, 2], 15)
    X = rng.normal(size=(3, 3))[truth] * 2 + 0.6 * rng.normal(size=(45, 3))
    must, cannot = some_constraints(rng, truth, 60)
    pipe = make_pipeline(DistLQP(8, metric="euclidean"), COPKMeans(3, metric="precomputed", random_state=0))
    given = {"distlqp__must_link": must, "distlqp__cannot_link": cannot}
    labels = pipe.fit_predict(X, **given, copkmeans__must_link=must, copkmeans__cannot_link=cannot)
    assert labels.shape == (45,)
    learned = pipe[0].transform(X)
    assert HACC(3, metric="precomputed").fit(learned).n_clusters_ == 3
    session = Session(learned, metric="precomputed", n_clusters=3, random_state=0)
    session.answer((0, 1), "same")
    assert session.ask() is not None


@pytest.mark.parametrize("n", [1, 2])
def test_few_items(n):
    D = np.ones((n, n)) - np.eye(n)
    assert (DistLQP().fit_transform(D) == D).all()
    if n == 2:
        near = DistLQP().fit_transform(D, must_link=[(0, 1)])
        assert near[0, 1] == pytest.approx(0.01, abs=1e-3)
        assert DistLQP(alpha=0.5).fit_transform(D, cannot_link=[(0, 1)])[0, 1] == pytest.approx(2, rel=1e-2)


def test_without_constraints_nothing_changes():
    D = random_metric(np.random.default_rng(0), 30)
    model = DistLQP()
    assert (model.fit_transform(D) == D).all()
    assert model.objective_ == model.gap_ == 0.0
    assert (DistLQP().fit_transform(np.zeros((5, 5)), cannot_link=[(0, 1)], must_link=[(2, 3)]) <= 0.01).all()


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"n_neighbors": 0}, "n_neighbors must be positive"),
        ({"triangles": "some"}, "triangles must be 'graph' or 'all'"),
        ({"must_link_distance": -1.0}, "must_link_distance must not be negative"),
        ({"cannot_link_distance": 0.001}, "below must_link_distance"),
        ({"alpha": 0.0}, "alpha must be positive"),
        ({"max_iter": 0}, "max_iter must be positive"),
        ({"tol": np.nan}, "tol must not be negative"),
    ],
)
def test_bad_parameters(bad, message):
    with pytest.raises(ValueError, match=message):
        DistLQP(**bad).fit(np.ones((3, 3)) - np.eye(3))


def test_contradictions():
    D = np.ones((4, 4)) - np.eye(4)
    with pytest.raises(ValueError, match="0 and 1 are in must_link and in cannot_link"):
        DistLQP().fit(D, must_link=[(1, 0)], cannot_link=[(0, 1)])
    with pytest.raises(ConflictError):
        DistLQP(triangles="all").fit(D, must_link=[(0, 1), (1, 2)], cannot_link=[(0, 2)])
    soft = DistLQP(3, cannot_link_distance=1.0).fit(D, must_link=[(0, 1), (1, 2)], cannot_link=[(0, 2)])
    assert soft.objective_ > 0


def test_too_few_rounds_are_said():
    rng = np.random.default_rng(0)
    D = random_metric(rng, 30)
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        DistLQP(5, max_iter=1).fit(D, must_link=[(0, 1), (1, 2)], cannot_link=[(0, 5)])


def test_other_items_have_no_learned_distances():
    D = random_metric(np.random.default_rng(0), 6)
    model = DistLQP(3).fit(D)
    assert (model.transform(D) == D).all()
    with pytest.raises(ValueError, match="items it was fitted on"):
        model.transform(2 * D)
