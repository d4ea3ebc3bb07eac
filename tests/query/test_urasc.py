"""URASC: the gradient against finite differences, the steps against loops, and the loop with certain sets."""

import itertools

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.mixture import GaussianMixture

from likewise import Constraints, Session, simulate
from likewise.cluster import SpectralLearning
from likewise.cluster.groups import constrained_groups
from likewise.cluster.spectral.merged_graph import merge_groups
from likewise.cluster.spectral.signed_graph import Spectrum, decompose, write_constraints
from likewise.query import URASC, published_options
from likewise.query.neighbourhood.skeleton import Skeleton
from likewise.query.spectral.urasc_scores import (
    change_coefficients,
    entropies,
    gradient_norms,
    mixture_probabilities,
    nearest_by_affinity,
    neighbour_probabilities,
)

VARIANTS = {
    "+N": {},
    "+P": {"step": "parametric"},
    "-NO": {"gradient": False},
    "-PO": {"step": "parametric", "gradient": False},
    "-GO": {"step": None},
}


def random_affinity(rng, n):
    W = np.triu(rng.random((n, n)), 1)
    return W + W.T + np.eye(n)


def laplacian_of(W, kind):
    W = W.copy()
    np.fill_diagonal(W, 0.0)
    d = np.abs(W).sum(axis=1)
    L = np.diag(W.sum(axis=1) if kind == "signed" else d) - W
    return L if kind == "unnormalized" else L / np.sqrt(np.outer(d, d))


def vectors_of(W, kind, like):
    """All eigenvectors, with the signs of those they are compared with."""
    vectors = np.linalg.eigh(laplacian_of(W, kind))[1]
    return vectors * np.sign((vectors * like).sum(axis=0))


def blobs(sizes=(12, 12, 12), seed=0, gap=3.0):
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(len(sizes)), sizes)
    angle = 2 * np.pi * truth / len(sizes)
    return rng.normal(size=(len(truth), 2)) + gap * np.column_stack([np.cos(angle), np.sin(angle)]), truth


@pytest.mark.parametrize("kind", ["normalized", "signed", "unnormalized"])
@pytest.mark.parametrize("said", [False, True])
def test_the_gradient_is_the_finite_difference_of_the_eigenvectors(kind, said):
    rng = np.random.default_rng(0)
    for _ in range(10):
        n, k = 9, 3
        W = random_affinity(rng, n)
        known = Constraints(n, [(0, 1)] if said else [], [(0, 2), (2, 3)] if said else [])
        graph = write_constraints(W, known)
        spectrum = decompose(graph, n, kind)
        samples, fixed = np.array([6, 7, 8]), np.array([0, 2, 5])
        C = change_coefficients(spectrum, k, kind, samples, fixed)
        h = 1e-6
        for row, j in enumerate(samples):
            step = np.zeros((n, n))
            step[j, fixed] = step[fixed, j] = h
            up, down = (vectors_of(graph.toarray() + s * step, kind, spectrum.vectors) for s in (1, -1))
            wanted = ((up - down) / (2 * h))[:, :k]
            np.testing.assert_allclose(spectrum.vectors @ C[row].T, wanted, atol=1e-4 * np.abs(wanted).max())


def test_the_gradient_of_a_merged_graph_is_its_finite_difference():
    rng = np.random.default_rng(5)
    for _ in range(5):
        said = Constraints(9, [(0, 1), (1, 4), (2, 7)], [(0, 2), (2, 3)])
        graph, node = merge_groups(random_affinity(rng, 9), constrained_groups(said))
        spectrum = decompose(graph, graph.n, "normalized")
        sample, sets = node[[8]], node[[0, 2, 3]]
        C = change_coefficients(spectrum, 3, "normalized", sample, sets)[0]
        h = 1e-6
        step = np.zeros((graph.n, graph.n))
        step[sample, sets] = step[sets, sample] = h
        found = []
        for sign in (1, -1):
            A = graph.toarray() + sign * step
            d = A.sum(axis=1)
            vectors = np.linalg.eigh(np.eye(graph.n) - A / np.sqrt(np.outer(d, d)))[1]
            found.append(vectors * np.sign((vectors * spectrum.vectors).sum(axis=0)))
        wanted = ((found[0] - found[1]) / (2 * h))[:, :3]
        np.testing.assert_allclose(spectrum.vectors @ C.T, wanted, atol=1e-4 * np.abs(wanted).max())


