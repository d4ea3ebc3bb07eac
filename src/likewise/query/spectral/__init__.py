"""Askers on a spectral clustering: URASC, and the baselines ASC, pKNN+AL and QUIRE."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
