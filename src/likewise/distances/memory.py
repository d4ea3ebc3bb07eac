"""Whether something fits into memory, known before it is computed."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

LEAST = 1 << 28  # bytes that are taken without asking
MEMINFO = Path("/proc/meminfo")
CGROUP = Path("/sys/fs/cgroup")  # a container may have less than the machine


class TooLargeError(MemoryError):
    """Something does not fit into memory; the sentence says how much it takes and how much there is."""


WITHOUT = "the default asker, Subclustering and the k-means family take Euclidean or cosine vectors without them"
"""What to use instead of what holds a number for every pair."""
LINEAR = "RCA, DCA, ITML, LMNN and others learn from vectors without them"
"""What to use instead of a learner of all distances."""


def free_bytes() -> int | None:
    """Memory that can be taken without swapping, here and in the container; None where the system does not tell."""
    found = [free for free in (_free_on_machine(), _free_in_container()) if free is not None]
    return min(found, default=None)


def _free_on_machine() -> int | None:
    try:
        for line in MEMINFO.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
        return int(os.sysconf("SC_AVPHYS_PAGES")) * int(os.sysconf("SC_PAGE_SIZE"))
    except (OSError, ValueError, AttributeError):
        return None


def _free_in_container() -> int | None:
    """What the limit of the control group (version 2) leaves; what is only cached of files counts as free."""
    try:
        limit = (CGROUP / "memory.max").read_text().strip()
        used = int((CGROUP / "memory.current").read_text())
        kept = dict(line.split() for line in (CGROUP / "memory.stat").read_text().splitlines())
        return None if limit == "max" else max(0, int(limit) - used + int(kept.get("inactive_file", 0)))
    except (OSError, ValueError):
        return None


def count_rows(X: ArrayLike) -> int:
    """Number of rows of what is not checked yet; 0 where it has none."""
    shape = np.shape(X)
    return int(shape[0]) if shape else 0


def require_square(n: int, count: float, whose: str, instead: str = WITHOUT) -> None:
    """Refuse with a :class:`TooLargeError` what holds several numbers for every pair of n items, before it is computed.

    - `n`: Number of items.
    - `count`: Numbers of 8 bytes a pair (i, j), at the most that are held at once.
    - `whose`: What holds them.
    - `instead`: What to do about it.
    """
    require_memory(int(8 * count * n * n), f"the {n:,} × {n:,} matrices of {whose}", instead)


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