def test_eq_7_written_out():
    rng = np.random.default_rng(1)
    W = random_affinity(rng, 8)
    spectrum = decompose(write_constraints(W, Constraints(8)), 5, "unnormalized")
    V, values = spectrum.vectors, spectrum.values
    samples, fixed = np.array([4, 6]), np.array([0, 3])
    found = gradient_norms(change_coefficients(spectrum, 3, "unnormalized", samples, fixed))
    for row, j in enumerate(samples):
        total = 0.0
        for i in range(3):
            change = np.zeros(8)
            for k, p in itertools.product(fixed, range(5)):
                if p != i:
                    e = np.eye(8)[j] - np.eye(8)[k]
                    change += (V[:, i] @ np.outer(e, e) @ V[:, p]) / (values[i] - values[p]) * V[:, p]
            total += np.linalg.norm(change)
        assert found[row] == pytest.approx(total)


@pytest.mark.parametrize("kind", ["normalized", "unnormalized"])
def test_equal_eigenvalues_give_numbers(kind):
    together = np.ones((6, 6))
    apart = np.kron(np.eye(3), np.ones((2, 2)))
    alone = np.eye(4)
    for W in (together, apart, alone):
        spectrum = decompose(write_constraints(W, Constraints(len(W))), len(W), kind)
        C = change_coefficients(spectrum, 3, kind, np.arange(2), np.array([2, 3]))
        assert np.isfinite(C).all()
        assert np.abs(C).max() < 1e3


def test_vectors_of_one_eigenvalue_do_not_enter():
    V = np.linalg.qr(np.random.default_rng(0).normal(size=(5, 5)))[0]
    spectrum = Spectrum(np.array([0.0, 0.0, 1.0, 1.0, 2.0]), V, np.ones(5))
    C = change_coefficients(spectrum, 2, "unnormalized", np.array([0]), np.array([1]))
    assert not C[0, 0, :2].any()
    assert not C[0, 1, :2].any()
    assert C[0, :, 2:].all()


def test_the_nonparametric_step_written_out():
    rng = np.random.default_rng(2)
    for _ in range(10):
        n, k = 15, int(rng.integers(1, 20))
        W = random_affinity(rng, n) * (rng.random((n, n)) < 0.5)
        W = np.maximum(W, W.T)
        labels = np.concatenate([np.arange(4), rng.integers(4, size=n - 4)])
        dense, sparse = nearest_by_affinity(W, k), nearest_by_affinity(csr_array(W), k)
        for a, b in zip(dense, sparse, strict=True):
            np.testing.assert_array_equal(a, b)
        probability = neighbour_probabilities(*dense, labels)
        for j in range(n):
            others = sorted((i for i in range(n) if i != j and W[j, i] > 0), key=lambda i: (-W[j, i], i))[:k]
            share = np.array([sum(W[j, i] for i in others if labels[i] == c) for c in range(4)])
            if others:
                np.testing.assert_allclose(probability[j], share / share.sum())
                p = share[share > 0] / share.sum()
                assert entropies(probability)[j] == pytest.approx(-(p * np.log(p)).sum())
            else:
                assert probability[j, labels[j]] == 1


def test_the_mixture_is_that_of_scikit_learn_with_the_clusters_as_components():
    X, truth = blobs((40, 30, 20), gap=3.0)
    floor = 1e-4 * X.var(axis=0).mean()
    means = np.array([X[truth == k].mean(axis=0) for k in range(3)])
    inside = ((X - means[truth]) ** 2).mean(axis=0) + floor
    model = GaussianMixture(3, covariance_type="diag")
    model.weights_, model.means_ = np.bincount(truth) / 90, means
    model.covariances_ = np.tile(inside, (3, 1))
    model.precisions_cholesky_ = 1 / np.sqrt(model.covariances_)
    np.testing.assert_allclose(mixture_probabilities(X, truth), model.predict_proba(X), atol=1e-9)


def test_a_row_of_weight_two_is_two_rows_of_the_mixture():
    X, truth = blobs((8, 9))
    often = 1 + (np.arange(17) % 3 == 0)
    heavy = mixture_probabilities(X, truth, often.astype(float))
    repeated = mixture_probabilities(np.repeat(X, often, axis=0), np.repeat(truth, often))
    # The floor of the variances is a share of that of all rows, which differs a little.
    np.testing.assert_allclose(np.repeat(heavy, often, axis=0), repeated, atol=1e-3)


