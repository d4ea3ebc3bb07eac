"""Vectors: rows by position, absent rows, torn tails, one writer, many readers."""

import errno
import json
import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.store import ProjectInUseError, Store, StoreError, StoreFullError, Vectors, vectors

ROWS = np.arange(12, dtype=np.float32).reshape(4, 3)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "v"


def test_rows_are_given_back_by_position(folder):
    with Vectors.open(folder, 3, about={"model": "m", "parts": (1, 2)}, write=True) as v:
        assert (len(v), v.rows.shape, v.present().tolist()) == (0, (0, 3), [])
        v.append(ROWS[:2])
        v.put([5, 3], ROWS[2:])
        v.append([])
        v.put([], np.empty((0, 3)))
        v.append([[np.nan] * 3])
        assert v.present().tolist() == [True, True, False, True, False, True, False]
        assert v.present(3).tolist() == [True, False, True, False]
        v.put([2, 0], ROWS[[0, 3]])
        assert v.rows[[0, 1, 2, 3, 5]].tolist() == ROWS[[3, 1, 0, 3, 2]].tolist()
        assert not v.rows.flags.writeable
    reader = Vectors.open(folder, 3, about={"model": "m", "parts": [1, 2]})
    assert (len(reader), reader.dim, reader.dtype, reader.about) == (
        7,
        3,
        np.float32,
        {"model": "m", "parts": [1, 2]},
    )
    assert np.array_equal(np.load(folder / "vectors.npy", mmap_mode="r"), reader.rows, equal_nan=True)
    with Vectors.open(folder, write=True) as v:
        v.append(ROWS)
        assert len(reader.rows) == 7
        assert len(reader.refresh().rows) == 11


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_against_a_plain_table(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("vectors")
    model = {}
    size = 0
    for _ in range(data.draw(st.integers(1, 6))):
        positions = data.draw(st.lists(st.integers(0, 20), unique=True, max_size=8))
        absent = data.draw(st.lists(st.booleans(), min_size=len(positions), max_size=len(positions)))
        rows = np.random.default_rng(len(positions)).normal(size=(len(positions), 2))
        rows[np.array(absent, bool)] = np.nan
        with Vectors.open(folder, 2, dtype="float64", write=True) as v:
            v.put(positions, rows)
            for position, row in zip(positions, rows, strict=True):
                model[position] = row
                size = max(size, position + 1)
            expected = np.array([model.get(i, [np.nan] * 2) for i in range(size)]).reshape(-1, 2)
            assert np.array_equal(v.rows, expected, equal_nan=True)
        with open(folder / "vectors.npy", "ab") as file:
            file.write(bytes(data.draw(st.integers(0, 40))))
    assert np.array_equal(Vectors.open(folder).rows, expected, equal_nan=True)


def test_a_torn_tail_is_cut_and_a_torn_header_replaced(folder):
    with Vectors.open(folder, 3, write=True) as v:
        v.append(ROWS)
    whole = (folder / "vectors.npy").read_bytes()
    (folder / "vectors.npy").write_bytes(b"\0" * 50 + whole[50:] + ROWS.tobytes()[:17])
    assert np.array_equal(Vectors.open(folder).rows, ROWS)
    Vectors.open(folder, write=True).close()
    assert (folder / "vectors.npy").read_bytes() == whole
    (folder / "vectors.npy").write_bytes(whole[:-5])
    assert np.array_equal(Vectors.open(folder).rows, ROWS[:3])
    with Vectors.open(folder, write=True) as v:
        v.append(ROWS[3:])
    assert (folder / "vectors.npy").read_bytes() == whole


def test_half_a_row_is_an_absent_one(folder, monkeypatch):
    """The writer dies after each of its writes in turn: a row is the old one, the new one, or absent."""
    seen = set()
    for survives in range(12):
        place = folder / str(survives)
        with Vectors.open(place, 3, write=True) as v:
            v.append(ROWS[:2])
            v.put([2], [[np.nan] * 3])
            with monkeypatch.context() as patch:
                patch.setattr(vectors, "_write", dying_after(survives, vectors._write))
                try:
                    v.put([1, 2, 4], ROWS[1:] + 100)
                except KeyboardInterrupt:
                    seen.add(survives)
        got = Vectors.open(place)
        there = got.present()
        new = np.vstack([ROWS[0], ROWS[1] + 100, ROWS[2] + 100, [np.nan] * 3, ROWS[3] + 100])
        old = np.vstack([ROWS[0], ROWS[1]])
        for position in np.flatnonzero(there):
            row = got.rows[position]
            assert np.array_equal(row, new[position]) or np.array_equal(row, old[position])
        assert there[0]
    assert seen == {0, 1, 2, 3, 4}


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

    with Vectors.open(folder, 3, write=True) as v:
        v.append(ROWS[:2])
        before = (folder / "vectors.npy").read_bytes()
        with monkeypatch.context() as patch:
            if broken == "_write":
                real = vectors._write
                patch.setattr(
                    vectors,
                    "_write",
                    lambda file, content, at: full() if at > 128 else real(file, content, at),
                )
            else:
                patch.setattr(os if broken == "fsync" else vectors, broken, full)
            with pytest.raises(StoreFullError, match="No space left"):
                v.append(ROWS[2:])
        assert np.array_equal(v.rows, ROWS[:2])
        assert (folder / "vectors.npy").read_bytes() == before
        v.append(ROWS[2:])
        assert np.array_equal(v.rows, ROWS)


def test_one_writes_and_others_read(folder):
    with pytest.raises(FileNotFoundError, match="there are no vectors"):
        Vectors.open(folder)
    with pytest.raises(ValueError, match="need a length"):
        Vectors.open(folder, write=True)
    with pytest.raises(ValueError, match="floating point"):
        Vectors.open(folder, 3, dtype="int32", write=True)
    with Vectors.open(folder, 3, write=True) as v:
        v.append(ROWS)
        with pytest.raises(ProjectInUseError, match=f"already open in process {os.getpid()}"):
            Vectors.open(folder, write=True)
        reader = Vectors.open(folder)
        with pytest.raises(StoreError, match="opened for reading"):
            reader.append(ROWS)
    for wanted in ({"dim": 4}, {"about": {"model": "other"}}):
        for write in (False, True):
            with pytest.raises(ValueError, match=r"have (dim|about)"):
                Vectors.open(folder, **wanted, write=write)
    with Vectors.open(folder, write=True) as v:
        for positions, rows in [
            ([0], ROWS),
            ([[0]], ROWS[:1]),
            ([0.0], ROWS[:1]),
            ([-1], ROWS[:1]),
            ([1, 1], ROWS[:2]),
            ([0], [[1, np.nan, 2]]),
            ([0], [[1, 2]]),
        ]:
            with pytest.raises(ValueError, match=r"positions|NaN in places"):
                v.put(positions, rows)
        assert np.array_equal(v.rows, ROWS)
    (folder / "rows.json").write_text(json.dumps({"rows": 4}))
    with pytest.raises(StoreError, match="cannot be read"):
        Vectors.open(folder)


def test_vectors_of_a_project(tmp_path):
    with Store.open(tmp_path) as store:
        project = store.create_project("leaves")
        with project.vectors("clip-b32", 3, write=True) as v:
            v.append(ROWS)
            assert v.folder == tmp_path / "vectors" / project.uid / "clip-b32"
        assert len(store.create_project("other").vectors("clip-b32", 3, write=True)) == 0
        for name in ("", "../x", "a b", "é"):
            with pytest.raises(ValueError, match="letters, digits"):
                project.vectors(name, 3, write=True)
        project._folder = None
        with pytest.raises(StoreError, match="open the store with a folder"):
            project.vectors("clip-b32")
