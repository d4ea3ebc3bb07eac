"""``likewise`` alone: a page to choose the folder of pictures on, by links and one button, or to drop pictures on."""

from __future__ import annotations

import os
import secrets
import socket
import tempfile
import threading
import webbrowser
from contextlib import suppress
from datetime import datetime
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

from likewise.cli.app import console
from likewise.cli.dropped import MOST_BYTES, DroppedFiles, RefusedFileError, folder_for_dropped
from likewise.cli.images import printable

MOST_SHOWN = 500  # folders
MOST_COUNTED = 10_000  # files that are looked at to say how many pictures a folder has
LONGEST = 8192  # bytes of a form
MOST_DRAINED = 4 << 20  # bytes of a refused file
PATIENCE = 60.0  # seconds in which something has to arrive
SCRIPT = Path(__file__).with_name("drop.js").read_text(encoding="utf-8")
NONCE = "nonce-of-this-answer"
STYLE = (
    "body{font:17px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "ul{list-style:none;padding:0}li a{display:block;padding:.5rem .7rem;border-radius:.5rem}"
    "button{font:inherit;padding:.7rem 1.2rem;border:0;border-radius:.6rem;background:#2059d0;color:#fff}"
    "button:disabled{opacity:.5}a,p{overflow-wrap:anywhere}"
    "#drop{border:2px dashed #7a8699;border-radius:.8rem;padding:.6rem 1rem;margin:1.5rem 0}"
    "#drop.over{border-color:#2059d0;background:#2059d022}#drop input{font:inherit;max-width:100%}"
)


