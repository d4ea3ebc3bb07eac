"""Projects, items with any name, settings, locks, and what is said when a store cannot be opened."""

import os
import subprocess
import sys

import pytest
import sqlalchemy as sa

from likewise.store import ProjectInUseError, Store, StoreBusyError, StoreError, UnknownProjectError, items

NAMES = [
    "plain.jpg",
    "sub/with space.png",
    "<img src=x onerror=alert(1)>.jpg",
    "new\nline\ttab\r.jpg",
    "emoji 🦔 é é.webp",
    "quote'\"; DROP TABLE event; --.jpg",
    os.fsdecode(b"not utf-8 \xff\xfe\x80.jpg"),
    os.fsdecode(bytes(range(1, 256))),
    "-",
    "x" * 5000,
]


def test_projects_are_made_found_and_listed(store):
    with pytest.raises(UnknownProjectError, match="there is none"):
        store.project()
    first = store.create_project("leaves", {"seed": 5, "keys": {"same": "S"}})
    assert repr(store.project()) == "Project('leaves')"
    with pytest.raises(ValueError, match="a project 'leaves' already"):
        store.create_project("leaves")
    again = store.create_project("leaves", {"seed": 6}, exist_ok=True)
    assert (again.id, again.uid, again.created_at) == (first.id, first.uid, first.created_at)
    assert again.settings() == {"seed": 5, "keys": {"same": "S"}}
    second = store.create_project("<b>names\n</b> 🍁")
    assert [each.name for each in store.projects()] == ["leaves", "<b>names\n</b> 🍁"]
    assert store.project("<b>names\n</b> 🍁").uid == second.uid != first.uid
    with pytest.raises(UnknownProjectError, match="no project 'oak'"):
        store.project("oak")
    with pytest.raises(UnknownProjectError, match="say which project"):
        store.project()
    for name in ("", " \n", "x\0", "\ud800", "x" * 201):
        with pytest.raises(ValueError, match="name"):
            store.create_project(name)
    with pytest.raises(ValueError, match="JSON"):
        store.create_project("x", {"a": {1, 2}})
    assert len(store.projects()) == 2


def test_settings_are_merged(project, store):
    assert project.update_settings({"a": 1, "b": [1, {"c": "\0 \ud800 🍂"}]}) == {
        "a": 1,
        "b": [1, {"c": "\0 \ud800 🍂"}],
    }
    assert project.update_settings({"a": None})["a"] is None
    assert store.project("leaves").settings() == {"a": None, "b": [1, {"c": "\0 \ud800 🍂"}]}


def test_projects_keep_apart(project, store):
    other = store.create_project("other")
    other.add_items(["0.jpg"])
    event = other.append("bad", {"items": [0]}, annotator="ann", key="k")
    assert event.seq == 1
    assert project.append("answer", {"kind": "pair", "items": [0, 9], "value": "same"}, key="k").seq == 1
    assert (len(project.events()), len(other.events())) == (1, 1)
    assert project.bad_images() == []
    with pytest.raises(ValueError, match="image 1 is not there: there are 1"):
        other.append("bad", {"items": [1]})
    assert [each.name for each in other.annotators()] == ["ann"]
    assert [each.name for each in project.annotators()] == [""]


def test_images_keep_their_position_whatever_their_name(store):
    project = store.create_project("leaves")
    assert project.n_items == 0
    assert project.add_items([]) == []
    assert project.add_items(NAMES[:4]) == [0, 1, 2, 3]
    assert project.add_items([*reversed(NAMES), NAMES[0]]) == [4, 5, 6, 7, 8, 9, 3, 2, 1, 0, 0]
    positions = project.add_items(NAMES)
    images = project.items()
    assert [images[at].path for at in positions] == NAMES
    assert sorted(positions) == list(range(len(NAMES))) == [image.id for image in images]
    assert positions[:4] == [0, 1, 2, 3]
    assert project.add_items([os.fsencode(name) for name in NAMES]) == positions
    assert project.item(positions[6]).path == NAMES[6]
    for wrong in ("", "a\0b"):
        with pytest.raises(ValueError, match="not the path of a picture"):
            project.add_items(["new.jpg", wrong])
    assert project.n_items == len(NAMES)
    with pytest.raises(IndexError, match="item 10 is not there"):
        project.item(10)


def test_the_state_of_files(project):
    project.update_items(
        {
            1: {"status": "gone"},
            2: {"status": "unreadable", "reason": "<truncated>\n"},
            3: {"width": 640, "height": 480},
            4: {"width": 320, "height": 200},
            5: {},
        }
    )
    assert [image.id for image in project.items("gone")] == [1]
    assert [(image.id, image.reason) for image in project.items("unreadable")] == [(2, "<truncated>\n")]
    assert [(image.width, image.height) for image in project.items()[3:6]] == [(640, 480), (320, 200), (None, None)]
    project.update_items({1: {"status": "present"}, 3: {"width": None}})
    assert len(project.items("present")) == 9
    assert project.item(3).width is None
    for change, words in [
        ({0: {"status": "lost"}}, "status is one of"),
        ({0: {"path": "x"}}, "unknown field"),
        ({0: {"width": -1}}, "pixels"),
        ({0: {"reason": "\0"}}, "none"),
        ({10: {}}, "item 10 is not there"),
    ]:
        with pytest.raises(ValueError, match=words):
            project.update_items({1: {"status": "gone"}, **change})
    assert len(project.items("present")) == 9


