"""The default asker: a dendrogram, cut by what was answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.query.dendrogram.dendrogram import DendrogramAsker

__all__ = ["DendrogramAsker"]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "dendrogram": ["DendrogramAsker"],
    },
)
