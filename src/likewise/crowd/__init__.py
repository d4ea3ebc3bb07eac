"""Many people who err: their annotations as similarities, filtered, completed, made into clusters of everything."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
