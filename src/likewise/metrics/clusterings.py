"""Measures of one clustering against another; `truth` and `labels`, (n,), are the class and cluster of every item."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from likewise.metrics.tables import Contingency, Counts, Labels, PairCounts, contingency, count_pairs, pairs_of


def jaccard(truth: Labels, labels: Labels) -> float:
    """Jaccard's coefficient of the pairs put together: SS / (SS + SD + DS) (Biswas, eq. 2.4).

    1 when neither clustering puts any pair together.

    Examples
    --------
    >>> jaccard([0, 0, 0, 1], [0, 0, 1, 1])
    0.25
    """
    return _jaccard(count_pairs(truth, labels))


def pairwise_precision(truth: Labels, labels: Labels) -> float:
    """Share of the pairs put together by the labels that belong together; 1 when they put none together.

    Examples
    --------
    >>> pairwise_precision([0, 0, 0, 1], [0, 0, 1, 1])
    0.5
    """
    pairs = count_pairs(truth, labels)
    return _ratio(pairs.SS, pairs.SS + pairs.DS)


def pairwise_recall(truth: Labels, labels: Labels) -> float:
    """Share of the pairs that belong together put together by the labels; 1 when no pair belongs together.

    Examples
    --------
    >>> round(pairwise_recall([0, 0, 0, 1], [0, 0, 1, 1]), 4)
    0.3333
    """
    pairs = count_pairs(truth, labels)
    return _ratio(pairs.SS, pairs.SS + pairs.SD)


def pairwise_f(truth: Labels, labels: Labels) -> float:
    """Harmonic mean of pairwise precision and recall, 2 SS / (2 SS + SD + DS) (Pei, §3.5).

    1 when neither clustering puts any pair together.

    Examples
    --------
    >>> pairwise_f([0, 0, 0, 1], [0, 0, 1, 1])
    0.4
    """
    return _f_measure(count_pairs(truth, labels))


def ari(truth: Labels, labels: Labels) -> float:
    """Rand index corrected for chance (Hubert and Arabie, 1985): 0 on average for random labels.

    Computed from exact pair counts. 1 for equal clusterings, 0 when just one of the two is a single
    cluster or all singletons.

    Examples
    --------
    >>> ari([0, 0, 1, 1], [1, 1, 0, 0]), ari([0, 0, 1, 1], [0, 1, 0, 1])
    (1.0, -0.5)
    """
    return _ari(count_pairs(truth, labels))


def v_measure(truth: Labels, labels: Labels, *, beta: float = 1.0) -> float:
    """Harmonic mean of homogeneity and completeness (Xiong et al., eq. 13–19).

    Homogeneity is 1 when the truth is one class, completeness is 1 when the labels are one cluster
    (the paper asks for a joint entropy of 0, which leaves 0/0 otherwise). 0 when both are 0. With
    ``beta=1`` it is the same number as :func:`nmi`.

    Parameters
    ----------
    truth, labels : array-like of shape (n,)
        Class and cluster of every item.
    beta : float
        Weight of completeness; above 0.

    Examples
    --------
    >>> round(v_measure([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.8
    """
    if not beta > 0:
        raise ValueError(f"beta must be above 0, got {beta!r}")
    return _v_measure(_entropies(contingency(truth, labels)), beta)


def nmi(truth: Labels, labels: Labels) -> float:
    """Normalised mutual information, 2 I(X; C) / (H(X) + H(C)) (Pei, eq. 2.15).

    1 when both are one cluster, 0 when just one of them is.

    Examples
    --------
    >>> round(nmi([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.8
    """
    return _nmi(_entropies(contingency(truth, labels)))


def purity(truth: Labels, labels: Labels) -> float:
    """Share of items in the majority class of their cluster (Pei, eq. 2.16).

    All singletons are pure: compare only clusterings of about as many clusters.

    Examples
    --------
    >>> purity([0, 0, 1, 1], [0, 0, 0, 1])
    0.75
    """
    table = contingency(truth, labels)
    largest = np.zeros(len(table.cluster_sizes), np.int64)
    np.maximum.at(largest, table.clusters, table.counts)
    return int(largest.sum()) / int(table.counts.sum())


def well_categorized(truth: Labels, labels: Labels) -> float:
    """Share of items in the right cluster under the best one-to-one matching of clusters to classes.

    Grira et al. (§4) report it without a definition; this is the accuracy of the best assignment, found exactly
    (sparse Jonker–Volgenant). Clusters, or classes, left without a partner count nothing.

    Examples
    --------
    >>> well_categorized(["a", "a", "b", "b"], [1, 1, 0, 2])
    0.75
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    table = contingency(truth, labels)
    rows, columns = table.classes, table.clusters
    n_rows, n_columns = len(table.class_sizes), len(table.cluster_sizes)
    if n_rows > n_columns:
        rows, columns, n_rows, n_columns = columns, rows, n_columns, n_rows
    # One more column a row, of value 0, so that every row can be matched; each row is matched
    # once, so taking the counts from a constant changes no comparison.
    most = int(table.counts.max()) + 1
    spare = np.arange(n_rows)
    cost = csr_array(
        (
            np.concatenate([most - table.counts, np.full(n_rows, most)]).astype(np.float64),
            # int32: SciPy 1.11 matches no matrix with longer indices
            (
                np.concatenate([rows, spare]).astype(np.int32),
                np.concatenate([columns, n_columns + spare]).astype(np.int32),
            ),
        ),
        shape=(n_rows, n_columns + n_rows),
    )
    matched = cost[min_weight_full_bipartite_matching(cost)]
    return float((most - matched).sum()) / int(table.counts.sum())


def measure(truth: Labels, labels: Labels) -> dict[str, float]:
    """The measures of a learning curve, from one contingency table.

    Parameters
    ----------
    truth, labels : array-like of shape (n,)
        Class and cluster of every item.

    Returns
    -------
    dict
        ``jaccard``, ``v_measure``, ``ari``, ``nmi``, ``f_measure``.

    Examples
    --------
    >>> measure([0, 0, 1, 1], [0, 0, 1, 1])
    {'jaccard': 1.0, 'v_measure': 1.0, 'ari': 1.0, 'nmi': 1.0, 'f_measure': 1.0}
    """
    table = contingency(truth, labels)
    pairs, entropies = pairs_of(table), _entropies(table)
    return {
        "jaccard": _jaccard(pairs),
        "v_measure": _v_measure(entropies, 1.0),
        "ari": _ari(pairs),
        "nmi": _nmi(entropies),
        "f_measure": _f_measure(pairs),
    }


class _Entropies(NamedTuple):
    """n times the entropies of truth and labels and their mutual information."""

    truth: float
    labels: float
    mutual: float


def _entropies(table: Contingency) -> _Entropies:
    joint, truth, labels, whole = (
        _sum_n_log_n(c) for c in (table.counts, table.class_sizes, table.cluster_sizes, table.counts.sum(keepdims=True))
    )
    of_truth, of_labels = whole - truth, whole - labels
    # In this order the mutual information of a single cluster, on either side, is exactly 0.
    mutual = of_labels + (joint - truth)
    return _Entropies(of_truth, of_labels, min(max(mutual, 0.0), of_truth, of_labels))


def _sum_n_log_n(counts: Counts) -> float:
    # Summed over the distinct counts in order, so that equal clusterings get equal entropies, bit by bit.
    how_many = np.bincount(counts)
    values = np.flatnonzero(how_many)
    return float(np.sum(how_many[values] * (values * np.log(values))))


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _jaccard(pairs: PairCounts) -> float:
    return _ratio(pairs.SS, pairs.SS + pairs.SD + pairs.DS)


def _f_measure(pairs: PairCounts) -> float:
    return _ratio(2 * pairs.SS, 2 * pairs.SS + pairs.SD + pairs.DS)


def _ari(pairs: PairCounts) -> float:
    same, lost, wrong, different = pairs
    if not (lost or wrong):
        return 1.0
    over_chance = 2 * (same * different - lost * wrong)
    return over_chance / ((same + lost) * (lost + different) + (same + wrong) * (wrong + different))


def _v_measure(entropies: _Entropies, beta: float) -> float:
    truth, labels, mutual = entropies
    homogeneity = mutual / truth if truth else 1.0
    completeness = mutual / labels if labels else 1.0
    weighted = beta * homogeneity + completeness
    return (1 + beta) * homogeneity * completeness / weighted if weighted else 0.0


def _nmi(entropies: _Entropies) -> float:
    total = entropies.truth + entropies.labels
    return 2 * entropies.mutual / total if total else 1.0
