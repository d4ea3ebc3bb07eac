"""The map: pictures in the plane, near each other where they look alike, and the pairs that were asked."""

from __future__ import annotations

import json
import os
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from likewise.app.background import Background, Kept
from likewise.app.browsing import read_vectors
from likewise.app.layout import embed_neighbours, principal_places
from likewise.app.live import LiveProject
from likewise.app.location import Location
from likewise.app.placing import number_labels
from likewise.app.wall import ClusterOf, Wall

Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.int64]
MOST_EDGES = 5000
WORK = "map"  # its name in the background


@dataclass(frozen=True, eq=False)
class MapLayout:
    """Places of pictures.

    - `number`: 0 for the two main axes, then one more whenever the pictures were laid out again.
    - `images` (m,): Ids, ascending.
    - `places` (m, 2): Of each.
    """

    number: int
    images: Indices
    places: Floats

    def find(self, images: Indices) -> tuple[Floats, NDArray[np.bool_]]:
        """Places of these pictures between 0 and 1, and which of them have one; 0 for the others."""
        at = np.searchsorted(self.images, images).clip(max=max(len(self.images) - 1, 0))
        known = self.images[at] == images if len(self.images) else np.zeros(len(images), bool)
        found = np.zeros((len(images), 2))
        if known.any():
            low, span = self.places.min(axis=0), np.ptp(self.places, axis=0)
            found[known] = (self.places[at[known]] - low) / np.where(span > 0, span, 1.0)
        return found, known


