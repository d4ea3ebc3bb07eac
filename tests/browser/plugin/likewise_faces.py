"""A finder of drawn faces: whatever stands out from the colour of the corner is one."""

import numpy as np
from PIL import Image
from scipy import ndimage

from likewise.images.faces import FoundFace

SIDE = 6
LEAST = 12  # pixels: what is smaller is dust


class DrawnFaces:
    """Boxes around what is drawn on a plain ground; the vector is the drawing, made small."""

    dimension = 3 * SIDE * SIDE
    longest = 1024

    def find(self, pixels):
        """The drawn faces of a picture; narrow ones are hardly to be recognised."""
        away = np.abs(pixels.astype(np.int64) - pixels[0, 0]).sum(axis=2) > 60
        labels, _ = ndimage.label(away)
        height, width = away.shape
        found = []
        for down, across in ndimage.find_objects(labels):
            left, top, right, bottom = across.start, down.start, across.stop, down.stop
            if min(right - left, bottom - top) < LEAST:
                continue
            small = Image.fromarray(pixels[down, across]).resize((SIDE, SIDE), Image.Resampling.BOX)
            vector = np.asarray(small, np.float32).ravel() / 255
            flaws = ("small",) if right - left < 40 else ()
            box = (left / width, top / height, right / width, bottom / height)
            found.append(FoundFace(box, float(right - left), vector, flaws))
        return found
