"""The claim on a project is watched: lost, it is taken again, or serving ends with a sentence."""

import threading

import pytest
import sqlalchemy as sa

from likewise.app.claim import Claim
from likewise.store import ProjectInUseError, Store


def lose(store, lock):
    """Take a lock away from its holder: its connection is ended, or its file deleted."""
    database = store._database
    if database.file is not None:
        database.file.with_suffix(".lock").unlink()
        return
    with database.write() as connection:
        held = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = :c AND granted"
        from likewise.store.process_lock import SERVING_CLASS

        connection.execute(sa.text(held), {"c": SERVING_CLASS}).all()
    for _ in range(1000):
        with database.read() as connection:
            left = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = :c"
            if not connection.scalar(sa.text(left), {"c": SERVING_CLASS}):
                return
    raise AssertionError("the lock did not go with its connection")


def test_a_lost_claim_is_taken_again_where_nobody_has_it(project, store, where, tmp_path):
    with project.lock() as lock, Store.open(where, folder=tmp_path / "files") as other:
        lock.keep()
        lose(store, lock)
        lock.keep()
        with pytest.raises(ProjectInUseError, match="'leaves' is already open in process"):
            other.project("leaves").lock()
        lock.keep()
    project.lock().release()
    lock.keep()  # released is released
    project.lock().release()


def test_a_claim_that_another_process_has_ends_the_serving(project, store, where, tmp_path):
    told = []
    claim = Claim(project.lock(), told.append)
    claim.require()
    with Store.open(where, folder=tmp_path / "files") as other:
        lose(store, claim._lock)
        with other.project("leaves").lock():
            claim.look()
            assert len(told) == 1
            assert "is already open in process" in told[0]
            with pytest.raises(ProjectInUseError, match="this server has stopped"):
                claim.require()
            claim.release()
            with pytest.raises(ProjectInUseError):
                project.lock()


def test_the_claim_is_watched_by_itself(project, store):
    seen, told = threading.Event(), []

    class Watched:
        def keep(self):
            lock.keep()
            seen.set()

        def release(self):
            lock.release()

    lock = project.lock()
    lose(store, lock)
    claim = Claim(Watched(), told.append)
    claim.watch()
    assert seen.wait(60)
    with pytest.raises(ProjectInUseError):
        project.lock()
    claim.release()
    assert told == []
