"""K-medoids under constraints: Fast-PAM, CLARANS and alternation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.cluster.kmedoids.kmedoids import KMedoids

__all__ = ["KMedoids"]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "kmedoids": ["KMedoids"],
    },
)
