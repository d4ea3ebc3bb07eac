"""Runs that are kept one seed after the other, so that more can be added to those there are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.interval import half_width, sample_of

Runs = dict[str, dict[str, Any]]


def kept_runs(path: Path) -> Runs:
    """What was found by method and seed, as far as it was kept."""
    if not path.exists():
        return {}
    results = json.loads(path.read_text())["results"]
    return results.get("runs", {}) if isinstance(results, dict) else {}


def mean_and_interval(values) -> tuple[float, float | None]:
    """Mean, and half of the 95 % interval (Student's t) when there are several values."""
    found = sample_of([float(value) for value in values])
    half = half_width(found.deviation, found.n)
    return round(found.mean, 4), None if half is None else round(half, 4)
