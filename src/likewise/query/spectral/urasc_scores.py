"""The two factors of URASC's score: the gradient of the eigenvectors and the entropy of a sample's cluster."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.spectral.signed_graph import Laplacian, Matrix, Spectrum

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

EQUAL = 1e-9  # eigenvalues that differ less, relative to the largest, count as equal
LEAST_VARIANCE = 1e-4


def change_coefficients(
    spectrum: Spectrum, n_clusters: int, laplacian: Laplacian, samples: Integers, fixed: Integers
) -> Floats:
    """First-order change of the first eigenvectors when a sample's affinities to the fixed ones grow (eq. 6, 7).

    Entry (j, i, p) is the component of vector p in the change of vector i, summed over the fixed samples; 0 where p is
    i and where both have the same eigenvalue, since such vectors are not unique. With all n vectors in the spectrum
    this is the derivative itself; with fewer, its projection onto their span.

    - `spectrum`: The lowest vectors of the Laplacian, at least `n_clusters`.
    - `n_clusters`: Number of vectors whose change is computed.
    - `laplacian`: Laplacian of the spectrum.
    - `samples` (b,): Candidate samples.
    - `fixed` (m,): One sample of every certain set.
    """
    values, vectors = spectrum.values, spectrum.vectors
    if laplacian in ("normalized", "signed"):
        vectors = vectors / np.sqrt(spectrum.degrees)[:, None]
        kept = 1 - (values[:n_clusters, None] + values) / 2
    else:
        kept = np.ones((n_clusters, len(values)))
    at, others = vectors[samples], vectors[fixed]
    total, products = others.sum(axis=0), others[:, :n_clusters].T @ others
    own = kept * (len(fixed) * at[:, :n_clusters, None] * at[:, None, :] + products)
    mixed = at[:, :n_clusters, None] * total + total[:n_clusters, None] * at[:, None, :]
    gap = values[:n_clusters, None] - values
    distinct = np.abs(gap) > EQUAL * max(1.0, float(np.abs(values).max()))
    return np.asarray((own - mixed) * np.where(distinct, 1 / np.where(distinct, gap, 1.0), 0.0))


def gradient_norms(coefficients: Floats) -> Floats:
    """Eq. 7: Σ_i of the Euclidean length of the change of vector i, (b,), from (b, n_clusters, k).

    The vectors are orthonormal, so that the length of the change is that of its coefficients.
    """
    return np.asarray(np.sqrt((coefficients**2).sum(axis=2)).sum(axis=1))


def entropies(probability: Floats) -> Floats:
    """Eq. 12: entropy of every row in nats, (n,); 0 log 0 is 0.

    Examples
    --------
    >>> entropies(np.array([[0.5, 0.5], [1.0, 0.0]])).round(4).tolist()
    [0.6931, 0.0]
    """
    logs = np.log(probability, where=probability > 0, out=np.zeros_like(probability))
    return np.asarray(np.abs((probability * logs).sum(axis=1)))


def neighbour_probabilities(neighbours: Integers, affinities: Floats, labels: Integers) -> Floats:
    """Eq. 9: share of each cluster in the affinities of a sample's nearest neighbours, (n, K).

    - `neighbours`, `affinities` (n, k): The nearest samples, -1 where there are fewer, and their affinities.
    - `labels` (n,): The present clusters. A sample without neighbours counts as its own neighbour.
    """
    n, n_clusters = len(labels), int(labels.max()) + 1
    there = neighbours >= 0
    weight = np.where(there, affinities, 0.0)
    flat = np.arange(n)[:, None] * n_clusters + labels[neighbours]
    share = np.bincount(flat.ravel(), weight.ravel(), n * n_clusters).reshape(n, n_clusters)
    total = share.sum(axis=1)
    alone = total <= 0
    share[alone, labels[alone]] = 1.0
    return np.asarray(share / np.where(alone, 1.0, total)[:, None])


def nearest_by_affinity(W: Matrix, k: int) -> tuple[Integers, Floats]:
    """The k samples with the highest affinities to each, (n, k), and the affinities; -1 and 0 where there are fewer.

    - `W`, ndarray or csr_array of shape (n, n): Affinities; the diagonal is ignored.
    - `k`: Number of neighbours.
    """
    n = W.shape[0]
    k = min(k, max(n - 1, 1))
    if isinstance(W, np.ndarray):
        falling = -W
        np.fill_diagonal(falling, np.inf)
        order = np.argsort(falling, axis=1, kind="stable")[:, :k]
        weight = -np.take_along_axis(falling, order, axis=1)
        there = np.isfinite(weight) & (weight > 0)
        return np.where(there, order, -1), np.where(there, weight, 0.0)
    indices, weights = np.full((n, k), -1), np.zeros((n, k))
    entries = W.tocoo()
    rows, columns = entries.coords
    kept = (rows != columns) & (entries.data > 0)
    rows, columns, data = rows[kept], columns[kept], entries.data[kept]
    order = np.lexsort((columns, -data, rows))
    rows, columns, data = rows[order], columns[order], data[order]
    rank = np.arange(len(rows)) - np.searchsorted(rows, rows)
    near = rank < k
    indices[rows[near], rank[near]], weights[rows[near], rank[near]] = columns[near], data[near]
    return indices, weights


def mixture_probabilities(rows: Floats, labels: Integers, weights: Floats | None = None) -> Floats:
    """Eq. 10 and 11: probabilities of the components of a Gaussian mixture of the rows, (n, K).

    One component a cluster, with its share, its mean, and the variance inside clusters in every direction.

    - `rows` (n, d): The eigenvectors, a sample a row.
    - `labels` (n,): The present clusters.
    - `weights` (n,): Weight of each sample; 1 by default.
    """
    counts = np.ones(len(rows)) if weights is None else weights
    member = np.eye(int(labels.max()) + 1)[labels] * counts[:, None]
    size = np.maximum(member.sum(axis=0), LEAST_VARIANCE)
    mean = member.T @ rows / size[:, None]
    inside = counts @ (rows - mean[labels]) ** 2 / counts.sum()
    variance = inside + LEAST_VARIANCE * max(float(rows.var(axis=0).mean()), 1e-12)
    log = np.log(size / size.sum()) - 0.5 * (mean**2 / variance).sum(axis=1) + rows @ (mean / variance).T
    log -= log.max(axis=1, keepdims=True)
    probability = np.exp(log)
    return np.asarray(probability / probability.sum(axis=1, keepdims=True))
