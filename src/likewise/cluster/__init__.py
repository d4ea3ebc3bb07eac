"""Who clusters: one file a method, scikit-learn estimators that take constraints in ``fit``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.cluster.bag_constraints import bag_links
    from likewise.cluster.bags import BagSpectral
    from likewise.cluster.base import ConstrainedClusterer
    from likewise.cluster.bayesian import BayesianClustering
    from likewise.cluster.constrained_em import ConstrainedEM
    from likewise.cluster.cop_kmeans import COPKMeans
    from likewise.cluster.discriminative import DiscriminativeClustering
    from likewise.cluster.feasible import InfeasibleError
    from likewise.cluster.hacc import HACC
    from likewise.cluster.hmrf import HMRF
    from likewise.cluster.kmedoids import KMedoids
    from likewise.cluster.mpckmeans import MPCKMeans
    from likewise.cluster.pcca import PCCA, CompetitiveAgglomeration
    from likewise.cluster.pckmeans import PCKMeans
    from likewise.cluster.semicrowd import SemiCrowdClustering
    from likewise.cluster.spectral import SpectralLearning, SpectralRegularized
    from likewise.cluster.sssvad import SSSVaD
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
        "bag_constraints": ["bag_links"],
        "bags": ["BagSpectral"],
        "base": ["ConstrainedClusterer"],
        "bayesian": ["BayesianClustering"],
        "constrained_em": ["ConstrainedEM"],
        "cop_kmeans": ["COPKMeans"],
        "discriminative": ["DiscriminativeClustering"],
        "feasible": ["InfeasibleError"],
        "hacc": ["HACC"],
        "hmrf": ["HMRF"],
        "kmedoids": ["KMedoids"],
        "mpckmeans": ["MPCKMeans"],
        "pcca": ["PCCA", "CompetitiveAgglomeration"],
        "pckmeans": ["PCKMeans"],
        "semicrowd": ["SemiCrowdClustering"],
        "spectral": ["SpectralLearning", "SpectralRegularized"],
        "sssvad": ["SSSVaD"],
        "subclustering": ["Subclustering"],
    },
)