def test_a_mixture_of_equal_rows_and_of_single_items_is_finite():
    for rows, labels in ((np.zeros((5, 2)), [0, 0, 1, 1, 2]), (np.eye(3), [0, 1, 2])):
        assert np.isfinite(mixture_probabilities(rows, np.array(labels))).all()


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("graph_neighbors", [None, 5])
def test_it_asks_about_the_best_sample_and_finds_the_clusters(options, graph_neighbors):
    X, truth = blobs()
    session = Session(X, strategy=URASC(graph_neighbors=graph_neighbors, **options), n_clusters=3, random_state=1)
    for _ in range(30):
        question = session.ask()
        state, strategy = session.state, session.strategy
        skeleton = Skeleton(state)
        if not skeleton.begun and (skeleton.home < 0).any():
            outside = np.flatnonzero(skeleton.home < 0)
            score = strategy.scores(state, skeleton, outside)
            asked = [i for i in question.items if skeleton.home[i] < 0]
            assert len(asked) == 1
            assert score[outside.tolist().index(asked[0])] == pytest.approx(score.max())
        i, j = question.items
        session.answer(question, "same" if truth[i] == truth[j] else "different")
    labels = session.labels_
    settled = Skeleton(session.state).home >= 0
    assert len({(a, b) for a, b in zip(labels[settled], truth[settled], strict=True)}) == 3


def test_only_the_samples_with_the_largest_steps_have_a_gradient():
    X, _ = blobs()
    scores = {}
    for n_best in (None, 36, 3):
        session = Session(X, strategy=URASC(n_best=n_best), n_clusters=3, random_state=0)
        state = session.state
        skeleton = Skeleton(state)
        scores[n_best] = session.strategy.scores(state, skeleton, np.flatnonzero(skeleton.home < 0))
    np.testing.assert_array_equal(scores[None], scores[36])
    assert np.count_nonzero(scores[3]) == 3
    kept = scores[3] > 0
    np.testing.assert_array_equal(scores[3][kept], scores[None][kept])


def test_an_unknown_number_of_clusters_starts_at_two_and_grows():
    X, truth = blobs((10, 10, 10, 10), gap=6.0)
    session = Session(X, strategy="urasc", random_state=0)
    assert session.n_clusters_ == 2
    seen = simulate(session, truth, budget=60).n_clusters.tolist()
    assert sorted(seen) == seen
    assert seen[-1] == 4


def test_the_number_given_to_the_asker_counts():
    X, _ = blobs()
    session = Session(X, strategy=URASC(n_clusters=3), random_state=0)
    assert session.n_clusters_ == 3
    twin = Session(X, strategy="urasc", n_clusters=3, random_state=0)
    assert session.ask().items == twin.ask().items
    with pytest.raises(ValueError, match="between 1 and the 36"):
        Session(X, strategy=URASC(n_clusters=37)).ask()


def test_a_batch_does_not_ask_about_the_same_place_twice():
    X, truth = blobs((10, 10), gap=2.0)
    X, truth = np.repeat(X, 3, axis=0), np.repeat(truth, 3)
    session = Session(X, strategy="urasc", n_clusters=2, random_state=0)
    simulate(session, truth, budget=8)
    batch = session.ask(5)
    settled = Skeleton(session.state).home >= 0
    places = [tuple(X[i]) for q in batch for i in q.items if not settled[i]]
    assert len(places) == len(set(places)) == 5
    assert batch[0].items == session.ask().items


@pytest.mark.parametrize("laplacian", ["normalized", "signed", "unnormalized"])
@pytest.mark.parametrize("sparse", [False, True])
def test_graphs_that_fall_apart_and_points_alone_are_asked_about_to_the_end(laplacian, sparse):
    truth = np.array([0, 0, 0, 1, 1, 1, 2, 2, 0])
    W = (truth[:, None] == truth).astype(float)
    W[8], W[:, 8], W[2], W[:, 2] = 0.0, 0.0, 0.0, 0.0
    affinity = csr_array(W) if sparse else W
    for options, n_clusters in itertools.product(VARIANTS.values(), (None, 2, 3)):
        strategy = URASC(affinity=affinity, laplacian=laplacian, **options)
        session = Session(np.zeros((9, 1)), strategy=strategy, n_clusters=n_clusters, random_state=0)
        simulate(session, truth, budget=36)
        assert session.finished
        assert session.n_clusters_ == 3


