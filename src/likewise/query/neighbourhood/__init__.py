"""Askers that compare items with neighbourhoods: Explore-Consolidate, MinMax, NPU, CAC1, graph purification."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.query.neighbourhood.cac1 import CAC1
    from likewise.query.neighbourhood.explore_consolidate import ExploreConsolidate
    from likewise.query.neighbourhood.graph_purification import GraphPurification
    from likewise.query.neighbourhood.minmax import MinMax
    from likewise.query.neighbourhood.npu import NPU

__all__ = ["CAC1", "NPU", "ExploreConsolidate", "GraphPurification", "MinMax"]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "cac1": ["CAC1"],
        "explore_consolidate": ["ExploreConsolidate"],
        "graph_purification": ["GraphPurification"],
        "minmax": ["MinMax"],
        "npu": ["NPU"],
    },
)
