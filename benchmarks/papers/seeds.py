"""Runs that are kept one seed after the other, so that more can be added to those there are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

Runs = dict[str, dict[str, Any]]


def kept_runs(path: Path) -> Runs:
    """What was found by method and seed, as far as it was kept."""
    if not path.exists():
        return {}
    results = json.loads(path.read_text())["results"]
    return results.get("runs", {}) if isinstance(results, dict) else {}


def mean_and_interval(values) -> tuple[float, float | None]:
    """Mean, and half of the 95 % interval when there are several values."""
    mean = round(float(np.mean(values)), 4)
    if len(values) < 2:
        return mean, None
    return mean, round(float(1.96 * np.std(values, ddof=1) / np.sqrt(len(values))), 4)
