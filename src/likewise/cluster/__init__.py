"""Who clusters: one file a method, scikit-learn estimators that take constraints in ``fit``."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
