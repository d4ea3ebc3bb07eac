"""Writes ONNX files: the few messages of the format that a network needs, in Protocol Buffers' own encoding.

The package ``onnx`` can do it too, and is larger than everything that this program needs it for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["FLOAT", "UINT8", "constant", "model", "node"]

FLOAT, UINT8 = 1, 2
"""Types of numbers, as ONNX counts them."""

VARINT, BYTES = 0, 2
INT_ATTRIBUTE, TEXT_ATTRIBUTE, INTS_ATTRIBUTE = 2, 3, 7


def node(kind: str, inputs: Sequence[str], output: str, **attributes: int | str | Sequence[int]) -> bytes:
    """One operation (NodeProto).

    - `kind`: Name of the operator.
    - `inputs`, `output`: Names of values.
    - `attributes`, int, str or sequence of int: Its attributes.
    """
    parts = [_text(1, name) for name in inputs]
    parts += [_text(2, output), _text(4, kind)]
    parts += [_bytes(5, _attribute(name, value)) for name, value in sorted(attributes.items())]
    return b"".join(parts)


def constant(name: str, value: NDArray[Any]) -> bytes:
    """A float32 array that belongs to the network (TensorProto).

    - `name`: Of the value.
    - `value`: float32.
    """
    array = np.asarray(value)
    if array.dtype != np.float32:
        raise ValueError(f"constants are float32, got {array.dtype}")
    dims = b"".join(_number(1, side) for side in array.shape)
    return dims + _number(2, FLOAT) + _text(8, name) + _bytes(9, array.astype("<f4").tobytes())


def model(
    name: str,
    nodes: Sequence[bytes],
    constants: Sequence[bytes],
    given: tuple[str, int, Sequence[int | str]],
    result: tuple[str, int, Sequence[int | str]],
    *,
    opset: int,
    facts: Mapping[str, str],
) -> bytes:
    """The content of a file (ModelProto).

    - `name`: Of the graph.
    - `nodes`, `constants`: As of :func:`node` and :func:`constant`.
    - `given`, `result`: Name, type and sides of the input and of the output; a side may have a name.
    - `opset`: Version of the operators.
    - `facts`: Metadata.
    """
    graph = b"".join(_bytes(1, each) for each in nodes) + _text(2, name)
    graph += b"".join(_bytes(5, each) for each in constants)
    graph += _bytes(11, _value_info(*given)) + _bytes(12, _value_info(*result))
    parts = [_number(1, 8), _text(2, "likewise"), _bytes(7, graph), _bytes(8, _text(1, "") + _number(2, opset))]
    parts += [_bytes(14, _text(1, key) + _text(2, value)) for key, value in facts.items()]
    return b"".join(parts)


def _attribute(name: str, value: int | str | Sequence[int]) -> bytes:
    if isinstance(value, str):
        return _text(1, name) + _text(4, value) + _number(20, TEXT_ATTRIBUTE)
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, INT_ATTRIBUTE)
    return _text(1, name) + b"".join(_number(8, each) for each in value) + _number(20, INTS_ATTRIBUTE)


def _value_info(name: str, kind: int, sides: Sequence[int | str]) -> bytes:
    shape = b"".join(_bytes(1, _text(2, side) if isinstance(side, str) else _number(1, side)) for side in sides)
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, shape)))


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3 | VARINT) + _varint(value)


def _bytes(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | BYTES) + _varint(len(content)) + content


def _text(field: int, text: str) -> bytes:
    return _bytes(field, text.encode())
