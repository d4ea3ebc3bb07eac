"""Who clusters: one file a method, scikit-learn estimators that take constraints in ``fit``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.cluster.base import ConstrainedClusterer
    from likewise.cluster.cop_kmeans import COPKMeans
    from likewise.cluster.feasible import InfeasibleError
    from likewise.cluster.hacc import HACC
    from likewise.cluster.kmedoids import KMedoids
    from likewise.cluster.mpckmeans import MPCKMeans
    from likewise.cluster.pckmeans import PCKMeans

__all__ = [
    "HACC",
    "COPKMeans",
    "ConstrainedClusterer",
    "InfeasibleError",
    "KMedoids",
    "MPCKMeans",
    "PCKMeans",
]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "base": ["ConstrainedClusterer"],
        "cop_kmeans": ["COPKMeans"],
        "feasible": ["InfeasibleError"],
        "hacc": ["HACC"],
        "kmedoids": ["KMedoids"],
        "mpckmeans": ["MPCKMeans"],
        "pckmeans": ["PCKMeans"],
    },
)
