from .bayesian import BayesianClustering as BayesianClustering
from .constrained_em import ConstrainedEM as ConstrainedEM
from .discriminative import DiscriminativeClustering as DiscriminativeClustering
from .sssvad import SSSVaD as SSSVaD
