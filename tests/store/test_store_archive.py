"""A project archive: the same on either database, event for event; nothing dangerous gets in."""

import io
import json
import shutil
import stat
import zipfile
from datetime import UTC, datetime

import numpy as np
import pytest

from likewise.app.exporting import wall_of
from likewise.store import Entry, NewerVersionError, Store
from likewise.store.archive import BadArchiveError, read_archive, write_archive

SAID = {"kind": "pair", "items": [0, 1], "value": "same"}


def fill(project):
    """Everything that can be said, taken back and set; pictures of all states."""
    project.add_items([f"{k}.jpg" for k in range(8)])
    project.add_items([b"odd\xff.jpg", "sub/ünï <b>.jpg"])
    project.update_items({3: {"status": "gone"}, 4: {"status": "unreadable", "reason": "cut off"}})
    project.update_items({0: {"width": 40, "height": 30}})
    early = datetime(2020, 1, 2, 3, 4, 5, 678901, UTC)
    project.append_many([Entry("answer", SAID, "ann", "import-1", 1.25, early)])
    project.append("answer", {"kind": "triplet", "items": [2, 5, 6], "value": "ac", "shown": {"x": [1, 0.1]}})
    project.append("name", {"items": [0, 1], "name": "Ünï <b>\n'"}, annotator="bob")
    project.append("confirm", {"items": [5, 6, 7]}, annotator="bob")
    project.append("merge", {"groups": [[0, 1], [2]]}, annotator="ann")
    project.append("bad", {"items": [9]}, annotator="ann")
    project.undo("ann")
    project.undo("ann")
    project.redo("ann")
    project.update_settings({"seed": 3, "n_clusters": None, "keys": {"same": "s"}})
    rng = np.random.default_rng(0)
    with project.vectors("test", 3, about={"model": "test"}, write=True) as vectors:
        vectors.put([0, 1, 5, 9], rng.normal(size=(4, 3)))


def clusters(project):
    """The groups that the program makes of it."""
    wall = wall_of(project, "test")
    return {frozenset(each.images.tolist()) for each in wall.clusters.values()}


def state(project):
    """All of a project that people would miss."""
    log = project.log()
    vectors = project.vectors("test")
    return {
        "events": project.events(),
        "images": project.items(),
        "annotators": [(each.name, each.created_at) for each in project.annotators()],
        "settings": project.settings(),
        "created": project.created_at,
        "answers": log.answers(),
        "names": log.names(),
        "confirmed": log.confirmed(),
        "bad": log.bad(),
        "in force": [log.in_force(seq) for seq in range(1, len(log) + 1)],
        "clusters": clusters(project),
        "vectors": (vectors.rows.tobytes(), vectors.dtype, vectors.about),
    }


@pytest.fixture
def archive(tmp_path):
    """A full project in SQLite, its state and its archive."""
    pictures = tmp_path / "pictures"
    (pictures / "sub").mkdir(parents=True)
    (pictures / "0.jpg").write_bytes(b"zero")
    (pictures / "sub" / "ünï <b>.jpg").write_bytes(b"nine")
    with Store.open(tmp_path / "one") as store:
        project = store.create_project("leaves")
        fill(project)
        (tmp_path / "one" / "truth.csv").write_text("name,label\n0.jpg,oak\n")
        path = tmp_path / "leaves.zip"
        assert write_archive(project, path, tmp_path / "one", pictures=pictures) == 9
        yield path, state(project)


def test_it_is_the_same_on_either_database_and_back(archive, store, tmp_path):
    path, before = archive
    project = read_archive(store, path)
    assert state(project) == before
    # and the other way round, into SQLite again
    write_archive(project, tmp_path / "back.zip", None)
    with Store.open(tmp_path / "third") as third:
        again = read_archive(third, tmp_path / "back.zip", name="other")
        assert again.name == "other"
        assert state(again) == before
        event = again.append("answer", {**SAID, "items": [0, 2]}, annotator="ann")  # it goes on
        assert event.seq == len(before["events"]) + 1
        assert again.append("answer", SAID, annotator="ann", key="import-1", seconds=1.25).seq == 1


