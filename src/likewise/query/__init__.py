"""Who asks: one file a strategy, found by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.query.active_hacc import ActiveHACC
    from likewise.query.active_subclustering import ActiveSubclustering
    from likewise.query.asc import ASC
    from likewise.query.base import State, Strategy
    from likewise.query.bayesian import BayesianActive
    from likewise.query.cac1 import CAC1
    from likewise.query.dendrogram import DendrogramAsker
    from likewise.query.explore_consolidate import ExploreConsolidate
    from likewise.query.graph_purification import GraphPurification
    from likewise.query.informativeness import Informativeness, choose_form, informativeness
    from likewise.query.minmax import MinMax
    from likewise.query.npu import NPU
    from likewise.query.pknn_al import PKNNAL
    from likewise.query.question import Answer, Question
    from likewise.query.quire import QUIRE
    from likewise.query.random_pairs import RandomPairs
    from likewise.query.registry import make_strategy, strategies
    from likewise.query.urasc import URASC

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
        "active_hacc": ["ActiveHACC"],
        "active_subclustering": ["ActiveSubclustering"],
        "asc": ["ASC"],
        "base": ["State", "Strategy"],
        "bayesian": ["BayesianActive"],
        "cac1": ["CAC1"],
        "dendrogram": ["DendrogramAsker"],
        "explore_consolidate": ["ExploreConsolidate"],
        "graph_purification": ["GraphPurification"],
        "informativeness": ["Informativeness", "choose_form", "informativeness"],
        "minmax": ["MinMax"],
        "npu": ["NPU"],
        "pknn_al": ["PKNNAL"],
        "quire": ["QUIRE"],
        "question": ["Answer", "Question"],
        "random_pairs": ["RandomPairs"],
        "registry": ["make_strategy", "strategies"],
        "urasc": ["URASC"],
    },
)
