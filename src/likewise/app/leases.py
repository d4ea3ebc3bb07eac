"""Who holds which question until when; kept in a small file, so that a killed server comes back knowing it."""

from __future__ import annotations

import errno
import json
import logging
import math
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from likewise.query.question import ANSWERS, Question
from likewise.store.entries import check_annotator
from likewise.store.fields import as_items, check_text

log = logging.getLogger(__name__)
GRACE_SECONDS = 60.0  # what a lease has at least when the server comes back: people were waiting for it
MOST_LINES = 20_000


@dataclass(frozen=True)
class Lease:
    """A question in somebody's hands.

    - `question`: What they were asked.
    - `until`: When it may go to somebody else, in seconds of the clock.
    - `gold`: The answer, where it is known and the question tests the person; empty otherwise.
    - `need`: How many people are to answer it.
    - `control`: Whether it tests the person by what another said of it.
    """

    question: Question
    until: float
    gold: str = ""
    need: int = 1
    control: bool = False


class Leases:
    """Leases by annotator, one each.

    Every change is a line of the file, written before anybody is handed the question. The lines are not forced to
    disk: they outlast the process however it ends, and a machine that loses power starts with the answers alone. Where
    the file cannot be written, all goes on in memory, and into the file again once it can.

    - `clock`: Gives the time in seconds; of the day where there is a file.
    - `path`: The file.

    Examples
    --------
    >>> leases = Leases(lambda: 100.0)
    >>> leases.put("ann", Lease(Question("pair", (0, 1)), until=400.0))
    >>> leases.get("ann").question.items, [who for who, _ in leases.active()]
    ((0, 1), ['ann'])
    """

    def __init__(self, clock: Callable[[], float], path: Path | None = None) -> None:
        self._clock = clock
        self._path = path
        self._held: dict[str, Lease] = {}
        self._lines = 0
        self._file: int | None = None
        self._is_failing = False
        if path is not None:
            self._read(path)
            self._keep_on_disk(path)

    def get(self, annotator: str) -> Lease | None:
        """What somebody holds, or held last and did not answer."""
        return self._held.get(annotator)

    def put(self, annotator: str, lease: Lease) -> None:
        """Put a question into somebody's hands, in place of what they held."""
        self._held[annotator] = lease
        self._write(annotator, lease)

    def drop(self, annotator: str) -> None:
        """Take it out of their hands."""
        if self._held.pop(annotator, None) is not None:
            self._write(annotator, None)

    def clear(self) -> None:
        """Take all questions back."""
        for annotator in list(self._held):
            self.drop(annotator)

    def active(self) -> Iterator[tuple[str, Lease]]:
        """Leases that have not run out."""
        now = self._clock()
        return ((who, lease) for who, lease in self._held.items() if lease.until > now)

    def close(self) -> None:
        """Let the file go; nothing is written any more."""
        self._path = None
        self._let_go()

    def _let_go(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _write(self, annotator: str, lease: Lease | None) -> None:
        if self._path is None:
            return
        if self._file is None or self._lines >= MOST_LINES:
            self._keep_on_disk(self._path)  # with this lease in it
            return
        try:
            line = _line(annotator, lease)
            if os.write(self._file, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            self._lines += 1
        except OSError as error:
            self._fail(error)

    def _keep_on_disk(self, path: Path) -> None:
        try:
            self._rewrite(path)
            self._is_failing = False
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        """Say once that the file cannot be written; nobody's question or answer fails for it."""
        self._let_go()
        if not self._is_failing:
            self._is_failing = True
            why = error.strerror or error
            log.warning("who holds which question is kept in memory only: %s cannot be written (%s)", self._path, why)

    def _read(self, path: Path) -> None:
        try:
            lines = path.read_bytes().splitlines()
        except OSError:  # there is none, or it cannot be read: the answers alone are enough to go on
            return
        for line in lines:
            try:
                annotator, lease = read_line(line)
            except (ValueError, KeyError, TypeError, RecursionError):  # cut off when the process ended, or damaged
                continue
            if lease is None:
                self._held.pop(annotator, None)
            else:
                self._held[annotator] = lease
        soonest = self._clock() + GRACE_SECONDS
        for annotator, lease in self._held.items():
            self._held[annotator] = replace(lease, until=max(lease.until, soonest))

    def _rewrite(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(path.name + ".new")
        new.write_bytes(b"".join(_line(who, lease) for who, lease in self._held.items()))
        os.replace(new, path)
        self._let_go()
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND)
        self._lines = len(self._held)


def _line(annotator: str, lease: Lease | None) -> bytes:
    said: dict[str, Any] = {"annotator": annotator}
    if lease is not None:
        question = lease.question
        said |= {"kind": question.kind, "items": question.items, "reason": question.reason}
        said |= {"again": question.again, "check": question.check}
        said |= {"until": lease.until, "gold": lease.gold, "need": lease.need, "control": lease.control}
    return json.dumps(said).encode() + b"\n"


def read_line(line: bytes) -> tuple[str, Lease | None]:
    """Who holds what from now on, by a line of the file; an error where it is none."""
    said = json.loads(line)
    if not isinstance(said, dict):
        raise ValueError("a line is an object")
    annotator = check_annotator(said["annotator"])
    if "items" not in said:
        return annotator, None
    until, need = said["until"], said["need"]
    if type(until) not in (int, float) or not math.isfinite(until) or type(need) is not int:
        raise ValueError("a lease ends at a time, and is for so many people")
    if said["kind"] not in ANSWERS or len(said["items"]) < 2:
        raise ValueError("a lease is of a question")
    question = Question(
        said["kind"],
        as_items(said["items"], "items"),
        reason=check_text(said["reason"], "reason"),
        again=bool(said.get("again", False)),
        check=min(1.0, max(0.0, float(said.get("check", 0.0)))),
    )
    control = bool(said.get("control", False))
    return annotator, Lease(question, float(until), check_text(said["gold"], "gold"), need, control)
