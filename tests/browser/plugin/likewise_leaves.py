"""A light embedder for the browser tests: what a small, blurred copy of the picture looks like."""

import numpy as np
from PIL import Image, ImageFilter

SIDE = 12


class Blurred:
    """The pixels of a 12 × 12 copy, colours weighted above shapes: right often, and not always."""

    dimension = SIDE * SIDE * 3
    read_size = 64

    def prepare(self, image):
        small = image.filter(ImageFilter.GaussianBlur(4)).resize((SIDE, SIDE), Image.Resampling.BOX)
        return np.asarray(small.convert("RGB"), np.float32) / 255

    def embed(self, batch):
        rows = batch.reshape(len(batch), -1)
        return (rows - rows.mean(axis=1, keepdims=True)).astype(np.float32)
