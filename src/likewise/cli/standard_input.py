"""``-`` as the name of a file: what comes on standard input."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

STARTS = {b"\x93NUMPY": ".npy", b"PAR1": ".parquet", b"{": ".jsonl"}


@contextmanager
def readable(path: Path) -> Iterator[Path]:
    """The file itself, or for ``-`` a temporary one with all of standard input: its first bytes tell what it is."""
    if str(path) != "-":
        yield path
        return
    source = sys.stdin.buffer
    with tempfile.TemporaryDirectory(prefix="likewise-", ignore_cleanup_errors=True) as folder:
        start = source.read(8)
        suffix = next((suffix for mark, suffix in STARTS.items() if start.lstrip().startswith(mark)), ".csv")
        copied = Path(folder) / f"standard-input{suffix}"
        with open(copied, "wb") as file:
            file.write(start)
            shutil.copyfileobj(source, file)
        yield copied
