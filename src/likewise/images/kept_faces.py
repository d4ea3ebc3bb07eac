"""The faces found in the pictures of a folder, kept in its catalogue by the content of the files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from likewise.images.catalog import Catalog
from likewise.images.face_regions import Region

__all__ = ["KeptFace", "KeptFaces"]

# beside the tables of the catalogue: made where faces are looked for, and left alone by whoever does not
SCHEMA = (
    "CREATE TABLE IF NOT EXISTS face_pictures (content BLOB, finder TEXT, PRIMARY KEY (content, finder)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS faces (content BLOB, finder TEXT, number INTEGER, x INTEGER, y INTEGER, w INTEGER,"
    " h INTEGER, score REAL, flaws TEXT, PRIMARY KEY (content, finder, number)) WITHOUT ROWID",
)
ASKED_AT_ONCE = 500  # values in one statement


class KeptFace(NamedTuple):
    """A face: where it is in pixels of the upright picture, how sure the finder was, and what is wrong with it."""

    region: Region
    score: float
    flaws: tuple[str, ...]


class KeptFaces:
    """The faces that one finder found.

    - `catalog`: Where they are kept.
    - `finder`: Its name.
    """

    def __init__(self, catalog: Catalog, finder: str) -> None:
        self._catalog, self._finder = catalog, finder
        for statement in SCHEMA:
            catalog.connection.execute(statement)

    def looked(self, contents: Sequence[bytes]) -> set[bytes]:
        """Those of the contents in which faces were looked for."""
        found: set[bytes] = set()
        for start in range(0, len(contents), ASKED_AT_ONCE):
            some = contents[start : start + ASKED_AT_ONCE]
            marks = ", ".join("?" * len(some))
            question = f"SELECT content FROM face_pictures WHERE finder = ? AND content IN ({marks})"
            found |= {bytes(row[0]) for row in self._catalog.connection.execute(question, (self._finder, *some))}
        return found

    def keep(self, content: bytes, faces: Sequence[KeptFace]) -> None:
        """Keep the faces of a picture, instead of those of before; there may be none."""
        rows = [
            (content, self._finder, number, *face.region, face.score, " ".join(face.flaws))
            for number, face in enumerate(faces)
        ]
        with self._catalog.whole():
            mine = (content, self._finder)
            self._catalog.connection.execute("DELETE FROM faces WHERE content = ? AND finder = ?", mine)
            self._catalog.connection.executemany("INSERT INTO faces VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            self._catalog.connection.execute("INSERT OR IGNORE INTO face_pictures VALUES (?, ?)", mine)

    def of(self, content: bytes) -> list[KeptFace]:
        """The faces of a picture, in the order in which they were found."""
        question = "SELECT x, y, w, h, score, flaws FROM faces WHERE content = ? AND finder = ? ORDER BY number"
        return [_face(row) for row in self._catalog.connection.execute(question, (content, self._finder))]

    def all(self) -> dict[tuple[bytes, Region], KeptFace]:
        """All faces, by the content of the file and by where they are."""
        question = "SELECT content, x, y, w, h, score, flaws FROM faces WHERE finder = ?"
        rows = self._catalog.connection.execute(question, (self._finder,))
        found = ((bytes(content), _face(row)) for content, *row in rows)
        return {(content, face.region): face for content, face in found}


def _face(row: Sequence[Any]) -> KeptFace:
    x, y, w, h, score, flaws = row
    return KeptFace((x, y, w, h), score, tuple(flaws.split()))
