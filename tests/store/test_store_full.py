"""A full disk: said clearly, nothing half-written, and writing goes on when there is space."""

import collections
import os
import random
import subprocess
from contextlib import closing, contextmanager

import numpy as np
import pytest
import sqlalchemy as sa

from likewise.store import Store, StoreFullError, Vectors


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
        said = {
            "kind": "pair",
            "items": [0, 1],
            "value": "same",
            "shown": {"strip": rng.randbytes(size).hex()},
        }
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
        sa.event.listen(
            engine, "connect", lambda c, _: c.execute(f"PRAGMA max_page_count = {limit[0]}").fetchall()
        )
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
    rng = np.random.default_rng(0)
    with small_disk(tmp_path / "disk") as disk, closing(Vectors.open(disk / "v", 64, write=True)) as vectors:
        filler = disk / "filler"
        filler.write_bytes(b"x" * 300_000)
        written = rng.normal(size=(10_000, 64)).astype(np.float32)
        blocks = iter(np.split(written, 100))
        with pytest.raises(StoreFullError, match="could not be written"):
            collections.deque(map(vectors.append, blocks), maxlen=0)
        block = next(blocks)
        written = written[: len(vectors)]
        assert len(written) >= 100
        assert np.array_equal(vectors.rows, written)
        assert np.array_equal(np.load(disk / "v" / "vectors.npy"), written)
        assert sorted(os.listdir(disk / "v")) == ["rows.json", "vectors.npy", "writing.lock"]
        filler.unlink()
        vectors.append(block)
        assert np.array_equal(vectors.rows, np.vstack([written, block]))
