"""What goes out of a project: a snapshot of it, and the formats it is written in."""

from __future__ import annotations

import errno
import io
import os
import shutil
import time
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from likewise.app.engine_process import Orders
from likewise.app.evidence import Evidence, SourcedLedger
from likewise.app.face_items import faces_apart, known_faces
from likewise.app.face_pictures import open_face
from likewise.app.live import LiveProject
from likewise.app.settings import DEFAULTS, ENGINE_SETTINGS
from likewise.app.wall import Wall, wall_of_log
from likewise.crowd import CrowdAnswer, crowd_quality
from likewise.formats import AnnotatorRow, AnswerRow, ClusterRow, Exporter, FaceRow, ImageRow, Snapshot, Written
from likewise.formats.registry import exporters
from likewise.formats.truth import match_truth, read_truth, right_answer
from likewise.formats.writing import MARK
from likewise.images.faces import is_of_faces
from likewise.images.indexing import open_index
from likewise.query.answers.people import AnnotatorRates
from likewise.query.question import Answer, reorder
from likewise.store import Event, Log, Project, StoreFullError
from likewise.store.archive import write_archive
from likewise.store.items import Item
from likewise.store.statements import SCREENS, split_answer

TRUTH = "truth.csv"  # in the project folder, where it is known
SHOWN_PICTURES = 8


@dataclass(frozen=True, kw_only=True)
class ProjectSnapshot(Snapshot):
    """A snapshot that knows its project and its folder: for the archive."""

    source: Project
    home: Path


def _archive(snapshot: ProjectSnapshot, path: Path, *, pictures: bool = False) -> Written:
    folder = snapshot.folder if pictures else None
    return Written(path, write_archive(snapshot.source, path, snapshot.home, pictures=folder), "events")


ARCHIVE = Exporter(
    "archive",
    "Project archive",
    "all of the project in one file, to keep or to go on with elsewhere",
    _archive,
    ".zip",
    needs_clusters=False,
)


def formats() -> dict[str, Exporter]:
    """All formats, those of plug-ins among them."""
    return exporters([ARCHIVE])


def format_of(name: str) -> Exporter:
    """One format; a ValueError names those there are."""
    known = formats()
    if name not in known:
        raise ValueError(f"there is no format {name!r} (formats are: {', '.join(known)})")
    return known[name]


def wall_of(project: Project, model: str) -> Wall:
    """The clusters of a project that this process does not serve, also while another does."""
    from likewise.app.engine_worker import Worker

    settings = DEFAULTS | project.settings()
    worker, log = Worker(project, model), project.log()
    worker.follow(Orders.of_log(log, {name: settings[name] for name in ENGINE_SETTINGS}))
    return wall_of_log(worker.engine.cluster(), log, _read(project, log, model).constraints)


def _read(project: Project, log: Log, model: str) -> SourcedLedger:
    """What follows from the events of a project."""
    ledger, settings = SourcedLedger(), DEFAULTS | project.settings()
    apart = faces_apart(project, model) if is_of_faces(model) else []
    ledger.become(project.n_items, Evidence.of(log.votes()), outvote=bool(settings["recheck"]), apart=apart)
    return ledger


