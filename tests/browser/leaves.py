"""A folder of drawn leaves whose truth is in their names."""

from pathlib import Path

import numpy as np

from likewise.images.leaves import KINDS, draw_leaf

__all__ = ["KINDS", "draw_leaf", "draw_leaves", "kind_of"]


def draw_leaves(folder: Path, each: int = 10, seed: int = 0, grain: float = 5.0) -> None:
    """`each` leaves of every kind, named after it."""
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(each):
        for kind in KINDS:
            draw_leaf(kind, rng, grain).save(folder / f"{kind}-{number:02}.jpg", quality=88)


def kind_of(name: str) -> str:
    """The kind of leaf on a picture, by its name."""
    return name.rsplit("/", 1)[-1].split("-", 1)[0]
