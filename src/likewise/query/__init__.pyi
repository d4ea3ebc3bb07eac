from .active_hacc.active_hacc import ActiveHACC as ActiveHACC
from .active_subclustering.active_subclustering import ActiveSubclustering as ActiveSubclustering
from .base import State as State, Strategy as Strategy
from .bayesian import BayesianActive as BayesianActive
from .dendrogram.dendrogram import DendrogramAsker as DendrogramAsker
from .informativeness import (
    Informativeness as Informativeness,
    choose_form as choose_form,
    informativeness as informativeness,
)
from .neighbourhood.cac1 import CAC1 as CAC1
from .neighbourhood.explore_consolidate import ExploreConsolidate as ExploreConsolidate
from .neighbourhood.graph_purification import GraphPurification as GraphPurification
from .neighbourhood.minmax import MinMax as MinMax
from .neighbourhood.npu import NPU as NPU
from .question import Answer as Answer, Question as Question
from .random_pairs import RandomPairs as RandomPairs
from .registry import make_strategy as make_strategy, strategies as strategies
from .spectral.asc import ASC as ASC
from .spectral.pknn_al import PKNNAL as PKNNAL
from .spectral.quire import QUIRE as QUIRE
from .spectral.urasc import URASC as URASC, published_options as published_options