def take_snapshot(
    project: Project,
    home: Path,
    folder: Path | None,
    wall: Wall | None,
    *,
    truth: Mapping[str, str] | None = None,
    thumbnails: bool = False,
    weighed: Mapping[str, AnnotatorRates] | None = None,
) -> ProjectSnapshot:
    """A project as it is now.

    - `project`: Read, never written.
    - `home`: The project folder.
    - `folder`: The folder of pictures.
    - `wall`: Its clusters, where they are needed.
    - `truth`, mapping of str to str: Class of each picture by its path; by default that of the project folder.
    - `thumbnails`: Whether to take copies of some pictures of each cluster along.
    - `weighed`, mapping of name to AnnotatorRates: For how much everybody's answers count; by default it is read from
      the events.
    """
    items = project.items()
    images = [ImageRow(i.id, i.name, i.status, i.width, i.height) for i in items]
    path_of = {row.image: row.path for row in images}
    log = project.log()
    if truth is None:
        truth = read_truth(home / TRUTH) if (home / TRUTH).is_file() else {}
    answers = list(_answer_rows(log, path_of, match_truth(truth, path_of.values())))
    people, figures = measure(answers)
    if weighed is None:
        model = str(project.settings().get("model", ""))
        weighed = _read(project, log, model).people if len(people) > 1 else {}
    return ProjectSnapshot(
        project.name,
        folder,
        [] if wall is None else list(cluster_rows(wall, path_of)),
        images,
        [log.event(seq).as_dict() for seq in range(1, len(log) + 1)],
        answers,
        [_with_weight(row, weighed.get(row.annotator)) for row in people],
        figures,
        _thumbnails(project, home, wall, path_of) if thumbnails and wall is not None else {},
        faces=face_rows(project, items),
        source=project,
        home=home,
    )


def face_rows(project: Project, items: Iterable[Item]) -> dict[int, FaceRow]:
    """Where the items are that are faces."""
    regions = [(item, item.region) for item in items if item.region is not None]
    if not regions:
        return {}
    number_of = project.whole_pictures()
    model = str(project.settings().get("model", ""))
    known = known_faces(project, model) if is_of_faces(model) else {}
    rows = {}
    for item, region in regions:
        flaws = " ".join(known[item.id].flaws) if item.id in known else ""
        rows[item.id] = FaceRow(item.path, number_of.get(os.fsencode(item.path), item.id), *region, flaws)
    return rows


def cluster_rows(wall: Wall, path_of: Mapping[int, str]) -> Iterator[ClusterRow]:
    """One row a picture: where it is, its cluster and name, whether that was confirmed, and its stack."""
    for cluster in sorted(wall.clusters.values(), key=lambda each: each.id):
        state = "confirmed" if cluster.confirmed else "found"
        for image in cluster.images.tolist():
            stack = wall.stacks.members.get(image)
            first = path_of[stack[0]] if stack else ""
            yield ClusterRow(image, path_of[image], cluster.id, cluster.name, state, first)


def measure(answers: Iterable[AnswerRow]) -> tuple[list[AnnotatorRow], dict[str, float]]:
    """How each annotator did, and figures on all of them: of answers to questions, not of work on groups."""
    answered = []
    for row in answers:
        if row.source == "answer":
            asked = (row.a, row.b, row.c) if row.c else (row.a, row.b)
            items, value = reorder(asked, row.answer)
            right = reorder(asked, row.truth)[1]
            kind = "triplet" if row.c else "pair"  # a screen is measured pair by pair
            answered.append(CrowdAnswer(row.annotator, items, value, row.seconds, right, kind))
    found = crowd_quality(answered)
    return [AnnotatorRow(**vars(each)) for each in found.annotators], found.figures


def _with_weight(row: AnnotatorRow, rates: AnnotatorRates | None) -> AnnotatorRow:
    return row if rates is None else replace(row, weight=rates.weight, suspicion=rates.suspicion)


def _answer_rows(log: Log, path_of: Mapping[int, str], truth: Mapping[str, str]) -> Iterator[AnswerRow]:
    """Every answer in force, each person's own: also where a session reads several as one; screens pair by pair."""
    sourced = [
        (event, part)
        for event in log.standing()
        if event.memberships() is None
        for answer in event.answers()
        for part in split_answer(answer)
    ]
    for (i, j, relation), seq in log.groups().memberships.statements():
        sourced.append((log.event(seq), Answer("pair", (i, j), relation, log.event(seq).annotator)))
    sourced.sort(key=lambda each: each[0].seq)
    golden = {reorder(_names(a, path_of), a.value) for event, a in sourced if event.kind == "gold"}
    known = dict(golden)
    for event, answer in sourced:
        items = _names(answer, path_of)
        right = right_answer([truth.get(item) for item in items]) or _known_truth(event)
        if not right and (value := known.get(tuple(sorted(items)))):
            right = reorder(tuple(sorted(items)), value, items)[1]
        yield AnswerRow(
            event.seq,
            event.kind,
            event.at.isoformat(),
            answer.annotator,
            event.action if event.action in SCREENS and event.kind == "answer" else answer.kind,
            items[0],
            items[1],
            "".join(items[2:]),
            answer.value,
            answer.seconds,
            right,
        )


