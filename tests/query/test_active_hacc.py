"""Active-HACC as an asker: its probabilities, batches, "not sure", heuristics, and an unknown number of clusters."""

import itertools

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import KMeans

from likewise import Session
from likewise.cluster import PCKMeans
from likewise.metrics import jaccard
from likewise.query import ActiveHACC
from likewise.query.active_hacc.consensus import consensus_probability


def blobs(n=60, n_classes=5, spread=3.0, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(n) % n_classes)
    return rng.normal(size=(n, 3)) + spread * rng.normal(size=(n_classes, 3))[truth], truth


def say(session, truth, question):
    i, j = question.items
    session.answer(question, "same" if truth[i] == truth[j] else "different")


def answer(session, truth, n):
    for _ in range(n):
        question = session.ask()
        if question is None:
            break
        say(session, truth, question)


def plain_score(session, D, P, pair):
    """E_J of one pair by two sessions' clusters: those now, and those with the answer that contradicts them."""
    now = session.labels_
    i, j = pair
    together = now[i] == now[j]
    after = Session(D, metric="precomputed", strategy=ActiveHACC(probability=P), n_clusters=5, random_state=0)
    for said in session.history:
        after.answer(said.items, said.value)
    after.answer(pair, "different" if together else "same")
    likely = 1 - P[i, j] if together else P[i, j]
    return likely * (1 - jaccard(now, after.labels_))


def test_what_is_asked_has_the_highest_expected_change():
    X, truth = blobs(16, 4, seed=1)
    D = squareform(pdist(X))
    P = consensus_probability(X, 5, metric="euclidean", n_runs=10)
    session = Session(D, metric="precomputed", strategy=ActiveHACC(probability=P), n_clusters=5, random_state=0)
    for _ in range(5):
        question = session.ask()
        pairs = [pair for pair in itertools.combinations(range(16), 2) if session.known(*pair) is None]
        scores = [plain_score(session, D, P, pair) for pair in pairs]
        assert question.score == pytest.approx(max(scores), abs=1e-9)
        say(session, truth, question)


def test_consensus_is_the_share_of_runs():
    X, _ = blobs(30, 3, seed=2)
    D = squareform(pdist(X))
    for data, metric in ((X, "euclidean"), (D, "precomputed")):
        P = consensus_probability(data, 4, metric=metric, n_runs=7, random_state=3)
        assert np.array_equal(P, P.T)
        assert (P.diagonal() == 1).all()
        assert np.allclose(P * 7, np.round(P * 7))
        assert np.array_equal(P, consensus_probability(data, 4, metric=metric, n_runs=7, random_state=3))
        # each run is a partition into at most 4: the mean number of pairs together is bounded by what that allows
        assert P.sum() >= 30 * 30 / 4


def test_a_batch_asks_about_different_pairs_of_clusters():
    X, truth = blobs(60, 5, spread=1.5)
    session = Session(X, strategy="active-hacc", n_clusters=5, n_consensus=20, random_state=0)
    answer(session, truth, 25)
    labels = session.labels_
    batch = session.ask(4)
    subjects = [tuple(sorted(labels[list(question.items)].tolist())) for question in batch]
    assert len(batch) == len(set(subjects)) == 4


def test_not_sure_leaves_the_pair_to_somebody_else():
    X, _ = blobs()
    session = Session(X, strategy="active-hacc", n_clusters=5, n_consensus=20, random_state=0)
    question = session.ask(annotator="ann")
    session.answer(question, "unsure", annotator="ann")
    assert session.known(*question.items) is None
    assert set(session.ask(annotator="ann").items) != set(question.items)
    assert set(session.ask(annotator="ben").items) == set(question.items)


@pytest.mark.parametrize("seed", range(3))
def test_unknown_number_of_clusters_is_found(seed):
    X, truth = blobs(60, 4, spread=8.0, seed=seed)
    known = Session(X, strategy="active-hacc", n_clusters=4, n_consensus=20, random_state=0)
    unknown = Session(X, strategy="active-hacc", n_consensus=20, random_state=0)
    for session in (known, unknown):
        answer(session, truth, 70)
    assert jaccard(truth, known.labels_) == 1.0
    assert jaccard(truth, unknown.labels_) == 1.0
    assert unknown.n_clusters_ == 4


def test_heuristics_ask_valid_questions_and_reach_the_truth():
    X, truth = blobs(60, 4, spread=4.0)
    for options in ({"prune": True}, {"local": True}, {"prune": True, "local": True}):
        session = Session(X, strategy="active-hacc", n_clusters=4, n_consensus=20, random_state=0, **options)
        answer(session, truth, 60)
        assert jaccard(truth, session.labels_) == 1.0


