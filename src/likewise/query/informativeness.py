"""Information of a pair and of a triplet about the clusters, and which form brings more per second."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

# Middle of the times in Pei 2017, Table 3.6: 2.1 to 3.1 s a pair, 4.1 to 6.2 s a triplet.
PAIR_SECONDS, TRIPLET_SECONDS = 2.6, 5.1


@dataclass(frozen=True)
class Informativeness:
    """Information of one answer about the clusters of its items, in nats.

    Attributes
    ----------
    pair, triplet : float
        Information of *same or different?* and of *which two belong together?*
    same : float
        P_M, the probability that two items are the same.
    odd_one : float
        3 P_R, the probability that exactly two of three items are the same.
    largest : float
        Share of the largest class.
    """

    pair: float
    triplet: float
    same: float
    odd_one: float
    largest: float

    @property
    def per_item(self) -> tuple[float, float]:
        """Information per item shown, of pairs and of triplets."""
        return self.pair / 2, self.triplet / 3

    @property
    def is_sure_by_corollary(self) -> bool:
        """Whether a triplet tells at least as much as a pair by Corollary 3.4.1.1, where nobody errs.

        It asks that no class has more than 2/3 of the items, and that 3 P_R is at most 1 - 1/e. Without it a triplet
        may tell more all the same.
        """
        return bool(self.largest <= 2.0 / 3.0 and self.odd_one <= 1.0 - np.exp(-1.0))


def informativeness(class_sizes: ArrayLike, *, epsilon: float = 0.0) -> Informativeness:
    r"""Information of a pair and of a triplet drawn from classes of these sizes.

    :math:`I(Y^p, l^p) = H(P_M, 1 - P_M)` and :math:`I(Y^r, l^r) = H(P_R, P_R, P_R, 1 - 3 P_R)` with
    :math:`P_M = \sum_k p_k^2` and :math:`P_R = \sum_k p_k^2 (1 - p_k)`.

    Parameters
    ----------
    class_sizes : array-like of shape (k,)
        Sizes of the classes, or their shares.
    epsilon : float, default=0.0
        Share of wrong answers, all wrong ones equally frequent; the entropy of the error is subtracted.

    Returns
    -------
    Informativeness

    References
    ----------
    Y. Pei, *Learning with Partial Supervision for Clustering and Classification*, 2017, Theorem 3.4.1 and Corollary
    3.4.1.1. Deviation: answers may be wrong.

    Examples
    --------
    >>> found = informativeness([10, 10, 10, 10])
    >>> round(found.pair, 3), round(found.triplet, 3)
    (0.562, 1.303)
    """
    sizes = np.asarray(class_sizes, np.float64)
    if sizes.ndim != 1 or len(sizes) == 0 or (sizes < 0).any() or not np.isfinite(sizes).all() or not sizes.sum():
        raise ValueError("class_sizes must be sizes that are not negative and not all zero")
    if not 0.0 <= epsilon < 1.0:
        raise ValueError(f"epsilon must be from 0 to below 1, got {epsilon}")
    p = sizes / sizes.sum()
    same, odd = float((p**2).sum()), float((p**2 * (1.0 - p)).sum())
    pair = _through_errors(np.array([same, 1.0 - same]), epsilon)
    triplet = _through_errors(np.array([odd, odd, odd, 1.0 - 3.0 * odd]), epsilon)
    return Informativeness(pair, triplet, same, 3.0 * odd, float(p.max()))


def choose_form(
    class_sizes: ArrayLike,
    *,
    pair_seconds: float = PAIR_SECONDS,
    triplet_seconds: float = TRIPLET_SECONDS,
    pair_error: float = 0.0,
    triplet_error: float = 0.0,
) -> Literal["pair", "triplet"]:
    """The form of question that brings more information per second; a pair when they are equal.

    Parameters
    ----------
    class_sizes : array-like of shape (k,)
        Sizes of the classes, or estimates of them.
    pair_seconds, triplet_seconds : float
        Time people need for one question.
    pair_error, triplet_error : float
        Share of wrong answers.

    Examples
    --------
    >>> choose_form([10] * 4), choose_form([10] * 4, triplet_seconds=8.0)
    ('triplet', 'pair')
    """
    if not (pair_seconds > 0 and triplet_seconds > 0):
        raise ValueError("seconds must be positive")
    pair = informativeness(class_sizes, epsilon=pair_error).pair / pair_seconds
    triplet = informativeness(class_sizes, epsilon=triplet_error).triplet / triplet_seconds
    return "triplet" if triplet > pair * (1.0 + 1e-12) else "pair"


def _entropy(p: np.ndarray) -> float:
    return float(-(p * np.log(np.where(p > 0, p, 1.0))).sum())


def _through_errors(p: np.ndarray, epsilon: float) -> float:
    """Information of an answer that is wrong with probability epsilon, all wrong ones equally probable."""
    wrong = np.full(len(p), epsilon / (len(p) - 1))
    answer = p * (1.0 - epsilon) + (1.0 - p) * wrong
    error = np.concatenate([[1.0 - epsilon], wrong[1:]])
    return max(_entropy(answer) - _entropy(error), 0.0)
