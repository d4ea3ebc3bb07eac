"""The person at the machine: a token in the project folder, and a page that opens the browser with it."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

from likewise.images.private import write_private
from likewise.server.auth import new_token

SERVER_FILE = "server.json"
OPENING_FILE = "open-page.html"


def local_token(folder: Path) -> str:
    """The token of the person at the machine, kept in the project folder; another one where others could read it.

    It stays the same from one start to the next, so that an open page goes on.

    - `folder`: The project folder.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> local_token(folder) == local_token(folder)
    True
    """
    token = _kept(folder)
    if token is None:
        token = new_token()
        write_private(folder / SERVER_FILE, json.dumps({"token": token}))
    return token


@contextmanager
def tell_local(folder: Path, token: str, address: str, *, keep: bool = True) -> Iterator[Path]:
    """Let programs of the same person find the server while it runs; gives a page that leads the browser to it.

    The browser is opened on that page, and not on an address with the token in it: everybody on the machine sees the
    command line of every program.

    - `folder`: The project folder.
    - `token`: As of :func:`local_token`.
    - `address`: Of the server.
    - `keep`: Whether the token is of the project folder; one that somebody chose is not written down there.
    """
    if keep:
        write_private(folder / SERVER_FILE, json.dumps({"token": token, "address": address}))
    page = folder / OPENING_FILE
    target = escape(f"{address}join#{token}")
    write_private(
        page,
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
        f'<meta http-equiv="refresh" content="0;url={target}"><title>likewise</title>'
        f'<p><a href="{target}">Open likewise</a></p></html>\n',
    )
    try:
        yield page
    finally:
        page.unlink(missing_ok=True)
        if keep:
            write_private(folder / SERVER_FILE, json.dumps({"token": token}))


def served_at(folder: Path) -> str | None:
    """The address of the server that has the project, where it told one.

    - `folder`: The project folder.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with tell_local(folder, "lwm_secret", "http://127.0.0.1:8117/"):
    ...     served_at(folder)
    'http://127.0.0.1:8117/'
    >>> served_at(folder)
    """
    try:
        address = json.loads((folder / SERVER_FILE).read_text(encoding="utf-8"))["address"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return address if isinstance(address, str) else None


def _kept(folder: Path) -> str | None:
    """The token that is kept, if it is still a secret."""
    try:
        handle = os.open(folder / SERVER_FILE, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with open(handle, encoding="utf-8") as file:
            status = os.fstat(file.fileno())
            token = json.load(file)["token"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    is_mine = not hasattr(os, "getuid") or status.st_uid == os.getuid()
    is_secret = os.name == "nt" or not status.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    return token if isinstance(token, str) and is_mine and is_secret and token.startswith("lwm_") else None
