"""Settings of somebody else: each has a value that the app can work with, or the whole is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from likewise.store.archive_reading import BadArchiveError

__all__ = ["check_settings"]


def _between(low: float, high: float, *, whole: bool = False) -> Callable[[Any], bool]:
    kinds = (int,) if whole else (int, float)
    return lambda value: isinstance(value, kinds) and not isinstance(value, bool) and low <= value <= high


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= 100


def _are_keys(value: Any) -> bool:
    return isinstance(value, Mapping) and len(value) <= 50 and all(map(_is_text, [*value, *value.values()]))


def _is_filter(value: Any) -> bool:
    texts = [*value, *value.values()] if isinstance(value, Mapping) else [None]
    return len(texts) <= 20 and all(isinstance(text, str) and len(text) <= 4000 for text in texts)


def _is_example(value: Any) -> bool:
    if not isinstance(value, Mapping) or value.get("value") not in ("same", "different") or len(value) != 2:
        return False
    items = value.get("items")
    return isinstance(items, list) and len(items) == 2 and all(map(_between(0, 2**31 - 1, whole=True), items))


# As the API takes them; settings that are not named here do nothing.
CHECKS: dict[str, Callable[[Any], bool]] = {
    "strategy": _is_text,
    "model": lambda value: isinstance(value, str) and len(value) <= 4096,
    "vectors": _is_text,
    "clusterer": lambda value: value is None or _is_text(value),
    "n_clusters": lambda value: value is None or _between(1, 1_000_000, whole=True)(value),
    "seed": _between(0, 2**63 - 1, whole=True),
    "kind": lambda value: value in ("auto", "pair", "triplet"),
    "check_rate": _between(0, 0.5),
    "recheck": lambda value: isinstance(value, bool),
    "stacks": lambda value: isinstance(value, bool),
    "overlap": _between(1, 20, whole=True),
    "gold_rate": _between(0, 0.5),
    "lease_minutes": _between(0.5, 1440),
    "focus": _is_filter,
    "keys": _are_keys,
    "single_keys": lambda value: isinstance(value, bool),
    "prompt": _is_text,
    "instruction": lambda value: isinstance(value, str) and len(value) <= 500,
    "examples": lambda value: isinstance(value, list) and len(value) <= 20 and all(map(_is_example, value)),
}


def check_settings(settings: Mapping[str, Any]) -> None:
    """Refuse settings that the app cannot work with.

    - `settings`, mapping: As in an archive.

    Examples
    --------
    >>> check_settings({"overlap": 2, "kind": "pair"})
    >>> check_settings({"overlap": "many"})
    Traceback (most recent call last):
    ...
    likewise.store.archive_reading.BadArchiveError: settings.json: overlap is 'many', which is no such setting
    """
    for name, value in settings.items():
        if name in CHECKS and not CHECKS[name](value):
            raise BadArchiveError(f"settings.json: {name} is {str(value)[:50]!r}, which is no such setting")
