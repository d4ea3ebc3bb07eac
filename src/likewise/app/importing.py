"""What comes into a project from elsewhere: answers of others, labels and tags, vectors, distances."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.distances import MDS, check_distances
from likewise.formats import AnswerLine, PictureLine, Problem
from likewise.formats.names import inside
from likewise.images.cache import write_atomically
from likewise.store import Entry, Project

__all__ = ["Intake", "Names", "keep_distances", "take_answers", "take_pictures", "take_vectors"]

Floats = NDArray[np.float64]
Finder = Callable[[str], str | None]
LIFT = 30.0


@dataclass
class Intake:
    """What an import does, or would do.

    - `lines`: Lines that could be read.
    - `new`, `known`: What is added, and what was there already from an earlier import.
    - `added`, list of str: Pictures that the project did not know and that are added.
    - `unknown`, dict of str to int: Names that lead to no picture, with the first line they stand in.
    - `problems`, list of Problem: Lines that are not taken, with reasons.
    """

    lines: int = 0
    new: int = 0
    known: int = 0
    added: list[str] = field(default_factory=list)
    unknown: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Whether every line can be taken."""
        return not self.problems and not self.unknown


class Names:
    """Finds a project's pictures by the names that files of others have for them.

    A name is a path within the folder, with or without the folder before it, or a file name that only one picture has.

    - `project`: Whose pictures.
    - `folder`: The folder of pictures: a file there that the project does not know yet is a picture too.
    - `by_id`: Whether names are ids of pictures, as the tables of this program give them.
    """

    def __init__(self, project: Project, folder: Path | None, *, by_id: bool = False) -> None:
        self.folder = None if folder is None else folder.absolute()
        self.by_id = by_id
        self.position = {os.fsdecode(path): item for path, item in project.whole_pictures().items()}
        for photograph, regions in project.regions().items():
            for number, item in enumerate(sorted(regions), 1):
                self.position.setdefault(f"{os.fsdecode(photograph)}#{number}", item)
        self._by_file: dict[str, list[str]] = {}
        for path in self.position:
            self._by_file.setdefault(path.rpartition("/")[2], []).append(path)
        self._ids = {str(position): path for path, position in self.position.items()}

    def find(self, name: str) -> str | None:
        """The path under which the project knows or would know it; None where it is no picture."""
        if self.by_id:
            return self._ids.get(name)
        if name in self.position:
            return name
        plain = self._within(name)
        if plain in self.position:
            return plain
        found = self._by_file.get(plain.rpartition("/")[2], [])
        if len(found) == 1:
            return found[0]
        return plain if self._is_file(plain) else None

    def add(self, name: str) -> str | None:
        """The path under which a thing without a picture is added; None where it would lead out of the folder."""
        try:
            return None if self.by_id else str(inside(Path(), name))
        except ValueError:
            return None

    def _within(self, name: str) -> str:
        plain = name.replace("\\", "/") if "/" not in name else name
        if self.folder is not None and plain.startswith(f"{self.folder}/"):
            plain = plain[len(str(self.folder)) + 1 :]
        while plain.startswith("./"):
            plain = plain[2:]
        return plain

    def _is_file(self, name: str) -> bool:
        try:
            return self.folder is not None and inside(self.folder, name).is_file()
        except (ValueError, OSError):
            return False


def take_answers(
    project: Project,
    answers: Sequence[AnswerLine],
    problems: Iterable[Problem],
    names: Names,
    *,
    add_unknown: bool = False,
    skip_bad: bool = False,
    dry_run: bool = False,
) -> Intake:
    """Store answers of others, each as an event by its annotator: all of them or, where something is wrong, none.

    What was imported before is not stored again: the key of an event is made of its content.

    - `project`: Where to.
    - `answers`, sequence of AnswerLine: The answers.
    - `problems`, iterable of Problem: Lines that could not be read.
    - `names`: Finds the pictures.
    - `add_unknown`: Whether to add what leads to no picture as a thing without one.
    - `skip_bad`: Whether to take the good lines where others are bad.
    - `dry_run`: Whether only to report what would be done.
    """
    intake = Intake(len(answers), problems=list(problems))
    good = list(_find_items(answers, names, add_unknown, intake))
    paths = dict.fromkeys(path for _, whole in good for path in whole)
    intake.added = [path for path in paths if path not in names.position]
    stored = {event.key for event in project.events()}
    keys = _keys(good)
    intake.known = sum(key in stored for key in keys)
    intake.new = len(keys) - intake.known
    if dry_run or not (intake.is_clean or skip_bad):
        return intake
    position = names.position | dict(zip(intake.added, project.add_items(intake.added), strict=True))
    entries = [
        _entry(line, [position[path] for path in whole], key)
        for (line, whole), key in zip(good, keys, strict=True)
        if key not in stored
    ]
    if entries:
        project.append_many(entries)
    return intake


