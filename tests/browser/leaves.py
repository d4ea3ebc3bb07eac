"""Draws a folder of leaves of six kinds: pictures whose truth is in their names."""

from math import cos, pi, sin
from pathlib import Path

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
OVER = 2  # drawn larger and shrunk, for smooth edges


def radius(kind: str, t: float) -> float:
    """How far the edge is from the middle, in the direction t (0 is up)."""
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
    paper = (238 + rng.integers(-8, 8), 233 + rng.integers(-8, 8), 222 + rng.integers(-10, 10))
    image = Image.new("RGB", (width, height), paper)
    turn, scale = rng.normal(0, 0.22), width * rng.uniform(0.34, 0.43)
    cx, cy = width / 2 + rng.normal(0, 16), height / 2 + rng.normal(0, 16)
    colour = tuple(int(np.clip(c + rng.normal(0, 13), 0, 255)) for c in HUES[kind])
    dark = tuple(int(c * 0.72) for c in colour)

    def at(r: float, t: float) -> tuple[float, float]:
        return cx + scale * r * sin(t + turn), cy - scale * r * cos(t + turn)

    edge = [at(radius(kind, 2 * pi * k / 360), 2 * pi * k / 360) for k in range(360)]
    shadow = Image.new("L", image.size, 0)
    ImageDraw.Draw(shadow).polygon([(x + 14, y + 18) for x, y in edge], fill=110)
    image.paste((120, 112, 98), mask=shadow.filter(ImageFilter.GaussianBlur(16)))
    pen = ImageDraw.Draw(image)
    pen.line([at(0.1, pi), at(1.08, pi)], fill=dark, width=13)
    pen.polygon(edge, fill=colour, outline=dark, width=5)
    spread = {"ginkgo": 1.1, "maple": 2.6, "clover": 2.2}.get(kind, 0.0)
    if spread:
        for t in np.linspace(-spread, spread, 9 if kind == "ginkgo" else 5):
            pen.line([at(0.05, 0), at(0.86 * radius(kind, t % (2 * pi)), t)], fill=dark, width=5)
    else:
        pen.line([at(0.9, pi), at(0.86, 0)], fill=dark, width=7)
        for r in np.linspace(-0.5, 0.5, 6):
            for side in (-1, 1):
                start = at(abs(r), 0 if r > 0 else pi)
                reach = 0.55 * radius(kind, side * 0.95)
                end = (
                    start[0] + scale * reach * sin(turn + side * 0.95),
                    start[1] - scale * reach * cos(turn + side * 0.95),
                )
                pen.line([start, end], fill=dark, width=4)
    image = image.resize(SIZE, Image.Resampling.LANCZOS)
    noise = rng.normal(0, grain, (SIZE[1], SIZE[0], 1))
    return Image.fromarray(np.clip(np.asarray(image) + noise, 0, 255).astype(np.uint8))


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
