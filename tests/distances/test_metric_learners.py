"""Metric learners: one contract for all, and each against its objective written out plainly."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.distances import DCA, ITML, LMNN, LSML, MMC, RCA, RDML, pairwise
from likewise.distances.comparisons import triplets_of_pairs
from likewise.distances.dca import scatters
from likewise.distances.lmnn import MarginLoss
from likewise.distances.lsml import ResidualLoss
from likewise.distances.mmc import negative_log_ratio
from likewise.distances.rdml import CANDIDATES

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # small and odd data

LEARNERS = [DCA(), ITML(), LMNN(), LSML(random_state=0), MMC(), RCA(), RDML()]
rng = np.random.default_rng(0)
TRUTH = np.repeat([0, 1, 2], 20)
X = np.column_stack([3.0 * TRUTH + 0.4 * rng.normal(size=60), 6.0 * rng.normal(size=(60, 2))])


def some_pairs(seed, count=60, truth=TRUTH):
    draw = np.random.default_rng(seed)
    pairs = np.array([draw.choice(len(truth), 2, replace=False) for _ in range(count)])
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    return pairs[same], pairs[~same]


def named(models):
    return pytest.mark.parametrize("model", models, ids=lambda m: type(m).__name__)


@parametrize_with_checks(LEARNERS)
def test_scikit_learn(estimator, check):
    check(estimator)


@named(LEARNERS)
def test_float32_stays_float32(model):
    must, cannot = some_pairs(1)
    fitted = clone(model).fit(X.astype(np.float32), must_link=must, cannot_link=cannot)
    found = fitted.transform(X.astype(np.float32))
    assert found.dtype == np.float32
    assert fitted.transform(X).dtype == np.float64
    np.testing.assert_allclose(found, fitted.transform(X), rtol=1e-4, atol=1e-3)


@named(LEARNERS)
def test_transform_gives_the_distances_of_the_metric(model):
    must, cannot = some_pairs(1)
    fitted = clone(model).fit(X, must_link=must, cannot_link=cannot)
    gap = X[3] - X[40]
    found = fitted.transform(X)
    assert ((found[3] - found[40]) ** 2).sum() == pytest.approx(gap @ fitted.metric_ @ gap)
    assert np.linalg.eigvalsh(fitted.metric_)[0] > -1e-9 * np.abs(fitted.metric_).max()
    again = clone(model).fit_transform(X, must_link=must, cannot_link=cannot)
    np.testing.assert_array_equal(found, again)


@named(LEARNERS)
def test_the_direction_that_matters_counts_more(model):
    must, cannot = some_pairs(2)
    metric = clone(model).fit(X, must_link=must, cannot_link=cannot).metric_
    assert metric[0, 0] > metric[1, 1]
    assert metric[0, 0] > metric[2, 2]


@named(LEARNERS)
def test_in_a_pipeline(model):
    must, cannot = some_pairs(3)
    pipe = make_pipeline(clone(model), KMeans(3, n_init=5, random_state=0))
    name = pipe.steps[0][0]
    labels = pipe.fit_predict(X, **{f"{name}__must_link": must, f"{name}__cannot_link": cannot})
    assert labels.shape == (60,)
    assert pipe.predict(X[:4]).shape == (4,)


@named(LEARNERS)
def test_nothing_to_learn_from(model):
    np.testing.assert_allclose(clone(model).fit(X).metric_, np.eye(3), atol=1e-6)


@named(LEARNERS)
@pytest.mark.parametrize("kind", ["must_link", "cannot_link"])
def test_bad_pairs(model, kind):
    with pytest.raises(ValueError, match=f"{kind} holds index 60, but there are 60 items"):
        clone(model).fit(X, **{kind: [(0, 60)]})


@named(LEARNERS)
def test_more_features_than_items_and_equal_items(model):
    draw = np.random.default_rng(4)
    wide = draw.normal(size=(10, 30))
    wide[1] = wide[0]
    fitted = clone(model).fit(wide, must_link=[(0, 1), (2, 3)], cannot_link=[(0, 2), (4, 5)])
    assert np.isfinite(fitted.transform(wide)).all()
    same = clone(model).fit(np.ones((5, 2)), must_link=[(0, 1)], cannot_link=[(2, 3)])
    assert np.isfinite(same.metric_).all()


def itml_objective(M, V, sign, bounds, gamma):
    """LogDet distance to the identity, and of the best slacks to the bounds."""
    total = np.trace(M) - np.linalg.slogdet(M)[1] - len(M)
    for v, s in zip(V, sign, strict=True):
        bound = bounds[0] if s > 0 else bounds[1]
        ratio = v @ M @ v / bound
        ratio = max(ratio, 1.0) if s > 0 else min(ratio, 1.0)
        total += gamma * (ratio - np.log(ratio) - 1.0)
    return total


@pytest.mark.parametrize("gamma", [0.3, 1.0, 10.0])
def test_itml_is_at_the_minimum_of_its_objective(gamma):
    must, cannot = some_pairs(5, 30)
    points = X / 6
    model = ITML(gamma, bounds=(0.5, 2.0), tol=1e-10, max_iter=5000)
    M = model.fit(points, must_link=must, cannot_link=cannot).metric_
    pairs = np.concatenate([must, cannot])
    V, sign = points[pairs[:, 0]] - points[pairs[:, 1]], [1] * len(must) + [-1] * len(cannot)
    best = itml_objective(M, V, sign, (0.5, 2.0), gamma)
    draw = np.random.default_rng(0)
    for size in (1e-1, 1e-2, 1e-3):
        for _ in range(50):
            step = draw.normal(size=(3, 3)) * size
            other = M + (step + step.T) * np.abs(M).max()
            if np.linalg.eigvalsh(other)[0] > 0:
                assert itml_objective(other, V, sign, (0.5, 2.0), gamma) >= best - 1e-9


def test_itml_with_hard_bounds_keeps_them():
    must, cannot = np.array([[0, 1], [20, 21]]), np.array([[0, 20]])
    model = ITML(np.inf, bounds=(1.0, 4.0), tol=1e-12, max_iter=10000)
    Z = model.fit(X, must_link=must, cannot_link=cannot).transform(X)
    squares = pairwise(Z) ** 2
    assert (squares[tuple(must.T)] <= 1 + 1e-6).all()
    assert (squares[tuple(cannot.T)] >= 4 - 1e-6).all()


def test_rca_is_the_inverse_covariance_inside_groups():
    must = [(0, 1), (1, 2), (20, 21), (22, 23), (23, 24), (40, 41)]
    groups = [[0, 1, 2], [20, 21], [22, 23, 24], [40, 41]]
    centred = np.concatenate([X[g] - X[g].mean(axis=0) for g in groups])
    expected = np.linalg.inv(centred.T @ centred / len(centred))
    np.testing.assert_allclose(RCA(0.0).fit(X, must_link=must).metric_, expected, rtol=1e-9)


def test_dca_maximises_the_ratio_of_scatters():
    must, cannot = some_pairs(6)
    L = DCA(1, regularization=0.0).fit(X, must_link=must, cannot_link=cannot).components_[0]
    within, between = scatters(X, must, cannot)
    best = (L @ between @ L) / (L @ within @ L)
    for w in np.random.default_rng(0).normal(size=(500, 3)):
        assert (w @ between @ w) / (w @ within @ w) <= best * (1 + 1e-9)


def test_dca_scatter_between_groups_by_hand():
    _, between = scatters(X, np.array([[0, 1]]), np.array([[0, 20], [1, 20], [30, 31]]))
    one = X[:2].mean(axis=0) - X[20]
    two = X[30] - X[31]
    np.testing.assert_allclose(between, (np.outer(one, one) + np.outer(two, two)) / 2)


def random_transform(seed, d=3):
    return np.eye(d) + 0.3 * np.random.default_rng(seed).normal(size=(d, d))


def check_gradient(objective, L):
    numeric = approx_fprime(L.ravel(), lambda x: objective(x.reshape(L.shape))[0], 1e-7)
    np.testing.assert_allclose(objective(L)[1].ravel(), numeric, rtol=1e-4, atol=1e-4 * np.abs(numeric).max())


@pytest.mark.parametrize("seed", range(5))
def test_gradients(seed):
    must, cannot = some_pairs(seed, 40)
    L = random_transform(seed)
    check_gradient(lambda L: negative_log_ratio(L, X[cannot[:, 0]] - X[cannot[:, 1]]), L)
    check_gradient(MarginLoss(X, must, triplets_of_pairs(must, cannot), 0.4), L)
    quads = np.column_stack([must[:5], cannot[:5]])
    check_gradient(ResidualLoss(X, quads, np.diag([1.0, 2.0, 3.0]), 0.7), L)


def test_mmc_beats_random_metrics():
    must, cannot = some_pairs(7)
    model = MMC(regularization=0.0).fit(X, must_link=must, cannot_link=cannot)
    near, far = X[must[:, 0]] - X[must[:, 1]], X[cannot[:, 0]] - X[cannot[:, 1]]

    def ratio(M):
        return np.sqrt(np.einsum("ij,jk,ik->i", far, M, far)).sum() / np.sqrt(np.einsum("ij,jk,ik->", near, M, near))

    assert ratio(model.metric_) == pytest.approx(model.objective_)
    draw = np.random.default_rng(0)
    for size in (1.0, 0.1, 0.01):
        for _ in range(100):
            L = model.components_ + size * np.abs(model.components_).max() * draw.normal(size=(3, 3))
            assert ratio(L.T @ L) <= model.objective_ * (1 + 1e-7)


def plain_lmnn(M, pulled, triplets, push):
    def square(a, b):
        return (X[a] - X[b]) @ M @ (X[a] - X[b])

    pull = sum(square(a, b) for a, b in pulled)
    hinge = sum(max(0.0, 1 + square(a, b) - square(a, c)) for a, b, c in triplets)
    return (1 - push) * pull + push * hinge


def test_lmnn_reaches_the_minimum_of_its_convex_objective():
    triplets = np.array([(0, 1, 20), (0, 1, 40), (20, 21, 0), (40, 41, 22), (5, 6, 44), (25, 26, 46)])
    model = LMNN(0.5, max_iter=2000, tol=1e-12).fit(X, triplets=triplets)
    pulled = np.unique(triplets[:, :2], axis=0)
    best = plain_lmnn(model.metric_, pulled, triplets, 0.5)
    assert best == pytest.approx(model.objective_)
    assert best < 0.9 * plain_lmnn(np.eye(3), pulled, triplets, 0.5)
    draw = np.random.default_rng(0)
    for size in (1.0, 0.1, 0.01):
        for _ in range(100):
            L = model.components_ + size * np.abs(model.components_).max() * draw.normal(size=(3, 3))
            assert plain_lmnn(L.T @ L, pulled, triplets, 0.5) >= best * (1 - 1e-3)


def test_triplets_of_pairs_by_hand():
    found = triplets_of_pairs(np.array([[0, 1]]), np.array([[1, 2], [3, 0]]))
    assert sorted(map(tuple, found.tolist())) == [(0, 1, 3), (1, 0, 2)]


@pytest.mark.parametrize("model", [LMNN(), LSML()], ids=["LMNN", "LSML"])
@pytest.mark.parametrize(
    ("bad", "message"),
    [([(0, 1)], "shape"), ([(0, 1, 60)], "index 60"), ([(0, 0, 1)], "itself"), ([(0.5, 1, 2)], "integer")],
)
def test_bad_triplets(model, bad, message):
    with pytest.raises(ValueError, match=message):
        clone(model).fit(X, triplets=bad)


def test_lsml_turns_a_comparison_round():
    before = pairwise(X)
    a, b, c = 0, 1, 2
    if before[a, b] < before[a, c]:
        b, c = c, b
    fitted = LSML(weight=1e3).fit(X, triplets=[(a, b, c)])
    after = pairwise(fitted.transform(X))
    assert after[a, b] - after[a, c] < 0.1 * (before[a, b] - before[a, c])


def test_rdml_is_equation_5():
    draw = np.random.default_rng(0)
    for n, d in ((20, 5), (6, 15)):
        V = draw.normal(size=(n, d)) / d
        Y = np.eye(3)[draw.integers(3, size=n)]
        A = Y @ Y.T
        inverse = np.linalg.inv(V.T @ V + 0.5 * n * np.eye(d))
        expected = inverse @ V.T @ A @ V @ inverse
        np.testing.assert_allclose(RDML(0.5).fit(V, similarity=A).metric_, expected, rtol=1e-8, atol=1e-14)


def test_rdml_from_pairs_uses_the_named_items():
    group = np.array([0, 0, 1, 1, 2])
    A = (group[:, None] == group).astype(float)
    named = [0, 1, 20, 21, 40]
    by_pairs = RDML().fit(X, must_link=[(0, 1), (20, 21)], cannot_link=[(0, 20), (0, 40)]).metric_
    np.testing.assert_allclose(by_pairs, RDML().fit(X[named], similarity=A).metric_)


def test_rdml_chooses_what_items_left_out_ask_for():
    chosen = set()
    for seed in range(12):
        rng = np.random.default_rng(seed)
        V, noise = rng.normal(size=(25, 6)), 10.0 ** rng.uniform(-2, 1.5)
        F = V @ rng.normal(size=(6, 3)) + noise * rng.normal(size=(25, 3))
        found = RDML("auto").fit(V, similarity=F @ F.T).regularization_
        candidates = CANDIDATES * (V**2).sum() / V.size
        errors = []
        for candidate in candidates:
            error = 0.0
            for i in range(25):
                rest = np.delete(np.arange(25), i)
                ridge = V[rest].T @ V[rest] + candidate * 25 * np.eye(6)
                error += ((F[i] - V[i] @ np.linalg.solve(ridge, V[rest].T @ F[rest])) ** 2).sum()
            errors.append(error)
        assert found == pytest.approx(candidates[np.argmin(errors)])
        chosen.add(int(np.argmin(errors)))
    assert len(chosen) > 3


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (ITML(0.0), "gamma must be positive"),
        (ITML(bounds=(0.0, 1.0)), "bounds must be positive"),
        (ITML(prior="no"), "prior must be"),
        (RCA(-1.0), "regularization must not be negative"),
        (DCA(0), "n_components must be positive"),
        (MMC(regularization=-1.0), "regularization must not be negative"),
        (LMNN(2.0), "push must be between 0 and 1"),
        (LSML("no"), "prior must be"),
        (LSML(weight=-1.0), "weight must not be negative"),
        (RDML(-1.0), "regularization must be 'auto' or a number"),
        (RDML("no"), "regularization must be 'auto' or a number"),
    ],
)
def test_bad_parameters(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(X, must_link=[(0, 1)])


def test_columns_have_names_and_tables_come_out():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"a": [0.0, 0.0, 1.0, 1.0], "b": [0.0, 2.0, 0.0, 2.0]})
    learned = RCA().set_output(transform="pandas").fit(table, must_link=[(0, 1), (2, 3)])
    assert learned.get_feature_names_out().tolist() == ["rca0", "rca1"]
    assert list(learned.transform(table).columns) == ["rca0", "rca1"]
