"""Who clusters: one file a method, scikit-learn estimators that take constraints in ``fit``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.cluster.bag_constraints import bag_links
    from likewise.cluster.bags import BagSpectral
    from likewise.cluster.base import ConstrainedClusterer
    from likewise.cluster.cop_kmeans import COPKMeans
    from likewise.cluster.feasible import InfeasibleError
    from likewise.cluster.hacc import HACC
    from likewise.cluster.hmrf import HMRF
    from likewise.cluster.kmedoids import KMedoids
    from likewise.cluster.mpckmeans import MPCKMeans
    from likewise.cluster.pckmeans import PCKMeans
    from likewise.cluster.semicrowd import SemiCrowdClustering
    from likewise.cluster.spectral import SpectralLearning, SpectralRegularized

__all__ = [
    "HACC",
    "HMRF",
    "BagSpectral",
    "COPKMeans",
    "ConstrainedClusterer",
    "InfeasibleError",
    "KMedoids",
    "MPCKMeans",
    "PCKMeans",
    "SemiCrowdClustering",
    "SpectralLearning",
    "SpectralRegularized",
    "bag_links",
]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "bag_constraints": ["bag_links"],
        "bags": ["BagSpectral"],
        "base": ["ConstrainedClusterer"],
        "cop_kmeans": ["COPKMeans"],
        "feasible": ["InfeasibleError"],
        "hacc": ["HACC"],
        "hmrf": ["HMRF"],
        "kmedoids": ["KMedoids"],
        "mpckmeans": ["MPCKMeans"],
        "pckmeans": ["PCKMeans"],
        "semicrowd": ["SemiCrowdClustering"],
        "spectral": ["SpectralLearning", "SpectralRegularized"],
    },
)
