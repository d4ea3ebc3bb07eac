"""SemiCrowdClustering from annotations to labels, its table reader, simulated annotators and command."""

import json

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.metrics import normalized_mutual_info_score
from sklearn.utils.estimator_checks import parametrize_with_checks
from typer.testing import CliRunner

from likewise.cli import app
from likewise.cluster import HMRF, SemiCrowdClustering
from likewise.cluster.kmeans.hmrf import fit_gaussians, log_gaussians, neighbour_signs
from likewise.cluster.semicrowd import spectral_labels
from likewise.constraints import ConflictError, Constraints
from likewise.crowd import hit_similarity, keyword_hits, read_hits

pytestmark = pytest.mark.filterwarnings("ignore:HMRF stopped at max_iter")
X, TRUTH = (part[:300] for part in load_digits(return_X_y=True))
N, K = 300, 10


def score(labels):
    return normalized_mutual_info_score(TRUTH, labels)


@parametrize_with_checks([SemiCrowdClustering(2, random_state=0), HMRF(2, random_state=0)])
def test_scikit_learn(estimator, check):
    check(estimator)


def test_annotations_help():
    items = np.random.default_rng(1).choice(N, 150, replace=False)
    hits = keyword_hits(TRUTH, items, synonyms=1, hits_per_item=8, items_per_hit=50, random_state=0)
    whole = SemiCrowdClustering(K, random_state=0).fit(X, hits=hits)
    base = SemiCrowdClustering(K, method="base", random_state=0).fit(X, hits=hits)
    assert score(whole.labels_) > score(base.labels_) + 0.03
    assert sorted(whole.annotated_) == sorted(items)
    assert whole.similarity_.shape == (150, 150)
    raw = SemiCrowdClustering(K, method="raw", random_state=0).fit(X, hits=hits)
    expected = hit_similarity(hits, N)[np.ix_(raw.annotated_, raw.annotated_)]
    np.testing.assert_array_equal(raw.similarity_, np.nan_to_num(expected))


def test_number_of_clusters_is_the_rank():
    hits = keyword_hits(TRUTH, noise=0.0, hits_per_item=8, items_per_hit=100, synonyms=1, random_state=0)
    model = SemiCrowdClustering(random_state=0).fit(X, hits=hits)
    assert model.n_clusters_ == K
    assert score(model.labels_) > 0.75


def test_pairs_alone_are_annotations():
    rng = np.random.default_rng(0)
    pairs = np.array([rng.choice(N, 2, replace=False) for _ in range(12000)])
    same = TRUTH[pairs[:, 0]] == TRUTH[pairs[:, 1]]
    model = SemiCrowdClustering(K, random_state=0)
    labels = model.fit_predict(X, must_link=pairs[same], cannot_link=pairs[~same])
    assert score(labels) > score(clone(model).set_params(method="base").fit_predict(X)) + 0.03
    with pytest.raises(ConflictError):
        model.fit(X, must_link=[(0, 1)], cannot_link=[(0, 1)])


def test_spectral_labels_are_those_of_the_whole_matrix():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 40)
    Z = np.abs(np.eye(3)[truth] + 0.1 * rng.normal(size=(120, 3)))
    S = Z @ Z.T
    root = 1 / np.sqrt(S.sum(axis=1))
    _, W = np.linalg.eigh(root[:, None] * S * root)
    U = np.linalg.svd(Z * root[:, None], full_matrices=False)[0]
    np.testing.assert_allclose(np.abs((U * W[:, ::-1][:, :3]).sum(axis=0)), 1.0)
    assert normalized_mutual_info_score(truth, spectral_labels(Z, 3, 5, 0)) == pytest.approx(1.0)


def test_negative_similarities_do_not_rule_the_spectrum():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], [60, 40, 20])
    Z = np.eye(3)[truth] + 0.05 * rng.normal(size=(120, 3))
    Z -= Z.mean(axis=0)
    assert np.abs(Z @ Z.sum(axis=0)).max() < 1e-9  # the signed degrees are nothing but rounding
    assert normalized_mutual_info_score(truth, spectral_labels(Z, 3, 5, 0)) == pytest.approx(1.0)


