"""Who asks: one file a strategy, found by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.query.active_hacc.active_hacc import ActiveHACC
    from likewise.query.active_subclustering.active_subclustering import ActiveSubclustering
    from likewise.query.base import State, Strategy
    from likewise.query.bayesian import BayesianActive
    from likewise.query.dendrogram.dendrogram import DendrogramAsker
    from likewise.query.informativeness import Informativeness, choose_form, informativeness
    from likewise.query.neighbourhood.cac1 import CAC1
    from likewise.query.neighbourhood.explore_consolidate import ExploreConsolidate
    from likewise.query.neighbourhood.graph_purification import GraphPurification
    from likewise.query.neighbourhood.minmax import MinMax
    from likewise.query.neighbourhood.npu import NPU
    from likewise.query.question import Answer, Question
    from likewise.query.random_pairs import RandomPairs
    from likewise.query.registry import make_strategy, strategies
    from likewise.query.spectral.asc import ASC
    from likewise.query.spectral.pknn_al import PKNNAL
    from likewise.query.spectral.quire import QUIRE
    from likewise.query.spectral.urasc import URASC

__all__ = [
    "ASC",
    "CAC1",
    "NPU",
    "PKNNAL",
    "QUIRE",
    "URASC",
    "ActiveHACC",
    "ActiveSubclustering",
    "Answer",
    "BayesianActive",
    "DendrogramAsker",
    "ExploreConsolidate",
    "GraphPurification",
    "Informativeness",
    "MinMax",
    "Question",
    "RandomPairs",
    "State",
    "Strategy",
    "choose_form",
    "informativeness",
    "make_strategy",
    "strategies",
]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "active_hacc.active_hacc": ["ActiveHACC"],
        "active_subclustering.active_subclustering": ["ActiveSubclustering"],
        "spectral.asc": ["ASC"],
        "base": ["State", "Strategy"],
        "bayesian": ["BayesianActive"],
        "neighbourhood.cac1": ["CAC1"],
        "dendrogram.dendrogram": ["DendrogramAsker"],
        "neighbourhood.explore_consolidate": ["ExploreConsolidate"],
        "neighbourhood.graph_purification": ["GraphPurification"],
        "informativeness": ["Informativeness", "choose_form", "informativeness"],
        "neighbourhood.minmax": ["MinMax"],
        "neighbourhood.npu": ["NPU"],
        "spectral.pknn_al": ["PKNNAL"],
        "spectral.quire": ["QUIRE"],
        "question": ["Answer", "Question"],
        "random_pairs": ["RandomPairs"],
        "registry": ["make_strategy", "strategies"],
        "spectral.urasc": ["URASC"],
    },
)