def test_many_items_are_grouped_beforehand_but_answers_come_first():
    X, truth = blobs(1010, 6, spread=6.0)
    asker = ActiveHACC(prune=True, local=True, n_groups=300, n_consensus=5)
    session = Session(X, strategy=asker, n_clusters=6, random_state=0)
    before = session.labels_
    members = np.flatnonzero(before == before[0])
    near = members[np.argsort(((X[members] - X[0]) ** 2).sum(axis=1))[1]]
    session.answer((0, int(near)), "different")
    assert session.labels_[0] != session.labels_[near]
    answer(session, truth, 10)
    assert len(session.history) == 11


def test_another_clusterer_may_read_the_answers():
    X, truth = blobs(spread=1.0)
    session = Session(X, strategy=ActiveHACC(clusterer=PCKMeans(), n_consensus=10), n_clusters=5, random_state=0)
    answer(session, truth, 15)
    assert session.n_clusters_ == 5


def test_bad_parameters_are_said():
    X, _ = blobs()
    wrong = {
        "shape": np.zeros((3, 3)),
        "between 0 and 1": np.full((60, 60), 2.0),
        "symmetric": np.triu(np.full((60, 60), 0.5)),
    }
    for words, P in wrong.items():
        with pytest.raises(ValueError, match=words):
            Session(X, strategy=ActiveHACC(probability=P), n_clusters=5).ask()
    with pytest.raises(ValueError, match="between 1 and the 60 items"):
        Session(X, strategy=ActiveHACC(61)).ask()
    with pytest.raises(ValueError, match="at least one run"):
        Session(X, strategy=ActiveHACC(n_consensus=0), n_clusters=5).ask()


def centroids_written_out(X, truth, n_groups, number, n_answers):
    """Active-HACC in a session on the means of groups; the items nearest to what was asked, and the clusters."""
    labels = KMeans(n_groups, n_init=1, random_state=0).fit_predict(X)
    middles = np.array([X[labels == k].mean(axis=0) for k in range(n_groups)])
    far = ((X - middles[labels]) ** 2).sum(axis=1)
    near = [min(np.flatnonzero(labels == k), key=far.__getitem__) for k in range(n_groups)]
    session = Session(middles, strategy=ActiveHACC(prune=True, n_consensus=10), n_clusters=number, random_state=0)
    asked = []
    for _ in range(n_answers):
        question = session.ask()
        asked.append({int(near[k]) for k in question.items})
        say(session, truth[near], question)
    return asked, session.labels_[labels]


@pytest.mark.parametrize("seed", range(3))
def test_centroids_are_asked_about_as_if_they_were_the_items(seed):
    X, truth = blobs(80, 5, spread=2.0, seed=seed)
    asker = ActiveHACC(prune=True, n_groups=30, groups="centroids", n_consensus=10)
    session = Session(X, strategy=asker, n_clusters=5, random_state=0)
    expected, labels = centroids_written_out(X, truth, 30, 5, 25)
    for pair in expected:
        question = session.ask()
        assert {*question.items} == pair
        say(session, truth, question)
    assert jaccard(labels, session.labels_) == 1.0


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "precomputed"])
def test_an_item_that_an_answer_keeps_from_its_group_leaves_it(metric):
    X, truth = blobs(60, 4, spread=5.0)
    given = squareform(pdist(X)) if metric == "precomputed" else X
    asker = ActiveHACC(prune=True, n_groups=15, groups="centroids", n_consensus=10)
    session = Session(given, metric=metric, strategy=asker, n_clusters=4, random_state=0)
    assert session.n_clusters_ == 4
    groups = session.strategy.__dict__["_grouped"][2]
    i, j = np.flatnonzero(groups == np.bincount(groups).argmax())[:2].tolist()
    session.answer((i, j), "different")
    assert session.labels_[i] != session.labels_[j]
    answer(session, truth, 40)
    assert session.ask(3)
    with pytest.raises(ValueError, match="at least the 4 clusters"):
        Session(X, strategy=ActiveHACC(prune=True, n_groups=3, groups="centroids"), n_clusters=4, random_state=0).ask()
    with pytest.raises(ValueError, match="'links' or 'centroids'"):
        Session(X, strategy=ActiveHACC(groups="means"), n_clusters=4, random_state=0).ask()
