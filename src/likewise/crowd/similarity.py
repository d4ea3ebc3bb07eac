"""From annotations to clusters, step by step: the names are here, the work is in the rooms below."""

from likewise.cluster.semicrowd import SemiCrowdClustering
from likewise.distances.annotations import hit_similarity
from likewise.distances.completion import complete_matrix, completed_rank, filter_similarity

__all__ = ["SemiCrowdClustering", "complete_matrix", "completed_rank", "filter_similarity", "hit_similarity"]