def test_more_certain_sets_than_the_number_given():
    X, _ = blobs((8, 8, 8, 8), gap=5.0)
    session = Session(X, strategy="urasc", n_clusters=2, random_state=0)
    for i, j in itertools.combinations([0, 8, 16, 24], 2):
        session.answer((i, j), "different")
    assert session.n_clusters_ == 4
    assert session.ask() is not None
    assert len(set(session.labels_[[0, 8, 16, 24]].tolist())) == 4


def test_a_certain_set_that_is_a_whole_cluster():
    X, _ = blobs((8, 14), gap=2.0)
    session = Session(X, strategy="urasc", n_clusters=2, random_state=0)
    for i in range(1, 8):
        session.answer((0, i), "same")
    session.answer((0, 8), "different")
    question = session.ask()
    assert max(question.items) >= 8
    assert session.labels_[:8].tolist() == [0] * 8
    assert session.labels_[8] == 1


def test_the_question_does_not_depend_on_the_way_there():
    X, truth = blobs((120, 110, 100), gap=2.0)
    session = Session(X, strategy="urasc", n_clusters=3, random_state=0)
    asked = []
    for _ in range(12):
        question = session.ask()
        asked.append(question.items)
        i, j = question.items
        session.answer(question, "same" if truth[i] == truth[j] else "different")
    for t in (11, 4):
        fresh = Session(X, strategy="urasc", n_clusters=3, random_state=0).replay(session.history[:t])
        assert fresh.ask().items == asked[t]


def test_as_published_the_clusters_are_those_of_spectral_learning():
    X, truth = blobs((20, 20, 20), gap=1.5)
    session = Session(X, strategy=URASC(graph="written", reading="kmeans"), n_clusters=3, random_state=0)
    simulate(session, truth, budget=30)
    state = session.state
    excluded = Skeleton(state).excluded
    must_link = np.vstack([state.constraints.must_link, np.array(excluded, int).reshape(-1, 2)])
    model = SpectralLearning(3, n_init=4, random_state=session.seed)
    labels = model.fit_predict(X, must_link=must_link, cannot_link=state.constraints.cannot_link)
    assert session.labels_.tolist() == labels.tolist()


def test_with_the_options_of_the_paper_the_clusters_are_those_of_plain_spectral_learning():
    X, truth = blobs((20, 20, 20), gap=1.5)
    session = Session(X, strategy=URASC(score="product", **published_options()), n_clusters=3, random_state=0)
    simulate(session, truth, budget=25)
    known = session.state.constraints
    model = SpectralLearning(
        3, affinity="gaussian", laplacian="unnormalized", keep=False, n_init=4, random_state=session.seed
    )
    labels = model.fit_predict(X, must_link=known.must_link, cannot_link=known.cannot_link)
    assert session.labels_.tolist() == labels.tolist()


