"""Who clusters: one file a method, scikit-learn estimators that take constraints in ``fit``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.cluster.base import ConstrainedClusterer
    from likewise.cluster.feasible import InfeasibleError
    from likewise.cluster.hacc import HACC
    from likewise.cluster.kmeans import HMRF, COPKMeans, MPCKMeans, PCKMeans
    from likewise.cluster.kmedoids import KMedoids
    from likewise.cluster.logistic import BayesianClustering, ConstrainedEM, DiscriminativeClustering, SSSVaD
    from likewise.cluster.pcca import PCCA, CompetitiveAgglomeration
    from likewise.cluster.semicrowd import SemiCrowdClustering
    from likewise.cluster.spectral import BagSpectral, SpectralLearning, SpectralRegularized, bag_links
    from likewise.cluster.subclustering import Subclustering

__all__ = [
    "HACC",
    "HMRF",
    "PCCA",
    "BagSpectral",
    "BayesianClustering",
    "COPKMeans",
    "CompetitiveAgglomeration",
    "ConstrainedClusterer",
    "ConstrainedEM",
    "DiscriminativeClustering",
    "InfeasibleError",
    "KMedoids",
    "MPCKMeans",
    "PCKMeans",
    "SSSVaD",
    "SemiCrowdClustering",
    "SpectralLearning",
    "SpectralRegularized",
    "Subclustering",
    "bag_links",
]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "base": ["ConstrainedClusterer"],
        "feasible": ["InfeasibleError"],
        "hacc": ["HACC"],
        "kmeans": ["COPKMeans", "HMRF", "MPCKMeans", "PCKMeans"],
        "kmedoids": ["KMedoids"],
        "logistic": ["BayesianClustering", "ConstrainedEM", "DiscriminativeClustering", "SSSVaD"],
        "pcca": ["CompetitiveAgglomeration", "PCCA"],
        "semicrowd": ["SemiCrowdClustering"],
        "spectral": ["BagSpectral", "SpectralLearning", "SpectralRegularized", "bag_links"],
        "subclustering": ["Subclustering"],
    },
)