def test_more_images_than_a_block(store, monkeypatch):
    monkeypatch.setattr(items.blocks, "__defaults__", (7,))
    project = store.create_project("many")
    names = [f"{i % 40}.jpg" for i in range(100)]
    assert project.add_items(names) == [i % 40 for i in range(100)]
    project.update_items({i: {"width": i + 1} for i in range(40)})
    assert [(image.path, image.width) for image in project.items()] == [(f"{i}.jpg", i + 1) for i in range(40)]


HOLDER = """
import sys
from likewise.store import Store
with Store.open(sys.argv[1]) as store, store.project("leaves").lock():
    print("locked", flush=True)
    sys.stdin.read()
"""


def test_a_project_is_served_by_one_process_at_a_time(where, project, store):
    command = [sys.executable, "-c", HOLDER, where]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"locked\n"
        with pytest.raises(ProjectInUseError, match=rf"'leaves' is already open in process {holder.pid}\b"):
            project.lock()
        project.append("bad", {"items": [1]})
        assert project.bad_images() == [1]
        holder.kill()
    with project.lock() as held:
        with pytest.raises(ProjectInUseError, match=rf"process {os.getpid()}\b"):
            store.project().lock()
        held.release()
        again = project.lock()
        held.release()
        with pytest.raises(ProjectInUseError):
            project.lock()
        again.release()
    project.lock().release()


def test_projects_of_one_postgresql_are_served_apart(server):
    name, url = server.new_database()
    with Store.open(url) as store, store.create_project("a").lock(), store.create_project("b").lock():
        pass
    server.drop(name)


def test_a_store_does_not_survive_a_fork(project, store, monkeypatch):
    monkeypatch.setattr(store._database, "_process", -1)
    with pytest.raises(StoreError, match="open it again"):
        project.events()
    monkeypatch.undo()
    assert project.events() == []


def test_a_commit_is_synced(store):
    with store._database.read() as connection:
        if store._database.is_sqlite:
            assert connection.scalar(sa.text("PRAGMA journal_mode")) == "wal"
            assert connection.scalar(sa.text("PRAGMA synchronous")) == 2
            assert connection.scalar(sa.text("PRAGMA foreign_keys")) == 1
        else:
            assert connection.scalar(sa.text("SHOW synchronous_commit")) == "on"
            assert connection.scalar(sa.text("SHOW transaction_isolation")) == "read committed"


def test_a_server_set_to_forget_is_told_not_to(server):
    name, url = server.new_database()
    with server.connect() as connection:
        connection.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_isolation = 'serializable'")
    with Store.open(url) as store:
        test_a_commit_is_synced(store)
    server.drop(name)


def test_a_copy_can_be_made_while_it_is_open(project, store, tmp_path):
    project.append("bad", {"items": [1]})
    if not store._database.is_sqlite:
        with pytest.raises(StoreError, match="pg_dump"):
            store.back_up(tmp_path / "copy.db")
        return
    store.back_up(tmp_path / "copy.db")
    project.append("bad", {"items": [2]})
    with Store.open(f"sqlite:///{tmp_path / 'copy.db'}") as copy:
        assert copy.project().bad_images() == [1]
        assert copy.folder == tmp_path
    with pytest.raises(StoreError, match="could not be copied"):
        store.back_up(tmp_path / "nowhere" / "copy.db")


@pytest.mark.parametrize(
    ("where", "error", "words"),
    [
        ("mysql://x/y", ValueError, "SQLite or PostgreSQL, not mysql"),
        ("sqlite://", ValueError, "kept on disk"),
        ("sqlite:///:memory:", ValueError, "kept on disk"),
        ("://", ValueError, "a folder or a URL"),
        ("postgres://me:secret@/x?host=/nowhere", StoreError, r"^postgresql://me:\*\*\*@/x.*: connection"),
    ],
)
def test_wrong_addresses(where, error, words):
    with pytest.raises(error, match=words):
        Store.open(where)


def test_wrong_files(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no project in"):
        Store.open(tmp_path / "none", create=False)
    assert not (tmp_path / "none").exists()
    (tmp_path / "likewise.db").write_bytes(b"this is a picture, not a database " * 100)
    with pytest.raises(StoreError, match="is not a database that can be read"):
        Store.open(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises((NotADirectoryError, FileExistsError)):
        Store.open(tmp_path / "file")
    (tmp_path / "folder" / "likewise.db").mkdir(parents=True)
    with pytest.raises(StoreError, match="unable to open"):
        Store.open(tmp_path / "folder")


def test_a_database_that_cannot_hold_names_is_refused(server):
    name, url = server.new_database("LATIN1")
    with pytest.raises(StoreError, match="encoded in LATIN1"):
        Store.open(url)
    server.drop(name)


def test_a_restarted_server_is_found_again(server):
    name, url = server.new_database()
    with Store.open(url) as store:
        project = store.create_project("leaves")
        project.add_items(["a"])
        project.append("bad", {"items": [0]})
        server.stop()
        with pytest.raises(StoreError, match="test"):
            project.append("bad", {"items": [0]}, key="k")
        server.start()
        assert project.append("bad", {"items": [0]}, key="k").seq == 2
    server.drop(name)


def test_connections_that_never_come_back_are_named(project, store, monkeypatch):
    monkeypatch.setattr(store._database.engine.pool, "_timeout", 0.05)
    monkeypatch.setattr(store._database.engine.pool, "_max_overflow", 0)
    held = [store._database.engine.connect() for _ in range(5)]
    with pytest.raises(StoreBusyError, match="all connections are in use"):
        project.events()
    for connection in held:
        connection.close()
    assert project.events() == []