def _names(answer: Answer, path_of: Mapping[int, str]) -> tuple[str, ...]:
    return tuple(path_of.get(item, str(item)) for item in answer.items)


def _known_truth(event: Event) -> str:
    """The right answer that came with the question, of a test or of an import."""
    shown = event.payload.data().get("shown") if event.kind == "answer" else None
    return str(shown.get("gold") or shown.get("truth") or "") if isinstance(shown, dict) else ""


def _thumbnails(project: Project, home: Path, wall: Wall, path_of: Mapping[int, str]) -> dict[int, bytes]:
    try:
        index = open_index(home)
    except (OSError, ValueError):
        return {}
    number_of = dict(zip(index.names, index.ids.tolist(), strict=True))
    faces = {item for some in project.regions().values() for item in some}
    found: dict[int, bytes] = {}
    for cluster in wall.clusters.values():
        for image in cluster.images[:SHOWN_PICTURES].tolist():
            number = number_of.get(path_of[image])
            if image in faces:
                with (
                    suppress(OSError, ValueError, LookupError),
                    open_face(index.folder, home, project.item(image), "thumb") as file,
                ):
                    found[image] = _small(file)
            elif number is not None:
                try:
                    found[image] = _small(index.thumbnail(number))
                except (OSError, ValueError):  # a copy that is gone is only a picture less
                    continue
    return found


def _small(path: Path | BinaryIO) -> bytes:
    from PIL import Image

    with Image.open(path) as picture:
        small = picture.convert("RGB")
        small.thumbnail((88, 88))
        out = io.BytesIO()
        small.save(out, "JPEG", quality=80)
    return out.getvalue()


def live_snapshot(live: LiveProject, folder: Path, exporter: Exporter) -> ProjectSnapshot:
    """The project that is being served, as one format needs it."""
    wall = None
    if exporter.needs_clusters:  # just started, the engine may not have read anything yet: then it is read here
        wall = live.wall if live.ready else wall_of(live.project, live.location.model)
    home, thumbnails = Path(live.location.folder), exporter.name == "report"
    return take_snapshot(live.project, home, folder, wall, thumbnails=thumbnails, weighed=live.ledger.people)


@contextmanager
def explain_write_errors(where: Path) -> Iterator[None]:
    """Explain in one line why a file or folder could not be written."""
    try:
        yield
    except OSError as error:
        text = f"{os.fspath(where)!r} cannot be written to: {error.strerror or error}"
        raise (StoreFullError if error.errno == errno.ENOSPC else ValueError)(text) from error


def zip_folder(folder: Path, target: Path) -> Path:
    """Pack an exported folder into one file, without our mark in it."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for here, _, names in os.walk(folder):
            for name in sorted(set(names) - {MARK}):
                path = Path(here) / name
                packed = path.suffix.lower() in (".csv", ".json", ".jsonl")
                how = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
                archive.write(path, path.relative_to(folder).as_posix(), compress_type=how)
            if not names and Path(here) != folder:  # an empty class is one too
                archive.write(here, Path(here).relative_to(folder).as_posix() + "/")
    return target


def sweep_exports(home: Path, age: float = 86_400) -> None:
    """Remove what exports that were killed left behind more than so many seconds ago: all of it at the start."""
    for left in home.glob(".export-*"):
        if time.time() - left.stat().st_mtime >= age:
            shutil.rmtree(left, ignore_errors=True)
