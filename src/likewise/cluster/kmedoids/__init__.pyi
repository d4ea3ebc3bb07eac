from .kmedoids import KMedoids as KMedoids
