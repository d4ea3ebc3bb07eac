"""Projects and the answers people gave in them, kept in SQLite or PostgreSQL; vectors in files beside it."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
