"""Vectors in a file that grows: rows by key, torn tails, writers in turn, many readers."""

import errno
import hashlib
import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from likewise.images import vector_file
from likewise.images.cache import lock_file
from likewise.images.vector_file import VectorFile

ROWS = np.arange(12, dtype=np.float32).reshape(4, 3)


def key(number):
    return hashlib.sha256(str(number).encode()).digest()


KEYS = [key(number) for number in range(4)]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "v"


def test_rows_are_given_back_by_key(folder):
    kept = VectorFile.open(folder, 3, about={"model": "m", "parts": (1, 2)}, create=True)
    assert (len(kept), kept.rows.shape, kept.find(KEYS).tolist()) == (0, (0, 3), [-1] * 4)
    kept.add(KEYS[:2], ROWS[:2])
    kept.add([], np.empty((0, 3)))
    kept.add([KEYS[3], KEYS[2]], np.vstack([ROWS[3], [np.nan] * 3]))
    assert kept.find(KEYS).tolist() == [0, 1, -1, 2]
    assert kept.rows.tolist() == ROWS[[0, 1, 3]].tolist()
    assert not kept.rows.flags.writeable
    kept.add(KEYS[:1], ROWS[2:3])
    assert kept.rows[kept.find(KEYS[:1])[0]].tolist() == ROWS[2].tolist(), "the last row of a key counts"
    reader = VectorFile.open(folder, 3, about={"model": "m", "parts": [1, 2]})
    assert (len(reader), reader.dimension, reader.dtype) == (4, 3, np.float32)
    assert reader.about == {"model": "m", "parts": [1, 2]}
    assert np.array_equal(np.load(folder / "vectors.npy", mmap_mode="r"), reader.rows)
    kept.add([KEYS[2]], ROWS[2:3])
    assert (len(reader.rows), len(reader.refresh().rows)) == (4, 5)
    assert reader.find(KEYS).tolist() == [3, 1, 4, 2]


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_against_a_plain_table(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("vectors")
    model = {}
    for _ in range(data.draw(st.integers(1, 6))):
        numbers = data.draw(st.lists(st.integers(0, 20), unique=True, max_size=8))
        rows = np.random.default_rng(len(numbers)).normal(size=(len(numbers), 2))
        kept = VectorFile.open(folder, 2, dtype="float64", create=True)
        kept.add([key(number) for number in numbers], rows)
        model |= zip(numbers, rows.tolist(), strict=True)
        for name in ("vectors.npy", "keys"):
            with open(folder / name, "ab") as file:
                file.write(bytes(data.draw(st.integers(0, 40))))
        found = VectorFile.open(folder)
        at = found.find(key(number) for number in range(21))
        assert {k: found.rows[row].tolist() for k, row in enumerate(at) if row >= 0} == model


def test_what_was_not_counted_is_cut_and_a_torn_header_replaced(folder):
    kept = VectorFile.open(folder, 3, create=True)
    kept.add(KEYS[:3], ROWS[:3])
    whole = (folder / "vectors.npy").read_bytes()
    (folder / "vectors.npy").write_bytes(b"\0" * 50 + whole[50:] + ROWS.tobytes()[:17])
    with open(folder / "keys", "ab") as file:
        file.write(b"torn")
    assert np.array_equal(VectorFile.open(folder).rows, ROWS[:3])
    VectorFile.open(folder).add(KEYS[3:], ROWS[3:])
    assert np.array_equal(np.load(folder / "vectors.npy"), ROWS)
    assert (folder / "keys").read_bytes() == b"".join(KEYS)
    for name, lost in (("vectors.npy", 5), ("keys", 5)):  # a failing disk
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[:-lost])
        found = VectorFile.open(folder)
        assert found.find(KEYS).tolist() == [0, 1, 2, -1]
        assert np.array_equal(found.rows, ROWS[:3])
        found.add(KEYS[3:], ROWS[3:])
        assert (folder / name).read_bytes() == content


def test_a_writer_that_dies_at_any_point_leaves_the_old_rows(folder, monkeypatch):
    seen = set()
    for survives in range(6):
        kept = VectorFile.open(folder / str(survives), 3, create=True)
        kept.add(KEYS[:2], ROWS[:2])
        with monkeypatch.context() as patch:
            patch.setattr(vector_file, "_write", dying_after(survives, vector_file._write))
            try:
                kept.add(KEYS[2:], ROWS[2:])
            except KeyboardInterrupt:
                seen.add(survives)
        found = VectorFile.open(folder / str(survives))
        assert len(found) in (2, 4)
        assert np.array_equal(found.rows, ROWS[: len(found)])
        found.add(KEYS[2:], ROWS[2:])
        assert np.array_equal(found.rows[found.find(KEYS)], ROWS)
    assert seen == {0, 1, 2}


