"""Class folders: a folder for each cluster, with copies of its pictures or links to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from likewise.formats.names import folder_names, free_name, inside, safe_file_name
from likewise.formats.rows import ClusterRow, FaceRow, Snapshot
from likewise.formats.writing import Mode, Written, copy_or_link
from likewise.images.face_regions import cut_out
from likewise.images.inside import A_LINK, is_inside
from likewise.images.reading import UnreadableImage, read_image

__all__ = ["export_pictures", "write_folders"]


def write_folders(snapshot: Snapshot, path: Path, *, mode: Mode = "copy") -> Written:
    """Write a folder for each cluster; pictures that are only suggested are left out.

    Of faces, the photographs are written: each into the folders of all people who are in it.

    - `snapshot`: Its folder of pictures is never written to.
    - `path`: An empty folder.
    - `mode`, "copy", "hardlink" or "symlink": Whether pictures are copied or linked.

    Examples
    --------
    >>> import tempfile
    >>> source, target = Path(tempfile.mkdtemp()), Path(tempfile.mkdtemp())
    >>> _ = (source / "a.jpg").write_bytes(b"...")
    >>> leaves = Snapshot("leaves", source, [ClusterRow(0, "a.jpg", 3, "", "found")])
    >>> write_folders(leaves, target).count
    1
    >>> [str(p.relative_to(target)) for p in target.rglob("*.jpg")]
    ['cluster-3/a.jpg']
    """
    rows = snapshot.accepted()
    names = folder_names(rows, snapshot.unnamed)
    skipped: list[tuple[str, str]] = []
    wanted = {(snapshot.file_of(row), row.cluster): (row, path / names[row.cluster]) for row in reversed(rows)}
    exported = export_pictures(snapshot, reversed(wanted.values()), mode, skipped)
    return Written(path, sum(1 for _ in exported), "photographs" if snapshot.of_faces else "pictures", skipped)


def export_pictures(
    snapshot: Snapshot,
    wanted: Iterable[tuple[ClusterRow, Path]],
    mode: Mode,
    skipped: list[tuple[str, str]],
    *,
    by_stem: bool = False,
    cut: bool = False,
) -> Iterator[tuple[ClusterRow, Path]]:
    """Copy or link pictures into folders under unused names; missing ones go to `skipped` with the reason.

    With `cut`, faces are cut out of their photographs.
    """
    pictures = snapshot.folder
    if pictures is None:
        raise ValueError("this project has no folder of pictures")
    taken: dict[Path, set[str]] = {}
    for row, folder in wanted:
        try:
            source = inside(pictures, snapshot.file_of(row))
        except ValueError as error:
            skipped.append((row.path, str(error)))
            continue
        if not source.is_file():
            skipped.append((row.path, "the file no longer exists"))
            continue
        if not is_inside(pictures, source):
            skipped.append((row.path, A_LINK))
            continue
        folder.mkdir(parents=True, exist_ok=True)
        face = snapshot.faces.get(row.image) if cut else None
        plain = safe_file_name(source.name if face is None else f"{PurePosixPath(row.path).name}.jpg")
        name = free_name(plain, taken.setdefault(folder, set()), by_stem=by_stem)
        if face is None:
            copy_or_link(source, folder / name, mode)
        elif reason := _cut_face(source, face, folder / name):
            skipped.append((row.path, reason))
            continue
        yield row, folder / name


def _cut_face(source: Path, face: FaceRow, target: Path) -> str:
    """Write a face as a JPEG; why it cannot be, or nothing."""
    try:
        image = read_image(source)
    except UnreadableImage as error:
        return error.reason
    cut_out(image, (face.x, face.y, face.width, face.height)).save(target, "JPEG", quality=92)
    return ""
