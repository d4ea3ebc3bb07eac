"""Search: pictures that look like one of them, like another file, or like what words say."""

from __future__ import annotations

import base64
import binascii
import io
import threading
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from likewise.app.facts import Filter, facts_of, matching, printable
from likewise.app.learned import learned_distance
from likewise.images.embedding import knows_words, load_embedder
from likewise.images.faces import load_finder
from likewise.images.reading import UnreadableImage, decode
from likewise.images.vectors import model_key

if TYPE_CHECKING:
    from likewise.app.live import LiveProject
    from likewise.app.reduction import Reduction
    from likewise.images.embedding import Embedder
    from likewise.images.faces import FaceFinder

Floats: TypeAlias = NDArray[np.float32]
BLOCK = 4096  # rows that are read at once
MOST_FOUND = 5000
DROPPED = "the file that was dropped"


class PictureSearch:
    """Looks for pictures of a project; its network is loaded when it is first needed, and kept.

    - `live`: The project.
    """

    def __init__(self, live: LiveProject) -> None:
        self.live = live
        self._lock = threading.Lock()
        self._embedder: Embedder | None = None
        self._finder: FaceFinder | None = None

    def knows_words(self) -> bool:
        """Whether pictures can be looked for by words; False where there is no network, or it cannot be loaded."""
        try:
            return knows_words(self._network())
        except (ValueError, OSError, ImportError):
            return False

    def filtered(self, wanted: Filter) -> list[int]:
        """The pictures that a filter lets through."""
        return matching(self.live, wanted)

    def like_picture(self, image: int, wanted: Filter) -> list[int]:
        """Pictures by how much they look like one of them, that one first."""
        self.live.project.item(image)  # an error where there is none
        vectors = self.live.project.vectors(self.live.location.model)
        present = vectors.present()
        if image >= len(present) or not present[image]:
            raise ValueError("this picture was not read yet: try again in a moment")
        found = self._nearest(np.asarray(vectors.rows_of([image])[0], np.float64), wanted)
        return [image, *(other for other in found if other != image)]

    def like_file(self, content: str, wanted: Filter) -> list[int]:
        """Pictures by how much they look like another one, which is given in base64 and kept nowhere."""
        try:
            data = base64.b64decode(content, validate=True)
        except (binascii.Error, ValueError):
            raise ValueError("the picture is not in base64") from None
        try:
            rows = self._face_in(data) if self.live.of_faces else self._vector_of(data)
        except UnreadableImage as error:
            raise ValueError(f"{DROPPED} cannot be read: {error.reason}") from None
        return self._nearest(self._checked(rows), wanted)

    def like_words(self, words: str, wanted: Filter) -> list[int]:
        """Pictures by how much they show what words say, where the network knows words."""
        network: Any = self._network()
        if not knows_words(network):
            raise ValueError("this model knows no words: serve with one that does, such as --model clip-vit-b-32")
        return self._nearest(self._checked(network.embed_text([words])), wanted, learned=False)

    def _vector_of(self, data: bytes) -> Any:
        network = self._network()
        image, _ = decode(io.BytesIO(data), DROPPED, network.read_size, cover=True)
        return network.embed(network.prepare(image)[None])

    def _face_in(self, data: bytes) -> Any:
        """The vector of the face that the finder is surest of, (1, d)."""
        with self._lock:
            if self._finder is None:
                self._finder = load_finder(self.live.location.model)
            finder = self._finder
        image, _ = decode(io.BytesIO(data), DROPPED)
        image.thumbnail((finder.longest, finder.longest))
        found = finder.find(np.asarray(image))
        if not found:
            raise ValueError(f"no face was found in {DROPPED}")
        return found[0].vector[None]

    def _checked(self, rows: Any) -> NDArray[np.float64]:
        (row,) = np.asarray(rows, np.float64)
        if not np.isfinite(row).all():
            raise ValueError("the model gives what is no number for this")
        return np.asarray(row)

    def _network(self) -> Embedder:
        model = self.live.location.model
        with self._lock:
            if self._embedder is None:
                try:
                    self._embedder = load_embedder(model)
                except ValueError:
                    raise ValueError(
                        f"the vectors {model_key(model)!r} were imported, or their network is gone: look for pictures"
                        " that are there"
                    ) from None
            return self._embedder

    def _nearest(self, query: NDArray[np.float64], wanted: Filter, *, learned: bool = True) -> list[int]:
        """Those that a filter lets through, ties by number: all compared, none approximated.

        By the distance learned from the answers where there is one, which is for pictures alone; else by cosine.
        """
        vectors = self.live.project.vectors(self.live.location.model)
        present = vectors.present()
        images = np.array([k for k in matching(self.live, wanted) if k < len(present) and present[k]], np.int64)
        if not len(images):
            return []
        read, distance = vectors.reader(images), learned_distance(self.live.location) if learned else None
        likeness = np.concatenate(
            [
                _likeness(read(np.arange(start, min(start + BLOCK, len(images)))), query, distance)
                for start in range(0, len(images), BLOCK)
            ]
        )
        best = np.argsort(-likeness, kind="stable")[:MOST_FOUND]
        return [int(image) for image in images[best]]


def _likeness(rows: Any, query: NDArray[np.float64], distance: Reduction | None) -> NDArray[np.float64]:
    """Cosines of rows with a query, or how near they are to it under a learned distance: the larger the liker."""
    X = np.asarray(rows, np.float64)
    if X.shape[1] != len(query):
        raise ValueError(f"the vectors have {X.shape[1]} numbers and what is looked for has {len(query)}")
    if distance is not None and len(distance.centre) == len(query):
        return -np.asarray(np.linalg.norm(distance.apply(X) - distance.apply(query[None]), axis=1))
    lengths = np.linalg.norm(X, axis=1) * np.linalg.norm(query)
    return np.asarray(X @ query / np.where(lengths > 0, lengths, 1.0))


def shown(live: LiveProject, images: list[int], offset: int, limit: int) -> dict[str, Any]:
    """Some of the pictures that were found, one of each stack, and how many there are."""
    wall, facts = live.wall, facts_of(live)
    one_each = wall.stacks.shown(images)
    rows = []
    for image in one_each[offset : offset + limit]:
        number = wall.cluster_of.get(image)
        name = "" if number is None else wall.clusters[number].name
        about = {"id": image, "path": printable(facts.paths[image]), "cluster": number, "name": name}
        rows.append(about | {"stack": len(wall.stacks.of_picture(image))})
    return {"total": len(images), "n_shown": len(one_each), "pictures": rows}
