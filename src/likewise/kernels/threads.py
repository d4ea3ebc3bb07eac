"""Rows shared among threads.

Kernels that release the GIL are run by ordinary threads, not by numba's own: numba without OpenMP or TBB
ends the process when two threads enter a parallel kernel at once, and with OpenMP it does not survive a fork.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from numba import config

T = TypeVar("T")

BLOCK = 64
"""Rows a thread takes at a time."""

MIN_WORK = 1 << 21
"""Inner steps below which starting threads costs more than it saves."""


def count_threads() -> int:
    """Threads to share work among: numba's NUMBA_NUM_THREADS."""
    return int(config.NUMBA_NUM_THREADS)


def run_blocks(fill: Callable[[int, int], object], n_rows: int, work: int, block: int = BLOCK) -> None:
    """Call fill(start, stop) for consecutive blocks of rows, each of which writes only what is its own.

    work is the number of inner steps in all; the number of threads is numba's NUMBA_NUM_THREADS.
    """
    blocks = [(start, min(start + block, n_rows)) for start in range(0, n_rows, block)]
    n_threads = min(count_threads(), len(blocks))
    if n_threads < 2 or work < MIN_WORK:
        for start, stop in blocks:
            fill(start, stop)
        return
    with ThreadPoolExecutor(n_threads) as pool:
        for done in [pool.submit(fill, start, stop) for start, stop in blocks]:
            done.result()


def run_parts(fill: Callable[[int, int, int], T], n_rows: int, n_parts: int) -> list[T]:
    """What fill(part, start, stop) gives for consecutive parts of rows, side by side; each may keep scratch of its own.

    n_parts is the number of parts: one, or at most the number of threads.
    """
    ends = [n_rows * part // n_parts for part in range(n_parts + 1)]
    if n_parts == 1:
        return [fill(0, 0, n_rows)]
    with ThreadPoolExecutor(n_parts) as pool:
        return list(pool.map(fill, range(n_parts), ends[:-1], ends[1:]))
