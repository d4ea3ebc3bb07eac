"""What others add by entry points: strategies, clusterers, embedders, exporters."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points


def load_plugins(group: str) -> dict[str, EntryPoint]:
    """Entry points of a group, by name; nothing is imported until one is loaded.

    Parameters
    ----------
    group : str
        ``strategies``, ``clusterers``, ``embedders`` or ``exporters``.

    Examples
    --------
    >>> isinstance(load_plugins("strategies"), dict)
    True
    """
    return {point.name: point for point in entry_points(group=f"likewise.{group}")}
