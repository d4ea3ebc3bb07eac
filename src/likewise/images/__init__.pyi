from .descriptors import describe as describe
from .embedding import embed as embed
from .indexing import Index as Index, index as index, open_index as open_index
from .reading import UnreadableImage as UnreadableImage, read_image as read_image
