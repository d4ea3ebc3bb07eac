"""Who clusters: one file a method, scikit-learn estimators that take constraints in ``fit``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.cluster.base import ConstrainedClusterer
    from likewise.cluster.constrained_em import ConstrainedEM
    from likewise.cluster.feasible import InfeasibleError
    from likewise.cluster.hacc import HACC
    from likewise.cluster.kmeans.cop_kmeans import COPKMeans
    from likewise.cluster.kmeans.hmrf import HMRF
    from likewise.cluster.kmeans.mpckmeans import MPCKMeans
    from likewise.cluster.kmeans.pckmeans import PCKMeans
    from likewise.cluster.kmedoids.kmedoids import KMedoids
    from likewise.cluster.logistic.bayesian import BayesianClustering
    from likewise.cluster.logistic.discriminative import DiscriminativeClustering
    from likewise.cluster.logistic.sssvad import SSSVaD
    from likewise.cluster.pcca.pcca import PCCA, CompetitiveAgglomeration
    from likewise.cluster.semicrowd import SemiCrowdClustering
    from likewise.cluster.spectral.bag_constraints import bag_links
    from likewise.cluster.spectral.bags import BagSpectral
    from likewise.cluster.spectral.spectral import SpectralLearning, SpectralRegularized
    from likewise.cluster.subclustering.subclustering import Subclustering

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
        "spectral.bag_constraints": ["bag_links"],
        "spectral.bags": ["BagSpectral"],
        "base": ["ConstrainedClusterer"],
        "logistic.bayesian": ["BayesianClustering"],
        "constrained_em": ["ConstrainedEM"],
        "kmeans.cop_kmeans": ["COPKMeans"],
        "logistic.discriminative": ["DiscriminativeClustering"],
        "feasible": ["InfeasibleError"],
        "hacc": ["HACC"],
        "kmeans.hmrf": ["HMRF"],
        "kmedoids.kmedoids": ["KMedoids"],
        "kmeans.mpckmeans": ["MPCKMeans"],
        "pcca.pcca": ["PCCA", "CompetitiveAgglomeration"],
        "kmeans.pckmeans": ["PCKMeans"],
        "semicrowd": ["SemiCrowdClustering"],
        "spectral.spectral": ["SpectralLearning", "SpectralRegularized"],
        "logistic.sssvad": ["SSSVaD"],
        "subclustering.subclustering": ["Subclustering"],
    },
)
