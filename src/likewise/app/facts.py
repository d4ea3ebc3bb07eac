"""What photographs carry: when each was taken, by what, in which folder; and which of them a filter lets through."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from likewise.app.grids import settled_on
from likewise.app.tags import count_tags, words_of
from likewise.images.indexing import open_index

if TYPE_CHECKING:
    from likewise.app.live import LiveProject

Flags: TypeAlias = NDArray[np.bool_]
MOST_FOLDERS = 500
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
STATES = ("open", "settled", "named", "unnamed", "bad")


@dataclass(frozen=True)
class Filter:
    """Which pictures are wanted; an empty field wants all.

    - `q`: Words that are in the path, the name of the group or a tag, all of them.
    - `folder`: A folder within the folder of pictures, with all below it.
    - `camera`: Maker and model, as in the index.
    - `name`: The name of the group.
    - `tag`: A tag that it has.
    - `state`: One of :data:`STATES`: not yet known to belong to its cluster, known to, in a group with a name or in
      none, left out as bad.
    - `since`, `until`: First and last day, as YYYY-MM-DD by the clock of the camera; what says no date is not between.
    """

    q: str = ""
    folder: str = ""
    camera: str = ""
    name: str = ""
    tag: str = ""
    state: str = ""
    since: str = ""
    until: str = ""

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Filter:
        """A filter from plain data; what is no such filter is a ValueError."""
        unknown = set(values) - {each.name for each in fields(cls)}
        if unknown or not all(isinstance(value, str) and len(value) <= 4000 for value in values.values()):
            raise ValueError("this is no filter of pictures")
        found = cls(**values)
        if found.state and found.state not in STATES:
            raise ValueError(f"state must be one of {', '.join(STATES)}, got {found.state!r}")
        for day in (found.since, found.until):
            if day:
                _day(day)
        return found

    @property
    def is_empty(self) -> bool:
        """Whether it wants all pictures."""
        return not any(asdict(self).values())

    def data(self) -> dict[str, str]:
        """As plain data, only what it wants."""
        return {name: value for name, value in asdict(self).items() if value}


class Facts:
    """What is known of every item of a project, by its number.

    - `paths`, list of str: Within the folder of pictures.
    - `taken` (n,): Seconds since 1970 by the clock of the camera, NaN where it did not say.
    - `cameras`, list of str: Maker and model, or empty.
    - `sizes`, `bytes`: Width and height in pixels; length of the file; 0 where unknown.
    """

    def __init__(self, live: LiveProject) -> None:
        items = live.project.items()
        n = live.project.n_items
        self.paths = [""] * n
        for item in items:
            self.paths[item.id] = item.path
        self.taken = np.full(n, np.nan)
        self.cameras = [""] * n
        self.sizes = np.zeros((n, 2), np.int64)
        self.bytes = np.zeros(n, np.int64)
        try:
            index = open_index(live.location.folder)
        except (OSError, ValueError):  # it is just being made, or there are no pictures
            return
        row_of = {name: row for row, name in enumerate(index.names)}
        for number, path in enumerate(self.paths):
            if (row := row_of.get(path)) is not None:
                self.taken[number] = index.taken[row]
                self.cameras[number] = index.cameras[row]
                self.sizes[number] = index.sizes[row]
                self.bytes[number] = index.bytes[row]

    def days(self) -> tuple[str, str] | None:
        """First and last day on which a picture was taken."""
        known = self.taken[~np.isnan(self.taken)]
        return (_text(float(known.min()))[:10], _text(float(known.max()))[:10]) if len(known) else None

    def folders(self) -> dict[str, int]:
        """How many pictures are in every folder and below it, by name."""
        counts: Counter[str] = Counter()
        for path in self.paths:
            parts = path.split("/")[:-1]
            counts.update("/".join(parts[: k + 1]) for k in range(len(parts)))
        return dict(sorted(counts.items())[:MOST_FOLDERS])


_kept: WeakKeyDictionary[Any, tuple[Any, Facts]] = WeakKeyDictionary()


def facts_of(live: LiveProject) -> Facts:
    """What is known of the pictures; read again when there are others, or more of them are read."""
    key = (live.project.n_items, live.index_state.get("state"), live.index_state.get("done"))
    kept = _kept.get(live)
    if kept is None or kept[0] != key:
        kept = _kept[live] = (key, Facts(live))
    return kept[1]


def about_picture(live: LiveProject, image: int, folder: str) -> dict[str, Any]:
    """What one picture carries, and where it is now."""
    live.project.item(image)  # an error where there is none
    facts, wall = facts_of(live), live.wall
    number = wall.cluster_of.get(image)
    taken = float(facts.taken[image])
    path = facts.paths[image]
    return {
        "id": image,
        "path": printable(path),
        "full_path": printable(os.path.join(folder, path)),
        "taken": None if np.isnan(taken) else _text(taken),
        "camera": facts.cameras[image],
        "width": int(facts.sizes[image, 0]),
        "height": int(facts.sizes[image, 1]),
        "bytes": int(facts.bytes[image]),
        "cluster": number,
        "name": "" if number is None else wall.clusters[number].name,
    }


def choices(live: LiveProject) -> dict[str, Any]:
    """What there is to filter by, each with how many pictures have it."""
    facts = facts_of(live)
    named = {cluster.name: 0 for cluster in live.wall.clusters.values() if cluster.name}
    for cluster in live.wall.clusters.values():
        if cluster.name:
            named[cluster.name] += cluster.size
    days = facts.days()
    return {
        "folders": _counted(facts.folders()),
        "cameras": _counted(dict(sorted(Counter(each for each in facts.cameras if each).items()))),
        "tags": _counted({name: n for name, n in count_tags(words_of(live.log())).items() if n}),
        "names": _counted(dict(sorted(named.items(), key=lambda entry: entry[0].casefold()))),
        "first_day": None if days is None else days[0],
        "last_day": None if days is None else days[1],
    }


def matching(live: LiveProject, wanted: Filter) -> list[int]:
    """The pictures that a filter lets through, ascending: those of the wall, or the ones that were left out."""
    facts = facts_of(live)
    n = len(facts.paths)
    bad = set(live.events.left_out())
    there = set(live.wall.cluster_of) or set(range(n)) - bad  # before there are clusters, whatever is not left out
    start = bad if wanted.state == "bad" else there
    images = np.array(sorted(image for image in start if image < n), np.int64)
    if wanted.is_empty or not len(images):
        return [int(image) for image in images]
    chosen = np.ones(len(images), bool)
    if wanted.since:
        chosen &= facts.taken[images] >= _day(wanted.since)
    if wanted.until:
        chosen &= facts.taken[images] < _day(wanted.until, after=1)
    chosen &= _by_facts(facts, images, wanted)
    return [int(image) for image in images[chosen & _by_state(live, images, wanted) & _by_words(live, images, wanted)]]


def _by_facts(facts: Facts, images: NDArray[np.int64], wanted: Filter) -> Flags:
    below = f"{wanted.folder.rstrip('/')}/"
    found = (
        (not wanted.folder or facts.paths[image].startswith(below))
        and (not wanted.camera or facts.cameras[image] == wanted.camera)
        for image in images.tolist()
    )
    return np.fromiter(found, bool, len(images))


def _by_state(live: LiveProject, images: NDArray[np.int64], wanted: Filter) -> Flags:
    wall = live.wall
    names = {number: cluster.name for number, cluster in wall.clusters.items()}
    if wanted.state in ("open", "settled"):
        settled: set[int] = set()
        found = settled_on(live)
        for cluster in wall.clusters.values():
            if found.has(cluster):
                settled.update(cluster.images[found.of(cluster)].tolist())
        return np.fromiter(((image in settled) == (wanted.state == "settled") for image in images.tolist()), bool)
    if wanted.state in ("named", "unnamed"):
        has = (bool(names.get(wall.cluster_of.get(image, -1))) for image in images.tolist())
        return np.fromiter((each == (wanted.state == "named") for each in has), bool)
    return np.ones(len(images), bool)


def _by_words(live: LiveProject, images: NDArray[np.int64], wanted: Filter) -> Flags:
    """By the name of the group, by tag, and by words in either or in the path."""
    if not (wanted.name or wanted.tag or wanted.q):
        return np.ones(len(images), bool)
    facts, wall, tags = facts_of(live), live.wall, words_of(live.log())
    words = wanted.q.casefold().split()

    def fits(image: int) -> bool:
        number = wall.cluster_of.get(image)
        name = "" if number is None else wall.clusters[number].name
        has = [tag for tag, value in tags.get(image, {}).items() if value == "yes"]
        if (wanted.name and name != wanted.name) or (wanted.tag and wanted.tag not in has):
            return False
        text = "\n".join([facts.paths[image], name, *has]).casefold()
        return all(word in text for word in words)

    return np.fromiter(map(fits, images.tolist()), bool, len(images))


def _counted(counts: Mapping[str, int]) -> list[dict[str, Any]]:
    return [{"name": printable(name), "n": n} for name, n in counts.items()]


def printable(text: str) -> str:
    """Text that can be sent, whatever bytes a file name has."""
    return text.encode("utf-8", "replace").decode()


def _day(text: str, after: int = 0) -> float:
    try:
        day = date.fromisoformat(text) + timedelta(days=after)
    except (ValueError, OverflowError):
        raise ValueError(f"{text[:20]!r} is no day: give it as 2024-05-01") from None
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


def _text(seconds: float) -> str:
    at = EPOCH + timedelta(seconds=seconds)  # before 1970 too, on every platform
    return at.replace(tzinfo=None).isoformat(" ", "seconds")
