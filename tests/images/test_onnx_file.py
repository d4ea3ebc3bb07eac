"""ONNX files, against the package that everybody writes them with."""

import numpy as np
import pytest

from likewise.images.efficientnet import efficientnet_lite0
from likewise.images.onnx_file import FLOAT, UINT8, constant, model, node

onnx = pytest.importorskip("onnx")


def test_a_network_is_what_the_package_writes():
    helper, kinds = onnx.helper, onnx.TensorProto
    values = np.arange(300, dtype=np.float32).reshape(3, 100)
    attributes = {"kernel_shape": [3, 300], "group": 200, "auto_pad": "SAME_UPPER", "to": 1}
    expected = helper.make_model(
        helper.make_graph(
            [helper.make_node("Conv", ["a", "w"], ["b"], **attributes), helper.make_node("Relu", ["b"], ["c"])],
            "net",
            [helper.make_tensor_value_info("a", kinds.UINT8, ["n", "height", 3])],
            [helper.make_tensor_value_info("c", kinds.FLOAT, ["n", 1280])],
            [onnx.numpy_helper.from_array(values, "w"), onnx.numpy_helper.from_array(np.float32(6), "six")],
        ),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
        producer_name="likewise",
    )
    helper.set_model_props(expected, {"likewise.size": "224"})
    written = model(
        "net",
        [node("Conv", ["a", "w"], "b", **attributes), node("Relu", ["b"], "c")],
        [constant("w", values), constant("six", np.float32(6))],
        ("a", UINT8, ["n", "height", 3]),
        ("c", FLOAT, ["n", 1280]),
        opset=17,
        facts={"likewise.size": "224"},
    )
    assert onnx.load_from_string(written) == expected


def test_the_default_network_passes_the_check():
    onnx.checker.check_model(onnx.load(efficientnet_lite0()), full_check=True)


def test_constants_are_float32():
    with pytest.raises(ValueError, match="constants are float32, got float64"):
        constant("x", np.zeros(2))
