"""Small plots as inline SVG, without scripts or external files; colours come from the page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import numpy as np

__all__ = ["draw_bars", "draw_dots", "draw_histogram", "draw_line", "ticks"]

WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 12, 44


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers between two limits, about as many as wanted.

    Examples
    --------
    >>> ticks(0, 103)
    [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]
    """
    if not high > low:
        return [low]
    power = 10.0 ** math.floor(math.log10((high - low) / about))
    step = min((power * k for k in (1, 2, 5, 10)), key=lambda width: abs((high - low) / width - about))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(k * step, 10) for k in range(first, last + 1)]


class _Frame:
    """Axes of a plot: turns values into coordinates, and draws ticks and labels."""

    def __init__(self, x: tuple[float, float], y: tuple[float, float], labels: tuple[str, str]) -> None:
        self.x = x if x[1] > x[0] else (x[0], x[0] + 1)
        self.y = y if y[1] > y[0] else (y[0], y[0] + 1)
        self.labels = labels
        self.parts: list[str] = []

    def at(self, x: float, y: float) -> tuple[float, float]:
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    def draw(self, title: str, *, x_names: Sequence[tuple[float, str]] | None = None) -> str:
        lines = []
        for value in ticks(*self.y, about=4):
            _, y = self.at(self.x[0], value)
            lines.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
            lines.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_number(value)}</text>')
        for value, name in x_names or [(value, _number(value)) for value in ticks(*self.x)]:
            x, y = self.at(value, self.y[0])
            lines.append(f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{escape(name)}</text>')
        middle = (LEFT + WIDTH - RIGHT) / 2
        lines.append(f'<text x="{middle}" y="{HEIGHT - 6}" text-anchor="middle">{escape(self.labels[0])}</text>')
        lines.append(
            f'<text transform="translate(13 {(HEIGHT - BOTTOM + TOP) / 2}) rotate(-90)" text-anchor="middle">'
            f"{escape(self.labels[1])}</text>"
        )
        inside = "".join([*lines, *self.parts])
        return (
            f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
            f"<title>{escape(title)}</title>{inside}</svg>"
        )


def draw_line(
    points: Sequence[tuple[float, float]],
    labels: tuple[str, str],
    title: str,
    x_names: Sequence[tuple[float, str]] | None = None,
) -> str:
    """Points joined by a line, from zero up."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    frame = _Frame((min(xs), max(xs)), (0.0, max(ys)), labels)
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (frame.at(*point) for point in points))
    frame.parts.append(f'<polyline class="line" points="{path}"/>')
    return frame.draw(title, x_names=x_names)


def draw_dots(
    points: Sequence[tuple[float, float, str]], labels: tuple[str, str], title: str, y: tuple[float, float]
) -> str:
    """One dot for each point, on a logarithmic x axis; its name is shown when pointed at."""
    high = math.log10(max(max(x for x, _, _ in points), 10.0))
    frame = _Frame((0.0, high), y, labels)
    for across, up, name in points:
        x, y_dot = frame.at(math.log10(max(across, 1.0)), up)
        frame.parts.append(
            f'<circle class="dot" cx="{x:.1f}" cy="{y_dot:.1f}" r="4"><title>{escape(name)}</title></circle>'
        )
    return frame.draw(title, x_names=[(float(k), f"{10**k:,}") for k in range(int(high) + 1)])


def draw_histogram(values: Sequence[float], labels: tuple[str, str], title: str, bins: int = 24) -> str:
    """Histogram from zero up; the largest hundredth of the values is in the last bar."""
    data = np.asarray(values, np.float64)
    high = float(np.quantile(data, 0.99)) or 1.0
    counts, edges = np.histogram(np.minimum(data, high), bins=bins, range=(0.0, high))
    frame = _Frame((0.0, high), (0.0, float(counts.max())), labels)
    for count, left, right in zip(counts.tolist(), edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        _bar(frame, left, right, count, f"{_number(left)} to {_number(right)}: {count}")
    return frame.draw(title)


def draw_bars(values: Sequence[tuple[str, float]], labels: tuple[str, str], title: str) -> str:
    """A bar for each value, in the given order; names are shown when pointed at."""
    frame = _Frame((0.0, float(len(values))), (0.0, max(value for _, value in values)), labels)
    for k, (name, value) in enumerate(values):
        _bar(frame, k + 0.1, k + 0.9, value, f"{name}: {_number(value)}")
    return frame.draw(title, x_names=[(len(values) / 2, "")])


def _bar(frame: _Frame, left: float, right: float, value: float, title: str) -> None:
    x, y = frame.at(left, value)
    end, bottom = frame.at(right, frame.y[0])
    frame.parts.append(
        f'<rect class="bar" x="{x:.1f}" y="{y:.1f}" width="{max(end - x - 0.5, 0.5):.1f}"'
        f' height="{max(bottom - y, 0):.1f}"><title>{escape(title)}</title></rect>'
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:g}"
