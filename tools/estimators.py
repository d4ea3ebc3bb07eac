"""Writes the table of the estimators and what of scikit-learn's habits they have: ``python -m tools.estimators``."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from sklearn.base import TransformerMixin

from likewise import cluster, distances

PAGE = Path(__file__).parents[1] / "docs" / "methods" / "estimators.md"
HEAD = """\
# Estimators and scikit-learn

Written by `python -m tools.estimators`; a test checks that it is current. Every clusterer, and
every learner of distances that takes vectors, passes scikit-learn's `check_estimator`, without a
check that is expected to fail (`tests/cluster/test_contract.py`,
`tests/distances/test_metric_learners.py`, `tests/distances/test_sparse_lp.py`); a check that
scikit-learn itself skips, as where an optional package is missing, is skipped.

Vectors are dense: sparse ones are refused with a sentence (`X.toarray()` makes them dense).
Clusterers compute in float64 whatever comes; `likewise.distances.pairwise` keeps float32 where that
is asked for. `predict` is there where a fitted clusterer has centres or a discriminative model;
ConstrainedEM, HMRF and SSSVaD, which have densities, have none yet. The others cluster only what
they were given; `Session.predict` places new items beside any clusters.

| clusterer | `predict` | `predict_proba` | `metric` | side information |
|---|---|---|---|---|
"""
LEARNERS = """
| learner of distances | `transform` | names of columns |
|---|---|---|
"""
ANY = ("COPKMeans", "HACC", "KMedoids", "Subclustering")
SIDE = ("triplets", "bags", "hits")


def table() -> str:
    """The page as a whole."""
    rows = [_clusterer_row(kind) for kind in _classes(cluster, cluster.ConstrainedClusterer)]
    learners = [kind for kind in _classes(distances, TransformerMixin) if kind is not distances.MetricLearner]
    return HEAD + "".join(rows) + LEARNERS + "".join(map(_learner_row, learners))


def _classes(room: Any, base: type) -> list[type]:
    found = (getattr(room, name) for name in sorted(room.__all__))
    return [kind for kind in found if inspect.isclass(kind) and issubclass(kind, base) and kind is not base]


def _clusterer_row(kind: Any) -> str:
    taken = inspect.signature(kind.fit).parameters
    side = ", ".join(f"`{name}`" for name in SIDE if name in taken)
    has_metric = "metric" in inspect.signature(kind).parameters
    metric = "any" if kind.__name__ in ANY else ("see its page" if has_metric else "none")
    return f"| {kind.__name__} | {_mark(kind, 'predict')} | {_mark(kind, 'predict_proba')} | {metric} | {side} |\n"


def _learner_row(kind: Any) -> str:
    return f"| {kind.__name__} | {_mark(kind, 'transform')} | {_mark(kind, 'get_feature_names_out')} |\n"


def _mark(kind: Any, name: str) -> str:
    return "yes" if hasattr(kind, name) else ""


if __name__ == "__main__":
    PAGE.write_text(table(), encoding="utf-8")
    print(f"written: {PAGE.name}")
