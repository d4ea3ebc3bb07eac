"""What holds a number for every pair refuses what does not fit, before it takes the memory and with the figure."""

import numpy as np
import pytest

from likewise import Session
from likewise.cluster import HACC, BagSpectral, COPKMeans, SpectralLearning, SpectralRegularized, bag_links
from likewise.crowd import complete_matrix, filter_similarity, hit_similarity
from likewise.distances import MDS, NPKL, DistLQP, gaussian_affinity, local_affinity, memory, nearest, pairwise
from likewise.distances.memory import TooLargeError, free_bytes, require_memory
from likewise.hierarchy import LabelHierarchy
from likewise.query.active_hacc.consensus import consensus_probability

N = 60


@pytest.fixture
def full(monkeypatch):
    """A machine on which as much is free as one matrix of all N items takes; counted from the first byte."""
    monkeypatch.setattr(memory, "LEAST", 0)
    monkeypatch.setattr(memory, "free_bytes", lambda: 8 * N * N)


@pytest.fixture(name="X")
def some_vectors():
    return np.random.default_rng(0).normal(size=(N, 3))


def square(X):
    return np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))


@pytest.mark.parametrize("strategy", ["active-hacc", "asc", "cac1", "graph-purification"])
@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
def test_askers_that_need_all_pairs_refuse(full, X, strategy, metric):
    session = Session(X if metric == "euclidean" else square(X), strategy=strategy, metric=metric, random_state=0)
    message = f"the 60 × 60 matrices of .*{strategy}.* take .* GB of memory, and .* GB are free; the default asker"
    with pytest.raises(TooLargeError, match=message):
        session.ask()


@pytest.mark.parametrize("strategy", ["auto", "random", "minmax", "npu", "bayesian", "active-subclustering"])
def test_the_other_askers_ask(full, X, strategy):
    assert Session(X, strategy=strategy, n_clusters=3, random_state=0).ask() is not None


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda X: gaussian_affinity(X), "affinities take .*give graph_neighbors"),
        (lambda X: local_affinity(X), "affinities take .*give graph_neighbors"),
        (lambda X: SpectralLearning(2).fit(X), "affinities take .*give graph_neighbors"),
        (lambda X: SpectralRegularized(2).fit(X), "affinities take .*give graph_neighbors"),
        (lambda X: BagSpectral(2).fit(X, bags=range(N), bag_labels={0: {"a"}}), "give graph_neighbors"),
        (lambda X: COPKMeans(2, metric="cosine").fit(X), "with Euclidean vectors it needs none"),
        (lambda X: consensus_probability(X, 2, metric="euclidean", n_runs=2), "a consensus of clusterings"),
        (lambda X: NPKL(metric="euclidean").fit(X), "matrices of NPKL take .*RCA"),
        (lambda X: DistLQP(metric="euclidean").fit(X), "matrices of DistLQP take .*RCA"),
        (lambda X: MDS().fit(square(X)), "matrices of MDS take .*vectors instead"),
        (lambda X: bag_links(range(N), {0: {"a"}}), "give the bags to BagSpectral"),
        (lambda X: hit_similarity([("h", 0, "a")], N), "only that somebody annotated"),
        (lambda X: filter_similarity(np.eye(N)), "only that somebody annotated"),
        (lambda X: complete_matrix(np.eye(N)), "matrices of complete_matrix take"),
        (lambda X: LabelHierarchy().fit(X, np.ones((N, 9), int)), "with 9 tags take .*leave out the rare tags"),
        (lambda X: HACC(2).fit(np.ones((N, 3))), "equally long edges between 60 items take .*give equal items once"),
        (lambda X: pairwise(X, np.vstack([X, X])), "distances between 60 and 120 items take"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_figure(full, X, use, message):
    with pytest.raises(TooLargeError, match=message):
        use(X)


def test_all_triangles_are_refused(monkeypatch, X):
    monkeypatch.setattr(memory, "LEAST", 0)
    monkeypatch.setattr(memory, "free_bytes", lambda: 8 * N**3)
    with pytest.raises(TooLargeError, match=r"all triangles of 60 items take .*triangles='graph'"):
        DistLQP(metric="euclidean", triangles="all").fit(X)


def test_the_same_is_done_where_it_fits(monkeypatch, X):
    monkeypatch.setattr(memory, "LEAST", 0)
    monkeypatch.setattr(memory, "free_bytes", lambda: 10**9)
    assert gaussian_affinity(X).shape == (N, N)
    assert HACC(2).fit(np.ones((N, 3))).n_clusters_ == 2
    assert nearest(X, n_neighbors=3).indices.shape == (N, 3)
    for strategy in ("active-hacc", "asc", "cac1", "graph-purification"):
        assert Session(X, strategy=strategy, random_state=0).ask() is not None


def test_a_container_may_have_less_than_the_machine(monkeypatch, tmp_path):
    monkeypatch.setattr(memory, "CGROUP", tmp_path)
    machine = free_bytes()
    for limit, expected in (("max", None), ("5000", 5000 - 3000 + 700), ("2000", 0)):
        (tmp_path / "memory.max").write_text(f"{limit}\n")
        (tmp_path / "memory.current").write_text("3000\n")
        (tmp_path / "memory.stat").write_text("anon 2300\ninactive_file 700\n")
        assert memory._free_in_container() == expected
    assert machine is None or free_bytes() == 0
    (tmp_path / "memory.stat").unlink()
    assert memory._free_in_container() is None


def test_where_nothing_is_known_nothing_is_refused(monkeypatch):
    monkeypatch.setattr(memory, "free_bytes", lambda: None)
    require_memory(10**18, "anything")
