from .base import ConstrainedClusterer as ConstrainedClusterer
from .feasible import InfeasibleError as InfeasibleError
from .hacc import HACC as HACC
from .kmeans import HMRF as HMRF, COPKMeans as COPKMeans, MPCKMeans as MPCKMeans, PCKMeans as PCKMeans
from .kmedoids import KMedoids as KMedoids
from .logistic import (
    BayesianClustering as BayesianClustering,
    ConstrainedEM as ConstrainedEM,
    DiscriminativeClustering as DiscriminativeClustering,
    SSSVaD as SSSVaD,
)
from .pcca import PCCA as PCCA, CompetitiveAgglomeration as CompetitiveAgglomeration
from .semicrowd import SemiCrowdClustering as SemiCrowdClustering
from .spectral import (
    BagSpectral as BagSpectral,
    SpectralLearning as SpectralLearning,
    SpectralRegularized as SpectralRegularized,
    bag_links as bag_links,
)
from .subclustering import Subclustering as Subclustering
