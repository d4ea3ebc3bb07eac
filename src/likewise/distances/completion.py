"""Similarities of all pairs from some, of which some are wrong: low rank plus sparse errors."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning

from likewise.distances.memory import count_rows, require_square
from likewise.kernels.metric.checks import find_asymmetry
from likewise.kernels.metric.completion import settle_entries

Floats = NDArray[np.float64]

FACTORS = (1.0, 1.5, 2.0)  # candidates for C, times 1 / √(n · share of known entries)
BINARY = 1e-5  # mean distance from zeros and ones at which no larger C is tried
TIE = 0.02  # balances (nats) that differ by less count as equal: cluster sizes of samples differ by more
STEP = 4.0  # step of the multipliers, times 1 / √n; smaller ones let directions grow before they are found
FEWER = "take those items only that somebody annotated"
APART = 5.0  # residuals further apart than by this factor change the step
SPARE = 8  # number of directions followed beyond those that are kept


def filter_similarity(A: ArrayLike, low: float = 0.0, high: float = 0.8) -> Floats:
    """Keep what most annotators agree on: 1 from `high` up, 0 from `low` down, unknown (NaN) between.

    Parameters
    ----------
    A : array-like of shape (n, n)
        Average similarities in [0, 1], NaN where unknown.
    low, high : float
        d₀ and d₁ of the reference.

    Returns
    -------
    ndarray of shape (n, n)

    References
    ----------
    J. Yi et al., *Semi-Crowdsourced Clustering*, NIPS 2012, eq. 1.

    Examples
    --------
    >>> filter_similarity([[1.0, 0.5], [0.5, 1.0]])
    array([[ 1., nan],
           [nan,  1.]])
    """
    require_square(count_rows(A), 3, "similarities", FEWER)
    checked = _check(A)
    if not 0 <= low < high <= 1:
        raise ValueError(f"low and high must be 0 <= low < high <= 1, got {low!r} and {high!r}")
    kept = np.full_like(checked, np.nan)
    kept[checked >= high] = 1.0
    kept[checked <= low] = 0.0
    return kept


def complete_matrix(
    A: ArrayLike,
    C: float | Literal["binary", "balance"] = "binary",
    *,
    n_clusters: int | None = None,
    tol: float = 1e-5,
    max_iter: int = 300,
    random_state: Any = 0,
) -> Floats:
    """Complete a symmetric matrix of similarities and correct its errors; the result is positive semi-definite.

    Minimises the nuclear norm of the result plus C times the sum of what it changes, over symmetric positive
    semi-definite matrices with entries in [0, 1]. What has not settled after ``max_iter`` steps, and as many with full
    decompositions, is clipped to [0, 1], with a warning.

    Parameters
    ----------
    A : array-like of shape (n, n)
        Similarities, NaN where unknown. A missing diagonal is 1.
    C : float, "binary" or "balance"
        Cost of changing a known entry by 1. The names try 1, 1.5 and 2 times 1 / √(n · share of known entries) and
        keep the result nearest to zeros and ones, or, of those whose rank is nearest to `n_clusters`, the one whose
        clusters are most equal in size (of about equally balanced ones, that nearest to zeros and ones).
    n_clusters : int, optional
        Number of clusters for "balance".
    tol : float
        Stop when both residuals are below this share of the norm of the known entries.
    max_iter : int
        Maximum number of steps, for each C.
    random_state : int, RandomState or None
        Seed of the directions from which eigenvectors are searched.

    References
    ----------
    J. Yi et al., *Semi-Crowdsourced Clustering: Generalizing Crowd Labeling by Robust Distance Metric Learning*,
    NIPS 2012, eq. 2. Deviations: restricted to positive semi-definite matrices with entries in [0, 1], as the
    similarities of a clustering are; ADMM with the leading eigenvectors only,
    checked by a full decomposition at the end, and with all of them where that does not settle.

    Examples
    --------
    >>> truth = np.repeat([0, 1], 20)
    >>> A = (truth[:, None] == truth).astype(float)
    >>> seen = np.triu(np.random.default_rng(0).random((40, 40)) < 0.5)
    >>> completed = complete_matrix(np.where(seen | seen.T, A, np.nan))
    >>> bool(np.abs(completed - A).max() < 0.01)
    True
    """
    require_square(count_rows(A), 12, "complete_matrix", FEWER)
    checked = _check(A)
    np.fill_diagonal(checked, np.where(np.isnan(np.diagonal(checked)), 1.0, np.diagonal(checked)))
    state = _Completion(checked, np.random.RandomState(0) if random_state is None else random_state)
    _check_cost(C, n_clusters)
    if not isinstance(C, str):
        return state.run(float(C), tol, max_iter)
    unit = 1.0 / np.sqrt((~np.isnan(checked)).sum() / len(checked))
    return _best_of(
        (state.run(factor * unit, tol, max_iter) for factor in FACTORS), n_clusters if C == "balance" else None
    )


def _check_cost(C: float | str, n_clusters: int | None) -> None:
    if isinstance(C, str) and C not in ("binary", "balance"):
        raise ValueError(f"C must be a number, 'binary' or 'balance', got {C!r}")
    if not isinstance(C, str) and not C > 0:
        raise ValueError(f"C must be positive, got {C!r}")
    if C == "balance" and n_clusters is None:
        raise ValueError("C='balance' needs n_clusters")


def _best_of(candidates: Iterable[Floats], n_clusters: int | None) -> Floats:
    """The candidate nearest to zeros and ones; with `n_clusters` only among those of the nearest rank, then balance."""
    found, badness = [], []
    for candidate in candidates:
        found.append(candidate)
        badness.append(off_binary(candidate))
        if n_clusters is None and badness[-1] < BINARY:
            break
    if n_clusters is not None:
        off = np.array([abs(completed_rank(A, min(0.02, 0.25 / n_clusters)) - n_clusters) for A in found])
        uneven = np.array([imbalance(A, n_clusters) for A in found])
        uneven[off > off.min()] = np.inf
        badness = np.where(uneven <= uneven.min() + TIE, badness, np.inf).tolist()
    return found[int(np.argmin(badness))]


def off_binary(A: Floats) -> float:
    """Mean distance of the entries from 0 or 1, whichever is nearer."""
    return float(np.minimum(np.abs(A), np.abs(A - 1.0)).mean())


def imbalance(A: Floats, n_clusters: int) -> float:
    """What the entropy of the sizes of the clusters of a similarity matrix lacks of its maximum."""
    from sklearn.cluster import KMeans

    _, vectors = np.linalg.eigh(A)
    rows = vectors[:, -n_clusters:]
    labels = KMeans(n_clusters, n_init=3, random_state=0).fit_predict(rows)
    share = np.bincount(labels, minlength=n_clusters) / len(A)
    share = share[share > 0]
    return float(np.log(n_clusters) + (share * np.log(share)).sum())


def completed_rank(A: ArrayLike, share: float = 0.02) -> int:
    """Number of eigenvalues of a completed matrix above a share of their sum: its number of clusters.

    Parameters
    ----------
    A : array-like of shape (n, n)
        A completed matrix; of a perfect one the eigenvalues are the sizes of the clusters.
    share : float
        Clusters smaller than this share of the items are not counted.

    Examples
    --------
    >>> completed_rank(np.kron(np.eye(3), np.ones((4, 4))))
    3
    """
    values = np.linalg.eigvalsh(np.asarray(A, np.float64))
    return max(1, int((values > share * values.clip(0.0).sum()).sum()))


def _check(A: ArrayLike) -> Floats:
    from sklearn.utils import check_array

    checked: Floats = check_array(A, dtype=np.float64, ensure_all_finite="allow-nan", copy=True)
    if checked.shape[0] != checked.shape[1]:
        raise ValueError(f"similarities must be square, got {checked.shape[0]} x {checked.shape[1]}")
    missing = np.isnan(checked)
    filled = np.where(missing, -1.0, checked)
    gap, i, j = find_asymmetry(filled, 1e-9, 1e-12)
    if gap:
        raise ValueError(f"similarities are not symmetric: [{i}, {j}] and [{j}, {i}] differ")
    if (checked[~missing] < 0).any() or (checked[~missing] > 1).any():
        raise ValueError("similarities must be between 0 and 1, NaN where unknown")
    return checked


class _Completion:
    """ADMM whose state is kept from one C to the next."""

    def __init__(self, seen: Floats, random_state: Any) -> None:
        from sklearn.utils import check_random_state

        self.seen = seen
        self.random = check_random_state(random_state)
        n = len(seen)
        self.mu = STEP / np.sqrt(n)
        self.Z, self.Y = np.zeros((n, n)), np.zeros((n, n))
        self.T = np.zeros((n, n))
        self.basis = self.random.normal(size=(n, min(n, SPARE)))
        self.scale = max(float(np.linalg.norm(np.nan_to_num(seen))), 1e-300)

    def run(self, price: float, tol: float, max_iter: int) -> Floats:
        """The completed matrix; where following some directions does not settle, all of them are decomposed."""
        near = tol * self.scale
        L = self._shrink(full=False)
        for _ in range(max_iter):
            residual, moved = settle_entries(self.seen, L, self.Z, self.Y, price, self.mu, self.T)
            settled = max(residual, moved) <= near**2
            before, L = L, self._shrink(full=settled)
            # Directions that were not followed may be missing: only the full decomposition can show it.
            if settled and np.linalg.norm(L - before) <= 2.0 * near:
                return L
        return self._run_full(price, near, max_iter)

    def _run_full(self, price: float, near: float, max_iter: int) -> Floats:
        """The same with full decompositions and a step that keeps both residuals about equal."""
        usual, L = self.mu, self._shrink(full=True)
        residual = moved = np.inf
        try:
            for _ in range(max_iter):
                residual, moved = settle_entries(self.seen, L, self.Z, self.Y, price, self.mu, self.T)
                L = self._shrink(full=True)
                if max(residual, moved) <= near**2:
                    return L
                if max(residual, moved) > APART**2 * min(residual, moved):
                    self.mu *= 2.0 if residual > moved else 0.5
                    self.T = self.Z + self.Y / self.mu
        finally:
            self.mu, self.T = usual, self.Z + self.Y / usual
        off = np.sqrt(max(residual, moved)) / self.scale
        text = f"complete_matrix stopped at max_iter={max_iter}: {off:.1g} of the known entries' norm is not settled"
        warnings.warn(text, ConvergenceWarning, stacklevel=4)
        return np.asarray(np.clip(L, 0.0, 1.0))

    def _shrink(self, *, full: bool) -> Floats:
        """T with its eigenvalues less 1/μ, none below 0; by Rayleigh–Ritz from the last eigenvectors unless full."""
        n, width = self.basis.shape
        if full or 3 * width > n:
            values, vectors = np.linalg.eigh(self.T)
        else:
            Q = np.linalg.qr(self.T @ self.basis)[0]
            values, inner = np.linalg.eigh(Q.T @ (self.T @ Q))
            vectors = Q @ inner
        kept = values > 1.0 / self.mu
        rank = int(kept.sum())
        self._follow(vectors[:, kept], vectors[:, ~kept], rank)
        strength = np.sqrt(values[kept] - 1.0 / self.mu)
        factor = vectors[:, kept] * strength
        return np.asarray(factor @ factor.T)

    def _follow(self, kept: Floats, rest: Floats, rank: int) -> None:
        """The kept directions and a few spare ones: the best of the rest, and random ones where there are none."""
        n = len(kept)
        width = min(n, rank + SPARE)
        spare = rest[:, ::-1][:, : width - rank - 2] if width > rank else rest[:, :0]
        fresh = self.random.normal(size=(n, width - rank - spare.shape[1]))
        self.basis = np.column_stack([kept, spare, fresh])
