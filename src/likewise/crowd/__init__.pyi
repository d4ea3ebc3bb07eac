from .agreement import krippendorff_alpha as krippendorff_alpha
from .dealing import deal_hits as deal_hits, pair_coverage as pair_coverage
from .hits import read_hits as read_hits
from .quality import (
    AnnotatorQuality as AnnotatorQuality,
    CrowdAnswer as CrowdAnswer,
    CrowdQuality as CrowdQuality,
    crowd_quality as crowd_quality,
)
from .reliability import (
    Consensus as Consensus,
    dawid_skene as dawid_skene,
    estimate_reliability as estimate_reliability,
    majority as majority,
)
from .similarity import (
    SemiCrowdClustering as SemiCrowdClustering,
    complete_matrix as complete_matrix,
    completed_rank as completed_rank,
    filter_similarity as filter_similarity,
    hit_similarity as hit_similarity,
)
from .simulated import keyword_hits as keyword_hits
from .study import deal_study as deal_study, shuffle_study as shuffle_study, true_answer as true_answer
from .study_clusters import (
    StudyClusters as StudyClusters,
    StudyConflict as StudyConflict,
    cluster_study as cluster_study,
)
from .study_curves import compare_forms as compare_forms, study_curve as study_curve
from .study_tables import (
    StudyAnswer as StudyAnswer,
    confusion_table as confusion_table,
    preference_table as preference_table,
    read_study as read_study,
    read_survey as read_survey,
    study_tables as study_tables,
    time_table as time_table,
)
