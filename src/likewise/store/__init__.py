"""Projects and the answers people gave in them, kept in SQLite or PostgreSQL; vectors in files beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.store.entries import Entry
    from likewise.store.errors import (
        AbsentError,
        KeyReusedError,
        NewerVersionError,
        NothingToUndoError,
        ProjectInUseError,
        StoreBusyError,
        StoreError,
        StoreFullError,
        UnknownProjectError,
    )
    from likewise.store.invites import Invite, InvitedError, InviteError, Invites
    from likewise.store.items import Image, Item
    from likewise.store.log import Event, Log, Name
    from likewise.store.project import Annotator, Project
    from likewise.store.store import Store
    from likewise.store.vectors import Vectors

__all__ = [
    "AbsentError",
    "Annotator",
    "Entry",
    "Event",
    "Image",
    "Invite",
    "InviteError",
    "InvitedError",
    "Invites",
    "Item",
    "KeyReusedError",
    "Log",
    "Name",
    "NewerVersionError",
    "NothingToUndoError",
    "Project",
    "ProjectInUseError",
    "Store",
    "StoreBusyError",
    "StoreError",
    "StoreFullError",
    "UnknownProjectError",
    "Vectors",
]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "entries": ["Entry"],
        "errors": [
            "AbsentError",
            "KeyReusedError",
            "NewerVersionError",
            "NothingToUndoError",
            "ProjectInUseError",
            "StoreBusyError",
            "StoreError",
            "StoreFullError",
            "UnknownProjectError",
        ],
        "invites": ["Invite", "InviteError", "InvitedError", "Invites"],
        "items": ["Image", "Item"],
        "log": ["Event", "Log", "Name"],
        "project": ["Annotator", "Project"],
        "store": ["Store"],
        "vectors": ["Vectors"],
    },
)
