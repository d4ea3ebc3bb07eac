"""How doubtful pictures are, against the distances to all centres."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from likewise import Session
from likewise.app.engine import NEAR, _doubt


@pytest.mark.parametrize("n_clusters", [1, 2, NEAR + 1, 60])
def test_doubt_is_the_share_of_the_own_centre(n_clusters):
    rng = np.random.default_rng(n_clusters)
    X, labels = rng.normal(size=(400, 2)), np.arange(400) % n_clusters
    doubt = _doubt(Session(X, random_state=0), labels)
    if n_clusters == 1:
        assert not doubt.any()
        return
    D = cdist(X, [X[labels == c].mean(axis=0) for c in range(n_clusters)])
    own = D[np.arange(400), labels]
    D[np.arange(400), labels] = np.inf
    exact = own / (own + D.min(axis=1))
    if n_clusters <= NEAR + 1:
        assert doubt == pytest.approx(exact, abs=1e-6)
    else:  # of many centres only those near the own are looked at
        assert (doubt <= exact + 1e-6).all()
        assert np.all((doubt > 0) & (doubt < 1))
