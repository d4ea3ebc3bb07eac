"""Writes the table of the estimators and what of scikit-learn's habits they have: ``python -m tools.estimators``.

It runs scikit-learn's ``check_estimator`` on all of them, which takes half a minute.
"""

from __future__ import annotations

import inspect
import re
import warnings
from pathlib import Path
from typing import Any

import sklearn
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.estimator_checks import check_estimator, estimator_checks_generator

from likewise import cluster, distances, hierarchy

PAGE = Path(__file__).parents[1] / "docs" / "methods" / "estimators.md"
HEAD = """\
# Estimators and scikit-learn

Written by `python -m tools.estimators`; a test checks that it is current.

`predict` is there where a fitted clusterer has centres, densities or a discriminative model. The
others cluster only what they were given; `Session.predict` places new items beside any clusters.

Sparse vectors stay sparse in `likewise.distances` (`pairwise`, `pairwise_chunks`, `nearest` and
`knn_graph`, with the metrics "euclidean", "cosine" and "chi2") and in the clusterers marked below,
which know vectors by their distances alone. Everything else refuses them with a sentence:
`X.toarray()` where the columns are few, `TruncatedSVD(100).fit_transform(X)` where they are many.
A session takes the distances: `Session(pairwise(X, metric="cosine"), metric="precomputed")`.

Clusterers compute in float64 whatever comes; what a learner transforms stays float32 where it was,
and `likewise.distances.pairwise` keeps float32 where that is asked for.

Arguments and fitted attributes are spelled as scikit-learn spells them, and one thing has one name:
`cluster_centers_` are centres, `weight` is what a violated answer costs, `weights_` are shares of a
mixture, `feature_weights_` those of columns, `objective_` and `objective_path_` what was minimised,
`n_neighbors`, `max_neighbors`, `graph_neighbors` and `neighbors` are about neighbours. Names of
before (`w`, `centres_`, `means_`, `cost_`, `cost_path_`, `max_neighbours`, `neighbours`) work with
a warning.

| clusterer | `predict` | `predict_proba` | sparse X | `metric` | side information |
|---|---|---|---|---|---|
"""
LEARNERS = """
| learner of distances | `transform` | names of columns |
|---|---|---|
"""
CHECKS = """
## scikit-learn's own checks

`check_estimator` of scikit-learn {version}. The tests run those of the clusterers and of the
learners of distances that take vectors, and expect every one of them to pass.
`check_array_api_input` is skipped everywhere: scikit-learn runs it only where `SCIPY_ARRAY_API` is
set.

| estimator | passed | skipped | cannot apply | why |
|---|---|---|---|---|
"""
ANY = ("COPKMeans", "HACC", "KMedoids", "Subclustering")
SIDE = ("triplets", "bags", "hits")
SMALL = {"n_clusters": 2, "max_clusters": 4, "size": 12, "random_state": 0}
DISTANCES = "fits and transforms all distances between the same items: there is no part of them, and no vector"
TAGS = "learns a column of yes and no for every tag: the checks give one column of classes"
WHY = {
    "DistLQP": DISTANCES,
    "MDS": "takes distances: the checks give vectors",
    "NPKL": DISTANCES,
    "BinaryRelevance": TAGS,
    "FastTag": TAGS,
    "LabelHierarchy": TAGS,
}
Counts = dict[str, tuple[int, int, int]]


def table(counts: Counts, version: str) -> str:
    """The page as a whole, from how many checks of each estimator passed, were skipped, and cannot apply."""
    rows = [_clusterer_row(kind) for kind in _classes(cluster, cluster.ConstrainedClusterer)]
    learners = [kind for kind in _classes(distances, TransformerMixin) if kind is not distances.MetricLearner]
    checked = "".join(_check_row(kind.__name__, counts) for kind in estimators())
    return (
        HEAD
        + "".join(rows)
        + LEARNERS
        + "".join(map(_learner_row, learners))
        + CHECKS.format(version=version)
        + checked
    )


def estimators() -> list[Any]:
    """Every public estimator with a fit."""
    bases = (cluster.ConstrainedClusterer, distances.MetricLearner)
    found = [kind for room in (cluster, distances, hierarchy) for kind in _classes(room, BaseEstimator)]
    return [kind for kind in found if kind not in bases and hasattr(kind, "fit")]


def small(kind: Any) -> Any:
    """An estimator with those of the arguments above that it takes."""
    taken = inspect.signature(kind).parameters
    return kind(**{name: value for name, value in SMALL.items() if name in taken})


def count_checks(kind: Any) -> int:
    """How many checks scikit-learn has for an estimator."""
    return sum(1 for _ in estimator_checks_generator(small(kind)))


def run_checks() -> Counts:
    """How many checks of every estimator passed, were skipped, and failed; those that have no reason may not fail."""
    counts = {}
    for kind in estimators():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            done = [each["status"] for each in check_estimator(small(kind), on_skip=None, on_fail=None)]
        passed, skipped, failed = (done.count(status) for status in ("passed", "skipped", "failed"))
        if failed and kind.__name__ not in WHY:
            raise SystemExit(f"{kind.__name__} fails {failed} checks")
        counts[kind.__name__] = (passed, skipped, failed)
    return counts


def read_counts(text: str) -> tuple[Counts, str]:
    """The counts that a page was written with, and the version of scikit-learn."""
    rows = re.findall(r"^\| (\w+) \| (\d+) \| (\d+) \| (\d+) \|", text, re.MULTILINE)
    version = re.search(r"of scikit-learn ([\d.]+)\. ", text)
    assert version is not None
    return {name: (int(a), int(b), int(c)) for name, a, b, c in rows}, version[1]


def _classes(room: Any, base: type) -> list[type]:
    found = (getattr(room, name) for name in sorted(room.__all__))
    return [kind for kind in found if inspect.isclass(kind) and issubclass(kind, base) and kind is not base]


def _clusterer_row(kind: Any) -> str:
    taken = inspect.signature(kind.fit).parameters
    side = ", ".join(f"`{name}`" for name in SIDE if name in taken)
    has_metric = "metric" in inspect.signature(kind).parameters
    metric = "any" if kind.__name__ in ANY else ("see its page" if has_metric else "none")
    marks = (_mark(kind, "predict"), _mark(kind, "predict_proba"), "yes" if kind.takes_sparse else "")
    return f"| {kind.__name__} | {' | '.join(marks)} | {metric} | {side} |\n"


def _learner_row(kind: Any) -> str:
    return f"| {kind.__name__} | {_mark(kind, 'transform')} | {_mark(kind, 'get_feature_names_out')} |\n"


def _check_row(name: str, counts: Counts) -> str:
    return f"| {name} | {' | '.join(map(str, counts[name]))} | {WHY.get(name, '')} |\n"


def _mark(kind: Any, name: str) -> str:
    return "yes" if hasattr(kind, name) else ""


if __name__ == "__main__":
    PAGE.write_text(table(run_checks(), sklearn.__version__), encoding="utf-8")
    print(f"written: {PAGE.name}")
