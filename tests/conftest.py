"""What all tests share: kernels are compiled once for all processes, and an order of files that keeps them busy."""

import hashlib
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

from likewise.app import child_process

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

child_process.PRELOADED = (*child_process.PRELOADED, "tests.app.loaded_kernels")
settings.register_profile("likewise", deadline=None)
settings.load_profile("likewise")

# Files go to the processes in this order: first those that compile what the others need, then the long ones, so that
# at the end only short ones are left.
FIRST = ("kernels", "cluster", "query", "distances", "hierarchy")
LONG = ("browser", "server", "app", "test_docs.py", "test_examples.py", "cli")
HERE = Path(__file__).parent


def compile_once():
    """While a process compiles a function, the others wait for what it keeps instead of compiling it too.

    They find it in Numba's cache, which is looked into after the lock is taken. No two wait for each other: a function
    is held only while those that it calls are compiled. The lock of threads is taken first, so
    that no thread holds a file that another one, which may compile, waits for.
    """
    folder = Path(tempfile.gettempdir()) / f"likewise-compiling-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    compile_one, mine = Dispatcher.compile, set()

    def compile_locked(self, signature):
        name = hashlib.sha256(f"{self.py_func.__code__.co_filename} {self.py_func.__qualname__}".encode()).hexdigest()
        with global_compiler_lock:
            if name in mine:  # it calls itself
                return compile_one(self, signature)
            with (folder / name).open("a") as held:
                fcntl.flock(held, fcntl.LOCK_EX)
                mine.add(name)
                try:
                    return compile_one(self, signature)
                finally:
                    mine.discard(name)

    Dispatcher.compile = compile_locked


if fcntl is not None:
    compile_once()


def pytest_collection_modifyitems(items):
    def rank(item):
        room = item.path.relative_to(HERE).parts[0] if item.path.is_relative_to(HERE) else ""
        order = (*FIRST, *LONG)
        return order.index(room) if room in order else len(order)

    items.sort(key=rank)


@pytest.fixture(autouse=True)
def same_umask():
    """Commands that serve a project close what they write to others: not for the tests after them."""
    before = os.umask(0o022)
    os.umask(before)
    yield
    os.umask(before)