def _find_items(
    answers: Iterable[AnswerLine], names: Names, add_unknown: bool, intake: Intake
) -> Iterator[tuple[AnswerLine, list[str]]]:
    """The answers whose items are all known, with their paths; the intake gets what is wrong with the others."""
    for line in answers:
        found = _find_all(line.items, names.find, names.add if add_unknown else None)
        for item, path in zip(line.items, found, strict=True):
            if path is None:
                intake.unknown.setdefault(item, line.line)
        whole = [path for path in found if path is not None]
        if len(whole) < len(found):
            continue
        if len(set(whole)) < len(whole):
            intake.problems.append(Problem(line.line, "", f"{line.items} lead to the same picture"))
            continue
        yield line, whole


def _find_all(items: Sequence[str], find: Finder, add: Finder | None) -> list[str | None]:
    found = [find(item) for item in items]
    if add is None:
        return found
    return [add(item) if path is None else path for item, path in zip(items, found, strict=True)]


def _keys(good: Sequence[tuple[AnswerLine, list[str]]]) -> list[str]:
    """A key for each answer, of its content; an answer that was given twice has two."""
    times: dict[bytes, int] = {}
    keys = []
    for line, paths in good:
        moment = None if line.at is None else line.at.isoformat()
        content = [paths, line.annotator, line.value, line.seconds, line.truth, moment]
        digest = hashlib.sha256(json.dumps(content).encode()).digest()
        times[digest] = times.get(digest, 0) + 1
        # no slash: what shares the part before one is one step, and undone as one
        keys.append(f"import-{digest.hex()[:40]}-{times[digest]}")
    return keys


def _entry(line: AnswerLine, items: list[int], key: str) -> Entry:
    shown: dict[str, Any] = {"imported": True}
    if line.truth:
        shown["truth"] = line.truth
    payload = {"kind": line.kind, "items": items, "value": line.value, "shown": shown}
    return Entry("answer", payload, line.annotator, key, line.seconds, line.at)


def take_pictures(
    project: Project,
    home: Path,
    lines: Sequence[PictureLine],
    problems: Iterable[Problem],
    names: Names,
    *,
    skip_bad: bool = False,
    dry_run: bool = False,
) -> Intake:
    """Take a list of pictures: those of the folder into the project, labels as the truth, tags beside it.

    Labels are what reports measure answers against, and have no effect on clusters. They are kept in ``truth.csv`` and
    ``tags.csv`` of the project folder, together with those of earlier lists; the label of
    a later list replaces an earlier one.
    """
    intake = Intake(len(lines), problems=list(problems))
    truth = _read_kept(home / "truth.csv")
    tags = _read_kept(home / "tags.csv")
    paths: dict[str, None] = {}
    for line in lines:
        path = names.find(line.path)
        if path is None:
            intake.unknown.setdefault(line.path, line.line)
            continue
        paths[path] = None
        labels = [(path, line.label)] if line.label else []
        for kept, row in [*((truth, each) for each in labels), *((tags, (path, tag)) for tag in line.tags)]:
            if row in kept:
                intake.known += 1
            else:
                intake.new += 1
                if kept is truth:
                    for old in [each for each in truth if each[0] == path]:
                        del truth[old]
                kept[row] = None
    intake.added = [path for path in paths if path not in names.position]
    if dry_run or not (intake.is_clean or skip_bad):
        return intake
    project.add_items(intake.added)
    for name, column, kept in (("truth.csv", "label", truth), ("tags.csv", "tag", tags)):
        if kept:
            _keep(home / name, column, kept)
    return intake