class Chooser(ThreadingHTTPServer):
    """Shows the folders of this machine to the person at it, until one is chosen.

    Whoever asks has to know the secret in the address, and has to ask for this machine by its own name.

    - `start`: The folder that is shown first.
    - `dropped`: Takes what is dropped on the page.
    - `chosen`: The folder, when there is one.
    """

    daemon_threads = True

    def __init__(self, start: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.start = start
        self.secret = secrets.token_urlsafe(24)
        self.dropped = DroppedFiles(folder_for_dropped(start, datetime.now()))
        self.chosen: Path | None = None

    @property
    def host(self) -> str:
        """Where it is, as browsers call it."""
        return f"127.0.0.1:{self.server_port}"

    @property
    def address(self) -> str:
        """Where its page is."""
        return f"http://{self.host}/{self.secret}/"

    def end(self) -> None:
        """Answer nobody any more."""
        threading.Thread(target=self.shutdown, daemon=True).start()


class _Handler(BaseHTTPRequestHandler):
    server: Chooser
    timeout = PATIENCE

    def do_GET(self) -> None:
        """The page of a folder."""
        asked = urlsplit(self.path)
        if self._may_ask(asked.path):
            at = parse_qs(asked.query).get("at", [os.fspath(self.server.start)])[0]
            self._send(200, folder_page(Path(at), self.server.secret, self.server.dropped.folder))

    def do_POST(self) -> None:
        """The folder that was chosen."""
        if not self._may_ask(urlsplit(self.path).path):
            return
        length = self.headers.get("Content-Length", "")
        form = self.rfile.read(min(int(length), LONGEST)) if length.isdecimal() else b""
        folder = Path(parse_qs(form.decode("utf-8", "replace")).get("folder", [""])[0])
        if not folder.is_absolute() or not folder.is_dir():
            self._send(400, _page("Not a folder", "<p>There is no such folder any more.</p>"))
            return
        self.server.chosen = folder  # before anybody is told
        self._send(200, _page("Opening…", "<p>The pictures open in a page of their own. You can close this one.</p>"))
        self.server.end()

    def do_PUT(self) -> None:
        """A picture that was dropped."""
        asked, length = urlsplit(self.path), self.headers.get("Content-Length", "")
        self.close_connection = True  # what is left of a refused one is not read as the next request
        if not self._may_ask(asked.path):
            return
        name = parse_qs(asked.query).get("name", [""])[0]
        try:
            if not length.isdecimal():
                raise RefusedFileError("its length is not said", 411)
            self.server.dropped.take(name, int(length), self.rfile.read1)
        except RefusedFileError as error:
            self._send(error.status, str(error), "text/plain")
            with suppress(OSError):  # a browser that still sends would not read why it was refused
                self.connection.shutdown(socket.SHUT_WR)
                self.rfile.read(MOST_DRAINED)
        except OSError as error:
            self._send(507, error.strerror or "it took too long", "text/plain")
        else:
            self._send(201, "taken", "text/plain")

    def _may_ask(self, path: str) -> bool:
        is_right = secrets.compare_digest(path.encode(), f"/{self.server.secret}/".encode())
        own = self.headers.get("Origin", "null") in ("null", f"http://{self.server.host}")  # null: it tells no referrer
        if self.headers.get("Host") == self.server.host and own and is_right:
            return True
        self._send(403, _page("No", "<p>This page is for the person who started likewise.</p>"))
        return False

    def _send(self, status: int, page: str, kind: str = "text/html") -> None:
        nonce = secrets.token_urlsafe(16)
        content = page.replace(NONCE, nonce).encode("utf-8", "replace")
        self.send_response(status)
        for name, value in {
            "Content-Type": f"{kind}; charset=utf-8",
            "X-Content-Type-Options": "nosniff",
            "Content-Length": str(len(content)),
            "Content-Security-Policy": f"default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-{nonce}';"
            " connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


def folder_page(folder: Path, secret: str, dropped: Path) -> str:
    """The page of a folder: where one can go from it, how many pictures it has, the button; and where to drop pictures.

    - `dropped`: The folder that what is dropped is copied into.
    """
    try:
        names = sorted((each.name for each in os.scandir(folder) if _is_shown(each)), key=str.casefold)
    except OSError as error:
        above = _link(folder.parent, "Back", secret)
        return _page("This folder cannot be opened", f"<p>{escape(error.strerror or 'no reason given')}</p>{above}")
    n, is_all = count_pictures(folder)
    said = f"{n:,}{'' if is_all else ' or more'} pictures in it and below"
    folders = "".join(f"<li>{_link(folder / name, name, secret)}</li>" for name in names[:MOST_SHOWN])
    up = _link(folder.parent, f"↑ {folder.parent.name or '/'}", secret)
    above = "" if folder.parent == folder else f"<li>{up}</li>"
    path = escape(os.fspath(folder), quote=True)
    return _page(
        "Which folder?",
        f'<p><b>{path}</b>: {said}</p><form method="post"><input type="hidden" name="folder" value="{path}">'
        f"<button{'' if n else ' disabled'}>Group the pictures of this folder</button></form>"
        f"<p>Nothing in it is changed.</p>{_drop(dropped)}<p>Or go on to</p><ul>{above}{folders}</ul>",
    )


def _drop(folder: Path) -> str:
    """Where pictures are dropped or picked, and what becomes of them."""
    from likewise.images.reading import SUFFIXES

    path, suffixes = escape(os.fspath(folder), quote=True), " ".join(sorted(SUFFIXES))
    facts = f'data-folder="{path}" data-most="{MOST_BYTES}" data-suffixes="{suffixes}"'
    return (
        f'<section id="drop" {facts} hidden><p>Or drop pictures, or a folder of them, here: browsers do not say where'
        f" they are, so they are <b>copied</b> into <b>{path}</b>.</p>"
        '<p><label>Pictures to copy: <input type="file" multiple accept="image/*"></label></p>'
        f'<p role="status"></p></section><script nonce="{NONCE}">{SCRIPT}</script>'
    )


def count_pictures(folder: Path) -> tuple[int, bool]:
    """How many files in a folder and below it are named like a picture; whether all files were looked at.

    Examples
    --------
    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp())
    >>> (place / "a.jpg").touch(), (place / "b.txt").touch()
    (None, None)
    >>> count_pictures(place)
    (1, True)
    """
    from likewise.images.reading import SUFFIXES

    found = looked = 0
    for _, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += sum(os.path.splitext(name)[1].lower() in SUFFIXES for name in files)
        looked += len(files) + len(folders)
        if looked > MOST_COUNTED:
            return found, False
    return found, True


def choose_folder() -> Path | None:
    """Let the person at the machine choose a folder in the browser; None when they interrupt it."""
    with Chooser(Path.home()) as server, tempfile.TemporaryDirectory() as private:
        # The browser is opened on a file, which only this person can read: everybody sees its command line.
        opening = Path(private, "open-page.html")
        address = escape(server.address, quote=True)
        opening.write_text(f'<!doctype html><meta http-equiv="refresh" content="0;url={address}">', encoding="utf-8")
        console.print(f"Choose a folder of pictures at {server.address} - Ctrl-C ends it", soft_wrap=True)
        threading.Thread(target=webbrowser.open, args=[opening.as_uri()], daemon=True).start()
        try:
            server.serve_forever(poll_interval=0.1)
        except KeyboardInterrupt:
            return None
        if server.chosen is not None:
            console.print(f"Chosen: {printable(str(server.chosen))}", highlight=False, markup=False)
        return server.chosen


def _is_shown(entry: os.DirEntry[str]) -> bool:
    try:
        return not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _link(folder: Path, text: str, secret: str) -> str:
    at = quote(os.fsencode(folder))
    return f'<a href="/{secret}/?at={at}">{escape(text.encode("utf-8", "replace").decode())}</a>'


def _page(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{title} – likewise</title><style>{STYLE}</style><h1>{title}</h1>{body}</html>"
    )
