"""A full disk: said clearly, nothing half-written, and writing goes on when there is space."""

import os
import random
import subprocess
from contextlib import contextmanager
from hashlib import sha256

import numpy as np
import pytest
import sqlalchemy as sa

from likewise.images.vector_file import VectorFile
from likewise.store import Store, StoreFullError


@contextmanager
def small_disk(folder, size="1m", user=None):
    folder.mkdir(exist_ok=True)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], capture_output=True)
    if done.returncode:
        pytest.skip("a small disk cannot be mounted here (not root)")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def fill(project, size=3000):
    """Append until the disk is full; give what was acknowledged and the key that was not."""
    acknowledged = []
    rng = random.Random(0)  # nothing that a database could squeeze
    for number in range(2000):
        said = {"kind": "pair", "items": [0, 1], "value": "same", "shown": {"strip": rng.randbytes(size).hex()}}
        try:
            acknowledged.append(project.append("answer", said, key=f"k{number}"))
        except StoreFullError as error:
            assert "no space is left, nothing was written" in str(error)  # noqa: PT017
            return acknowledged, f"k{number}", said
    raise AssertionError("it never was full")


def check_goes_on(project, acknowledged, key, said):
    assert project.events() == acknowledged
    event = project.append("answer", said, key=key)
    assert event.seq == len(acknowledged) + 1
    assert project.append("answer", said, key=key) == event
    assert project.undo().seq == event.seq + 1
    assert project.events()[:-1] == [*acknowledged, event]


def test_sqlite_that_may_not_grow(tmp_path):
    with Store.open(tmp_path) as store:
        project = store.create_project("leaves")
        project.add_items(["a", "b"])
        limit = [60]
        engine = store._database.engine
        sa.event.listen(engine, "connect", lambda c, _: c.execute(f"PRAGMA max_page_count = {limit[0]}").fetchall())
        engine.dispose()
        acknowledged, key, said = fill(project)
        assert acknowledged
        with pytest.raises(StoreFullError):
            project.add_items(f"{i}.jpg" for i in range(5000))
        assert project.events() == acknowledged
        assert project.n_items == 2
        limit[0] = 1_000_000
        engine.dispose()
        check_goes_on(project, acknowledged, key, said)


def test_sqlite_on_a_full_disk(tmp_path):
    with small_disk(tmp_path / "disk") as disk, Store.open(disk) as store:
        project = store.create_project("leaves")
        project.add_items(["a", "b"])
        filler = disk / "filler"
        filler.write_bytes(b"x" * 300_000)
        acknowledged, key, said = fill(project)
        assert acknowledged
        with pytest.raises(StoreFullError):
            project.append("answer", said, key=key)
        assert project.events() == acknowledged
        filler.unlink()
        check_goes_on(project, acknowledged, key, said)
        with store._database.read() as connection:
            assert connection.scalar(sa.text("PRAGMA integrity_check")) == "ok"


def test_postgresql_on_a_full_disk(server):
    name, url = server.new_database()
    with small_disk(server.folder / "disk") as disk, Store.open(url) as store:
        (disk / "space").mkdir()
        if server.user:
            subprocess.run(["chown", server.user, disk / "space"], check=True)
        with server.connect(name) as connection:
            connection.execute(f"CREATE TABLESPACE small LOCATION '{disk / 'space'}'")
            connection.execute("ALTER TABLE event SET TABLESPACE small")
        try:
            project = store.create_project("leaves")
            project.add_items(["a", "b"])
            filler = disk / "filler"
            filler.write_bytes(b"x" * 300_000)
            acknowledged, key, said = fill(project)
            assert acknowledged
            filler.unlink()
            check_goes_on(project, acknowledged, key, said)
        finally:
            store.close()
            server.drop(name)
            with server.connect() as connection:
                connection.execute("DROP TABLESPACE small")


def test_vectors_on_a_full_disk(tmp_path):
    written = np.random.default_rng(0).normal(size=(10_000, 64)).astype(np.float32)
    keys = [sha256(str(number).encode()).digest() for number in range(10_000)]
    with small_disk(tmp_path / "disk") as disk:
        kept = VectorFile.open(disk / "v", 64, create=True)
        filler = disk / "filler"
        filler.write_bytes(b"x" * 300_000)

        def write_all():
            for start in range(0, 10_000, 100):
                kept.add(keys[start : start + 100], written[start : start + 100])

        with pytest.raises(OSError, match="No space left"):
            write_all()
        n = len(kept)
        assert n >= 100
        assert np.array_equal(kept.rows, written[:n])
        assert np.array_equal(np.load(disk / "v" / "vectors.npy"), written[:n])
        assert sorted(os.listdir(disk / "v")) == ["keys", "rows.json", "vectors.npy", "writing.lock"]
        filler.unlink()
        kept.add(keys[n : n + 100], written[n : n + 100])
        assert np.array_equal(VectorFile.open(disk / "v").rows, written[: n + 100])
