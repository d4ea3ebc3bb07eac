"""Kernels run as plain Python on little data, until they have taken as long as compiling would.

Compiling all that the first question needs takes most of a minute, and a hundred items need none of it. What is run is
the same function: a kernel marked here gives the same bits either way, which a test checks call by call.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numba import config, njit

MOST_ENTRIES = 1 << 15  # of all arrays of a call together
MOST_ROWS = 512  # of an array with rows: work is often quadratic in them
PATIENCE = 15.0  # seconds of CPU that a kernel may take in all before it is compiled, as compiling the dearest takes


class KernelState(threading.local):
    """What holds in this thread: how deep it is in kernels that are interpreted, and whether none may be."""

    depth = 0
    compiles_all = False


_run = KernelState()


def kernel(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorate a function as ``njit(cache=True, **options)`` does, to be compiled only when that is worth it.

    It is interpreted on a call whose arrays are small, as long as it was not found compiled, here or in Numba's cache.
    For kernels without fastmath, whose sums are written out: ``np.sum`` has another order, and ``np.exp`` another last
    bit, in NumPy than in Numba.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        if config.DISABLE_JIT:
            return function
        compiled = njit(cache=True, **options)(function)
        # Numba calls this for arguments of types that are not compiled yet, and then what it returns.
        compiled._compile_for_args = _Uncompiled(compiled)
        return compiled

    return decorate


@contextmanager
def compiling_all() -> Iterator[None]:
    """Compile every kernel that is called in this thread, however little there is to do."""
    before, _run.compiles_all = _run.compiles_all, True
    try:
        yield
    finally:
        _run.compiles_all = before


class _Uncompiled:
    """Chooses what is called for a kernel that is not compiled for some types: its function, or what is compiled now."""

    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled
        self._compile = compiled._compile_for_args  # as Numba has it
        self._spent = 0.0
        self._look_again = 0.0

    def __call__(self, *args: Any) -> Callable[..., Any]:
        if _run.depth:
            function: Callable[..., Any] = self._compiled.py_func
            return function
        if _run.compiles_all or self._spent > PATIENCE or not is_small(args) or self._is_kept(args):
            compiled: Callable[..., Any] = self._compile(*args)
            return compiled
        return self._interpret

    def _is_kept(self, args: tuple[Any, ...]) -> bool:
        """Whether it is compiled already, looked up at most once a second: that reads a file."""
        if time.monotonic() < self._look_again:
            return False
        self._look_again = time.monotonic() + 1.0
        return is_ready(self._compiled, args)

    def _interpret(self, *args: Any) -> Any:
        start = time.thread_time()
        _run.depth += 1
        try:
            with np.errstate(all="ignore"):  # compiled code says nothing either
                return self._compiled.py_func(*args)
        finally:
            _run.depth -= 1
            self._spent += time.thread_time() - start


def is_ready(compiled: Any, args: tuple[Any, ...]) -> bool:
    """Whether a kernel is compiled for these arguments, here or in Numba's cache; if unsure, Numba looks itself."""
    try:
        types = tuple(compiled.typeof_pyval(argument) for argument in args)
        if types in compiled.overloads:
            return True
        cache = compiled._cache
        return cache._index_key(types, compiled.targetctx.codegen()) in cache._cache_file._load_index()
    except (AttributeError, OSError):
        return True


def is_small(args: tuple[Any, ...]) -> bool:
    """Whether the arrays among some arguments, those inside tuples too, are so small that a loop may be interpreted."""
    left = MOST_ENTRIES
    pending = list(args)
    while pending:
        argument = pending.pop()
        if isinstance(argument, tuple):
            pending.extend(argument)
        elif isinstance(argument, np.ndarray):
            left -= argument.size
            if left < 0 or (argument.ndim > 1 and len(argument) > MOST_ROWS):
                return False
    return True
