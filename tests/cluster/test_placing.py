"""New items go to the cluster whose centre is nearest, or that is likeliest; names of before still work."""

from functools import partial

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from likewise.cluster import (
    HMRF,
    PCCA,
    CompetitiveAgglomeration,
    ConstrainedEM,
    COPKMeans,
    KMedoids,
    MPCKMeans,
    PCKMeans,
    SSSVaD,
    Subclustering,
)
from likewise.distances import pairwise

X = load_iris().data
NEW = X[::7] + 0.05
BY_MEANS = [COPKMeans(3, random_state=0), PCKMeans(3, random_state=0), CompetitiveAgglomeration(6, random_state=0)]


def named(models):
    return pytest.mark.parametrize("model", models, ids=lambda m: type(m).__name__)


@named([*BY_MEANS, PCCA(6, random_state=0)])
def test_new_items_go_to_the_nearest_mean(model):
    model.fit(X, must_link=[(0, 1)], cannot_link=[(0, 100)])
    expected = [np.argmin([((row - centre) ** 2).sum() for centre in model.cluster_centers_]) for row in NEW]
    assert model.predict(NEW).tolist() == expected


@named([COPKMeans(3, tol=0.0, random_state=0), PCKMeans(3, tol=0.0, random_state=0), KMedoids(3, random_state=0)])
def test_without_constraints_items_stay_where_they_are(model):
    model.fit(X)
    assert model.predict(X).tolist() == model.labels_.tolist()


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("per_cluster", [False, True])
def test_a_learned_metric_counts(full, per_cluster):
    model = MPCKMeans(3, full=full, per_cluster=per_cluster, tol=0.0, random_state=0).fit(X)
    assert (model.predict(X) == model.labels_).mean() > 0.99
    forms = model.matrices_ if full else np.array([np.diag(form) for form in model.matrices_])
    forms = [forms[k if per_cluster else 0] for k in range(3)]
    for row, label in zip(NEW, model.predict(NEW), strict=True):
        steps = row - model.cluster_centers_
        gaps = [step @ A @ step - np.log(np.linalg.det(A)) for step, A in zip(steps, forms, strict=True)]
        assert gaps[label] == pytest.approx(min(gaps))


@named([COPKMeans(3, random_state=0), KMedoids(3, random_state=0)])
def test_distances_to_the_old_items_do_as_well_as_vectors(model):
    by_name = model.set_params(metric="manhattan").fit(X).predict(NEW)
    given = model.set_params(metric="precomputed").fit(pairwise(X, metric="manhattan"))
    assert given.predict(pairwise(NEW, X, metric="manhattan")).tolist() == by_name.tolist()
    with pytest.raises(ValueError, match="150 features"):
        given.predict(np.zeros((2, 3)))


@named(BY_MEANS)
def test_there_is_nothing_to_predict_before_fitting(model):
    from sklearn.base import clone

    with pytest.raises(NotFittedError):
        clone(model).predict(X)


def test_clusters_with_shapes_of_their_own_have_no_prediction():
    assert not hasattr(CompetitiveAgglomeration(metric="mahalanobis"), "predict")


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
def test_a_mixture_under_constraints_places_by_its_densities(covariance):
    model = ConstrainedEM(4, covariance=covariance, random_state=0).fit(X, must_link=[(0, 1)], cannot_link=[(0, 100)])
    full = [c if covariance == "full" else np.diag(c) for c in model.covariances_]
    parts = zip(model.weights_, model.cluster_centers_, full, strict=True)
    check_densities(model, [share * multivariate_normal(mean, c).pdf(NEW) for share, mean, c in parts])
    assert (model.predict(X) == model.labels_).mean() > 0.97


def test_a_random_field_places_by_its_densities():
    model = HMRF(3, random_state=0).fit(X, must_link=[(0, 1)], cannot_link=[(0, 100)])
    parts = zip(model.weights_, model.cluster_centers_, model.variances_, strict=True)
    check_densities(model, [share * multivariate_normal(mean, np.diag(v)).pdf(NEW) for share, mean, v in parts])
    assert (model.predict(X) == model.labels_).mean() > 0.97


def check_densities(model, densities):
    expected = np.array(densities).T / np.sum(densities, axis=0)[:, None]
    np.testing.assert_allclose(model.predict_proba(NEW), expected, atol=1e-9)
    assert model.predict(NEW).tolist() == expected.argmax(axis=1).tolist()


def test_clusters_that_weigh_columns_in_their_own_way_place_by_their_own_distance():
    model = SSSVaD(3, spread=0.5, random_state=0).fit(X)
    assert model.predict(X).tolist() == model.labels_.tolist()
    for row, label in zip(NEW, model.predict(NEW), strict=True):
        parts = zip(model.cluster_centers_, model.feature_weights_, strict=True)
        costs = [w @ (row - centre) ** 2 + 0.5 * (w * np.log(w)).sum() for centre, w in parts]
        assert costs[label] == pytest.approx(min(costs))


def test_a_cluster_that_stayed_empty_is_no_place():
    for kind in (ConstrainedEM, SSSVaD):
        model = kind(3, random_state=0).fit(np.repeat([[1.0], [2.0]], 4, axis=0))
        assert len(model.cluster_centers_) == model.n_clusters_ == 2
        assert model.predict([[0.9], [2.2]]).tolist() == [0, 1]


NAMES_OF_BEFORE = [
    (ConstrainedEM(2, random_state=0), "means_", "cluster_centers_"),
    (SSSVaD(2, random_state=0), "centres_", "cluster_centers_"),
    (SSSVaD(2, random_state=0), "weights_", "feature_weights_"),
    (Subclustering(2, size=3, random_state=0), "cost_", "objective_"),
    (Subclustering(2, size=3, random_state=0), "cost_path_", "objective_path_"),
]


@pytest.mark.parametrize(
    ("model", "old", "new"), NAMES_OF_BEFORE, ids=lambda value: value if isinstance(value, str) else ""
)
def test_fitted_attributes_are_there_under_their_names_of_before_with_a_warning(model, old, new):
    assert not hasattr(model, old)
    model.fit(X[::5])
    with pytest.warns(FutureWarning, match=f"{old} is called {new} now"):
        value = getattr(model, old)
    assert np.array_equal(value, getattr(model, new))


@pytest.mark.parametrize(
    ("kind", "old", "new", "value"),
    [
        (PCKMeans, "w", "weight", 0.3),
        (MPCKMeans, "w", "weight", 0.3),
        (partial(KMedoids, method="clarans"), "max_neighbours", "max_neighbors", 2),
    ],
)
def test_arguments_work_under_their_names_of_before_with_a_warning(kind, old, new, value):
    said = {"must_link": [(0, 29), (1, 20)], "cannot_link": [(0, 1)]}
    expected = kind(3, random_state=0, **{new: value}).fit_predict(X[::5], **said)
    with pytest.warns(FutureWarning, match=f"{old} is called {new} now"):
        found = kind(3, random_state=0, **{old: value}).fit_predict(X[::5], **said)
    assert found.tolist() == expected.tolist()
    with pytest.raises(ValueError, match=new):
        kind(3, **{new: -1}).fit(X[::5])
