"""``likewise`` alone: a page to choose the folder of pictures on, made of nothing but links and one button."""

from __future__ import annotations

import os
import secrets
import tempfile
import threading
import webbrowser
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

from likewise.cli.app import console
from likewise.cli.images import printable

MOST_SHOWN = 500  # folders
MOST_COUNTED = 10_000  # files that are looked at to say how many pictures a folder has
LONGEST = 8192  # bytes of a form
STYLE = (
    "body{font:17px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "ul{list-style:none;padding:0}li a{display:block;padding:.5rem .7rem;border-radius:.5rem}"
    "button{font:inherit;padding:.7rem 1.2rem;border:0;border-radius:.6rem;background:#2059d0;color:#fff}"
)


class Chooser(ThreadingHTTPServer):
    """Shows the folders of this machine to the person at it, until one is chosen.

    Whoever asks has to know the secret in the address, and has to ask for this machine by its own name.

    - `start`: The folder that is shown first.
    - `chosen`: The folder, when there is one.
    """

    daemon_threads = True

    def __init__(self, start: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.start = start
        self.secret = secrets.token_urlsafe(24)
        self.chosen: Path | None = None

    @property
    def host(self) -> str:
        """Where it is, as browsers call it."""
        return f"127.0.0.1:{self.server_port}"

    @property
    def address(self) -> str:
        """Where its page is."""
        return f"http://{self.host}/{self.secret}/"

    def choose(self, folder: Path) -> None:
        """Take a folder, and end."""
        self.chosen = folder
        threading.Thread(target=self.shutdown, daemon=True).start()


class _Handler(BaseHTTPRequestHandler):
    server: Chooser

    def do_GET(self) -> None:
        """The page of a folder."""
        asked = urlsplit(self.path)
        if self._may_ask(asked.path):
            at = parse_qs(asked.query).get("at", [os.fspath(self.server.start)])[0]
            self._send(200, folder_page(Path(at), self.server.secret))

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
        self._send(200, _page("Opening…", "<p>The pictures open in a page of their own. You can close this one.</p>"))
        self.server.choose(folder)

    def _may_ask(self, path: str) -> bool:
        is_right = secrets.compare_digest(path.encode(), f"/{self.server.secret}/".encode())
        if self.headers.get("Host") == self.server.host and is_right:
            return True
        self._send(403, _page("No", "<p>This page is for the person who started likewise.</p>"))
        return False

    def _send(self, status: int, page: str) -> None:
        content = page.encode("utf-8", "replace")
        self.send_response(status)
        for name, value in {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Length": str(len(content)),
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self';"
            " frame-ancestors 'none'; base-uri 'none'",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


def folder_page(folder: Path, secret: str) -> str:
    """The page of a folder: where one can go from it, how many pictures it has, and the button."""
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
        f"<p>Nothing in it is changed. Or go on to</p><ul>{above}{folders}</ul>",
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
