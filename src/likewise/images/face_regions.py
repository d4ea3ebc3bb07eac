"""Faces as regions of pictures: in pixels, cut out with a margin, and matched with those of before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from PIL import Image

__all__ = ["Region", "cut_out", "match_regions", "overlap", "region_of"]

Region: TypeAlias = tuple[int, int, int, int]
MARGIN = 0.4  # of the face's longer side, on each side of it
SAME = 0.5  # of the union: two boxes that share so much are of one face


def region_of(box: Sequence[float], width: int, height: int) -> Region:
    """A box in shares of a picture as x, y, width and height in pixels, inside the picture and never empty.

    Examples
    --------
    >>> region_of((0.25, -0.1, 0.75, 0.5), 200, 100), region_of((0.0, 0.0, 1.0, 1.0), 1, 1)
    ((50, 0, 100, 50), (0, 0, 1, 1))
    """
    left, right = (min(max(round(share * width), 0), width) for share in (box[0], box[2]))
    top, bottom = (min(max(round(share * height), 0), height) for share in (box[1], box[3]))
    left, top = min(left, width - 1), min(top, height - 1)
    return left, top, max(right - left, 1), max(bottom - top, 1)


def cut_out(image: Image.Image, region: Region, margin: float = MARGIN) -> Image.Image:
    """A face with some of what is around it, as square as the picture allows.

    - `image`: The upright picture, of whatever size.
    - `region`: In pixels of `image`.

    Examples
    --------
    >>> cut_out(Image.new("RGB", (300, 200)), (100, 50, 50, 50)).size
    (90, 90)
    """
    x, y, w, h = region
    half = max(w, h) * (0.5 + margin)
    across, down = x + w / 2, y + h / 2
    box = (max(round(across - half), 0), max(round(down - half), 0))
    end = (min(round(across + half), image.width), min(round(down + half), image.height))
    return image.crop((*box, max(end[0], box[0] + 1), max(end[1], box[1] + 1)))


def overlap(one: Region, other: Region) -> float:
    """What two regions share, as a share of what they cover together.

    Examples
    --------
    >>> overlap((0, 0, 10, 10), (5, 0, 10, 10)), overlap((0, 0, 2, 2), (5, 5, 2, 2))
    (0.3333333333333333, 0.0)
    """
    (x, y, w, h), (p, q, r, s) = one, other
    across, down = min(x + w, p + r) - max(x, p), min(y + h, q + s) - max(y, q)
    shared = max(across, 0) * max(down, 0)
    return shared / (w * h + r * s - shared)


def match_regions(found: Iterable[Region], before: Mapping[int, Region]) -> list[Region]:
    """Each region found, or the one of before that is of the same face: it keeps its id when a file was saved again.

    - `found`: Regions in the picture as it is now.
    - `before`: Regions in the picture as it was, by id.

    Examples
    --------
    >>> match_regions([(0, 0, 10, 10), (1, 0, 10, 10), (50, 50, 9, 9)], {4: (0, 1, 10, 10)})
    [(0, 1, 10, 10), (1, 0, 10, 10), (50, 50, 9, 9)]
    """
    free, matched = dict(before), []
    for region in found:
        share, item = max(((overlap(region, other), -item) for item, other in free.items()), default=(0.0, 0))
        matched.append(free.pop(-item) if share >= SAME else region)
    return matched
