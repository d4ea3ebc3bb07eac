"""Askers that compare items with neighbourhoods: Explore-Consolidate, MinMax, NPU, CAC1, graph purification."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
