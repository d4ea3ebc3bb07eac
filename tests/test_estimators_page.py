"""The page about estimators is current, and what it says of sparse vectors holds."""

import numpy as np
import pytest
import sklearn
from scipy import sparse

from likewise import Session, cluster
from likewise.distances import pairwise
from tools.estimators import PAGE, WHY, count_checks, estimators, read_counts, table

TEXT = PAGE.read_text(encoding="utf-8")
CLUSTERERS = [kind for kind in estimators() if issubclass(kind, cluster.ConstrainedClusterer)]
COUNTS, VERSION = read_counts(TEXT)


def test_the_page_is_current():
    assert set(COUNTS) == {kind.__name__ for kind in estimators()}, "python -m tools.estimators writes it"
    assert table(COUNTS, VERSION) == TEXT, "python -m tools.estimators writes it"


@pytest.mark.skipif(sklearn.__version__ != VERSION, reason="another scikit-learn has other checks")
def test_every_check_was_run():
    for kind in estimators():
        assert sum(COUNTS[kind.__name__]) == count_checks(kind), kind.__name__


def test_where_a_check_cannot_apply_the_reason_is_given():
    assert {name for name, (_, _, failed) in COUNTS.items() if failed} == set(WHY)


def test_all_seventeen_are_there():
    assert len(CLUSTERERS) == 17


@pytest.mark.parametrize("kind", [kind for kind in CLUSTERERS if not kind.takes_sparse], ids=lambda kind: kind.__name__)
def test_sparse_vectors_are_refused_with_what_to_do(kind):
    with pytest.raises(TypeError, match=r"dense data is required.*toarray"):
        kind().fit(sparse.csr_array(np.eye(30)))


def test_sessions_and_distances_say_the_same():
    with pytest.raises(TypeError, match=r"dense data is required.*toarray"):
        Session(sparse.csr_array(np.eye(5)))
    with pytest.raises(TypeError, match=r"dense data is required.*toarray"):
        pairwise(sparse.csr_array(np.eye(5)), metric="manhattan")
