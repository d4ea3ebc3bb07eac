"""A light embedder for the browser tests: what a small, blurred copy of the picture looks like."""

import numpy as np
from PIL import Image, ImageColor, ImageFilter

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

    def embed_text(self, texts):
        """A picture all of the colour that the first word names."""
        colours = [ImageColor.getrgb(text.split()[0]) for text in texts]
        return self.embed(np.stack([self.prepare(Image.new("RGB", (64, 64), colour)) for colour in colours]))