def test_few_distinct_rows_still_give_all_clusters():
    labels = SemiCrowdClustering(4, random_state=0).fit_predict(np.repeat([[1.0, 0.0], [0.0, 1.0]], 5, axis=0))
    assert sorted(set(labels)) == [0, 1, 2, 3]
    assert len(set(SemiCrowdClustering(3).fit_predict(np.ones((6, 2))))) == 3


def test_bad_use():
    with pytest.raises(ValueError, match="without annotations n_clusters must be given"):
        SemiCrowdClustering().fit(X)
    with pytest.raises(ValueError, match="method must be"):
        SemiCrowdClustering(2, method="no").fit(X)


def test_simulated_annotators_are_seeded_and_noisy():
    assert keyword_hits(TRUTH, random_state=1) == keyword_hits(TRUTH, random_state=1)
    clean = hit_similarity(keyword_hits(TRUTH, noise=0.0, synonyms=1, random_state=0), N)
    seen = ~np.isnan(clean)
    assert (clean[seen] == (TRUTH[:, None] == TRUTH)[seen]).all()
    noisy = hit_similarity(keyword_hits(TRUTH, noise=0.8, general=1, random_state=0), N)
    assert np.nanmean(noisy[(TRUTH[:, None] != TRUTH) & ~np.isnan(noisy)]) > 0.5


def test_read_hits(tmp_path):
    path = tmp_path / "hits.csv"
    path.write_text("hit,item,group\na,0,x\na,two,\n", encoding="utf-8-sig")
    assert read_hits(path, ["one", "nil", "two"]) == [("a", 0, "x"), ("a", 2, None)]
    with pytest.raises(ValueError, match="line 3: there is no item 'two'"):
        read_hits(path)
    path.write_text("worker,item\n")
    with pytest.raises(ValueError, match="needs the columns hit, item and keyword"):
        read_hits(path)


def test_command(tmp_path):
    np.save(tmp_path / "x.npy", X[:120])
    rows = keyword_hits(TRUTH[:120], random_state=0)
    lines = ["hit,item,keyword", *(f"{h},{i},{w}" for h, i, w in rows)]
    (tmp_path / "hits.csv").write_text("\n".join(lines) + "\n")
    given = ["crowd", "fit", str(tmp_path / "hits.csv"), "--vectors", str(tmp_path / "x.npy"), "-k", "10"]
    done = CliRunner().invoke(app, [*given, "--json"])
    assert done.exit_code == 0, done.output
    summary = json.loads(done.stdout)
    assert (summary["n"], summary["n_clusters"], len(summary["labels"])) == (120, K, 120)
    done = CliRunner().invoke(app, [*given, "--out", str(tmp_path / "out.csv")])
    assert done.exit_code == 0
    text = (tmp_path / "out.csv").read_text().split()
    assert text[0] == "item,cluster"
    assert [int(line.split(",")[1]) for line in text[1:]] == summary["labels"]


def test_hmrf_evidence_is_the_gaussian():
    from scipy.stats import norm

    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 2))
    P = np.eye(2)[rng.integers(2, size=20)]
    found = log_gaussians(X, fit_gaussians(X, P))
    for c in range(2):
        inside = X[P[:, c] == 1]
        variance = (len(inside) * inside.var(axis=0) + X.var(axis=0)) / (len(inside) + 1)
        share = (len(inside) + 1) / 22
        expected = norm.logpdf(X, inside.mean(axis=0), np.sqrt(variance)).sum(axis=1) + np.log(share)
        # Up to the constant of the Gaussian, the same for every cluster.
        np.testing.assert_allclose(found[:, c] - np.log(2 * np.pi), expected, rtol=1e-6)


def test_hmrf_follows_constraints():
    signs = neighbour_signs(Constraints(4, must_link=[(0, 1), (1, 0)], cannot_link=[(1, 2)])).toarray()
    assert signs.tolist() == [[0, 1, 0, 0], [1, 0, -1, 0], [0, -1, 0, 0], [0, 0, 0, 0]]
    labels = HMRF(3, weight=1e4, random_state=0).fit_predict(X, must_link=[(0, 1)], cannot_link=[(0, 50), (1, 50)])
    assert labels[0] == labels[1] != labels[50]
    with pytest.raises(ValueError, match="weight must not be negative"):
        HMRF(2, weight=-1.0).fit(X)
