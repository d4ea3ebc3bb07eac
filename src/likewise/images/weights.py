"""Reading the arrays of a PyTorch weight file without PyTorch and without running anything the file says."""

from __future__ import annotations

import os
import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from typing import IO, Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

__all__ = ["read_weights"]

LEGACY_MAGIC = 0x1950A86A20F9469CFC6C
LEGACY_VERSION = 1001
DAMAGE = (pickle.UnpicklingError, zipfile.BadZipFile, EOFError, LookupError, TypeError, AttributeError)
STORAGES = {
    "DoubleStorage": "<f8",
    "FloatStorage": "<f4",
    "HalfStorage": "<f2",
    "LongStorage": "<i8",
    "IntStorage": "<i4",
    "ShortStorage": "<i2",
    "CharStorage": "<i1",
    "ByteStorage": "<u1",
    "BoolStorage": "?",
}


class _Kind(NamedTuple):
    """The type of a storage's numbers."""

    dtype: str


class _Storage(NamedTuple):
    """A run of numbers in the file, named but not yet read."""

    key: str
    dtype: np.dtype[Any]
    length: int

    @property
    def nbytes(self) -> int:
        return self.dtype.itemsize * self.length


class _Tensor(NamedTuple):
    """A strided view of a storage."""

    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def read_weights(path: str | os.PathLike[str]) -> dict[str, NDArray[Any]]:
    """Read the named arrays of a ``.pth`` file as ``torch.save`` writes a state dictionary.

    Both layouts are read: the archive of PyTorch 1.6 and later, and the row of pickles before it. The pickles
    may name nothing but ordered dictionaries, storages and the function that makes a tensor of one; anything
    else in them is refused, so that reading a stranger's file runs none of it.

    - `path`, path-like: The file.
    - Returns dict of str to ndarray: In the file's order, each array contiguous.

    Raises
    ------
    ValueError
        When the file is no such file, is damaged, or names anything else.

    Examples
    --------
    >>> import pathlib, pickle, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "bad.pth"
    >>> _ = path.write_bytes(pickle.dumps(print))
    >>> read_weights(path)
    Traceback (most recent call last):
        ...
    ValueError: a weight file may not name 'builtins.print'
    """
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                return _read_archive(archive)
        with open(path, "rb") as file:
            return _read_legacy(file)
    except DAMAGE as error:
        raise ValueError(f"{os.fspath(path)!r} is no readable weight file: {error}") from error


def _read_archive(archive: zipfile.ZipFile) -> dict[str, NDArray[Any]]:
    root = next((name[: -len("data.pkl")] for name in archive.namelist() if name.endswith("/data.pkl")), None)
    if root is None:
        raise ValueError("the archive holds no data.pkl")
    order = f"{root}byteorder"
    if order in archive.namelist() and archive.read(order) != b"little":
        raise ValueError("only little-endian weight files are read")
    with archive.open(f"{root}data.pkl") as file:
        state = _Unpickler(file).load()

    def load(storage: _Storage) -> NDArray[Any]:
        name = f"{root}data/{storage.key}"
        if archive.getinfo(name).file_size != storage.nbytes:
            raise ValueError(f"storage {storage.key!r} is not of the size that was announced")
        return np.frombuffer(archive.read(name), storage.dtype)

    return _resolve(state, load)


def _read_legacy(file: IO[bytes]) -> dict[str, NDArray[Any]]:
    if _Unpickler(file).load() != LEGACY_MAGIC or _Unpickler(file).load() != LEGACY_VERSION:
        raise ValueError("not a file that torch.save wrote")
    if not _Unpickler(file).load()["little_endian"]:
        raise ValueError("only little-endian weight files are read")
    unpickler = _Unpickler(file)
    state = unpickler.load()
    size = os.fstat(file.fileno()).st_size
    loaded: dict[str, NDArray[Any]] = {}
    for key in _Unpickler(file).load():
        storage = unpickler.storages[key]
        (length,) = np.frombuffer(file.read(8), "<i8")
        if length != storage.length or file.tell() + storage.nbytes > size:
            raise ValueError(f"storage {key!r} is not of the size that was announced")
        loaded[key] = np.frombuffer(file.read(storage.nbytes), storage.dtype)
    return _resolve(state, lambda storage: loaded[storage.key])


def _resolve(state: Any, load: Callable[[_Storage], NDArray[Any]]) -> dict[str, NDArray[Any]]:
    if not isinstance(state, dict):
        raise ValueError("a state dictionary of named tensors was expected")
    return {str(name): _view(value, load) for name, value in state.items() if isinstance(value, _Tensor)}


def _view(tensor: _Tensor, load: Callable[[_Storage], NDArray[Any]]) -> NDArray[Any]:
    storage, offset, shape, strides = tensor
    if len(shape) != len(strides) or min((*shape, *strides, offset)) < 0:
        raise ValueError("a tensor with a negative size or stride")
    numbers = load(storage)
    last = offset + sum((n - 1) * step for n, step in zip(shape, strides, strict=True))
    if 0 not in shape and last >= storage.length:
        raise ValueError("a tensor reaches beyond its storage")
    steps = [step * storage.dtype.itemsize for step in strides]
    return np.lib.stride_tricks.as_strided(numbers[offset:], shape, steps, writeable=False).copy()


class _Rebuild:
    """Stands for the function that makes a tensor of a storage; has no attribute that a pickle could set."""

    __slots__ = ()

    def __call__(
        self, storage: Any, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], *_: object
    ) -> _Tensor:
        if not isinstance(storage, _Storage):
            raise ValueError("a tensor without a storage")
        return _Tensor(storage, int(offset), tuple(map(int, shape)), tuple(map(int, strides)))


class _Unpickler(pickle.Unpickler):
    """A pickle reader that knows tensors, storages and ordered dictionaries, and nothing else."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(file, encoding="utf-8")
        self.storages: dict[str, _Storage] = {}

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return _Rebuild()
        if module == "torch" and name in STORAGES:
            return _Kind(STORAGES[name])
        return self._refuse(f"{module}.{name}")

    def persistent_load(self, pid: Any) -> _Storage:
        kind, numbers, key, _, length = pid[:5]
        if kind != "storage" or not isinstance(numbers, _Kind) or not isinstance(length, int) or length < 0:
            self._refuse(repr(kind))
        storage = _Storage(str(key), np.dtype(numbers.dtype), length)
        self.storages[storage.key] = storage
        return storage

    @staticmethod
    def _refuse(what: str) -> NoReturn:
        raise ValueError(f"a weight file may not name {what!r}")
