"""Active-HACC: the question with the largest expected change of the clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.query.active_hacc.active_hacc import ActiveHACC

__all__ = ["ActiveHACC"]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "active_hacc": ["ActiveHACC"],
    },
)