def dying_after(count, write):
    left = [count]

    def dying(file, content, offset):
        if left[0] == 0:
            write(file, content[: len(content) // 2 // 4 * 4], offset)  # half of it arrives
            raise KeyboardInterrupt
        left[0] -= 1
        write(file, content, offset)

    return dying


@pytest.mark.parametrize("broken", ["fsync", "write_atomically", "_write"])
def test_a_full_disk_at_any_point(folder, monkeypatch, broken):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    kept = VectorFile.open(folder, 3, create=True)
    kept.add(KEYS[:2], ROWS[:2])
    with monkeypatch.context() as patch:
        patch.setattr(os if broken == "fsync" else vector_file, broken, full)
        with pytest.raises(OSError, match="No space left"):
            kept.add(KEYS[2:], ROWS[2:])
    assert np.array_equal(kept.rows, ROWS[:2])
    assert np.array_equal(np.load(folder / "vectors.npy"), ROWS[:2])
    kept.add(KEYS[2:], ROWS[2:])
    assert np.array_equal(kept.rows, ROWS)


WRITER = """
import sys, hashlib, numpy as np
from pathlib import Path
from likewise.images.vector_file import VectorFile
first = int(sys.argv[2])
kept = VectorFile.open(Path(sys.argv[1]), 3, create=True)
for number in range(first, first + int(sys.argv[3])):
    kept.add([hashlib.sha256(str(number).encode()).digest()], np.full((1, 3), float(number)))
    print(number, flush=True)
"""


def test_several_processes_write_in_turn_and_a_kill_costs_nothing_that_was_written(folder):
    def start(first, count):
        command = [sys.executable, "-c", WRITER, str(folder), str(first), str(count)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    writers = [start(0, 25), start(100, 25), start(1000, 100_000)]
    told = [int(writers[2].stdout.readline()) for _ in range(5)]
    writers[2].send_signal(signal.SIGKILL)
    told += [int(line) for line in writers[2].communicate()[0].split()[:-1]]
    for writer in writers[:2]:
        told += map(int, writer.communicate()[0].split())
        assert writer.returncode == 0
    found = VectorFile.open(folder)
    rows = found.find(key(number) for number in told)
    assert (rows >= 0).all()
    assert found.rows[rows, 0].tolist() == told
    assert {*range(25), *range(100, 125)} <= set(told)


def test_a_writer_that_waits_too_long_says_so(folder, monkeypatch):
    kept = VectorFile.open(folder, 3, create=True)
    monkeypatch.setattr(vector_file, "WAIT_SECONDS", 0.05)
    with lock_file(folder / "writing.lock", "testing"), pytest.raises(BlockingIOError, match="another run is writing"):
        kept.add(KEYS, ROWS)
    kept.add(KEYS, ROWS)


def test_wrong_vectors_are_refused(folder):
    with pytest.raises(FileNotFoundError, match="there are no vectors"):
        VectorFile.open(folder)
    with pytest.raises(ValueError, match="need a length"):
        VectorFile.open(folder, create=True)
    with pytest.raises(ValueError, match="floating point"):
        VectorFile.open(folder, 3, dtype="int32", create=True)
    kept = VectorFile.open(folder, 3, create=True)
    kept.add(KEYS, ROWS)
    for wanted in ({"dimension": 4}, {"about": {"model": "other"}}):
        for create in (False, True):
            with pytest.raises(ValueError, match=r"have (dim|about)"):
                VectorFile.open(folder, **wanted, create=create)
    for keys, rows in [
        (KEYS[:1], ROWS),
        ([b"short"], ROWS[:1]),
        (KEYS[:1], np.array([[1, np.nan, 2]])),
        (KEYS[:1], np.array([[1, 2]])),
        (KEYS[:1], np.array([[1, 2, np.inf]])),
        (KEYS[:1], np.array([[1, 2, 1e200]])),
    ]:
        with pytest.raises(ValueError, match=r"do not fit|some NaN|infinity, or a number too large"):
            kept.add(keys, rows)
    assert np.array_equal(kept.rows, ROWS)
    record = json.loads((folder / "rows.json").read_text())
    for damage in ({"dim": 0}, {"rows": -1}, {"dtype": "O"}, {"dtype": "<i4"}, {"dim": "many"}):
        (folder / "rows.json").write_text(json.dumps(record | damage))
        with pytest.raises(OSError, match="cannot be read"):
            VectorFile.open(folder)
    (folder / "rows.json").write_text(json.dumps({"rows": 4}))
    with pytest.raises(OSError, match="cannot be read"):
        VectorFile.open(folder)


def old_rows(path, numbers, rows):
    """As versions before 0004 kept them: a file a run, key and vector side by side."""
    record = np.zeros(len(numbers), np.dtype([("content", "V32"), ("vector", "<f4", (3,))]))
    record["content"] = [np.void(key(number)) for number in numbers]
    record["vector"] = rows
    path.write_bytes(record.tobytes())


def test_files_of_older_versions_are_taken_over(folder, monkeypatch):
    folder.mkdir()
    old_rows(folder / "a.rows", [0, 1], ROWS[:2])
    old_rows(folder / "b.rows", [1, 2, 3], ROWS[1:])
    with open(folder / "b.rows", "r+b") as file:
        file.truncate(len((folder / "b.rows").read_bytes()) - 1)  # killed in the middle of the last
    with monkeypatch.context() as patch:  # killed before the first is removed
        patch.setattr(vector_file.Path, "unlink", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            VectorFile.open(folder, 3, create=True)
    kept = VectorFile.open(folder, 3, create=True)
    assert np.array_equal(kept.rows[kept.find(KEYS[:3])], ROWS[:3])
    assert (len(kept), kept.find(KEYS[3:]).tolist()) == (3, [-1])
    assert not list(folder.glob("*.rows"))