@pytest.mark.parametrize("laplacian", ["unnormalized", "normalized", "signed"])
def test_the_published_product_written_out(laplacian):
    """Eq. 6, 7, 9 and 12 by loops, with all eigenvectors of D - W."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(12, 3))
    options = published_options() | {"explore": False, "laplacian": laplacian}
    session = Session(X, strategy=URASC(score="product", n_neighbors=5, **options), n_clusters=2, random_state=0)
    session.answer((0, 1), "different")
    session.answer((0, 2), "same")
    state, strategy = session.state, session.strategy
    skeleton = Skeleton(state, exclusion=False)
    samples = np.flatnonzero(skeleton.home < 0)
    W = strategy.affinities(state).copy()
    clusters = strategy.spectral_clusters(state).labels
    written = write_constraints(W, state.constraints).toarray()
    values, vectors = np.linalg.eigh(laplacian_of(written, laplacian))
    wanted = []
    for j in samples:
        gradient = 0.0
        for i in range(2):
            change = np.zeros(12)
            for k in (members[0] for members in skeleton.neighbourhoods):
                e = np.zeros(12)
                e[j], e[k] = 1.0, -1.0
                for p in range(12):
                    if p != i:
                        change += (vectors[:, i] @ e) * (e @ vectors[:, p]) / (values[i] - values[p]) * vectors[:, p]
            gradient += np.linalg.norm(change)
        near = [k for k in np.argsort(-W[j], kind="stable") if k != j][:5]
        share = np.array([sum(W[j, k] for k in near if clusters[k] == c) for c in range(2)]) / W[j, near].sum()
        wanted.append(gradient * -sum(q * np.log(q) for q in share if q > 0))
    np.testing.assert_allclose(strategy.scores(state, skeleton, samples), wanted, rtol=1e-6, atol=1e-9)


def test_exploration_is_farthest_first_until_every_cluster_has_a_set():
    X, truth = blobs((8, 8, 8, 8), gap=4.0)
    session = Session(X, strategy=URASC(explore=True), n_clusters=4, random_state=0)
    explored = 0
    while len(skeleton := Skeleton(session.state)) < 4:
        question = session.ask()
        inside = np.flatnonzero(skeleton.home >= 0)
        distance = np.linalg.norm(X[:, None] - X[inside], axis=2).min(axis=1)
        if "explores" in question.reason:
            assert int(np.argmax(distance)) in question.items
            explored += 1
        i, j = question.items
        session.answer(question, "same" if truth[i] == truth[j] else "different")
    assert explored >= 3
    assert "explores" not in session.ask().reason


def test_without_exclusion_the_last_set_is_asked_about_too():
    X, _ = blobs((6, 6), gap=4.0)
    for exclusion in (True, False):
        session = Session(X, strategy=URASC(exclusion=exclusion), n_clusters=2, random_state=0)
        session.answer((0, 6), "different")
        session.answer((0, 3), "different")
        asked = session.ask().items
        assert (set(asked) == {3, 6}) is not exclusion


def test_settled_samples_do_not_swallow_the_rest():
    """With most of two overlapping classes settled, what is not goes where it is near, and not all to one."""
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1], [80, 60])
    X = rng.normal(size=(140, 4)) + 2.0 * truth[:, None] * np.array([1.0, 0.5, 0.0, 0.0])
    settled = rng.permutation(140)[:90]
    rest = np.setdiff1d(np.arange(140), settled)
    right = {}
    for name, options in {"merged": {}, "written": {"graph": "written", "reading": "kmeans"}}.items():
        session = Session(X, strategy=URASC(**options), n_clusters=2, random_state=0)
        first = [int(settled[truth[settled] == c][0]) for c in (0, 1)]
        session.answer(tuple(first), "different")
        for i in settled.tolist():
            if i not in first:
                session.answer((first[truth[i]], i), "same")
        labels = session.labels_ == session.labels_[first[1]]
        right[name] = np.mean(labels[rest] == truth[rest])
    assert right["merged"] > 0.8
    assert right["merged"] > right["written"]


@pytest.mark.parametrize("reading", ["regression", "kmeans", "vote"])
@pytest.mark.parametrize("graph", ["merged", "written"])
@pytest.mark.parametrize("graph_neighbors", [None, 6])
def test_every_way_to_read_keeps_what_was_said(reading, graph, graph_neighbors):
    X, truth = blobs((9, 10, 11), gap=1.5)
    strategy = URASC(graph=graph, reading=reading, graph_neighbors=graph_neighbors)
    session = Session(X, strategy=strategy, n_clusters=3, random_state=0)
    simulate(session, truth, budget=25)
    labels, known = session.labels_, session.state.constraints
    assert session.n_clusters_ == 3
    assert all(labels[i] == labels[j] for i, j in known.must_link)
    if reading == "regression":  # k-means keeps but the certain sets apart, not those on the way to one
        assert all(labels[i] != labels[j] for i, j in known.cannot_link)


def test_options_that_make_no_sense_are_refused():
    X, _ = blobs()
    with pytest.raises(ValueError, match="graph must be"):
        Session(X, strategy=URASC(graph="other"), n_clusters=3).ask()
    with pytest.raises(ValueError, match="reading must be"):
        Session(X, strategy=URASC(reading="other"), n_clusters=3).ask()
    with pytest.raises(ValueError, match="nothing to choose by"):
        Session(X, strategy=URASC(step=None, gradient=False), n_clusters=3).ask()
    with pytest.raises(ValueError, match="step must be"):
        Session(X, strategy=URASC(step="other"), n_clusters=3).ask()
    with pytest.raises(ValueError, match="score must be"):
        Session(X, strategy=URASC(score="other"), n_clusters=3).ask()
