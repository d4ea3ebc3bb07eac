"""Plug-ins from entry points: strategies, clusterers, embedders, finders of faces, exporters."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points


def load_plugins(group: str) -> dict[str, EntryPoint]:
    """Find the entry points of a group by name; none is imported before it is loaded.

    Parameters
    ----------
    group : str
        One of ``strategies``, ``clusterers``, ``embedders``, ``faces`` or ``exporters``.

    Examples
    --------
    >>> isinstance(load_plugins("strategies"), dict)
    True
    """
    return {point.name: point for point in entry_points(group=f"likewise.{group}")}
