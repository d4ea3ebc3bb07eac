"""The page about estimators is current, and what it says of sparse vectors holds."""

import numpy as np
import pytest
from scipy import sparse

from likewise import Session, cluster
from likewise.distances import pairwise
from tools.estimators import PAGE, table

CLUSTERERS = [
    kind
    for kind in (getattr(cluster, name) for name in cluster.__all__)
    if isinstance(kind, type)
    and issubclass(kind, cluster.ConstrainedClusterer)
    and kind is not cluster.ConstrainedClusterer
]


def test_the_page_is_current():
    assert PAGE.read_text(encoding="utf-8") == table(), "python -m tools.estimators writes it"


def test_all_seventeen_are_there():
    assert len(CLUSTERERS) == 17
    assert all(f"| {kind.__name__} |" in table() for kind in CLUSTERERS)


@pytest.mark.parametrize("kind", CLUSTERERS, ids=lambda kind: kind.__name__)
def test_sparse_vectors_are_refused_with_what_to_do(kind):
    with pytest.raises(TypeError, match=r"dense data is required.*toarray"):
        kind().fit(sparse.csr_array(np.eye(30)))


def test_sessions_and_distances_say_the_same():
    with pytest.raises(TypeError, match=r"dense data is required.*toarray"):
        Session(sparse.csr_array(np.eye(5)))
    with pytest.raises(TypeError, match=r"dense data is required.*toarray"):
        pairwise(sparse.csr_array(np.eye(5)), metric="manhattan")
