"""Small pure subclusters of a very large collection."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.cluster.subclustering.subclustering import Subclustering

__all__ = ["Subclustering"]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "subclustering": ["Subclustering"],
    },
)
