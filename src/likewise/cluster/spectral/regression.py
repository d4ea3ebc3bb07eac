"""From clusters to what the settled items say about the rest: ridge regression on the affinities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.groups import Groups
from likewise.cluster.spectral.rounding import certain_sets
from likewise.cluster.spectral.signed_graph import DENSE, Matrix

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NOISE = 1.0  # variance of what is known of a settled item, whose prior variance is 1 or more
DOUBT = 10.0  # variance of what the clusters say of any other
TRUST = 10.0  # settled items of a block that weigh as much as an item's own cluster
TOLERANCE = 1e-8


def loop_of(W: Matrix) -> float:
    """The smallest self-affinity, but at least 1, that leaves the affinities positive semidefinite.

    Examples
    --------
    >>> loop_of(np.array([[0.0, 3.0], [3.0, 0.0]]))
    3.0
    """
    from scipy.linalg import eigvalsh
    from scipy.sparse.linalg import LinearOperator, eigsh

    diagonal = np.asarray(W.diagonal())
    n = len(diagonal)
    if abs(W).sum() <= np.abs(diagonal).sum():
        return 1.0
    if n <= DENSE:
        full = W if isinstance(W, np.ndarray) else W.toarray()
        lowest = float(eigvalsh(full - np.diag(diagonal), subset_by_index=(0, 0))[0])
    else:
        start = np.random.default_rng(0).standard_normal(n)
        bare = LinearOperator((n, n), matvec=lambda v: W @ v - diagonal * v, dtype=np.float64)
        lowest = float(eigsh(bare, 1, which="SA", v0=start, tol=1e-3, return_eigenvectors=False)[0])
    return max(1.0, round(-lowest, 6))


def regress_labels(
    W: Matrix, loop: float, labels: Integers, blocks: Integers, groups: Groups, n_clusters: int
) -> Integers:
    r"""Labels after a ridge regression of the clusters on the affinities; certain sets stay.

    With K the affinities, :math:`F = K (K + N)^{-1} T` is the mean of a Gaussian process: T is the cluster of a settled
    item, with little noise, and with more noise what the clusters say of any other. That is calibrated: an item's own
    cluster is mixed with the clusters of the settled items in its block, the blocks being those found without
    constraints. Where blocks do not predict the answers, the larger set is likelier; where they do, they are kept.
    Nothing goes to a certain set that it is known to differ from, and no cluster is emptied.

    - `W`, ndarray or csr_array of shape (n, n): Affinities without the constraints; the diagonal is ignored.
    - `loop`: Affinity of an item with itself, :func:`loop_of`.
    - `labels` (n,): Clusters, a different one for every certain set.
    - `blocks` (n,): Clusters found without constraints, as many.
    - `groups`: What is known; groups are left whole.
    - `n_clusters`: Number of clusters.

    References
    ----------
    Not from a paper; Gaussian process regression as in C. E. Rasmussen, C. K. I. Williams, *Gaussian Processes for
    Machine Learning*, 2006, eq. 2.25.
    """
    sets = np.array(certain_sets(groups, n_clusters), np.int64)
    fixed = np.isin(groups.of_item, sets)
    if not fixed.any() or fixed.all():
        return labels
    counts = np.zeros((n_clusters, n_clusters))
    np.add.at(counts, (blocks[fixed], labels[fixed]), 1.0)
    wanted = np.eye(n_clusters)[labels]
    seen = counts[blocks[~fixed]]
    wanted[~fixed] = (seen + TRUST * wanted[~fixed]) / (seen.sum(axis=1, keepdims=True) + TRUST)
    weights = _solve(W, loop, np.where(fixed, NOISE, DOUBT), wanted)
    diagonal = np.asarray(W.diagonal())
    F = np.asarray(W @ weights) + (loop - diagonal)[:, None] * weights
    grouped = groups.of_item >= 0
    sums = np.zeros((len(groups.start) - 1, n_clusters))
    np.add.at(sums, groups.of_item[grouped], F[grouped])
    sums[_barred(groups, sets, labels, n_clusters)] = -np.inf
    F[grouped] = sums[groups.of_item[grouped]]
    new = np.where(fixed, labels, F.argmax(axis=1))
    for _ in range(n_clusters):
        emptied = np.bincount(new, minlength=n_clusters) == 0
        if not emptied[labels].any():
            break
        new = np.where(emptied[labels], labels, new)
    return new


def _barred(groups: Groups, sets: Integers, labels: Integers, n_clusters: int) -> NDArray[np.bool_]:
    """Clusters of certain sets that a group is known to differ from, (g, n_clusters)."""
    pairs = groups.enemy_pairs()
    left, right = np.concatenate([pairs, pairs[:, ::-1]]).T
    known = np.isin(right, sets)
    barred = np.zeros((len(groups.start) - 1, n_clusters), bool)
    barred[left[known], labels[groups.members[groups.start[right[known]]]]] = True
    return barred


def _solve(W: Matrix, loop: float, noise: Floats, wanted: Floats) -> Floats:
    """(K + N)⁻¹ T: at once when dense, column by column by conjugate gradients when sparse."""
    from scipy.linalg import cho_factor, cho_solve
    from scipy.sparse.linalg import LinearOperator, cg

    diagonal = loop + noise
    if isinstance(W, np.ndarray):
        M = W.copy()
        np.fill_diagonal(M, diagonal)
        return np.asarray(cho_solve(cho_factor(M.T, lower=True, overwrite_a=True, check_finite=False), wanted))
    n = len(noise)
    more = diagonal - np.asarray(W.diagonal())
    operator = LinearOperator((n, n), matvec=lambda v: W @ v + more * v, dtype=np.float64)
    columns = [cg(operator, column, rtol=TOLERANCE, maxiter=10 * n)[0] for column in wanted.T]
    return np.stack(columns, axis=1)
