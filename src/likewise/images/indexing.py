"""The index of a folder of pictures: found, read once, kept, and brought up to date."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.images.catalog import Catalog, Numbering, open_catalog
from likewise.images.crew import default_workers, read_all
from likewise.images.fingerprints import BITS, RADIUS
from likewise.images.inside import open_inside
from likewise.images.private import keep_private
from likewise.images.progress import Report, progress_bar
from likewise.images.reading import UnreadableImage, decode, digest
from likewise.images.thumbnails import PREVIEW, THUMBNAIL, copy_path, sweep, write_copies
from likewise.images.walking import Skipped, walk

__all__ = ["Index", "Summary", "default_project", "index", "open_index"]


@dataclass(frozen=True)
class Summary:
    """What a run did, in numbers of pictures.

    ``found`` is what is there now, readable or not: new, changed or unchanged since the last run. ``gone``
    were there at the last run and are no more, ``back`` had been gone. ``read`` were opened in this run, and
    ``skipped`` are not readable, with the links and folders that are passed over.
    """

    found: int = 0
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    back: int = 0
    gone: int = 0
    read: int = 0
    skipped: int = 0


class Index:
    """The readable pictures of a folder, as they were when the index was read; made by :func:`index`.

    Parameters
    ----------
    folder, project : pathlib.Path
        Where the pictures are, and where everything else is kept.
    rows : list of tuple
        As of the catalog: id, path, size, width, height, format, content, fingerprint, taken, camera.
    skipped : list of Skipped
        What cannot be read, with reasons.
    summary : Summary
        What the run did.

    Attributes
    ----------
    ids : ndarray of shape (n,)
        Numbers given in order of discovery, ascending. A picture keeps its number for as long as its path is
        the same, also when it is gone for a while; no number is given twice.
    names : list of str
        Paths within the folder, in the order of ``ids`` as all that follow; :func:`os.fsencode` gives their bytes.
    bytes : ndarray of shape (n,)
        Sizes of the files.
    sizes : ndarray of shape (n, 2)
        Width and height in pixels, upright.
    formats : list of str
        What the files hold: ``"JPEG"``, ``"PNG"``, …
    contents : list of str
        SHA-256 of the files, in hexadecimal.
    fingerprints : ndarray of shape (n, 32), uint8
        As of :func:`likewise.images.fingerprints.fingerprint`.
    taken : ndarray of shape (n,)
        When each was taken, in seconds since 1970 by the clock of the camera; NaN where it did not say.
    cameras : list of str
        Maker and model of the camera, or empty.
    skipped : list of Skipped
        Path (bytes, relative) and reason of everything that could not be read.
    """

    def __init__(
        self, folder: Path, project: Path, rows: list[tuple[Any, ...]], skipped: list[Skipped], summary: Summary
    ) -> None:
        self.folder = folder
        self.project = project
        self.skipped = skipped
        self.summary = summary
        self.ids: npt.NDArray[np.int64] = np.array([row[0] for row in rows], np.int64)
        self.names: list[str] = [os.fsdecode(row[1]) for row in rows]
        self.bytes: npt.NDArray[np.int64] = np.array([row[2] for row in rows], np.int64)
        self.sizes: npt.NDArray[np.int64] = np.array([row[3:5] for row in rows], np.int64).reshape(-1, 2)
        self.formats: list[str] = [row[5] for row in rows]
        self.contents: list[str] = [row[6].hex() for row in rows]
        self.taken: npt.NDArray[np.float64] = np.array([row[8] for row in rows], np.float64)
        self.cameras: list[str] = [row[9] or "" for row in rows]
        packed = b"".join(row[7] for row in rows)
        self.fingerprints: npt.NDArray[np.uint8] = np.frombuffer(packed, np.uint8).reshape(-1, BITS // 8)

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<Index of {len(self)} pictures in {os.fspath(self.folder)!r}, {len(self.skipped)} skipped>"

    @cached_property
    def paths(self) -> list[Path]:
        """Full paths, in the order of ``ids``."""
        return [self.folder / name for name in self.names]

    def position(self, number: int) -> int:
        """Give the row of a picture by its id; KeyError for one that is not here."""
        row = int(np.searchsorted(self.ids, number))
        if row == len(self.ids) or self.ids[row] != number:
            raise KeyError(f"there is no readable picture with id {number}.")
        return row

    def thumbnail(self, number: int) -> Path:
        """Give the JPEG of at most 256 pixels a side, by id; made again when it was removed."""
        return self._copy(self.position(number), THUMBNAIL)

    def preview(self, number: int) -> Path:
        """Give the JPEG of at most 1,024 pixels a side, by id; made again when it was removed."""
        row = self.position(number)
        return self._copy(row, PREVIEW if self.sizes[row].max() > THUMBNAIL else THUMBNAIL)

    def _copy(self, row: int, size: int) -> Path:
        path = copy_path(self.project, self.contents[row], size)
        if not path.exists():
            content = self.contents[row]
            with open_inside(self.folder, self.names[row]) as file:
                if digest(file) != content:
                    raise UnreadableImage(self.paths[row], "it changed since it was indexed", lasting=False)
                file.seek(0)
                write_copies(decode(file, self.paths[row], PREVIEW)[0], content, self.project)
        return path

    def duplicates(self) -> list[npt.NDArray[np.int64]]:
        """Give the ids of files with the same content, one array a group of two or more."""
        from likewise.images.duplicates import group_equal

        return [self.ids[group] for group in group_equal(np.array(self.contents))]

    def near_duplicates(self, radius: int = RADIUS) -> list[npt.NDArray[np.int64]]:
        """Give the ids of pictures that look the same, one array a group of two or more.

        Parameters
        ----------
        radius : int, default=16
            In how many of the 256 bits of their fingerprints neighbours of a group may differ. Groups are
            connected by such steps, so their ends may differ more. Files with the same content are included.
        """
        from likewise.images.duplicates import group_near

        return [self.ids[group] for group in group_near(self.fingerprints, radius)]


def index(
    folder: str | os.PathLike[str],
    *,
    project: str | os.PathLike[str] | None = None,
    progress: bool | Report = False,
    workers: int | None = None,
    numbering: Numbering | None = None,
) -> Index:
    """Find and read the pictures of a folder, or bring an earlier index of it up to date.

    Every picture is opened once: its size, content hash, fingerprint, thumbnail and preview are kept in the
    project folder, and it is opened again only when its size or modification time changes. A run that is
    interrupted or killed is taken up where it was. The pictures themselves are never written to.

    Parameters
    ----------
    folder : path-like
        Searched with all its subfolders; names that begin with a dot are passed over and links not followed.
    project : path-like or None, default=None
        Where to keep the index and the thumbnails; by default as of :func:`default_project`.
    progress : bool or callable, default=False
        Show a bar on standard error, or call this with the number read and the number to read.
    workers : int or None, default=None
        Processes that read; by default one a processor, at most eight. With 0 pictures are read in this
        process, which then is not safe from decoders that crash.
    numbering : Numbering or None, default=None
        Who gives the ids, a :class:`likewise.store.Project`; an index that has others is renumbered first. By
        default the index counts for itself.

    Returns
    -------
    Index
        The readable pictures, those skipped with reasons, and what this run did.

    Examples
    --------
    >>> import tempfile
    >>> from PIL import Image
    >>> folder = Path(tempfile.mkdtemp())
    >>> Image.new("RGB", (60, 40), "red").save(folder / "red.png")
    >>> (folder / "empty.jpg").touch()
    >>> found = index(folder, workers=0)
    >>> found.names, found.sizes.tolist()
    (['red.png'], [[60, 40]])
    >>> [(each.path, each.reason) for each in found.skipped]
    [(b'empty.jpg', 'the file is empty')]
    >>> index(folder, workers=0).summary.unchanged
    2
    """
    processes = _processes(workers)
    root, home = _folders(folder, project)
    with open_catalog(home, create=True, alone=True) as catalog:
        _check_folder(catalog, root, home)
        sweep(home)
        if numbering is not None:
            catalog.adopt(numbering)
        summary, waiting = _compare(catalog, root, home, numbering, progress)
        _read(catalog, root, home, waiting, progress, processes)
        sweep(home)
        return _load(catalog, root, home, summary)


def _processes(workers: int | None) -> int:
    if workers is not None and workers < 0:
        raise ValueError(f"workers must be 0 or more, got {workers}.")
    return default_workers() if workers is None else workers


def _folders(folder: str | os.PathLike[str], project: str | os.PathLike[str] | None) -> tuple[Path, Path]:
    """The folder of pictures and the project folder, which is made."""
    root = Path(os.path.realpath(folder))
    if not root.is_dir():
        raise NotADirectoryError(f"{os.fspath(folder)!r} is not a folder.")
    home = default_project(root) if project is None else Path(os.path.realpath(project))
    if home == root:
        raise ValueError("the project folder cannot be the folder of pictures itself.")
    keep_private(home)
    return root, home


def open_index(project: str | os.PathLike[str]) -> Index:
    """Open the index of a project as it is, without looking at the folder.

    Parameters
    ----------
    project : path-like
        The project folder.

    Returns
    -------
    Index

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> made = index(folder, workers=0)
    >>> len(open_index(made.project))
    0
    """
    home = Path(os.path.realpath(project))
    with open_catalog(home) as catalog:
        stored = os.fsdecode(catalog.fact("folder") or b"")
        return _load(catalog, Path(os.path.realpath(home / stored)), home, Summary())


def default_project(folder: str | os.PathLike[str]) -> Path:
    """Give where the index of a folder is kept by default.

    That is ``.likewise`` inside it, so that both move together; for a folder that cannot be written to, a
    folder of its own in the user's data (``$XDG_DATA_HOME`` or ``~/.local/share``). Where there is a project already,
    it is that one, and never an empty one in its place.

    - `folder`, path-like: The folder of pictures.
    """
    from hashlib import sha256

    root = Path(os.path.realpath(folder))
    inside = root / ".likewise"
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    outside = data / "likewise" / "projects" / sha256(os.fsencode(root)).hexdigest()[:16]
    for made in (inside, outside):  # what was begun is gone on with, also where what may be written to has changed
        if any((made / name).exists() for name in ("likewise.db", "likewise-index.sqlite")):
            return made
    return inside if os.access(inside if inside.is_dir() else root, os.W_OK) else outside


def _check_folder(catalog: Catalog, root: Path, home: Path) -> None:
    """Refuse another folder's project; inside its folder it is kept relative, so that both can move."""
    kept = os.path.relpath(root, home) if home.is_relative_to(root) else os.fspath(root)
    stored = catalog.fact("folder")
    if stored is None:
        catalog.set_fact("folder", os.fsencode(kept))
    elif stored != os.fsencode(kept):
        raise ValueError(f"the project {os.fspath(home)!r} is of another folder, {os.fsdecode(stored)!r}.")


