"""Distances between items: fixed ones, and (one file a method) ones learned from constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.distances.affinity import gaussian_affinity, local_affinity, scale_locally
    from likewise.distances.dca import DCA
    from likewise.distances.distlqp import DistLQP
    from likewise.distances.itml import ITML
    from likewise.distances.learner import MetricLearner
    from likewise.distances.lmnn import LMNN
    from likewise.distances.lsml import LSML
    from likewise.distances.matrix import check_distances, pairwise, pairwise_chunks
    from likewise.distances.mds import MDS
    from likewise.distances.mmc import MMC
    from likewise.distances.neighbours import Neighbours, knn_graph, nearest
    from likewise.distances.npkl import NPKL
    from likewise.distances.rca import RCA
    from likewise.distances.rdml import RDML
    from likewise.distances.sparse_lp import SparseLP
    from likewise.distances.triangles import TriangleCheck, triangle_violations

__all__ = [
    "DCA",
    "ITML",
    "LMNN",
    "LSML",
    "MDS",
    "MMC",
    "NPKL",
    "RCA",
    "RDML",
    "DistLQP",
    "MetricLearner",
    "Neighbours",
    "SparseLP",
    "TriangleCheck",
    "check_distances",
    "gaussian_affinity",
    "knn_graph",
    "local_affinity",
    "nearest",
    "pairwise",
    "pairwise_chunks",
    "scale_locally",
    "triangle_violations",
]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "affinity": ["gaussian_affinity", "local_affinity", "scale_locally"],
        "dca": ["DCA"],
        "distlqp": ["DistLQP"],
        "itml": ["ITML"],
        "learner": ["MetricLearner"],
        "lmnn": ["LMNN"],
        "lsml": ["LSML"],
        "matrix": ["check_distances", "pairwise", "pairwise_chunks"],
        "mds": ["MDS"],
        "mmc": ["MMC"],
        "neighbours": ["Neighbours", "knn_graph", "nearest"],
        "npkl": ["NPKL"],
        "rca": ["RCA"],
        "rdml": ["RDML"],
        "sparse_lp": ["SparseLP"],
        "triangles": ["TriangleCheck", "triangle_violations"],
    },
)
