"""A start of the logistic models that already follows the answers."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from likewise.cluster.kmeans.pckmeans import PCKMeans
from likewise.cluster.logistic.answers import Answers
from likewise.cluster.logistic.model import logistic_start
from likewise.constraints import Statement

Floats = NDArray[np.float64]

N_INIT = 3  # of the constrained k-means


def statements_of(answers: Answers) -> list[Statement]:
    """Pairs as they were answered, and those that a triplet says: its two and one of the third, or three that differ.

    Examples
    --------
    >>> statements_of(Answers(np.array([[0, 1, -1], [2, 3, 4]]), np.array([0, 1]), np.ones(2)))
    [(0, 1, 'same'), (2, 4, 'same'), (2, 3, 'different')]
    """
    out: list[Statement] = []
    for (a, b, c), value in zip(answers.items.tolist(), answers.values.tolist(), strict=True):
        if c < 0:
            out.append((a, b, "same" if value == 0 else "different"))
            continue
        if value == 3:
            out += [(a, b, "different"), (a, c, "different"), (b, c, "different")]
            continue
        i, j, other = ((a, b, c), (a, c, b), (b, c, a))[value]
        out += [(i, j, "same"), (i, other, "different")]
    return out


def supervised_start(
    wide: Floats, statements: list[Statement], n_clusters: int, regularization: float, seed: int
) -> Floats:
    """Weights (d + 1, k) of a logistic regression on the clusters of constrained k-means.

    - `wide` (n, d + 1): Vectors with ones.
    - `statements`: What was said of pairs, without a cycle: it cannot contradict itself.
    - `n_clusters`, `regularization`: k, and λ of the regression.
    - `seed`: Of the k-means.
    """
    if wide.shape[1] == 1:  # nothing tells items apart
        return np.zeros((1, n_clusters))
    links = {kind: [(i, j) for i, j, relation in statements if relation == kind] for kind in ("same", "different")}
    model = PCKMeans(n_clusters, n_init=N_INIT, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # where to begin, not where to end
        model.fit(wide[:, :-1], must_link=links["same"] or None, cannot_link=links["different"] or None)
    return logistic_start(wide, model.labels_, n_clusters, regularization)
