"""Arguments of a session, checked at once: a wrong one is refused with one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array

from likewise.distances import check_distances, pairwise
from likewise.distances.sparse_rows import is_sparse
from likewise.pairs import as_whole
from likewise.query.question import ANSWERS, Form, GroupName

AUTO: tuple[Form, ...] = ("pair", "grid", "pick")  # the forms among which the asker may choose by itself
MANY = 1 << 24  # numbers from which on they stay in float32, if they came so


def check_data(X: ArrayLike, metric: Any) -> NDArray[np.float64]:
    """Vectors or distances, as the metric wants them; an unknown metric is refused."""
    if isinstance(metric, str) and metric == "precomputed":
        return check_distances(X)
    if is_sparse(X):
        raise TypeError(
            "Sparse data was passed for X, but dense data is required: X.toarray() where the columns are few, "
            "TruncatedSVD(100).fit_transform(X) where they are many, or distances alone, "
            "Session(likewise.distances.pairwise(X, metric='cosine'), metric='precomputed')"
        )
    kept = [np.float64, np.float32] if np.size(X) >= MANY else np.float64
    _refuse_gaps(X)
    checked: NDArray[np.float64] = check_array(X, dtype=kept)
    if not callable(metric):
        pairwise(checked[:1], metric=metric)
    return checked


def check_more(X: ArrayLike, present: NDArray[np.float64], metric: Any) -> NDArray[np.float64]:
    """Vectors of further items; distances, and vectors of another length, are refused."""
    if isinstance(metric, str) and metric == "precomputed":
        raise ValueError("further items need vectors: of distances between all items there is no part for new ones")
    more = check_data(X, metric)
    if more.shape[1] != present.shape[1]:
        raise ValueError(f"the vectors have {present.shape[1]} columns, those of the further items {more.shape[1]}")
    return more


def _refuse_gaps(X: ArrayLike) -> None:
    """Say which rows hold something that is no number; scikit-learn only says that some do."""
    if not isinstance(X, np.ndarray) or X.ndim != 2 or X.dtype.kind != "f":
        return
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(X.sum()):
            return
    bad = np.flatnonzero(~np.isfinite(X).all(axis=1))
    if len(bad):  # else only the sum was too large
        what = "NaN" if np.isnan(X[bad]).any() else "infinity"
        raise ValueError(f"Input contains {what}: {len(bad):,} of {len(X):,} rows, the first is row {bad[0]}")


def check_count(n_clusters: Any, n: int) -> int | None:
    """A number of clusters that n items can have, or None."""
    if n_clusters is None:
        return None
    count = as_whole(n_clusters, "n_clusters")
    if not 1 <= count <= n:
        raise ValueError(f"n_clusters must be between 1 and the {n} items, got {n_clusters}")
    return count


def check_seed(random_state: Any) -> int:
    """The seed, or one that is drawn."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    seed = as_whole(random_state, "random_state")
    if seed < 0:
        raise ValueError(f"random_state must not be negative, got {random_state}")
    return seed


def as_items(items: Iterable[Any], n: int) -> tuple[int, ...]:
    """Items as indices; one that is not there, or no whole number, is refused."""
    found = tuple(as_whole(item, "an item") for item in items)
    outside = [i for i in found if not 0 <= i < n]
    if outside:
        raise ValueError(f"item {outside[0]} is not there: there are {n} items (0 to {n - 1})")
    return found


def as_group(group: Any) -> GroupName:
    """The name or the number of a group."""
    if isinstance(group, str):
        return group
    if isinstance(group, bool) or not isinstance(group, int | np.integer):
        raise ValueError(f"a group has a name or a number, got {group!r}")
    return int(group)


def check_forms(forms: Sequence[Form] | Literal["auto"]) -> tuple[Form, ...]:
    """The forms of questions as a tuple, the preferred one first; an error where one is unknown."""
    listed = AUTO if isinstance(forms, str) and forms == "auto" else tuple(forms)
    unknown = [form for form in listed if form not in ANSWERS]
    if unknown or not listed:
        raise ValueError(f"the forms of questions are {', '.join(ANSWERS)}, got {forms!r}")
    return listed


def check_asker(strategy: Any) -> None:
    """Refuse an object that cannot ask and cluster."""
    missing = [name for name in ("ask", "cluster") if not callable(getattr(strategy, name, None))]
    if missing or isinstance(strategy, type):
        raise ValueError(f"a strategy is a name or an object with ask and cluster, got {strategy!r}")
