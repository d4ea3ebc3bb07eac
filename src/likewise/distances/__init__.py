"""Distances between items: fixed ones, and (one file a method) ones learned from constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.distances.affinity import gaussian_affinity, local_affinity, scale_locally
    from likewise.distances.matrix import check_distances, pairwise, pairwise_chunks
    from likewise.distances.neighbours import Neighbours, knn_graph, nearest
    from likewise.distances.triangles import TriangleCheck, triangle_violations

__all__ = [
    "Neighbours",
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
        "matrix": ["check_distances", "pairwise", "pairwise_chunks"],
        "neighbours": ["Neighbours", "knn_graph", "nearest"],
        "triangles": ["TriangleCheck", "triangle_violations"],
    },
)
