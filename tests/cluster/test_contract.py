"""What every public clusterer promises. The list is made from ``likewise.cluster.__all__``: none is forgotten."""

import inspect

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise import cluster
from likewise.cluster import (
    HACC,
    COPKMeans,
    DiscriminativeClustering,
    KMedoids,
    MPCKMeans,
    PCKMeans,
    SemiCrowdClustering,
    SpectralLearning,
    SSSVaD,
    Subclustering,
)
from likewise.constraints import ConflictError

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # small and odd data

ARGUMENTS = {"n_clusters": 2, "max_clusters": 4, "size": 12, "random_state": 0}


def with_few_clusters(method):
    """A clusterer with those of the arguments above that it takes."""
    taken = inspect.signature(method).parameters
    return method(**{name: value for name, value in ARGUMENTS.items() if name in taken})


EVERY = [
    with_few_clusters(method)
    for method in (getattr(cluster, name) for name in cluster.__all__)
    if inspect.isclass(method)
    and issubclass(method, cluster.ConstrainedClusterer)
    and method is not cluster.ConstrainedClusterer
]
COUNTED = [m for m in EVERY if "n_clusters" in m.get_params()]
# These always fill the number of clusters asked for, unless must-links leave fewer.
CLUSTERERS = [m for m in EVERY if isinstance(m, COPKMeans | HACC | KMedoids | MPCKMeans | PCKMeans)]
ON_DISTANCES = [m for m in CLUSTERERS if isinstance(m, COPKMeans | HACC | KMedoids)]
HARD = ON_DISTANCES
SOFT = [m for m in CLUSTERERS if isinstance(m, MPCKMeans | PCKMeans)]
# Constraints with a weight that no distance outdoes; every other clusterer says of itself that they are soft.
KEPT = [*CLUSTERERS, *(m for m in EVERY if isinstance(m, SpectralLearning | Subclustering))]
TOLERANT = [m for m in EVERY if isinstance(m, DiscriminativeClustering | SSSVaD)]
STRICT = [m for m in EVERY if m not in TOLERANT]
# Other side information that fit takes besides pairs.
SIDE = {
    "bags": {"bags": np.arange(24) // 6, "bag_labels": {0: {"a"}, 3: {"b"}}},
    "triplets": {"triplets": [(0, 1, 12, "ab"), (1, 2, 13, "unsure")]},
    "hits": {"hits": [(0, i, i // 12) for i in range(24)]},
}

X = np.random.RandomState(0).normal(size=(24, 3)) + np.repeat([[0.0], [6.0]], 12, axis=0)


def named(models):
    return pytest.mark.parametrize("model", models, ids=lambda m: type(m).__name__)


def side_of(model):
    """Side information of the kind that the clusterer's fit takes."""
    taken = inspect.signature(model.fit).parameters
    return {key: value for name, given in SIDE.items() if name in taken for key, value in given.items()}


def test_every_family_is_in_the_list():
    assert len(EVERY) >= 17
    assert {frozenset(side_of(m)) for m in EVERY} == {frozenset(), *(frozenset(given) for given in SIDE.values())}


@parametrize_with_checks(EVERY)
def test_scikit_learn(estimator, check):
    check(estimator)


@named(EVERY)
def test_parameters_survive_cloning(model):
    number = "n_clusters" if model in COUNTED else "max_clusters"
    copy = clone(model).set_params(**{number: 5})
    assert copy.get_params() == {**model.get_params(), number: 5}
    assert not hasattr(copy, "labels_")


@named(EVERY)
@pytest.mark.parametrize("with_side", [False, True], ids=["pairs", "side"])
def test_fit_returns_the_clusterer_with_its_labels(model, with_side):
    side = side_of(model) if with_side else {}
    pairs = {"must_link": [(0, 1)], "cannot_link": [(0, 20)]}
    fitted = clone(model)
    assert fitted.fit(X, **pairs, **side) is fitted
    assert fitted.labels_.shape == (24,)
    assert fitted.labels_.dtype == np.int64
    found, first = np.unique(fitted.labels_[fitted.labels_ >= 0], return_index=True)
    assert type(fitted.n_clusters_) is int
    assert found.tolist() == list(range(fitted.n_clusters_))
    assert (np.diff(first) > 0).all()
    assert clone(model).fit_predict(X, **pairs, **side).tolist() == fitted.labels_.tolist()


@named(CLUSTERERS)
@pytest.mark.parametrize("n_clusters", [1, 2, 5, 24])
def test_labels_are_numbered_from_zero_by_first_item(model, n_clusters):
    fitted = clone(model).set_params(n_clusters=n_clusters).fit(X)
    assert fitted.n_clusters_ == n_clusters
    assert fitted.labels_.dtype == np.int64
    seen, first = np.unique(fitted.labels_, return_index=True)
    assert seen.tolist() == list(range(n_clusters))
    assert (np.diff(first) > 0).all()


# SemiCrowdClustering scales vectors to one length: to it these groups are not far from each other.
@named([m for m in EVERY if not isinstance(m, SemiCrowdClustering)])
def test_two_far_groups_are_found(model):
    assert clone(model).fit_predict(X).tolist() == [0] * 12 + [1] * 12


@named(KEPT)
def test_constraints_change_the_labels(model):
    if model in SOFT:
        model = clone(model).set_params(weight=1e3)
    labels = clone(model).fit_predict(X, must_link=[(0, 12), (1, 13)], cannot_link=[(0, 1), (12, 13)])
    assert labels[0] == labels[12]
    assert labels[1] == labels[13]
    assert labels[0] != labels[1]


@named([m for m in EVERY if m not in KEPT])
def test_soft_constraints_are_documented(model):
    text = " ".join((inspect.getdoc(type(model)) + inspect.getdoc(type(model).fit)).split())
    assert "soft" in text or "not used" in text


@named(EVERY)
def test_y_is_ignored(model):
    y = np.arange(24)
    assert clone(model).fit_predict(X, y).tolist() == clone(model).fit_predict(X).tolist()


@named(EVERY)
def test_same_seed_same_labels(model):
    rng = np.random.default_rng(1)
    points = rng.normal(size=(60, 2))
    pairs = rng.permutation(60)[:20].reshape(10, 2)
    number = {"n_clusters": 4} if model in COUNTED else {}
    fits = [clone(model).set_params(**number).fit(points, must_link=pairs) for _ in range(2)]
    assert fits[0].labels_.tolist() == fits[1].labels_.tolist()
    seeded = clone(model)
    if "random_state" in seeded.get_params():
        state = np.random.RandomState(3)
        before = state.get_state()[1].tolist()
        seeded.set_params(random_state=state).fit(points)
        assert state.get_state()[1].tolist() != before


@named(EVERY)
def test_input_is_not_modified(model):
    points, pairs = X.copy(), np.array([[0, 1]])
    clone(model).fit(points, must_link=pairs, cannot_link=np.array([[0, 20]]), **side_of(model))
    assert (points == X).all()
    assert pairs.tolist() == [[0, 1]]


@named(EVERY)
def test_one_point(model):
    number = {"n_clusters": 1} if model in COUNTED else {}
    assert clone(model).set_params(**number).fit([[1.0, 2.0]]).labels_.tolist() == [0]
    if not number:
        return
    with pytest.raises(ValueError, match="n_clusters is 2, but there are only n_samples=1"):
        clone(model).fit([[1.0, 2.0]])


@named(CLUSTERERS)
def test_equal_points(model):
    labels = clone(model).set_params(n_clusters=3).fit_predict(np.ones((6, 2)), cannot_link=[(0, 5)])
    assert len(set(labels)) == 3
    # To MPCKMeans a cannot-link costs what the pair falls short of the farthest two: here nothing.
    assert labels[0] != labels[5] or isinstance(model, MPCKMeans)


@named(COUNTED)
@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"n_clusters": 25}, "n_clusters is 25, but there are only n_samples=24"),
        ({"n_clusters": 0}, "n_clusters must be a positive integer"),
        ({"n_clusters": 2.0}, "n_clusters must be a positive integer"),
    ],
)
def test_bad_number_of_clusters(model, bad, message):
    with pytest.raises(ValueError, match=message):
        clone(model).set_params(**bad).fit(X)