def test_pictures_and_what_lies_beside_come_along(archive, tmp_path):
    path, _ = archive
    target = tmp_path / "new"
    with Store.open(target / ".likewise") as store:
        read_archive(store, path, home=target / ".likewise", pictures=target)
    assert (target / "0.jpg").read_bytes() == b"zero"
    assert (target / "sub" / "ünï <b>.jpg").read_bytes() == b"nine"
    assert (target / ".likewise" / "truth.csv").read_text().endswith("0.jpg,oak\n")
    with Store.open(target / "again") as store:  # pictures that are there already are left as they are
        read_archive(store, path, pictures=target)
    (target / "0.jpg").write_bytes(b"ZERO")
    with Store.open(target / "third") as store:
        with pytest.raises(ValueError, match="is another file"):
            read_archive(store, path, pictures=target)
        assert store.projects() == []
    assert (target / "0.jpg").read_bytes() == b"ZERO"


def test_what_leads_out_of_the_folder_is_not_archived(store, tmp_path):
    project = store.create_project("x")
    project.add_items(["a.jpg", "../../etc/passwd"])
    with pytest.raises(ValueError, match="no path within"):
        write_archive(project, tmp_path / "x.zip", None, pictures=tmp_path)


def test_pictures_that_come_while_it_is_written_do_not_spoil_it(tmp_path, monkeypatch):
    with Store.open(tmp_path / "one") as store, Store.open(tmp_path / "two") as other:
        project = store.create_project("x")
        project.add_items(["a.jpg"])
        listed = project.items()
        project.add_items(["b.jpg"])  # a moment later
        project.vectors("test", 2, write=True).put([0, 1], [[1.0, 2.0], [3.0, 4.0]])
        monkeypatch.setattr(project, "items", lambda: listed)
        write_archive(project, tmp_path / "x.zip", None)
        assert read_archive(other, tmp_path / "x.zip").vectors("test").rows.tolist() == [[1.0, 2.0]]


def test_a_project_is_never_replaced(archive, store):
    path, _ = archive
    read_archive(store, path)
    with pytest.raises(ValueError, match="never replaced"):
        read_archive(store, path)


