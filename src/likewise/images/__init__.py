"""Pictures: from a folder to readable images, and from images to descriptors and embeddings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.images.descriptors import describe
    from likewise.images.embedding import embed
    from likewise.images.indexing import Index, index, open_index
    from likewise.images.reading import UnreadableImage, read_image

__all__ = ["Index", "UnreadableImage", "describe", "embed", "index", "open_index", "read_image"]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "descriptors": ["describe"],
        "embedding": ["embed"],
        "indexing": ["Index", "index", "open_index"],
        "reading": ["UnreadableImage", "read_image"],
    },
)
