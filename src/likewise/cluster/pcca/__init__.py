"""Competitive agglomeration, without constraints (CA) and with them (PCCA)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.cluster.pcca.pcca import PCCA, CompetitiveAgglomeration

__all__ = ["PCCA", "CompetitiveAgglomeration"]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "pcca": ["PCCA", "CompetitiveAgglomeration"],
    },
)
