"""Figures and tables in the manner of the documentation."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence

from benchmarks.interval import (
    NOT_JUDGED,
    half_width as half_width,  # for the sections, with the rest of what they write
    paired,
    standing,
)

NOTHING = "–"
WIDTH = 100  # of a paragraph, in characters


def score(value: float | None, digits: int = 3) -> str:
    """A figure between −1 and 1 without its leading zero."""
    if value is None:
        return NOTHING
    text = f"{abs(value):.{digits}f}"
    if abs(value) < 1 and float(text) == 1:  # what is not exact must not look so
        text = f"{abs(value):.{digits + 1}f}"
    text = text.removeprefix("0") if float(text) < 1 else text.rstrip("0").rstrip(".")
    return f"−{text}" if value < 0 and float(text) != 0 else text


def apart(name: str, theirs: float, ours: float) -> str:
    """Two figures with as many digits as tell them apart: *NPU .6087, ours .6086*."""
    digits = next((d for d in (3, 4, 5) if score(theirs, d) != score(ours, d)), 3)
    return f"{name + ' ' if name else ''}{score(theirs, digits)}, ours {score(ours, digits)}"


def percent(share: float) -> str:
    """A share in whole hundredths."""
    return f"{100 * share:.0f} %"


def with_interval(mean: float | None, half: float | None = None, seeds: int | None = None) -> str:
    """Mean ± half of the 95 % interval (seeds)."""
    if mean is None:
        return NOTHING
    text = score(mean) + ("" if half is None else f" ± {score(half)}")
    return text if seeds is None else f"{text} ({seeds})"


def compare(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """How two methods stand to each other on the same seeds, by the 95 % interval of the mean difference.

    "above", "below", "level" within the interval, and "not judged" with one seed, which gives no interval.
    """
    return standing(paired(ours, theirs))


def tally(verdicts: Iterable[str], of: str) -> str:
    """At how many points (as `of` says) the first of two methods is above, level and below."""
    found = list(verdicts)
    above, level, below, open_ = (found.count(v) for v in ("above", "level", "below", NOT_JUDGED))
    text = f"above at {above} of {len(found)} {of}, level at {level}, below at {below}"
    return text + (f", not to be judged at {open_} (one seed)" if open_ else "")


def difference(ours: float | None, theirs: float | None) -> str:
    """Ours less theirs, with its sign."""
    if ours is None or theirs is None:
        return NOTHING
    text = score(ours - theirs)
    return text if text.startswith("−") else f"+{text}"


def duration(seconds: float | None) -> str:
    """Seconds in the unit a person would use."""
    if seconds is None:
        return NOTHING
    if seconds < 1:
        return f"{1000 * seconds:.3g} ms"
    return f"{seconds:.3g} s" if seconds < 120 else f"{seconds / 60:.3g} min"


def times(ratio: float | None) -> str:
    """A ratio."""
    if ratio is None:
        return NOTHING
    return f"{ratio:,.0f} ×" if ratio >= 100 else f"{ratio:.3g} ×"


def count(value: int) -> str:
    """A whole number with separators."""
    return f"{value:,}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, or a word when there is nothing in it."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if not lines:
        return "Not run."
    return "\n".join([f"| {' | '.join(head)} |", "|" + "---|" * len(head), *lines])


def listed(words: Iterable[str], nothing: str = "nowhere") -> str:
    """Words joined by commas."""
    return ", ".join(words) or nothing


def wrap(page: str) -> str:
    """Wrap the paragraphs and list items of a page that has one on each line; code in backticks stays whole."""
    lines: list[str] = []
    for block in re.split(r"\n{2,}", page):
        if re.match(r"[|#!]", block):
            lines += [block, ""]
            continue
        items = re.split(r"\n(?=- )", block)
        lines += ["\n".join(_wrap_paragraph(item) for item in items), ""]
    return "\n".join(lines[:-1])


def _wrap_paragraph(text: str) -> str:
    whole = re.sub(r"`[^`]+`", lambda code: code[0].replace(" ", "\0"), text)
    filled = textwrap.fill(
        whole,
        WIDTH,
        subsequent_indent="  " if text.startswith("- ") else "",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return filled.replace("\0", " ")
