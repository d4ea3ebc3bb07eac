"""Checksums of events: of each by itself, and chained, so that a changed, lost or exchanged row is noticed."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any

__all__ = ["START", "chained", "is_whole", "moment_bytes", "name_checksum", "own_checksum"]

SIZE = 16  # bytes of each of the two
START = bytes(SIZE)  # what comes before the first event


def own_checksum(
    project_id: int,
    seq: int,
    annotator_id: int,
    seconds: float | None,
    at: bytes,
    kind: bytes,
    key: bytes,
    payload: bytes,
) -> bytes:
    """The checksum of what is in a row: all of it but the checksum itself; the time as :func:`moment_bytes`."""
    about = f"{project_id} {seq} {annotator_id} {seconds!r}".encode()
    # no time, kind or key holds a NUL
    return blake2b(b"\0".join((about, at, kind, key, payload)), digest_size=SIZE).digest()


def moment_bytes(at: datetime) -> bytes:
    """A time as SQLite keeps it, in UTC."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds").encode()


def chained(before: bytes, own: bytes) -> bytes:
    """The checksum of an event and of all events before it."""
    return blake2b(before + own, digest_size=SIZE).digest()


def is_whole(stored: Any, own: bytes, before: bytes | None) -> bool:
    """Whether a row is as it was written.

    The second half covers the first: where only the first is damaged, the row is not.

    - `stored`: The checksum in the row: its own and the chained one.
    - `own`: The checksum of what is in the row.
    - `before`: The chained checksum of the row before it, where that is known.
    """
    if not isinstance(stored, bytes) or len(stored) != 2 * SIZE:
        return False
    return stored[:SIZE] == own or (before is not None and chained(before, own) == stored[SIZE:])


def name_checksum(name: str) -> bytes:
    """The checksum of an annotator's name."""
    return blake2b(name.encode(), digest_size=SIZE).digest()
