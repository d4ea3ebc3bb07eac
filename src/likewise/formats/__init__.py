"""Import and export: one module for each format, and one list of the formats."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