class ProjectMap:
    """The map of a project that is served, kept from one look to the next.

    Pictures are laid out in the background, once for all that are there. Until that is done the first time, they are
    laid out by the two main axes; a picture that came since stands in the middle of its cluster.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._layout: MapLayout | None = None
        self._axes: MapLayout | None = None
        self._taken: Kept | None = None
        self._complete: tuple[MapLayout, Indices] | None = None  # a layout that has these pictures
        self._written: tuple[MapLayout, Indices, str] | None = None  # places, as they are sent
        self._clusters: tuple[Wall, str] | None = None
        self._edges: tuple[int, str] | None = None  # the number of events, and pairs that were asked

    def current(self, live: LiveProject, background: Background, images: Indices) -> MapLayout:
        """The layout of now; where pictures have no place in it, a new one is begun."""
        with self._lock:
            last = background.last(WORK)
            if last is not None and last is not self._taken:
                self._taken = last
                if last.result is not None:
                    number = 1 if self._layout is None else self._layout.number + 1
                    self._layout = MapLayout(number, *last.result)
            layout = self._layout
            if not self._has_all(images):
                key = (live.location.model, len(images), hash(images.tobytes()))
                background.ask(WORK, key, lay_out_pictures, live.location)
            return self._by_axes(live, images) if layout is None else layout

    def _has_all(self, images: Indices) -> bool:
        """Whether every picture has a place in the layout."""
        kept, layout = self._complete, self._layout
        if kept is None or kept[0] is not layout or not np.array_equal(kept[1], images):
            if layout is None or not layout.find(images)[1].all():
                return not len(images)
            self._complete = (layout, images)
        return True

    def places(self, layout: MapLayout, wall: Wall, images: Indices) -> str:
        """Where the pictures are, as the beginning of a JSON object."""
        written = self._written
        if written is None or written[0] is not layout or not np.array_equal(written[1], images):
            found, known = layout.find(images)
            _stand_in_cluster(found, known, ClusterOf.read(wall.cluster_of).of(images))
            x, y = (json.dumps(np.round(found[:, axis], 4).tolist()) for axis in range(2))
            written = (layout, images, f'"images": {json.dumps(images.tolist())}, "x": {x}, "y": {y}')
            self._written = written if known.all() else None
        return written[2]

    def clusters(self, wall: Wall) -> str:
        """The cluster of each picture, as JSON."""
        written = self._clusters
        if written is None or written[0] is not wall:
            cluster_of = ClusterOf.read(wall.cluster_of)
            written = self._clusters = (wall, json.dumps(cluster_of.of(cluster_of.images).tolist()))
        return written[1]

    def edges(self, live: LiveProject) -> str:
        """The last pairs that were asked, as JSON."""
        n_events, written = len(live.events), self._edges
        if written is None or written[0] != n_events:
            written = self._edges = (n_events, json.dumps(_edges(live)))
        return written[1]

    def _by_axes(self, live: LiveProject, images: Indices) -> MapLayout:
        if self._axes is None or not np.array_equal(self._axes.images, images):
            rows = live.project.vectors(live.location.model).rows_of(images) if len(images) else np.empty((0, 2))
            self._axes = MapLayout(0, images, principal_places(rows))
        return self._axes


_maps: WeakKeyDictionary[LiveProject, ProjectMap] = WeakKeyDictionary()
_maps_lock = threading.Lock()


def map_json(live: LiveProject, background: Background, unless: int | None = None) -> str:
    """Places of the pictures between 0 and 1, their clusters, and the last pairs that were asked, as JSON.

    It is written here, most of it once: a hundred thousand pictures are not checked and written anew for every look.

    - `live`: The project.
    - `background`: Where pictures are laid out.
    - `unless`: The number of a layout that is not sent again.
    """
    with _maps_lock:
        kept = _maps.setdefault(live, ProjectMap())
    wall = live.wall
    images = ClusterOf.read(wall.cluster_of).images
    layout = kept.current(live, background, images)
    about = {"version": wall.version, "layout": layout.number, "working": background.works(WORK)}
    if unless == layout.number:
        return json.dumps(about | {"images": [], "x": [], "y": [], "cluster": [], "edges": []})
    rest = f'"cluster": {kept.clusters(wall)}, "edges": {kept.edges(live)}'
    return f"{json.dumps(about)[:-1]}, {kept.places(layout, wall, images)}, {rest}}}"


def lay_out_pictures(location: Location) -> tuple[Indices, Floats]:
    """Places of all pictures that have vectors: ids, ascending, and places; to be run in a process of its own.

    They are kept in the project folder, so that the map looks the same after a restart. Where all have a place already,
    nothing is laid out again.
    """
    with location.open_store(create=False) as store:
        project = location.find(store)
        images = np.flatnonzero(project.vectors(location.model).present())
        name = f"likewise-map-{project.uid}-{blake2b(location.model.encode(), digest_size=4).hexdigest()}.npz"
    path = Path(location.folder, name)
    kept = read_layout(path)
    before = None
    if kept is not None and len(kept[0]):
        at = np.searchsorted(kept[0], images).clip(max=len(kept[0]) - 1)
        known = kept[0][at] == images
        if known.all():
            return images, kept[1][at]
        before = np.where(known[:, None], kept[1][at], np.nan)
    _, X = read_vectors(location, images.tolist())
    places = embed_neighbours(X, before)
    write_layout(path, images, places)
    return images, places


def read_layout(path: Path) -> tuple[Indices, Floats] | None:
    """Ids and places that were kept; None where there are none, or where the file is damaged."""
    try:
        with path.open("rb") as handle, np.load(handle, allow_pickle=False) as file:
            images, places = file["images"].astype(np.int64), file["places"].astype(np.float64)
    except Exception:  # whatever is wrong with it: it is made again
        return None
    whole = images.ndim == 1 and places.shape == (len(images), 2) and bool(np.isfinite(places).all())
    return (images, places) if whole and (np.diff(images) > 0).all() else None


def write_layout(path: Path, images: Indices, places: Floats) -> None:
    """Keep ids and places; on a disk that is full they are found again next time."""
    with suppress(OSError):
        handle, name = tempfile.mkstemp(dir=path.parent, prefix="likewise-map-")  # for its owner alone
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez(file, images=images, places=places)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def _stand_in_cluster(places: Floats, known: NDArray[np.bool_], clusters: Indices) -> None:
    """Put pictures without a place where the others of their cluster are on average, else in the middle."""
    if known.all():
        return
    clusters, n_clusters = number_labels(clusters)  # numbers of groups may be very large
    counts = np.bincount(clusters[known], minlength=n_clusters)
    for axis in range(2):
        sums = np.bincount(clusters[known], places[known, axis], minlength=len(counts))
        means = np.where(counts > 0, sums / np.maximum(counts, 1), 0.5)
        places[~known, axis] = means[clusters[~known]]


def _edges(live: LiveProject) -> list[list[Any]]:
    said = (answer for _, answer in reversed(live.log().votes().answers()))
    asked = ([*answer.items, answer.value] for answer in said if answer.kind == "pair" and answer.value != "unsure")
    return list(islice(asked, MOST_EDGES))[::-1]
