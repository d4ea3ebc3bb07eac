"""Every measure against the enumeration of all pairs, against scikit-learn, and by hand."""

from itertools import combinations, permutations
from math import comb, log

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score, v_measure_score
from sklearn.metrics.cluster import contingency_matrix

from likewise import metrics

PAIRWISE = {
    "jaccard": lambda ss, sd, ds, dd: ss / (ss + sd + ds) if ss + sd + ds else 1.0,
    "pairwise_precision": lambda ss, sd, ds, dd: ss / (ss + ds) if ss + ds else 1.0,
    "pairwise_recall": lambda ss, sd, ds, dd: ss / (ss + sd) if ss + sd else 1.0,
    "pairwise_f": lambda ss, sd, ds, dd: 2 * ss / (2 * ss + sd + ds) if ss + sd + ds else 1.0,
}
OF_TWO_CLUSTERINGS = [*PAIRWISE, "ari", "v_measure", "nmi", "purity", "well_categorized"]
SYMMETRIC = ["jaccard", "pairwise_f", "ari", "v_measure", "nmi", "well_categorized"]


@st.composite
def two_labellings(draw, max_n=30, max_k=8):
    n = draw(st.integers(1, max_n))
    k = st.integers(1, max_k)
    labels = [draw(st.lists(st.integers(-1, draw(k)), min_size=n, max_size=n)) for _ in range(2)]
    return labels[0], labels[1]


def enumerate_pairs(truth, labels):
    counts = {"SS": 0, "SD": 0, "DS": 0, "DD": 0}
    for i, j in combinations(range(len(truth)), 2):
        counts["SD"[truth[i] != truth[j]] + "SD"[labels[i] != labels[j]]] += 1
    return tuple(counts.values())


@given(two_labellings())
def test_pair_counts_and_what_is_made_of_them_equal_enumeration(case):
    truth, labels = case
    expected = enumerate_pairs(truth, labels)
    assert metrics.count_pairs(truth, labels) == expected
    for name, formula in PAIRWISE.items():
        assert getattr(metrics, name)(truth, labels) == pytest.approx(formula(*expected), abs=1e-15)


@given(two_labellings())
def test_information_and_ari_equal_scikit_learn(case):
    truth, labels = case
    assert metrics.ari(truth, labels) == pytest.approx(adjusted_rand_score(truth, labels), abs=1e-12)
    assert metrics.v_measure(truth, labels) == pytest.approx(v_measure_score(truth, labels), abs=1e-12)
    assert metrics.nmi(truth, labels) == pytest.approx(normalized_mutual_info_score(truth, labels), abs=1e-12)


@given(two_labellings(), st.floats(0.1, 10))
def test_v_measure_weights_completeness_by_beta(case, beta):
    truth, labels = case
    expected = v_measure_score(truth, labels, beta=beta)
    assert metrics.v_measure(truth, labels, beta=beta) == pytest.approx(expected, abs=1e-12)


@given(two_labellings(max_n=12, max_k=4))
def test_well_categorized_equals_the_best_of_all_matchings(case):
    truth, labels = case
    table = contingency_matrix(truth, labels)
    table = table if table.shape[0] <= table.shape[1] else table.T
    rows = range(table.shape[0])
    best = max(
        sum(table[i, j] for i, j in zip(rows, columns, strict=True))
        for columns in permutations(range(table.shape[1]), table.shape[0])
    )
    assert metrics.well_categorized(truth, labels) == best / len(truth)


@given(two_labellings())
def test_purity_equals_the_majority_count(case):
    truth, labels = case
    clusters = [[t for t, c in zip(truth, labels, strict=True) if c == k] for k in set(labels)]
    majority = sum(max(cluster.count(t) for t in cluster) for cluster in clusters)
    assert metrics.purity(truth, labels) == majority / len(truth)


@given(two_labellings())
def test_contingency_lists_the_cells_in_order(case):
    table = metrics.contingency(*case)
    dense = np.zeros((len(table.class_sizes), len(table.cluster_sizes)), int)
    dense[table.classes, table.clusters] = table.counts
    np.testing.assert_array_equal(dense, contingency_matrix(*case))
    np.testing.assert_array_equal(dense.sum(axis=1), table.class_sizes)
    np.testing.assert_array_equal(dense.sum(axis=0), table.cluster_sizes)
    cells = list(zip(table.classes, table.clusters, strict=True))
    assert cells == sorted(set(cells))
    assert (table.counts > 0).all()


@given(two_labellings())
def test_one_row_of_measures_equals_the_measures_one_by_one(case):
    row = metrics.measure(*case)
    assert list(row) == ["jaccard", "v_measure", "ari", "nmi", "f_measure"]
    for name, value in row.items():
        measure = metrics.pairwise_f if name == "f_measure" else getattr(metrics, name)
        assert value == measure(*case)


