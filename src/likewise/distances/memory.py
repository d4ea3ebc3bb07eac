"""Whether something fits into memory, known before it is computed."""

from __future__ import annotations

import os
from pathlib import Path

LEAST = 1 << 28  # bytes that are taken without asking
MEMINFO = Path("/proc/meminfo")


class TooLargeError(MemoryError):
    """Something does not fit into memory; the sentence says how much it takes and how much there is."""


def free_bytes() -> int | None:
    """Memory that can be taken without swapping; None where the system does not tell."""
    try:
        for line in MEMINFO.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
        return int(os.sysconf("SC_AVPHYS_PAGES")) * int(os.sysconf("SC_PAGE_SIZE"))
    except (OSError, ValueError, AttributeError):
        return None


def require_memory(wanted: int, what: str, instead: str = "") -> None:
    """Refuse with a :class:`TooLargeError` what takes more memory than there is.

    - `wanted`: Bytes.
    - `what`: What takes them, as the subject of the sentence.
    - `instead`: What to do about it.

    Examples
    --------
    >>> require_memory(1000, "a thousand numbers")
    >>> try:
    ...     require_memory(10**18, "distances between all 350,000,000 items", "use fewer")
    ... except TooLargeError as error:
    ...     print(str(error).partition(", and")[0])
    distances between all 350,000,000 items take 1e+09 GB of memory
    """
    free = free_bytes() if wanted > LEAST else None
    if free is not None and wanted > free:
        advice = f"; {instead}" if instead else ""
        raise TooLargeError(f"{what} take {wanted / 1e9:,.3g} GB of memory, and {free / 1e9:,.3g} GB are free{advice}")
