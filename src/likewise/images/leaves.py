"""Leaves of six kinds, drawn by code: pictures to try the app on that one likes to look at."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

KINDS = ("birch", "clover", "ginkgo", "maple", "oak", "willow")
HUES = {
    "birch": (196, 160, 48),
    "clover": (70, 140, 74),
    "ginkgo": (214, 178, 60),
    "maple": (188, 72, 44),
    "oak": (146, 98, 52),
    "willow": (112, 146, 84),
}
SIZE = (480, 480)
Colour = tuple[int, int, int]
Place = Callable[[float, float], tuple[float, float]]
OVER = 2  # drawn larger and shrunk, for smooth edges
SPREAD = {"ginkgo": 1.1, "maple": 2.6, "clover": 2.2}  # of the veins, where they come from one point


def radius(kind: str, t: float) -> float:
    """How far the edge is from the middle, in the direction t (0 is up)."""
    return float(_radius(kind, t))


def _radius(kind: str, t: float) -> Any:
    if kind == "willow":
        return 0.19 / ((0.19 * cos(t)) ** 2 + sin(t) ** 2) ** 0.5 * (1 - 0.1 * abs(sin(t)))
    if kind == "birch":
        return (0.62 + 0.3 * cos(t) ** 2 * (1 if cos(t) > 0 else 0.5)) * (1 + 0.035 * sin(26 * t))
    if kind == "oak":
        return (0.36 + 0.56 * abs(cos(t)) ** 1.2) * (1 + 0.17 * cos(11 * t))
    if kind == "maple":
        points = max(abs(cos(2.5 * t)) ** 3, 0.45 * abs(cos(7.5 * t)) ** 2)
        return (0.34 + 0.62 * points) * (0.72 if cos(t) < -0.7 else 1)
    if kind == "ginkgo":
        opening = abs(t if t < pi else t - 2 * pi)
        return 0.12 if opening > 1.25 else 0.92 - 0.34 * max(0.0, 1 - opening / 0.12) + 0.03 * sin(30 * t)
    return 0.4 + 0.5 * abs(cos(1.5 * t)) ** 0.7 - 0.1 * abs(cos(1.5 * t)) ** 30  # clover


def draw_leaf(kind: str, rng: np.random.Generator, grain: float = 5.0) -> Image.Image:
    """One leaf on paper, turned and coloured a little differently each time."""
    width, height = SIZE[0] * OVER, SIZE[1] * OVER
    paper = (238 + int(rng.integers(-8, 8)), 233 + int(rng.integers(-8, 8)), 222 + int(rng.integers(-10, 10)))
    image = Image.new("RGB", (width, height), paper)
    turn, scale = rng.normal(0, 0.22), width * rng.uniform(0.34, 0.43)
    cx, cy = width / 2 + rng.normal(0, 16), height / 2 + rng.normal(0, 16)
    red, green, blue = (int(np.clip(c + rng.normal(0, 13), 0, 255)) for c in HUES[kind])
    colour, dark = (red, green, blue), (int(red * 0.72), int(green * 0.72), int(blue * 0.72))

    def at(r: float, t: float) -> tuple[float, float]:
        return cx + scale * r * sin(t + turn), cy - scale * r * cos(t + turn)

    edge = [at(radius(kind, 2 * pi * k / 360), 2 * pi * k / 360) for k in range(360)]
    shadow = Image.new("L", (width // 4, height // 4), 0)  # it is blurred: a quarter is fine enough
    ImageDraw.Draw(shadow).polygon([(x / 4 + 3.5, y / 4 + 4.5) for x, y in edge], fill=110)
    image.paste((120, 112, 98), mask=shadow.filter(ImageFilter.GaussianBlur(4)).resize(image.size))
    pen = ImageDraw.Draw(image)
    pen.line([at(0.1, pi), at(1.08, pi)], fill=dark, width=13)
    pen.polygon(edge, fill=colour, outline=dark, width=5)
    _draw_veins(pen, kind, at, (scale, turn), dark)
    image = image.resize(SIZE, Image.Resampling.LANCZOS)
    if not grain:
        return image
    noise = rng.normal(0, grain, (SIZE[1], SIZE[0], 1))
    return Image.fromarray(np.clip(np.asarray(image) + noise, 0, 255).astype(np.uint8))


def _draw_veins(pen: ImageDraw.ImageDraw, kind: str, at: Place, pose: tuple[float, float], dark: Colour) -> None:
    scale, turn = pose
    if kind in SPREAD:
        for t in np.linspace(-SPREAD[kind], SPREAD[kind], 9 if kind == "ginkgo" else 5):
            pen.line([at(0.05, 0), at(0.86 * radius(kind, t % (2 * pi)), t)], fill=dark, width=5)
        return
    pen.line([at(0.9, pi), at(0.86, 0)], fill=dark, width=7)
    for r in np.linspace(-0.5, 0.5, 6):
        for side in (-1, 1):
            x, y = at(abs(r), 0 if r > 0 else pi)
            reach, towards = scale * 0.55 * radius(kind, side * 0.95), turn + side * 0.95
            pen.line([(x, y), (x + reach * sin(towards), y - reach * cos(towards))], fill=dark, width=4)


def draw_collection(
    folder: Path, each: int = 20, random_state: int = 0, progress: Callable[[int, int], None] = lambda done, of: None
) -> int:
    """Draw so many leaves of every kind into a folder, in no order; what is there already is not drawn again.

    Nothing in the folder says what is what, but the file ``truth.csv`` beside the pictures.

    - `folder`: Made where it is missing.
    - `each`: Leaves of a kind.
    - `random_state`: Seed.
    - `progress`: Told how many of how many are done.
    - Returns how many there are.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(random_state)
    kinds = rng.permutation(np.repeat(KINDS, each)).tolist()
    seeds = rng.integers(2**32, size=len(kinds))
    for number, (kind, seed) in enumerate(zip(kinds, seeds, strict=True)):
        path = folder / f"leaf-{number:03}.jpg"
        if not path.exists():
            draw_leaf(kind, np.random.default_rng(seed), grain=0.0).save(path, quality=88)
        progress(number + 1, len(kinds))
    rows = (f"leaf-{number:03}.jpg,{kind}\n" for number, kind in enumerate(kinds))
    (folder / "truth.csv").write_text("name,label\n" + "".join(rows), encoding="utf-8")
    return len(kinds)
