"""The settings of a project, and the askers that people choose from."""

from __future__ import annotations

from typing import Any

DEFAULTS: dict[str, Any] = {
    "strategy": "auto",
    "clusterer": None,
    "n_clusters": None,
    "seed": 0,
    "kind": "auto",
    "check_rate": 0.05,
    "recheck": True,
    "stacks": True,
    "overlap": 1,
    "gold_rate": 0.1,
    "lease_minutes": 5.0,
    "prompt": "",
    "instruction": "",
    "examples": [],
    "focus": {},
}
ENGINE_SETTINGS = ("strategy", "clusterer", "n_clusters", "seed", "kind", "recheck", "stacks")

# The askers of the Settings menu, each with when to choose it. All others can be set by name.
ASKERS: dict[str, str] = {
    "auto": "Right for most collections: needs no number of clusters and asks the fewest questions.",
    "active-hacc": "For chains and odd shapes: groups grow from picture to nearest picture.",
    "urasc": "For a few large groups that blend into each other, when their number is known.",
    "active-subclustering": "For very many pictures: makes small groups that are pure, not all of each.",
    "npu": "For a known number of groups that are compact and well apart.",
    "random": "To measure: pairs drawn at random, nothing is chosen.",
}
