"""A client for the app's API with the session's two verbs: ask, answer. Needs only the standard library and NumPy.

Fields are called as in the API's description: a question is its ``ShownQuestion``, a contradiction its
``ConflictView``, what :meth:`Client.project` gives its ``ProjectView``.
"""

from __future__ import annotations

import csv
import io
import json
import os
import time
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any, Literal, Self
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import numpy as np
from numpy.typing import NDArray

from likewise.cells import read_cell
from likewise.query.question import ANSWERS, Form

__all__ = ["Client", "ClientError", "RemoteQuestion"]

PAUSE = 0.25  # seconds before the first further attempt; doubled each time
LONGEST_PAUSE = 5.0


class ClientError(RuntimeError):
    """The server refused a request, or could not be reached.

    Attributes
    ----------
    status : int
        The HTTP status; 0 where the server did not reply.
    """

    def __init__(self, text: str, status: int = 0) -> None:
        super().__init__(text)
        self.status = status


@dataclass(frozen=True)
class RemoteQuestion:
    """A question of the server, like :class:`likewise.Question`.

    Attributes
    ----------
    kind : "pair", "triplet", "grid" or "pick"
        Its form.
    items : tuple of int
        Ids of the pictures: of a grid, the example of the group, then those shown; of a pick, the picture, then an
        example of each group.
    names : tuple of str
        Their paths within the folder.
    reason : str
        Why it is asked.
    check : bool
        Whether it was drawn at random, to see how good the clusters are.
    prompt : str
        What is asked, in the owner's words; empty for the usual ones.
    received : float
        When it arrived, on this machine's monotonic clock.
    """

    kind: Form
    items: tuple[int, ...]
    names: tuple[str, ...] = ()
    reason: str = ""
    check: bool = field(default=False, compare=False)
    prompt: str = field(default="", compare=False)
    received: float = field(default=0.0, compare=False)

    @property
    def answers(self) -> tuple[str, ...]:
        """The values an answer may take."""
        return ANSWERS[self.kind]


