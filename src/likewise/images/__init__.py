"""Pictures: from a folder to readable images, and from images to descriptors and embeddings."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
