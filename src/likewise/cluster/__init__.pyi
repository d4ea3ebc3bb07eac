from .base import ConstrainedClusterer as ConstrainedClusterer
from .feasible import InfeasibleError as InfeasibleError
from .hacc import HACC as HACC
from .kmeans.cop_kmeans import COPKMeans as COPKMeans
from .kmeans.hmrf import HMRF as HMRF
from .kmeans.mpckmeans import MPCKMeans as MPCKMeans
from .kmeans.pckmeans import PCKMeans as PCKMeans
from .kmedoids import KMedoids as KMedoids
from .logistic.bayesian import BayesianClustering as BayesianClustering
from .logistic.constrained_em import ConstrainedEM as ConstrainedEM
from .logistic.discriminative import DiscriminativeClustering as DiscriminativeClustering
from .logistic.sssvad import SSSVaD as SSSVaD
from .pcca import PCCA as PCCA, CompetitiveAgglomeration as CompetitiveAgglomeration
from .registry import clusterers as clusterers, make_clusterer as make_clusterer
from .semicrowd import SemiCrowdClustering as SemiCrowdClustering
from .spectral import (
    BagSpectral as BagSpectral,
    SpectralLearning as SpectralLearning,
    SpectralRegularized as SpectralRegularized,
    bag_links as bag_links,
    bag_penalty as bag_penalty,
    refine_with_bags as refine_with_bags,
)
from .subclustering import Subclustering as Subclustering
