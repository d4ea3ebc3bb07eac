"""Who stops before it settled says so."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris
from sklearn.exceptions import ConvergenceWarning

from likewise.cluster import PCCA, CompetitiveAgglomeration, ConstrainedEM, COPKMeans, MPCKMeans, PCKMeans
from likewise.distances import ITML, LMNN, LSML, MMC

X, y = load_iris(return_X_y=True)
MUST, CANNOT = [(0, 1), (50, 51), (2, 30), (60, 99)], [(0, 50), (1, 60), (70, 120), (55, 140)]


@pytest.mark.parametrize("kind", [COPKMeans, PCKMeans, MPCKMeans, ConstrainedEM, PCCA, CompetitiveAgglomeration])
def test_a_clusterer_that_stops_at_its_last_round_warns(kind):
    with pytest.warns(ConvergenceWarning, match=f"{kind.__name__} stopped at max_iter=1"):
        kind(5, max_iter=1, random_state=0).fit(X)


@pytest.mark.parametrize("kind", [ITML, LSML, MMC])
def test_a_learner_that_stops_at_its_last_step_warns(kind):
    with pytest.warns(ConvergenceWarning, match=f"{kind.__name__} stopped at max_iter=1"):
        kind(max_iter=1).fit(X, must_link=MUST, cannot_link=CANNOT)


@pytest.mark.parametrize("kind", [COPKMeans, PCKMeans, MPCKMeans])
def test_who_settles_says_nothing(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kind(3, random_state=0).fit(X)


def test_competition_that_leaves_one_cluster_is_told():
    with pytest.warns(ConvergenceWarning, match=r"competition left a single cluster: lower eta, now 5,"):
        CompetitiveAgglomeration(eta=5.0, random_state=0).fit(load_digits().data[:300])


@pytest.mark.filterwarnings("error")
def test_competition_eases_by_itself_until_more_than_one_cluster_is_left():
    model = CompetitiveAgglomeration(random_state=0).fit(load_digits().data[:300])
    assert model.eta_ < 5
    assert model.n_clusters_ >= 5
    assert CompetitiveAgglomeration(4, random_state=0).fit(X).eta_ == 5


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_lmnn_learns_from_labels():
    rng = np.random.default_rng(0)
    noisy = np.column_stack([X, 8 * rng.normal(size=(len(X), 4))])
    shown = np.where(np.arange(len(X)) % 3 == 0, y, -1)
    learned = LMNN(max_iter=60).fit(noisy, shown)

    def errors(vectors):
        distances = np.linalg.norm(vectors[:, None] - vectors, axis=2)
        np.fill_diagonal(distances, np.inf)
        return (y[distances.argmin(axis=1)] != y).mean()

    assert errors(learned.transform(noisy)) < errors(noisy) / 2
    again = LMNN(max_iter=60).fit(noisy, shown)
    np.testing.assert_array_equal(again.components_, learned.components_)
    with pytest.raises(ValueError, match="one label for each of the 150 items"):
        LMNN().fit(noisy, y[:3])