def _read_kept(path: Path) -> dict[tuple[str, str], None]:
    if not path.is_file():
        return {}
    with open(path, newline="", encoding="utf-8", errors="surrogateescape") as file:
        return {(row[0], row[1]): None for row in list(csv.reader(file))[1:] if len(row) > 1}


def _keep(path: Path, column: str, rows: Iterable[tuple[str, str]]) -> None:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([("name", column), *rows])
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, out.getvalue().encode("utf-8", "surrogateescape"))


def take_vectors(
    project: Project,
    model: str,
    X: Floats,
    row_names: Sequence[str] | None,
    names: Names,
    *,
    distances: bool = False,
    add_unknown: bool = False,
    skip_bad: bool = False,
    dry_run: bool = False,
) -> Intake:
    """Keep vectors under the name of a model; a distance matrix becomes vectors by classical scaling.

    - `project`: Where to.
    - `model`: Name under which they are kept: ``export`` and ``report`` take it as ``--model``.
    - `X` (n, d) or (n, n): Vectors, or distances.
    - `row_names`, sequence of str or None: The picture of each row; without names rows are pictures in the order of
      their ids.
    - `names`: Finds the pictures.
    - `distances`: Whether X holds distances.
    - `add_unknown`: Whether to add what leads to no picture as a thing without one.
    """
    intake = Intake(len(X))
    find: Finder = names.find
    if row_names is None:
        find = {str(item): path for path, item in names.position.items()}.get
        row_names = [str(row) for row in range(len(X))]
    found = _find_all(row_names, find, names.add if add_unknown else None)
    taken: dict[str, int] = {}
    for row, path in enumerate(found):
        if path is None:
            intake.unknown.setdefault(row_names[row], row + 1)
        elif path in taken:
            intake.problems.append(Problem(row + 1, "", f"{path!r} has a row already: {taken[path] + 1}"))
        else:
            taken[path] = row
    intake.added = [path for path in taken if path not in names.position]
    intake.new = len(taken)
    if dry_run or not (intake.is_clean or skip_bad) or not taken:
        return intake
    rows = list(taken.values())
    kept = MDS().fit_transform(check_distances(X)[np.ix_(rows, rows)]) if distances else X[rows]
    with np.errstate(over="ignore", invalid="ignore"):
        lifted = keep_distances(kept)
    if not (np.abs(lifted) < np.finfo(np.float32).max).all():  # as which they are kept
        raise ValueError("the vectors hold numbers too large to be kept: scale them down")
    position = names.position | dict(zip(intake.added, project.add_items(intake.added), strict=True))
    ids = [position[path] for path in taken]
    about = {"model": model, "from": "distances" if distances else "vectors"}
    project.vectors(model, lifted.shape[1], about=about, write=True).put(ids, lifted)
    return intake


def keep_distances(X: Floats) -> Floats:
    """Vectors that keep their distances, but for a factor, also when each is scaled to length 1.

    The app compares directions, as suits embeddings of networks. One more coordinate, the same large number for all,
    makes directions of positions: lengths then differ by less than a thousandth.

    Examples
    --------
    >>> lifted = keep_distances(np.array([[0.0, 0.0], [3.0, 4.0]]))
    >>> lifted.tolist()
    [[-1.5, -2.0, 75.0], [1.5, 2.0, 75.0]]
    """
    centred = X - X.mean(axis=0)
    high = LIFT * (float(np.linalg.norm(centred, axis=1).max()) or 1.0)
    return np.hstack([centred, np.full((len(X), 1), high)])


def names_beside(path: str | os.PathLike[str]) -> list[str] | None:
    """Names of the rows of an ``.npy`` file where ``likewise describe`` left them beside it."""
    beside = Path(path).with_suffix(".names.json")
    if not beside.is_file():
        return None
    content: Mapping[str, Any] | list[Any] = json.loads(beside.read_text(encoding="utf-8"))
    return [str(name) for name in content] if isinstance(content, list) else None
