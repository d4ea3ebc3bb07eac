"""Reading one picture into what the index keeps of it; and the process that does so for another.

A decoder that crashes, hangs or eats memory on a hostile file then takes only its own process along. The
process is started as ``python -m likewise.images.worker PROJECT FOLDER``, gets one JSON line a picture and
answers each with one, and ends when its input does, so that it never outlives whoever started it.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from likewise.images.fingerprints import fingerprint
from likewise.images.inside import open_inside
from likewise.images.reading import UnreadableImage, decode, digest
from likewise.images.thumbnails import PREVIEW, write_copies

__all__ = ["failure", "process"]

MEMORY_LIMIT = 6 << 30  # of address space; far above what MAX_PIXELS allows, far below what a bomb asks for


def process(number: int, path: str, folder: str, cache: Path) -> dict[str, Any]:
    """Read a picture, keep its thumbnail and preview, and give what the index stores of it.

    - `number`: Its id.
    - `path`: Relative to the folder, decoded by :func:`os.fsdecode`.
    - `folder`: The folder.
    - `cache`: Where thumbnails are kept.
    - Returns: ``id`` and the columns of the index; bytes are in hexadecimal. A file that cannot be read has a
      ``reason``; when it is worth another try its ``modified_ns`` is missing.
    """
    full = os.path.join(folder, path)
    status = None
    try:
        status = os.lstat(full)
        with open_inside(folder, path) as file:
            image, header = decode(file, full, PREVIEW)
            file.seek(0)
            content = digest(file)
            now = os.fstat(file.fileno())
    except UnreadableImage as error:
        return failure(number, error.reason, status if error.lasting else None)
    except OSError as error:
        return failure(number, error.strerror or "it cannot be read", None)
    if (now.st_size, now.st_mtime_ns) != (status.st_size, status.st_mtime_ns):
        return failure(number, "it changed while it was read", None)
    write_copies(image, content, cache)
    return {
        "id": number,
        "size": status.st_size,
        "modified_ns": status.st_mtime_ns,
        "content": content,
        "width": header.width,
        "height": header.height,
        "format": header.format,
        "mode": header.mode,
        "fingerprint": fingerprint(image).hex(),
        "taken": header.taken.at,
        "camera": header.taken.camera,
    }


def failure(number: int, reason: str, status: os.stat_result | None) -> dict[str, Any]:
    """Give the result for a file that cannot be read; without its status it is tried again the next time."""
    if status is None:
        return {"id": number, "reason": reason}
    return {"id": number, "reason": reason, "size": status.st_size, "modified_ns": status.st_mtime_ns}


def main() -> None:
    """Answer requests from standard input until it ends."""
    cache, folder = Path(sys.argv[1]), sys.argv[2]
    _limit_memory()
    replies = os.fdopen(os.dup(1), "w", encoding="ascii")
    print("ready", file=replies, flush=True)
    # Decoders written in C print their remarks; none may get between the answers or onto the terminal.
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    try:
        for line in sys.stdin:
            number, path = json.loads(line)
            try:
                result = process(number, path, folder, cache)
            except OSError as error:
                result = {"id": number, "error": str(error)}
            print(json.dumps(result), file=replies, flush=True)
    except BrokenPipeError:
        os._exit(0)


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # not on this platform
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = MEMORY_LIMIT if hard == resource.RLIM_INFINITY else min(MEMORY_LIMIT, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


if __name__ == "__main__":
    main()
