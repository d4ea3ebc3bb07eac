"""Who is in which photograph: a table, and regions in XMP as photo programs read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from xml.sax.saxutils import escape, quoteattr

from likewise.formats.csv_table import write_table
from likewise.formats.names import class_names, inside, plain_text
from likewise.formats.rows import ClusterRow, FaceRow, Snapshot
from likewise.formats.writing import Written

__all__ = ["write_people", "write_xmp"]

ORIENTATION = 0x0112  # in EXIF: how the stored picture is to be turned
NO_FACES = "the pictures of this project are no faces: serve it with --faces"
Person: TypeAlias = tuple[ClusterRow, FaceRow]


@dataclass(frozen=True)
class PersonRow:
    """A face of a photograph, and who it is."""

    photograph: str
    person: str
    x: int
    y: int
    width: int
    height: int
    face: str
    cluster: int
    state: str
    flaws: str


def write_people(snapshot: Snapshot, path: Path) -> Written:
    """Write ``people.csv``: a row for each face, with its photograph, the person and the box in pixels.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "people.csv"
    >>> rows, faces = [ClusterRow(4, "a.jpg#1", 3, "Ann", "found")], {4: FaceRow("a.jpg", 0, 10, 20, 30, 40)}
    >>> _ = write_people(Snapshot("family", clusters=rows, faces=faces), path)
    >>> print(path.read_text(), end="")
    photograph,person,x,y,width,height,face,cluster,state,flaws
    a.jpg,Ann,10,20,30,40,a.jpg#1,3,found,
    """
    names = class_names(snapshot.clusters, snapshot.unnamed)
    rows = [
        PersonRow(
            face.photograph,
            names[row.cluster],
            *(face.x, face.y, face.width, face.height),
            row.path,
            row.cluster,
            row.state,
            face.flaws,
        )
        for row, face in sorted(_people(snapshot), key=lambda each: (each[1].photograph, each[0].image))
    ]
    return Written(path, write_table(path, PersonRow, rows), "faces")


def write_xmp(snapshot: Snapshot, path: Path) -> Written:
    """Write a sidecar file for each photograph, ``photo.jpg.xmp``, with a region for each face.

    The regions are those of the Metadata Working Group (``mwg-rs``), in shares of the picture as it is stored, before
    it is turned upright. Faces of groups without a name have regions without one.

    - `snapshot`: Its folder of pictures is read for how each is turned, never written to.
    - `path`: An empty folder; sidecar files are in the subfolders of their photographs.
    """
    images = {row.image: row for row in snapshot.images}
    photographs: dict[str, list[Person]] = {}
    skipped: list[tuple[str, str]] = []
    for row, face in _people(snapshot):
        if row.state != "suggested":
            photographs.setdefault(face.photograph, []).append((row, face))
    count = 0
    for name, people in sorted(photographs.items()):
        image = images.get(people[0][1].number)
        if image is None or not image.width or not image.height:
            skipped.append((name, "its size is not known"))
            continue
        try:
            target = inside(path, f"{name}.xmp")
        except ValueError as error:
            skipped.append((name, str(error)))
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        turned = _orientation(snapshot.folder, name)
        target.write_text(_sidecar(people, (image.width, image.height), turned), encoding="utf-8")
        count += 1
    return Written(path, count, "sidecar files", skipped)


def _people(snapshot: Snapshot) -> Iterator[Person]:
    if snapshot.clusters and not snapshot.faces:
        raise ValueError(NO_FACES)
    for row in snapshot.clusters:
        if row.image in snapshot.faces:
            yield row, snapshot.faces[row.image]


def _orientation(folder: Path | None, name: str) -> int:
    """How a file says that it is to be turned; 1 where it says nothing, or is not there."""
    from PIL import Image

    if folder is None:
        return 1
    try:
        with Image.open(inside(folder, name)) as picture:
            found = picture.getexif().get(ORIENTATION, 1)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return 1
    return found if found in range(1, 9) else 1


def as_stored(x: float, y: float, orientation: int) -> tuple[float, float]:
    """A point of the upright picture in the picture as it is stored, both in shares of width and height.

    - `orientation`: As in EXIF, 1 to 8.

    Examples
    --------
    >>> as_stored(0.25, 0.0, 1), as_stored(0.25, 0.0, 3), as_stored(0.25, 0.0, 6)
    ((0.25, 0.0), (0.75, 1.0), (0.0, 0.75))
    """
    if orientation >= 5:
        x, y = y, x
    return (1 - x if orientation in (2, 3, 7, 8) else x), (1 - y if orientation in (3, 4, 6, 7) else y)


def _sidecar(people: Iterable[Person], size: tuple[int, int], orientation: int) -> str:
    width, height = size if orientation < 5 else size[::-1]
    regions = "".join(_region(row, face, size, orientation) for row, face in people)
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
        '<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="likewise">\n'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n'
        '<rdf:Description rdf:about=""\n'
        ' xmlns:tiff="http://ns.adobe.com/tiff/1.0/"\n'
        ' xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"\n'
        ' xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#"\n'
        ' xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"\n'
        f' tiff:Orientation="{orientation}">\n'
        '<mwg-rs:Regions rdf:parseType="Resource">\n'
        f'<mwg-rs:AppliedToDimensions stDim:w="{width}" stDim:h="{height}" stDim:unit="pixel"/>\n'
        f"<mwg-rs:RegionList><rdf:Bag>\n{regions}</rdf:Bag></mwg-rs:RegionList>\n"
        "</mwg-rs:Regions>\n</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n"
        '<?xpacket end="w"?>\n'
    )


def _region(row: ClusterRow, face: FaceRow, size: tuple[int, int], orientation: int) -> str:
    """A face as MWG has it: the middle of its box, and its sides."""
    middle = (face.x + face.width / 2) / size[0], (face.y + face.height / 2) / size[1]
    x, y = as_stored(*middle, orientation)
    sides = face.width / size[0], face.height / size[1]
    w, h = sides if orientation < 5 else sides[::-1]
    area = {"x": x, "y": y, "w": w, "h": h}
    numbers = " ".join(f"stArea:{name}={quoteattr(f'{value:.6f}')}" for name, value in area.items())
    name = f"<mwg-rs:Name>{escape(_text(row.name))}</mwg-rs:Name>" if row.name else ""
    return (
        f'<rdf:li rdf:parseType="Resource">{name}<mwg-rs:Type>Face</mwg-rs:Type>'
        f'<mwg-rs:Area {numbers} stArea:unit="normalized"/></rdf:li>\n'
    )


def _text(name: str) -> str:
    """A name without the characters that XML cannot hold."""
    return "".join(c for c in plain_text(name) if c in "\t\n\r" or (c >= " " and c not in "\ufffe\uffff"))