def _compare(
    catalog: Catalog, root: Path, home: Path, numbering: Numbering | None, progress: bool | Report
) -> tuple[Summary, array[int]]:
    """Walk the folder, add what is new, mark what is gone; the ids to read."""
    counts = {"found": 0, "new": 0, "changed": 0, "unchanged": 0}
    waiting: array[int] = array("q")
    new: list[bytes] = []
    back: list[int] = []
    skipped: list[Skipped] = []
    with ExitStack() as stack:
        report = _reporter(stack, "Looking for pictures", progress)
        stack.enter_context(catalog.whole())
        seen = bytearray(catalog.count())
        for each in walk(os.fspath(root), os.fspath(home)):
            if isinstance(each, Skipped):
                skipped.append(each)
                continue
            counts["found"] += 1
            if counts["found"] % 256 == 0:
                report(counts["found"], None)
            known = catalog.find(each.path)
            if known is None:
                new.append(each.path)
                continue
            seen[known[0]] = 1
            if known[3]:
                back.append(known[0])
            same = known[1:3] == (each.size, each.modified_ns)
            if not same:
                waiting.append(known[0])
            counts["unchanged" if same or known[2] is None else "changed"] += 1
        lost = [known for known in catalog.present() if not seen[known]]
        # Given by others they are kept there first: killed in between, the next run gets the same.
        ids = range(len(seen), len(seen) + len(new)) if numbering is None else numbering.add_items(new)
        catalog.add(ids, new)
        waiting.extend(ids)
        counts["new"] = len(new)
        catalog.mark_gone(lost, True)
        catalog.mark_gone(back, False)
        catalog.replace_skipped(skipped)
    return Summary(**counts, back=len(back), gone=len(lost), read=len(waiting)), waiting


def _read(catalog: Catalog, root: Path, home: Path, waiting: array[int], progress: bool | Report, workers: int) -> None:
    """Read the pictures that wait; each is kept the moment it is done."""
    if not waiting:
        return
    requests: Iterator[tuple[int, str]] = ((number, os.fsdecode(catalog.path_of(number))) for number in waiting)
    with ExitStack() as stack:
        report = _reporter(stack, "Reading pictures", progress)
        report(0, len(waiting))
        results = stack.enter_context(closing(read_all(requests, root, home, workers)))
        for done, result in enumerate(results, 1):
            for name in ("content", "fingerprint"):
                if name in result:
                    result[name] = bytes.fromhex(result[name])
            catalog.record(result["id"], result)
            report(done, len(waiting))


def _reporter(stack: ExitStack, label: str, progress: bool | Report) -> Report:
    if callable(progress):
        return progress
    if progress:
        return stack.enter_context(progress_bar(label))
    return lambda done, total: None


def _load(catalog: Catalog, root: Path, home: Path, summary: Summary) -> Index:
    skipped = catalog.unreadable()
    return Index(root, home, catalog.readable(), skipped, replace(summary, skipped=len(skipped)))