@named(EVERY)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_missing_values(model, value):
    broken = X.copy()
    broken[3, 1] = value
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        clone(model).fit(broken)


@named(EVERY)
def test_nothing_to_cluster(model):
    with pytest.raises(ValueError, match="0 sample"):
        clone(model).fit(np.empty((0, 2)))


@named(EVERY)
@pytest.mark.parametrize("kind", ["must_link", "cannot_link"])
@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([(0, 24)], "holds index 24, but there are 24 items"),
        ([(-1, 3)], "holds index -1"),
        ([(3, 3)], "pairs item 3 with itself"),
        ([(0, 1, 2)], r"must be of shape \(m, 2\)"),
        ([(0.5, 1)], "must be integer indices"),
    ],
)
def test_bad_pairs(model, kind, pairs, message):
    with pytest.raises(ValueError, match=f"{kind} {message}"):
        clone(model).fit(X, **{kind: pairs})


@named(STRICT)
def test_contradiction(model):
    with pytest.raises(ConflictError, match="0 and 2 cannot be different: 0 and 1 same; 1 and 2 same"):
        clone(model).fit(X, must_link=[(0, 1), (1, 2)], cannot_link=[(0, 2)])


@named(TOLERANT)
def test_contradictions_that_are_allowed_are_documented(model):
    assert clone(model).fit(X, must_link=[(0, 1), (1, 2)], cannot_link=[(0, 2)]).labels_.shape == (24,)
    assert "contradict each other" in " ".join(inspect.getdoc(type(model).fit).split())


