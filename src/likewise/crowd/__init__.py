"""Many people who err: their annotations as similarities, filtered, completed, made into clusters of everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.crowd.hits import read_hits
    from likewise.crowd.similarity import (
        SemiCrowdClustering,
        complete_matrix,
        completed_rank,
        filter_similarity,
        hit_similarity,
    )
    from likewise.crowd.simulated import keyword_hits

__all__ = [
    "SemiCrowdClustering",
    "complete_matrix",
    "completed_rank",
    "filter_similarity",
    "hit_similarity",
    "keyword_hits",
    "read_hits",
]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "hits": ["read_hits"],
        "similarity": [
            "SemiCrowdClustering",
            "complete_matrix",
            "completed_rank",
            "filter_similarity",
            "hit_similarity",
        ],
        "simulated": ["keyword_hits"],
    },
)
