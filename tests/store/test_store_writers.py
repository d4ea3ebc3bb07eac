"""Many threads, many processes, and processes that are killed: no event lost, none twice, no gap."""

import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from likewise.store import Store, StoreError

WRITER = Path(__file__).with_name("writer.py")


def start_writer(where, people, count, first=()):
    command = [sys.executable, WRITER, where, ",".join(people), str(count), *map(str, first)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def acknowledged(lines):
    return {key: int(seq) for key, seq in (line.split() for line in lines if line != "done")}


def check(project, acknowledged):
    events = project.events()
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    seqs = {event.key: event.seq for event in events}
    assert len(seqs) == len(events)
    assert acknowledged.items() <= seqs.items()
    for event in events:
        assert event.key.startswith(f"{event.annotator}-")
    return events


def test_threads_at_once(project, store):
    people = [f"p{i}" for i in range(8)]
    again = store.project("leaves")
    failures = []
    barrier = threading.Barrier(len(people))

    def write(person):
        try:
            barrier.wait()
            for number in range(100):
                target = project if number % 2 else again
                said = {"kind": "pair", "items": [number % 9, 9], "value": "same"}
                target.append("answer", said, annotator=person, key=f"{person}-{number}")
                if number % 25 == 0:
                    assert len(target.answers()) >= number // 2
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    events = check(project, {})
    assert len(events) == 800
    assert len(project.annotators()) == 8
    for person in people:
        own = [event.key for event in events if event.annotator == person]
        assert own == [f"{person}-{number}" for number in range(100)]


def test_processes_at_once(where, project):
    writers = [start_writer(where, [f"p{i}"], 100) for i in range(4)]
    said = {}
    for writer in writers:
        out, error = writer.communicate(timeout=120)
        assert writer.returncode == 0, error.decode()
        said |= acknowledged(out.decode().split("\n")[:-1])
    assert len(said) == 400
    assert len(check(project, said)) == 400


def test_new_stores_opened_by_several_processes_at_once(where):
    code = (
        "import sys; from likewise.store import Store\n"
        "with Store.open(sys.argv[1]) as store:\n"
        "    project = store.create_project('leaves', exist_ok=True)\n"
        "    project.add_items(['a', 'b'])\n"
        "    project.append('bad', {'items': [1]}, key=sys.argv[2])\n"
    )
    openers = [subprocess.Popen([sys.executable, "-c", code, where, str(i)], stderr=subprocess.PIPE) for i in range(3)]
    for opener in openers:
        _, error = opener.communicate(timeout=120)
        assert opener.returncode == 0, error.decode()
    with Store.open(where) as store:
        assert sorted(event.key for event in store.project().events()) == ["0", "1", "2"]
        assert store.project().n_items == 2


def test_killed_writers_lose_nothing_and_everybody_resumes(where, project):
    rng = random.Random(5)
    people, count, kills = ["ann", "bob", "eve"], 60, 4
    said, next_number = {}, dict.fromkeys(people, 0)
    for turn in range(kills + 1):
        writer = start_writer(where, people, count, next_number.values())
        after = rng.randint(3, 25) if turn < kills else None
        lines = []
        for line in writer.stdout:
            lines.append(line.decode().strip())
            if len(lines) == after:
                writer.kill()  # what it wrote to the pipe before is still read: it was acknowledged
        _, error = writer.communicate(timeout=60)
        assert (writer.returncode == 0) == (after is None), error.decode()
        new = acknowledged(lines)
        assert all(said.get(key, seq) == seq for key, seq in new.items())
        said |= new
        for key in new:
            person, number = key.split("-")
            next_number[person] = max(next_number[person], int(number) + 1)
        check(project, said)
    assert lines[-1] == "done"
    assert len(said) == len(people) * count
    events = check(project, said)
    assert len(events) == len(said)
    for person in people:
        own = [event.key for event in events if event.annotator == person]
        assert own == [f"{person}-{number}" for number in range(count)]


def test_a_writer_that_never_finishes_is_named(project, store, monkeypatch):
    # The other program: a second engine that holds the lock.
    with Store.open(store._database.file.parent if store._database.file else _url(store)) as other:
        _be_impatient(store)
        with other._database.write(project.id), pytest.raises(StoreError, match="another program is writing"):
            project.append("bad", {"items": [1]})
        project.append("bad", {"items": [1]})
    assert len(project.events()) == 1


def _url(store):
    return store._database.url.render_as_string(hide_password=False)


def _be_impatient(store):
    with store._database.engine.connect() as connection:
        wait = "PRAGMA busy_timeout = 50" if store._database.is_sqlite else "SET lock_timeout = '50ms'"
        connection.exec_driver_sql(wait)
        connection.commit()
