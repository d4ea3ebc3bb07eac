"""Weight files are read without PyTorch, and nothing they say is run."""

import io
import os
import pickle
import struct
import sys
import types
import zipfile
from collections import OrderedDict

import numpy as np
import pytest

from likewise.images.weights import LEGACY_MAGIC, LEGACY_VERSION, read_weights

KINDS = {np.dtype("f4"): "FloatStorage", np.dtype("i8"): "LongStorage", np.dtype("f2"): "HalfStorage"}


class Stored:
    """A tensor to pickle as PyTorch does: a storage by reference, an offset, a shape and strides in numbers."""

    def __init__(self, key, numbers, offset, shape, strides):
        self.key, self.numbers = key, numbers
        self.arguments = offset, shape, strides

    def __reduce__(self):
        rebuild = sys.modules["torch._utils"]._rebuild_tensor_v2
        return rebuild, (Reference(self), *self.arguments, False, OrderedDict())


class Reference:
    def __init__(self, tensor):
        self.tensor = tensor


class Writer(pickle.Pickler):
    def persistent_id(self, thing):
        if not isinstance(thing, Reference):
            return None
        numbers = thing.tensor.numbers
        kind = getattr(sys.modules["torch"], KINDS[numbers.dtype])
        return "storage", kind, thing.tensor.key, "cpu", len(numbers)


@pytest.fixture(autouse=True)
def torch_names(monkeypatch):
    """Modules with the names that PyTorch's pickles refer to."""

    def _rebuild_tensor_v2():
        raise AssertionError("only its name is used")

    _rebuild_tensor_v2.__module__ = "torch._utils"
    _rebuild_tensor_v2.__qualname__ = "_rebuild_tensor_v2"
    kinds = {name: type(name, (), {"__module__": "torch"}) for name in KINDS.values()}
    inner = types.SimpleNamespace(_rebuild_tensor_v2=_rebuild_tensor_v2)
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(_utils=inner, **kinds))
    monkeypatch.setitem(sys.modules, "torch._utils", inner)


def dumped(state):
    buffer = io.BytesIO()
    Writer(buffer, protocol=2).dump(state)
    return buffer.getvalue()


def write_legacy(path, state):
    content = b"".join(pickle.dumps(head, 2) for head in (LEGACY_MAGIC, LEGACY_VERSION, {"little_endian": True}))
    content += dumped(state) + pickle.dumps([tensor.key for tensor in state.values()], 2)
    for tensor in state.values():
        content += struct.pack("<q", len(tensor.numbers)) + tensor.numbers.tobytes()
    path.write_bytes(content)


def write_archive(path, state):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model/data.pkl", dumped(state))
        archive.writestr("model/byteorder", "little")
        for tensor in state.values():
            archive.writestr(f"model/data/{tensor.key}", tensor.numbers.tobytes())


@pytest.fixture(params=[write_legacy, write_archive], ids=["legacy", "archive"])
def write(request):
    return request.param


def test_arrays_come_back_with_offset_shape_and_strides(tmp_path, write):
    numbers = np.arange(24, dtype="f4")
    state = OrderedDict(
        whole=Stored("0", numbers, 0, (2, 3, 4), (12, 4, 1)),
        turned=Stored("1", numbers, 4, (3, 2), (1, 10)),
        count=Stored("2", np.array([7], "i8"), 0, (), ()),
        empty=Stored("3", np.zeros(0, "f2"), 0, (0, 5), (5, 1)),
    )
    write(tmp_path / "weights.pth", state)
    read = read_weights(tmp_path / "weights.pth")
    assert list(read) == ["whole", "turned", "count", "empty"]
    np.testing.assert_array_equal(read["whole"], numbers.reshape(2, 3, 4))
    np.testing.assert_array_equal(read["turned"], [[4, 14], [5, 15], [6, 16]])
    assert read["count"] == 7
    assert read["count"].dtype == np.int64
    assert read["empty"].shape == (0, 5)
    assert all(array.flags.c_contiguous and array.flags.owndata for array in read.values())


@pytest.mark.parametrize(
    ("offset", "shape", "strides"),
    [(1, (6,), (1,)), (0, (7,), (1,)), (0, (2, 2), (6, 1)), (-1, (2,), (1,)), (3, (2,), (-1,)), (0, (2,), (1, 1))],
)
def test_tensors_do_not_reach_beyond_their_storage(tmp_path, write, offset, shape, strides):
    write(tmp_path / "weights.pth", {"a": Stored("0", np.arange(6, dtype="f4"), offset, shape, strides)})
    with pytest.raises(ValueError, match="a tensor"):
        read_weights(tmp_path / "weights.pth")


class Command:
    def __reduce__(self):
        return os.system, ("touch run",)


@pytest.mark.parametrize(
    "thing", [Command(), eval, os, types.SimpleNamespace(a=1)], ids=["command", "eval", "module", "namespace"]
)
def test_nothing_else_may_be_named(tmp_path, monkeypatch, thing):
    monkeypatch.chdir(tmp_path)
    if isinstance(thing, types.ModuleType):
        content = b"cos\nsystem\n(S'touch run'\ntR."
    else:
        content = pickle.dumps({"a": thing}, 2)
    (tmp_path / "weights.pth").write_bytes(content)
    with pytest.raises(ValueError, match="may not name"):
        read_weights(tmp_path / "weights.pth")
    assert not (tmp_path / "run").exists()


def test_a_pickle_cannot_change_what_reads_it(tmp_path):
    # BUILD sets attributes of what a name stands for: here it would swap the code that makes tensors.
    content = b"ctorch._utils\n_rebuild_tensor_v2\n}S'__call__'\nccollections\nOrderedDict\nsb."
    (tmp_path / "weights.pth").write_bytes(content)
    with pytest.raises(ValueError, match="no readable weight file"):
        read_weights(tmp_path / "weights.pth")


@pytest.mark.parametrize("keep", [0, 10, 40, 300, -1])
def test_a_file_cut_short_is_an_error(tmp_path, write, keep):
    path = tmp_path / "weights.pth"
    write(path, {"a": Stored("0", np.arange(100, dtype="f4"), 0, (100,), (1,))})
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(ValueError):  # noqa: PT011 - what is missing decides what is said
        read_weights(path)
