"""New items go to the cluster whose centre is nearest."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from likewise.cluster import PCCA, CompetitiveAgglomeration, COPKMeans, KMedoids, MPCKMeans, PCKMeans
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
