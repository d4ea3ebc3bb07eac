"""Active subclustering: questions that make a few examples of every class right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.query.active_subclustering.active_subclustering import ActiveSubclustering

__all__ = ["ActiveSubclustering"]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "active_subclustering": ["ActiveSubclustering"],
    },
)
