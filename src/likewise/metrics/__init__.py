"""How good a clustering is, measured against the truth.

Every measure of two clusterings is read off one sparse contingency table, in O(n) plus work in the
number of its cells. Labels may be integers, strings or anything hashable; only which items share a
label matters. All lie in [0, 1] and are 1 for equal clusterings, except :func:`ari`, which can be
negative, and :func:`robinson_foulds`, which counts edges. Where a definition would divide nothing by
nothing, equal clusterings score 1, so a single item always does.

References
----------
A. Biswas, *Semi-supervised and Active Image Clustering with Pairwise Constraints from Humans*, 2014.
C. Xiong, D. M. Johnson, J. J. Corso, *Active Clustering with Model-Based Uncertainty Reduction*.
Y. Pei, *Learning with Partial Supervision for Clustering and Classification*, 2017.
N. Grira, M. Crucianu, N. Boujemaa, *Semi-supervised Image Database Categorization using Pairwise
Constraints*.
"""

from likewise.metrics.clusterings import (
    ari,
    jaccard,
    measure,
    nmi,
    pairwise_f,
    pairwise_precision,
    pairwise_recall,
    purity,
    v_measure,
    well_categorized,
)
from likewise.metrics.subclusters import subclustering_jaccard
from likewise.metrics.tables import Contingency, PairCounts, contingency, count_pairs, number_labels
from likewise.metrics.trees import robinson_foulds

__all__ = [
    "Contingency",
    "PairCounts",
    "ari",
    "contingency",
    "count_pairs",
    "jaccard",
    "measure",
    "nmi",
    "number_labels",
    "pairwise_f",
    "pairwise_precision",
    "pairwise_recall",
    "purity",
    "robinson_foulds",
    "subclustering_jaccard",
    "v_measure",
    "well_categorized",
]
