"""What can go wrong with a store, each with a message a person can act on."""

from __future__ import annotations

__all__ = [
    "AbsentError",
    "KeyReusedError",
    "NewerVersionError",
    "NothingToUndoError",
    "ProjectInUseError",
    "StoreBusyError",
    "StoreError",
    "StoreFullError",
    "UnknownProjectError",
]


class StoreError(RuntimeError):
    """The database could not do what was asked; nothing was written."""


class StoreFullError(StoreError):
    """There is no space left; nothing was written, and writing works again once there is space."""


class StoreBusyError(StoreError):
    """Another program kept the database locked for too long; nothing was written."""


class NewerVersionError(StoreError):
    """The database was made by a newer version of likewise."""


class ProjectInUseError(StoreError):
    """Another process has claimed the project, the vectors or the database."""


class UnknownProjectError(LookupError):
    """There is no project of that name."""


class AbsentError(ValueError):
    """An event refers to an item or an event that is not there."""


class KeyReusedError(ValueError):
    """A key that one event has already was sent with another content."""


class NothingToUndoError(LookupError):
    """The annotator has nothing in force to take back, or took nothing back to restore."""