@pytest.mark.parametrize("name", OF_TWO_CLUSTERINGS)
@given(case=two_labellings())
def test_equal_clusterings_score_exactly_one_and_names_do_not_matter(name, case):
    measure = getattr(metrics, name)
    truth, labels = case
    renamed = [f"cluster {-label}" for label in labels]
    assert measure(labels, renamed) == 1.0
    assert measure(truth, renamed) == measure(truth, labels)
    assert -0.5 <= measure(truth, labels) <= 1.0


@pytest.mark.parametrize("name", SYMMETRIC)
@given(case=two_labellings())
def test_symmetric_measures_are_symmetric(name, case):
    measure = getattr(metrics, name)
    assert measure(*case) == pytest.approx(measure(*case[::-1]), abs=1e-15)


@given(two_labellings(max_k=40))
def test_sparse_and_dense_tables_agree(case):
    spread = [10**9 * label for label in case[0]], [10**12 * label for label in case[1]]
    assert metrics.measure(*spread) == metrics.measure(*case)


def test_a_table_too_large_to_write_out():
    rng = np.random.default_rng(0)
    truth, labels = rng.integers(5000, size=(2, 6000))
    row = metrics.measure(truth, labels)
    assert row["ari"] == pytest.approx(adjusted_rand_score(truth, labels), abs=1e-12)
    assert row["nmi"] == pytest.approx(normalized_mutual_info_score(truth, labels), abs=1e-12)


@pytest.mark.parametrize(
    ("truth", "labels", "expected"),
    [
        pytest.param([7], ["x"], dict.fromkeys(OF_TWO_CLUSTERINGS, 1.0), id="one item"),
        pytest.param([0, 0, 0], [5, 5, 5], dict.fromkeys(OF_TWO_CLUSTERINGS, 1.0), id="one cluster each"),
        pytest.param([0, 1, 2], [2, 0, 1], dict.fromkeys(OF_TWO_CLUSTERINGS, 1.0), id="singletons each"),
        pytest.param(
            [0, 0, 0, 0],
            [0, 1, 2, 3],
            dict(zip(OF_TWO_CLUSTERINGS, [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.25], strict=True)),
            id="one class, all singletons",
        ),
        pytest.param(
            [0, 1, 2, 3],
            [0, 0, 0, 0],
            dict(zip(OF_TWO_CLUSTERINGS, [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.25, 0.25], strict=True)),
            id="all singletons, one cluster",
        ),
        pytest.param(
            [0, 0, 1, 1],
            [0, 0, 0, 0],
            dict(zip(OF_TWO_CLUSTERINGS, [1 / 3, 1 / 3, 1.0, 0.5, 0.0, 0.0, 0.0, 0.5, 0.5], strict=True)),
            id="two classes, one cluster",
        ),
    ],
)
def test_degenerate_clusterings(truth, labels, expected):
    assert {name: getattr(metrics, name)(truth, labels) for name in OF_TWO_CLUSTERINGS} == expected


def test_nmi_by_hand():
    # H(X) = log 2, H(C) = log 4 / 2 + log 2 / 2, I = log 2: eq. 2.15
    expected = 2 * log(2) / (log(2) + (log(4) / 2 + log(2) / 2))
    assert metrics.nmi([0, 0, 1, 1], [0, 1, 2, 2]) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("labels", "codes"),
    [
        ([3, -1, 3, 7], [1, 0, 1, 2]),
        (np.array([2**63, 2**63 + 2, 2**63], np.uint64), [0, 1, 0]),
        (np.array([-(2**63), 2**63 - 1]), [0, 1]),
        (np.array([2**63 - 1, 2**63 - 3]), [1, 0]),
        (np.array([-128, 127], np.int8), [0, 1]),
        ([True, False], [1, 0]),
        ([0.5, 0.25, 0.5], [1, 0, 1]),
        ([1, "1", 1], [0, 1, 0]),
        ([None, "a", None], [0, 1, 0]),
        (np.array(["b", "a", "b"]), [0, 1, 0]),
        (np.array([("x"), 3, ("x")], dtype=object), [0, 1, 0]),
        (("a", "b"), [0, 1]),
    ],
)
def test_labels_of_any_type_become_numbers_without_gaps(labels, codes):
    numbered = metrics.number_labels(labels)
    assert numbered.dtype == np.int64
    assert numbered.tolist() == codes


def test_a_pandas_series_of_labels():
    pd = pytest.importorskip("pandas")
    assert metrics.ari(pd.Series(["a", "b", "a"], index=[5, 6, 7]), [1, 2, 1]) == 1.0


@pytest.mark.parametrize("name", [*OF_TWO_CLUSTERINGS, "measure", "count_pairs", "contingency"])
@pytest.mark.parametrize(
    ("truth", "labels", "message"),
    [
        ([], [], "truth is empty"),
        ([1], [], "labels is empty"),
        ([1, 2], [1], "truth has 2 items, but labels has 1"),
        ([[1, 2]], [1, 2], r"truth must be one-dimensional, got shape \(1, 2\)"),
        ([1, 2], 3, r"labels must be one-dimensional, got shape \(\)"),
        ([1.0, float("nan")], [1, 2], "truth holds NaN"),
        ([1, 2], ["a", float("nan")], "labels holds NaN"),
    ],
)
def test_bad_labels_are_refused(name, truth, labels, message):
    with pytest.raises(ValueError, match=message):
        getattr(metrics, name)(truth, labels)


