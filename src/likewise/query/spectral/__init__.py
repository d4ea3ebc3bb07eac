"""Askers on a spectral clustering: URASC, and the baselines ASC, pKNN+AL and QUIRE."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.query.spectral.asc import ASC
    from likewise.query.spectral.pknn_al import PKNNAL
    from likewise.query.spectral.quire import QUIRE
    from likewise.query.spectral.urasc import URASC

__all__ = ["ASC", "PKNNAL", "QUIRE", "URASC"]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "asc": ["ASC"],
        "pknn_al": ["PKNNAL"],
        "quire": ["QUIRE"],
        "urasc": ["URASC"],
    },
)