class Client:
    """One annotator at a served project.

    Every write carries a key of its own and is sent again with the same key when the connection breaks: the server
    stores it once, however often it arrives.

    Parameters
    ----------
    address : str
        Where the app is, ``http://127.0.0.1:8117``.
    token : str, optional
        The token or the invitation, where the server wants one.
    annotator : str
        Who answers; an invitation says that by itself.
    timeout : float
        Seconds to wait for one reply.
    attempts : int
        How often to try where the server cannot be reached or is busy.

    Examples
    --------
    >>> client = Client("http://127.0.0.1:8117", annotator="ann")
    >>> client
    Client('http://127.0.0.1:8117', annotator='ann')

    With a server there, which you started on this machine::

        client = Client.of_folder("photos")
        question = client.ask()
        client.answer(question, "same")
        client.undo()
        client.labels_
    """

    def __init__(
        self, address: str, token: str | None = None, *, annotator: str = "me", timeout: float = 30.0, attempts: int = 6
    ) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"the address of the app begins with http:// or https://, got {address!r}")
        if attempts < 1:
            raise ValueError(f"there is at least one attempt, got {attempts}")
        self.address = address.rstrip("/")
        self.annotator = annotator
        self.timeout = timeout
        self.attempts = attempts
        self._token = token
        self._opener = build_opener(_NoRedirects)

    @classmethod
    def of_folder(cls, folder: str | os.PathLike[str], **options: Any) -> Self:
        """A client of the server that serves a folder on this machine, as the person at the machine.

        The address and the token are read from the project folder, which only its owner can do.

        Parameters
        ----------
        folder : path-like
            The folder of pictures, or the project folder where it is another one.
        **options
            ``annotator``, ``timeout`` and ``attempts``, as above.
        """
        for home in (os.path.join(folder, ".likewise"), folder):
            try:
                with open(os.path.join(home, "server.json"), encoding="utf-8") as file:
                    told = json.load(file)
                return cls(told["address"], told["token"], **options)
            except (OSError, ValueError, KeyError, TypeError):
                continue
        raise ClientError(f"{os.fspath(folder)!r} is not being served on this machine, or has a token of its own")

    def __repr__(self) -> str:  # without the token: it would end up in logs
        return f"Client({self.address!r}, annotator={self.annotator!r})"

    def ask(self, *, wait: float = 60.0) -> RemoteQuestion | None:
        """The next question for this annotator, or None when nothing is left to ask.

        Parameters
        ----------
        wait : float
            Seconds to wait while the server is still reading pictures or preparing questions.
        """
        until = time.monotonic() + wait
        while True:
            view = self._get("question", annotator=self.annotator)
            if "items" in view:
                return _question(view)
            if "waiting" not in view:
                return None
            if time.monotonic() >= until:
                raise ClientError(f"no question was ready within {wait:g} seconds: {view['waiting']}")
            time.sleep(0.2)

    def answer(
        self,
        question: RemoteQuestion | Iterable[int],
        value: str | int | Iterable[int],
        *,
        seconds: float | None = None,
        key: str | None = None,
    ) -> dict[str, Any] | None:
        """Answer a question; when this returns, the server has the answer on disk.

        Parameters
        ----------
        question : RemoteQuestion, or two or three ids of pictures
            What was asked; a grid or a pick as it came.
        value : str, int or iterable of int
            ``same`` ``different`` ``unsure``; for three items ``ab`` ``ac`` ``bc`` ``none`` ``unsure``. For a grid, the
            pictures that do not belong, an empty list where all do, or ``unsure``; for a pick, the example of the
            group, ``none`` or ``unsure``.
        seconds : float, optional
            How long it took; by default the time since the question came.
        key : str, optional
            A key of your own, when you may send the same answer again later.

        Returns
        -------
        dict or None
            The contradiction with earlier answers, where it makes one.
        """
        shown: dict[str, Any] = {}
        if isinstance(question, RemoteQuestion):
            kind, items = question.kind, list(question.items)
            if question.check:
                shown["check"] = True
            if seconds is None and question.received:
                seconds = min(time.monotonic() - question.received, 86_400.0)
        else:
            items = [int(item) for item in question]
            kind = "pair" if len(items) == 2 else "triplet"
        form = {"kind": kind, "items": items, **_said(kind, value), "seconds": seconds, "shown": shown}
        conflict: dict[str, Any] | None = self._post("answers", form, key).get("conflict")
        return conflict

    def undo(self) -> dict[str, Any]:
        """Take this annotator's last answer or change back, and give what it was; without limit."""
        undone: dict[str, Any] = self._post("undo", {})["undone"]
        return undone

    def redo(self) -> None:
        """Take this annotator's last undo back."""
        self._post("redo", {})

    @property
    def labels_(self) -> NDArray[np.int64]:
        """The cluster of every picture by its id, (n,); -1 where it is in none yet."""
        labels = np.full(int(self.project()["n_images"]), -1, np.int64)
        for row in self.clusters():
            labels[int(row["image"])] = int(row["cluster"])
        return labels

    @property
    def n_clusters_(self) -> int:
        """Number of clusters in :attr:`labels_`."""
        labels = self.labels_
        return len(np.unique(labels[labels >= 0]))

    def clusters(self) -> list[dict[str, str]]:
        """One row a picture: image, path, cluster, name, state."""
        rows = csv.DictReader(io.StringIO(self.export("csv").decode("utf-8"), newline=""))
        return [{name: read_cell(text) for name, text in row.items()} for row in rows]

    @property
    def history(self) -> list[dict[str, Any]]:
        """All events, taken back or not, oldest first."""
        return [json.loads(line) for line in self.export("jsonl").split(b"\n") if line]

    def project(self) -> dict[str, Any]:
        """What is served, and how far the reading of pictures is."""
        return self._get("project")

    def progress(self) -> dict[str, Any]:
        """Answers, what is settled, how good it is, and whether one can stop."""
        return self._get("progress")

    def image(self, item: int, size: Literal["thumb", "preview", "full"] = "preview") -> bytes:
        """A picture as a file's bytes."""
        return self._call("GET", f"images/{int(item)}?size={quote(size)}")

    def export(self, format: str = "csv") -> bytes:
        """The project in one of its formats; those that are folders come as a zip."""
        return self._call("GET", f"export?{urlencode({'format': format})}")

    def _get(self, path: str, **query: str) -> dict[str, Any]:
        return self._json(self._call("GET", f"{path}?{urlencode(query)}" if query else path))

    def _post(self, path: str, form: Mapping[str, Any], key: str | None = None) -> dict[str, Any]:
        signed = {"key": key or uuid.uuid4().hex, "annotator": self.annotator, **form}
        return self._json(self._call("POST", path, json.dumps(signed).encode()))

    def _json(self, content: bytes) -> dict[str, Any]:
        try:
            value = json.loads(content)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise ClientError(f"what answers at {self.address} is not likewise")
        return value

    def _call(self, method: str, path: str, body: bytes | None = None) -> bytes:
        pause = PAUSE
        for attempt in range(1, self.attempts + 1):
            try:
                return self._once(method, path, body)
            except ClientError as error:
                # busy, restarting or not there: the same key makes sending it again safe
                if attempt == self.attempts or error.status not in (0, 429, 502, 503, 504):
                    raise
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        raise AssertionError("there is at least one attempt")

    def _once(self, method: str, path: str, body: bytes | None) -> bytes:
        headers = {"Accept": "*/*", "User-Agent": "likewise-client"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        request = Request(f"{self.address}/api/{path}", body, headers, method=method)
        try:
            with self._opener.open(request, timeout=self.timeout) as reply:
                content: bytes = reply.read()
                return content
        except HTTPError as error:
            with error:
                raise ClientError(_detail(error), error.code) from None
        except (URLError, TimeoutError, ConnectionError, HTTPException) as error:
            reason = getattr(error, "reason", error)
            raise ClientError(f"{self.address} cannot be reached: {reason}") from None


class _NoRedirects(HTTPRedirectHandler):
    """Follows nothing: a token goes to the address it was given for and to no other."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """No further request."""


def _detail(error: HTTPError) -> str:
    try:
        return str(json.loads(error.read(1 << 16))["detail"])
    except (ValueError, KeyError, TypeError, OSError, HTTPException):
        return f"the server answered {error.code} {error.reason}"


def _said(kind: str, value: str | int | Iterable[int]) -> dict[str, Any]:
    """The value of an answer, and what is chosen on a screen."""
    if isinstance(value, str):
        return {"value": value}
    if kind == "pick":
        chosen = [value] if isinstance(value, int | np.integer) else list(value)
        return {"value": "chosen", "chosen": [int(item) for item in chosen]}
    if kind == "grid" and not isinstance(value, int | np.integer):
        return {"value": "marked", "chosen": [int(item) for item in value]}
    raise ValueError(f"{value!r} is no answer to a {kind}")


def _question(view: Mapping[str, Any]) -> RemoteQuestion:
    return RemoteQuestion(
        view["kind"] if view["kind"] in ANSWERS else "pair",
        tuple(int(item["id"]) for item in view["items"]),
        tuple(str(item["name"]) for item in view["items"]),
        str(view["reason"]),
        bool(view["check"]),
        str(view.get("prompt", "")),
        time.monotonic(),
    )
