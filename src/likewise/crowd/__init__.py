"""Many people who err: their annotations as similarities, filtered, completed, made into clusters of everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.crowd.agreement import krippendorff_alpha
    from likewise.crowd.dealing import deal_hits, pair_coverage
    from likewise.crowd.hits import read_hits
    from likewise.crowd.quality import AnnotatorQuality, CrowdAnswer, CrowdQuality, crowd_quality
    from likewise.crowd.reliability import Consensus, dawid_skene, estimate_reliability, majority
    from likewise.crowd.similarity import (
        SemiCrowdClustering,
        complete_matrix,
        completed_rank,
        filter_similarity,
        hit_similarity,
    )
    from likewise.crowd.simulated import keyword_hits
    from likewise.crowd.study import deal_study, shuffle_study, true_answer
    from likewise.crowd.study_tables import (
        StudyAnswer,
        confusion_table,
        preference_table,
        read_study,
        read_survey,
        study_tables,
        time_table,
    )

__all__ = [
    "AnnotatorQuality",
    "Consensus",
    "CrowdAnswer",
    "CrowdQuality",
    "SemiCrowdClustering",
    "StudyAnswer",
    "complete_matrix",
    "completed_rank",
    "confusion_table",
    "crowd_quality",
    "dawid_skene",
    "deal_hits",
    "deal_study",
    "estimate_reliability",
    "filter_similarity",
    "hit_similarity",
    "keyword_hits",
    "krippendorff_alpha",
    "majority",
    "pair_coverage",
    "preference_table",
    "read_hits",
    "read_study",
    "read_survey",
    "shuffle_study",
    "study_tables",
    "time_table",
    "true_answer",
]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "agreement": ["krippendorff_alpha"],
        "dealing": ["deal_hits", "pair_coverage"],
        "hits": ["read_hits"],
        "quality": ["AnnotatorQuality", "CrowdAnswer", "CrowdQuality", "crowd_quality"],
        "reliability": ["Consensus", "dawid_skene", "estimate_reliability", "majority"],
        "similarity": [
            "SemiCrowdClustering",
            "complete_matrix",
            "completed_rank",
            "filter_similarity",
            "hit_similarity",
        ],
        "simulated": ["keyword_hits"],
        "study": ["deal_study", "shuffle_study", "true_answer"],
        "study_tables": [
            "StudyAnswer",
            "confusion_table",
            "preference_table",
            "read_study",
            "read_survey",
            "study_tables",
            "time_table",
        ],
    },
)