def changed(path, target, **members):
    """A copy of an archive with members replaced, added, or left out where None."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in members:
                new.writestr(name, old.read(name))
        for name, content in members.items():
            if content is not None:
                new.writestr(name, content)
    return target


def members(path, name):
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode()


def lines_with(path, name, number, changes):
    lines = [json.loads(line) for line in members(path, name).splitlines()]
    lines[number] |= changes
    return "".join(json.dumps(line) + "\n" for line in lines)


def manifest_with(path, **changes):
    return json.dumps(json.loads(members(path, "manifest.json")) | changes)


def files(store):
    return sorted(
        each for each in store.folder.rglob("*") if each.is_file() and not each.name.startswith("likewise.db")
    )


def refuse(store, path, *, error=BadArchiveError, match=None, **options):
    before = files(store)
    with pytest.raises(error, match=match):
        read_archive(store, path, **options)
    assert store.projects() == []
    assert files(store) == before


@pytest.fixture
def target(tmp_path):
    with Store.open(tmp_path / "target") as store:
        yield store


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "a\\b", "vectors/../../evil.npy", "notes.txt", "pictures/"])
def test_foreign_members_are_refused(archive, target, tmp_path, name):
    path = changed(archive[0], tmp_path / "bad.zip", **{name: "x"})
    refuse(target, path, match="does not belong")


def test_links_doubles_and_bombs_are_refused(archive, target, tmp_path):
    path = tmp_path / "bad.zip"
    shutil.copy(archive[0], path)
    link = zipfile.ZipInfo("beside/tags.csv")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "a") as archive_:
        archive_.writestr(link, "/etc/passwd")
    refuse(target, path, match="no file")
    path = changed(archive[0], tmp_path / "bomb.zip", **{"beside/tags.csv": b"\0" * (70 << 20)})
    refuse(target, path, match="would swell")
    shutil.copy(archive[0], tmp_path / "twice.zip")
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(tmp_path / "twice.zip", "a") as archive_:
        archive_.writestr("settings.json", "{}")
    refuse(target, tmp_path / "twice.zip", match="twice")


def test_what_is_no_archive_is_said_to_be_none(archive, target, tmp_path):
    path = tmp_path / "bad.zip"
    path.write_bytes(b"PK nothing")
    refuse(target, path, match="is not an archive")
    path.write_bytes(archive[0].read_bytes()[:-200])
    refuse(target, path, match="is not an archive")
    with zipfile.ZipFile(path, "w") as empty:
        empty.writestr("settings.json", "{}")
    refuse(target, path, match=r"manifest\.json is missing")
    for manifest in ("[]", "{", '{"format": "other"}', '{"format": "likewise-project"}', "[" * 10_000):
        refuse(target, changed(archive[0], path, **{"manifest.json": manifest}))
    content = bytearray(archive[0].read_bytes())
    start = content.index(b"events.jsonl") + 60
    content[start : start + 20] = bytes(20)
    path.write_bytes(content)
    refuse(target, path, match="damaged|not JSON")


def test_newer_versions_are_refused(archive, target, tmp_path):
    for changes in ({"version": 2}, {"tables": "9999"}):
        path = changed(archive[0], tmp_path / "new.zip", **{"manifest.json": manifest_with(archive[0], **changes)})
        refuse(target, path, error=NewerVersionError, match="newer version")


@pytest.mark.parametrize(
    ("name", "number", "changes"),
    [
        ("events.jsonl", 0, {"seq": 2}),
        ("events.jsonl", 0, {"payload": {"kind": "pair", "items": [0, 99], "value": "same"}}),
        ("events.jsonl", 0, {"kind": "unheard-of"}),
        ("events.jsonl", 0, {"at": "yesterday"}),
        ("events.jsonl", 0, {"at": "2020-01-01T00:00:00"}),
        ("events.jsonl", 0, {"seconds": -1}),
        ("events.jsonl", 1, {"key": "import-1"}),
        ("events.jsonl", 0, {"annotator": "nobody"}),
        ("events.jsonl", 6, {"payload": {"events": [99], "how": "undo"}}),
        ("images.jsonl", 0, {"path": "../../etc/passwd"}),
        ("images.jsonl", 0, {"path": "/etc/passwd"}),
        ("images.jsonl", 0, {"path": "1.jpg"}),
        ("images.jsonl", 0, {"position": 5}),
        ("images.jsonl", 0, {"status": "lovely"}),
        ("annotators.jsonl", 0, {"name": 7}),
    ],
)
def test_every_line_is_checked_before_anything_is_written(archive, target, tmp_path, name, number, changes):
    path = changed(archive[0], tmp_path / "bad.zip", **{name: lines_with(archive[0], name, number, changes)})
    refuse(target, path, match=name.replace(".", r"\."), pictures=tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_lines_that_are_missing_are_missed(archive, target, tmp_path):
    lines = members(archive[0], "events.jsonl").splitlines(keepends=True)
    path = changed(archive[0], tmp_path / "bad.zip", **{"events.jsonl": "".join(lines[:-1])})
    refuse(target, path, match="its manifest says")


def test_vectors_that_do_not_fit_are_refused_and_leave_nothing(archive, target, tmp_path):
    def npy(array):
        out = io.BytesIO()
        np.save(out, array)
        return out.getvalue()

    whole = npy(np.zeros((10, 3), "<f4"))
    cases = [npy(np.zeros((10, 4), "<f4")), npy(np.zeros((10, 3))), npy(np.zeros((11, 3), "<f4")), whole[:-4], b"none"]
    cases.append(npy(np.array([{"a": 1}], dtype=object)))  # nothing is ever unpickled
    for content in cases:
        refuse(target, changed(archive[0], tmp_path / "bad.zip", **{"vectors/test.npy": content}), match="vectors")
    assert not list((target.folder / "vectors").glob("*"))


def test_a_picture_never_goes_through_a_link_out_of_the_folder(archive, target, tmp_path):
    folder = tmp_path / "new"
    folder.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (folder / "sub").symlink_to(tmp_path / "elsewhere")
    refuse(target, archive[0], match="leads out", pictures=folder)
    assert list((tmp_path / "elsewhere").iterdir()) == []
