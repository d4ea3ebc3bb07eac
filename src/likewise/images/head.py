"""A learned distance as a network of its own, to be put after another: vectors in, vectors under that distance out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.images.cache import write_atomically
from likewise.images.network import open_network
from likewise.images.onnx_file import FLOAT, constant, model, node

__all__ = ["Head", "read_head", "write_head"]

OPSET = 17
MOST_DIMENSIONS = 8192
LEAST_LENGTH = 1e-12  # shorter vectors stay as they are
KIND = "likewise.head"


class Head(NamedTuple):
    """A linear map of directions: vectors are scaled to length 1, moved by `-centre` and multiplied by `axes`.

    - `centre` (d,), `axes` (d, k): The map.
    - `model`: Name of the vectors that it is for, as of :func:`likewise.images.vectors.model_key`.
    - `answers`: Number of answers that it was learned from.
    """

    centre: NDArray[np.float64]
    axes: NDArray[np.float64]
    model: str
    answers: int


def write_head(path: str | os.PathLike[str], head: Head) -> None:
    """Write a head as an ONNX file: input ``vectors`` (n, d), output ``learned`` (n, k), both float32.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "head.onnx")
    >>> write_head(file, Head(np.zeros(2), np.array([[2.0], [0.0]]), "pixels", 50))
    >>> read_head(file).axes.tolist(), read_head(file).answers
    ([[2.0], [0.0]], 50)
    """
    d, k = head.axes.shape
    nodes = [
        node("ReduceL2", ["vectors"], "lengths", axes=[1], keepdims=1),
        node("Max", ["lengths", "least"], "divisors"),
        node("Div", ["vectors", "divisors"], "directions"),
        node("Sub", ["directions", "centre"], "moved"),
        node("MatMul", ["moved", "axes"], "learned"),
    ]
    constants = [
        constant("least", np.array([LEAST_LENGTH], np.float32)),
        constant("centre", head.centre.astype(np.float32)),
        constant("axes", head.axes.astype(np.float32)),
    ]
    content = model(
        "head",
        nodes,
        constants,
        ("vectors", FLOAT, ("n", d)),
        ("learned", FLOAT, ("n", k)),
        opset=OPSET,
        facts={KIND: "1", "likewise.model": head.model, "likewise.answers": str(head.answers)},
    )
    write_atomically(Path(path), content)


def read_head(path: str | os.PathLike[str]) -> Head:
    """Read what :func:`write_head` wrote, by what the network does: nothing but its input and its output counts.

    A file that is something else, or half of one, is refused in one sentence.
    """
    session = open_network(path)
    facts = session.get_modelmeta().custom_metadata_map
    shapes = [each.shape for each in (*session.get_inputs(), *session.get_outputs())]
    d = shapes[0][1] if len(shapes) == 2 and len(shapes[0]) == 2 else None
    if KIND not in facts or not isinstance(d, int) or not 0 < d <= MOST_DIMENSIONS:
        raise ValueError(f"{os.fspath(path)!r} is no learned distance: 'likewise head' writes them")
    name, ones = session.get_inputs()[0].name, np.eye(d, dtype=np.float32)
    there, back = (_run(session, name, rows, path) for rows in (ones, -ones))
    axes, moved = (there - back) / 2, -(there + back) / 2  # of each direction and of its opposite
    if not np.allclose(moved, moved[0], atol=1e-3 * max(1.0, float(np.abs(axes).max()))):
        raise ValueError(f"{os.fspath(path)!r} is not as 'likewise head' writes learned distances")
    centre = np.linalg.lstsq(axes.T, moved.mean(axis=0), rcond=None)[0]
    answers = facts.get("likewise.answers", "")
    return Head(centre, axes, facts.get("likewise.model", ""), int(answers) if answers.isdecimal() else 0)


def _run(session: Any, name: str, rows: NDArray[np.float32], path: str | os.PathLike[str]) -> NDArray[np.float64]:
    try:
        found = np.asarray(session.run(None, {name: rows})[0], np.float64)
    except Exception as error:  # ONNX Runtime's own classes share no public base
        raise ValueError(f"{os.fspath(path)!r} fails: {' '.join(str(error).split())[:200]}") from None
    if found.ndim != 2 or len(found) != len(rows) or not np.isfinite(found).all():
        raise ValueError(f"{os.fspath(path)!r} gives no vectors")
    return found
