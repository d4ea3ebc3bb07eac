"""One warning for all that stop at their largest number of rounds."""

from __future__ import annotations

import warnings
from typing import Any

from sklearn.exceptions import ConvergenceWarning

__all__ = ["warn_unsettled"]


def warn_unsettled(estimator: Any) -> None:
    """Warn where a fitted estimator stopped at `max_iter` before it settled.

    - `estimator`: Has `max_iter` and `n_iter_`, or else `_settled`, where `n_iter_` counts several phases.

    Examples
    --------
    >>> from likewise.cluster import PCKMeans
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     _ = PCKMeans(3, max_iter=1, random_state=0).fit([[0.0], [1.0], [5.0], [6.0], [20.0], [26.0]])
    >>> str(caught[0].message)
    'PCKMeans stopped at max_iter=1 before it settled: raise max_iter'
    """
    max_iter = getattr(estimator, "max_iter", None)
    if max_iter is None:
        return
    settled = getattr(estimator, "_settled", getattr(estimator, "n_iter_", 0) < max_iter)
    if not settled:
        text = f"{type(estimator).__name__} stopped at max_iter={max_iter} before it settled: raise max_iter"
        warnings.warn(text, ConvergenceWarning, stacklevel=3)
