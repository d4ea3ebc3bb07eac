"""Classical scaling and NPKL: distances that come back, and a kernel that nothing beats."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from likewise.cluster import HACC
from likewise.distances import ITML, MDS, NPKL, pairwise
from likewise.distances.npkl import best_kernel, graph_laplacian


@pytest.mark.parametrize(("n", "d"), [(1, 2), (2, 1), (10, 3), (8, 12)])
def test_euclidean_distances_come_back(n, d):
    D = pairwise(np.random.default_rng(n).normal(size=(n, d)))
    np.testing.assert_allclose(pairwise(MDS().fit_transform(D)), D, atol=1e-6)


def test_new_items_and_few_dimensions():
    X = np.random.default_rng(0).normal(size=(30, 4)) * [10, 5, 1, 0.1]
    D = pairwise(X)
    model = MDS().fit(D[:25, :25])
    np.testing.assert_allclose(pairwise(model.transform(D[25:, :25])), D[25:, 25:], atol=1e-6)
    np.testing.assert_allclose(model.transform(D[:25, :25]), model.embedding_, atol=1e-8)
    two = MDS(2).fit_transform(D)
    centred = X - X.mean(axis=0)
    values = np.linalg.svd(centred, compute_uv=False)
    np.testing.assert_allclose(np.linalg.norm(two, axis=0), values[:2])


def test_degenerate_scaling():
    assert MDS().fit_transform(np.zeros((4, 4))).tolist() == [[0.0]] * 4
    with pytest.raises(ValueError, match="n_components must be positive"):
        MDS(0).fit(np.zeros((2, 2)))
    with pytest.raises(ValueError, match="MDS expects 4"):
        MDS().fit(np.zeros((4, 4))).transform(np.zeros((2, 3)))


def test_before_a_learner_of_vectors():
    D = pairwise(np.random.default_rng(0).normal(size=(20, 5)))
    pipe = make_pipeline(MDS(3), ITML(), HACC(4))
    labels = pipe.fit_predict(D, itml__must_link=[(0, 1)], itml__cannot_link=[(0, 2)], hacc__must_link=[(0, 1)])
    assert labels[0] == labels[1]


def test_no_kernel_of_the_same_size_agrees_more():
    rng = np.random.default_rng(1)
    for _ in range(5):
        goal = rng.normal(size=(7, 7))
        goal = goal + goal.T
        best = best_kernel(goal, 3.0)
        assert np.linalg.norm(best) == pytest.approx(3.0)
        assert np.linalg.eigvalsh(best)[0] > -1e-9
        for _ in range(200):
            root = rng.normal(size=(7, rng.integers(1, 8)))
            other = root @ root.T
            assert (goal * other).sum() * 3.0 / np.linalg.norm(other) <= (goal * best).sum() + 1e-9


def test_npkl_follows_constraints():
    D = pairwise(np.random.default_rng(2).normal(size=(30, 3)))
    model = NPKL(5, weight=5.0)
    learned = model.fit_transform(D, must_link=[(0, 1)], cannot_link=[(0, 2), (1, 2)])
    assert learned[0, 1] < learned[0, 2]
    assert (learned == learned.T).all()
    assert (model.transform(D) == learned).all()
    with pytest.raises(ValueError, match="items it was fitted on"):
        model.transform(D + 1 - np.eye(30))
    assert HACC(3, metric="precomputed").fit(learned).n_clusters_ == 3


def test_laplacian_by_hand():
    D = np.abs(np.subtract.outer([0.0, 1.0, 3.0], [0.0, 1.0, 3.0]))
    half = 1 / np.sqrt(2)
    np.testing.assert_allclose(graph_laplacian(D, 1), [[1, -half, 0], [-half, 1, -half], [0, -half, 1]])
    assert NPKL().fit_transform(np.zeros((1, 1))).tolist() == [[0.0]]
    with pytest.raises(ValueError, match="n_neighbors must be positive"):
        NPKL(0).fit(D)
    with pytest.raises(ValueError, match="weight must not be negative"):
        NPKL(weight=-1.0).fit(D)
