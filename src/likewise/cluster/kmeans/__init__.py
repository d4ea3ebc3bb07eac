"""K-means under constraints: COP-KMeans, PCKMeans and MPCKMeans; HMRF, a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.cluster.kmeans.cop_kmeans import COPKMeans
    from likewise.cluster.kmeans.hmrf import HMRF
    from likewise.cluster.kmeans.mpckmeans import MPCKMeans
    from likewise.cluster.kmeans.pckmeans import PCKMeans

__all__ = ["HMRF", "COPKMeans", "MPCKMeans", "PCKMeans"]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "cop_kmeans": ["COPKMeans"],
        "hmrf": ["HMRF"],
        "mpckmeans": ["MPCKMeans"],
        "pckmeans": ["PCKMeans"],
    },
)
