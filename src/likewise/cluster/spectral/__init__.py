"""Spectral clustering under pairs (SpectralLearning, SpectralRegularized) and bags (BagSpectral)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.cluster.spectral.bag_constraints import bag_links
    from likewise.cluster.spectral.bags import BagSpectral
    from likewise.cluster.spectral.spectral import SpectralLearning, SpectralRegularized

__all__ = ["BagSpectral", "SpectralLearning", "SpectralRegularized", "bag_links"]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "bag_constraints": ["bag_links"],
        "bags": ["BagSpectral"],
        "spectral": ["SpectralLearning", "SpectralRegularized"],
    },
)
