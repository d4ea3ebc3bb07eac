"""A session as one file: a zip of JSON and arrays, and nothing in it that runs when it is read."""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from likewise.query.base import State, Strategy
from likewise.query.question import Answer, Form

FORMAT, VERSION = "likewise session", 1
MEMBER = "session.json"
Arrays = dict[str, NDArray[Any]]
PLAIN = (bool, int, float, str, type(None))


class SavedAsFile:
    """What a session needs to be written to one file and read from it again."""

    _state: State
    strategy: Strategy
    forms: tuple[Form, ...]
    prompt: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the session to one file: items, options and answers, as JSON and arrays.

        A strategy of your own is not written: give it to :meth:`load`.

        Parameters
        ----------
        path : path-like
            The file; one that is there is replaced.
        """
        write_session(path, self._state, self.strategy, self.forms, self.prompt)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, strategy: Strategy | None = None) -> Self:
        """A session that was saved: it asks and clusters as the one that was written.

        Parameters
        ----------
        path : path-like
            The file that :meth:`save` wrote.
        strategy : Strategy, optional
            Who asks, where the session had a strategy of your own.

        Examples
        --------
        >>> import os, tempfile
        >>> from likewise import Session
        >>> s = Session([[0.0], [0.2], [5.0]], random_state=0)
        >>> s.answer((0, 1), "same")
        >>> path = os.path.join(tempfile.mkdtemp(), "answers.likewise")
        >>> s.save(path)
        >>> Session.load(path).known(0, 1)
        'same'
        """
        arguments, sizes, history = read_session(path, strategy)
        session = cls(**arguments)
        session._state.stages = [(object(), n) for n in sizes]
        return session.replay(history)

    def replay(self, history: Iterable[Answer]) -> Self:
        """Take answers, in order."""
        raise NotImplementedError


def write_session(path: str | os.PathLike[str], state: State, strategy: Any, forms: Sequence[str], prompt: str) -> None:
    """Write all that a session is made of; a file that is there is replaced when the new one is whole.

    - `path`, path-like: The file.
    - `state`: The items and everything answered.
    - `strategy`: Who asks.
    - `forms`, sequence of str: The forms of questions.
    - `prompt`: What is meant by *same*.
    """
    if not isinstance(state.metric, str):
        raise ValueError("a metric of your own cannot be saved: give the session distances, metric='precomputed'")
    arrays: Arrays = {"X": state.X}
    record = {
        "format": FORMAT,
        "version": VERSION,
        "metric": state.metric,
        "n_clusters": state.n_clusters,
        "seed": state.seed,
        "forms": list(forms),
        "prompt": prompt,
        "sizes": [n for _, n in state.stages],
        "recheck": state.taken.setting,
        "strategy": _pack_strategy(strategy, arrays),
        "given": [list(group) for group in state.given],
        "apart": [list(group) for group in state.apart],
        "history": [asdict(answer) for answer in state.history],
    }
    _write_whole(path, json.dumps(record, indent=1), arrays)


def read_session(path: str | os.PathLike[str], strategy: Any = None) -> tuple[dict[str, Any], list[int], list[Answer]]:
    """The arguments of a saved session, how many items it had whenever some came, and its answers.

    - `path`, path-like: The file.
    - `strategy`, Strategy: Who asks, where it is one that the file cannot hold.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            record = json.loads(archive.read(MEMBER))
            named = [name for name in archive.namelist() if name.endswith(".npy")]
            arrays = {name.removesuffix(".npy"): _read_array(archive.read(name)) for name in named}
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise ValueError(f"{os.fspath(path)!r} is no saved session: {error}") from error
    if not isinstance(record, dict) or record.get("format") != FORMAT or record.get("version") != VERSION:
        raise ValueError(f"{os.fspath(path)!r} is no saved session of version {VERSION}")
    if strategy is None and record["strategy"] is None:
        raise ValueError("the session was asked by a strategy of your own: give it to load, strategy=…")
    arguments = {
        "X": arrays["X"],
        "metric": record["metric"],
        "n_clusters": record["n_clusters"],
        "random_state": record["seed"],
        "forms": tuple(record["forms"]),
        "prompt": record["prompt"],
        "recheck": record["recheck"],
        "given": record["given"],
        "apart": record.get("apart", []),
        "strategy": _unpack(record["strategy"], arrays) if strategy is None else strategy,
    }
    return arguments, record["sizes"], [_read_answer(row) for row in record["history"]]


def _read_answer(row: dict[str, Any]) -> Answer:
    unknown = set(row) - {field.name for field in fields(Answer)}
    if unknown:
        raise ValueError(f"an answer has {', '.join(sorted(unknown))}: it was saved by a newer version of likewise")
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
    return Answer(**values)


def _pack_strategy(strategy: Any, arrays: Arrays) -> Any:
    """A strategy of the package with its options; None for one of somebody else, which is given again on loading."""
    from likewise import query

    if not isinstance(strategy, Strategy) or getattr(query, type(strategy).__name__, None) is not type(strategy):
        return None
    return {"strategy": type(strategy).__name__, "params": _pack_params(strategy, "strategy", arrays)}


def _pack_params(estimator: BaseEstimator, what: str, arrays: Arrays) -> dict[str, Any]:
    params = estimator.get_params(deep=False)
    return {name: _pack(value, f"{what}.{name}", arrays) for name, value in params.items()}


def _pack(value: Any, what: str, arrays: Arrays) -> Any:
    """A value as JSON; arrays go beside it."""
    from likewise import cluster

    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, PLAIN):
        return value
    if isinstance(value, list | tuple):
        kind = "list" if isinstance(value, list) else "tuple"
        return {kind: [_pack(each, f"{what}.{k}", arrays) for k, each in enumerate(value)]}
    if isinstance(value, np.ndarray) and value.dtype != object:
        arrays[what] = value
        return {"array": what}
    if isinstance(value, BaseEstimator) and getattr(cluster, type(value).__name__, None) is type(value):
        return {"clusterer": type(value).__name__, "params": _pack_params(value, what, arrays)}
    raise ValueError(
        f"{what} is of type {type(value).__name__}, which no file holds: numbers, texts, arrays and clusterers of"
        " likewise can be saved"
    )


def _unpack(packed: Any, arrays: Arrays) -> Any:
    from likewise import cluster, query

    if isinstance(packed, PLAIN):
        return packed
    for kind, cast in (("list", list), ("tuple", tuple)):
        if kind in packed:
            return cast(_unpack(each, arrays) for each in packed[kind])
    if "array" in packed:
        return arrays[packed["array"]]
    room, base, name = (
        (query, Strategy, packed["strategy"]) if "strategy" in packed else (cluster, BaseEstimator, packed["clusterer"])
    )
    made = getattr(room, name, None)
    if not (isinstance(made, type) and issubclass(made, base)):
        raise ValueError(f"there is no {name!r} in {room.__name__}")
    return made(**{key: _unpack(value, arrays) for key, value in packed["params"].items()})


def _read_array(data: bytes) -> NDArray[Any]:
    found: NDArray[Any] = np.load(io.BytesIO(data), allow_pickle=False)
    return found


def _write_whole(path: str | os.PathLike[str], text: str, arrays: Arrays) -> None:
    target = os.path.abspath(path)
    handle, part = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".likewise-")
    try:
        with os.fdopen(handle, "wb") as file:
            _write_zip(file, text, arrays.items())
        os.replace(part, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise


def _write_zip(file: Any, text: str, arrays: Iterable[tuple[str, NDArray[Any]]]) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(MEMBER, text)
        for name, array in arrays:
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)