@pytest.mark.parametrize("beta", [0, -1, float("nan")])
def test_a_bad_beta_is_refused(beta):
    with pytest.raises(ValueError, match="beta must be above 0"):
        metrics.v_measure([0, 1], [0, 1], beta=beta)


def slow_sjc(truth, subclusters):
    total = 0.0
    for k in set(truth):
        held = [sum(truth[i] == k for i in s) for s in subclusters]
        best = max(held)
        n = len(subclusters[held.index(best)])
        total += comb(best, 2) / comb(n, 2) if 2 * best > n else 0.0
    return total / len(set(truth))


@given(st.data())
def test_sjc_equals_its_definition(data):
    n = data.draw(st.integers(4, 30))
    truth = data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    size = data.draw(st.integers(2, 4))
    subcluster = st.lists(st.integers(0, n - 1), min_size=size, max_size=size, unique=True)
    subclusters = data.draw(st.lists(subcluster, min_size=1, max_size=6))
    expected = slow_sjc(truth, subclusters)
    assert metrics.subclustering_jaccard(truth, subclusters) == pytest.approx(expected, abs=1e-15)
    assert metrics.subclustering_jaccard(truth, np.array(subclusters)) == pytest.approx(expected, abs=1e-15)


def test_sjc_of_the_subclusters_of_figure_3():
    """Ten, seven, six and five of ten from the class: 1, 0.46, 0.33 and 0 over K."""
    truth = ["class"] * 10 + [f"other {i}" for i in range(10)]
    for right, share in [(10, 1.0), (7, comb(7, 2) / comb(10, 2)), (6, 15 / 45), (5, 0.0)]:
        subcluster = [*range(right), *range(10, 20 - right)]
        assert metrics.subclustering_jaccard(truth, [subcluster]) == pytest.approx(share / 11)


@pytest.mark.parametrize(
    ("subclusters", "expected"),
    [
        pytest.param([[0, 1, 2], [3, 4, 5]], 1.0, id="perfect"),
        pytest.param([[0, 1], [1, 2]], 0.5, id="one class twice"),
        pytest.param([[0], [3]], 1.0, id="size one"),
        pytest.param([], 0.0, id="none"),
        pytest.param([[], []], 0.0, id="empty ones"),
        pytest.param([[0, 3], [1, 4]], 0.0, id="half is not enough"),
        pytest.param([[0, 1, 3, 4, 5], [0, 1]], (0.5 * 2 / 2 + 0.5 * 6 / 20), id="sizes differ"),
        pytest.param([[0, 1, 3], [0, 1]], 0.5, id="the smaller of two with equal counts"),
    ],
)
def test_sjc_by_hand(subclusters, expected):
    truth = [0, 0, 0, 1, 1, 1]
    assert metrics.subclustering_jaccard(truth, subclusters) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("subclusters", "message"),
    [
        ([[0, 3]], "subcluster 0 holds index 3, but there are 3 items"),
        ([[0], [-1]], "subcluster 1 holds index -1"),
        ([[1, 1]], "subcluster 0 holds an item twice"),
        ([[0.5]], "subcluster 0 must hold integer indices"),
        ([[[0], [1]]], "subcluster 0 must be a sequence of indices"),
    ],
)
def test_bad_subclusters_are_refused(subclusters, message):
    with pytest.raises(ValueError, match=message):
        metrics.subclustering_jaccard([0, 0, 1], subclusters)


EDGES = st.lists(st.tuples(st.integers(-1, 5), st.integers(6, 12)), max_size=12)


@given(EDGES, EDGES)
def test_robinson_foulds_counts_the_edges_of_one_tree_only(true_edges, edges):
    missing = sum(e not in edges for e in set(true_edges))
    extra = sum(e not in true_edges for e in set(edges))
    assert metrics.robinson_foulds(true_edges, edges) == missing + extra
    as_arrays = [np.array(e, int).reshape(-1, 2) for e in (true_edges, edges)]
    assert metrics.robinson_foulds(*as_arrays) == missing + extra


def test_robinson_foulds_without_directions():
    assert metrics.robinson_foulds([("a", "b")], [("b", "a")]) == 2.0
    assert metrics.robinson_foulds([("a", "b")], [("b", "a")], directed=False) == 0.0


@pytest.mark.parametrize(
    ("edges", "message"), [([(1, 2, 3)], "must hold .parent, child. pairs"), ([(4, 4)], "joins 4 to itself")]
)
def test_bad_edges_are_refused(edges, message):
    with pytest.raises(ValueError, match=message):
        metrics.robinson_foulds([(0, 1)], edges)