@named(HARD)
def test_hard_constraints_hold(model):
    rng = np.random.default_rng(2)
    for _ in range(20):
        points = rng.normal(size=(40, 2))
        truth = rng.integers(4, size=40)
        pairs = np.array([rng.choice(40, 2, replace=False) for _ in range(30)])
        same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
        fitted = clone(model).set_params(n_clusters=4)
        labels = fitted.fit_predict(points, must_link=pairs[same], cannot_link=pairs[~same])
        together = labels[pairs[:, 0]] == labels[pairs[:, 1]]
        assert together.tolist() == same.tolist()


@named(SOFT)
def test_soft_constraints_may_be_given_up(model):
    labels = clone(model).set_params(weight=1e-9).fit_predict(X, must_link=[(0, 12)])
    assert labels.tolist() == [0] * 12 + [1] * 12
    labels = clone(model).set_params(n_clusters=3).fit_predict(X, must_link=[(i, 0) for i in range(1, 24)])
    assert len(set(labels)) == 3


@named(SOFT)
@pytest.mark.parametrize("metric", ["precomputed", np.dot])
def test_methods_with_means_refuse_distances(model, metric):
    with pytest.raises(ValueError, match="needs vectors and metric='euclidean'"):
        clone(model).set_params(metric=metric).fit(np.zeros((5, 5)))


@named(ON_DISTANCES)
def test_distances_equal_vectors_and_callables(model):
    distances = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    given = clone(model).set_params(metric="precomputed").fit(distances, must_link=[(0, 13)])
    called = clone(model).set_params(metric=lambda a, b: np.sqrt(((a - b) ** 2).sum()))
    assert called.fit(X, must_link=[(0, 13)]).labels_.tolist() == given.labels_.tolist()
    assert given.__sklearn_tags__().input_tags.pairwise


@named(ON_DISTANCES)
@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.zeros((3, 2)), "square"),
        (np.array([[0, 1.0], [2.0, 0]]), "not symmetric"),
        (np.array([[0, -1.0], [-1.0, 0]]), "negative"),
        (np.array([[1.0, 1.0], [1.0, 1.0]]), "diagonal"),
    ],
)
def test_bad_distances(model, matrix, message):
    with pytest.raises(ValueError, match=message):
        clone(model).set_params(metric="precomputed").fit(matrix)


@named(ON_DISTANCES)
def test_must_links_may_leave_fewer_clusters(model):
    fitted = clone(model).set_params(n_clusters=3).fit(X, must_link=[(i, i + 2) for i in range(22)])
    assert fitted.n_clusters_ == 2
    assert fitted.labels_.tolist() == [0, 1] * 12


@named([m for m in EVERY if "n_init" in m.get_params()])
@pytest.mark.parametrize("bad", [{"n_init": 0}, {"max_iter": 0}, {"max_iter": 1.5}])
def test_bad_search(model, bad):
    if set(bad) <= set(model.get_params()):
        with pytest.raises((ValueError, TypeError), match=next(iter(bad))):
            clone(model).set_params(**bad).fit(X)
