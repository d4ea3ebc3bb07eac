"""A learned distance as a file: what it does is what NumPy does, and what is something else is refused."""

import numpy as np
import onnxruntime
import pytest

from likewise.app.learned import reduction_of
from likewise.images.head import Head, read_head, write_head
from likewise.images.network import open_network
from likewise.images.onnx_file import FLOAT, constant, model, node


@pytest.fixture
def head():
    rng = np.random.default_rng(0)
    return Head(rng.normal(size=12) / 12, rng.normal(size=(12, 5)), "pixels", 75)


@pytest.fixture
def file(tmp_path, head):
    write_head(tmp_path / "head.onnx", head)
    return tmp_path / "head.onnx"


def test_the_network_gives_what_numpy_gives(file, head):
    rows = np.random.default_rng(1).normal(size=(40, 12)).astype(np.float32) * 7
    rows[3] = 0
    session = onnxruntime.InferenceSession(file)
    (found,) = session.run(None, {"vectors": rows})
    np.testing.assert_allclose(found, reduction_of(head).apply(rows), atol=1e-5)
    assert session.run(None, {"vectors": rows[:0]})[0].shape == (0, 5)


def test_onnx_itself_finds_nothing_wrong_with_it(file):
    import onnx

    onnx.checker.check_model(onnx.load(file), full_check=True)


def test_what_is_read_does_the_same(file, head):
    again = read_head(file)
    rows = np.random.default_rng(2).normal(size=(9, 12))
    np.testing.assert_allclose(reduction_of(again).apply(rows), reduction_of(head).apply(rows), atol=1e-5)
    assert (again.model, again.answers) == ("pixels", 75)


def write_model(path, nodes, constants=(), *, facts=None, shape=("n", 4)):
    content = model("x", nodes, constants, ("v", FLOAT, shape), ("w", FLOAT, shape), opset=17, facts=facts or {})
    path.write_bytes(content)


def test_what_is_no_head_is_refused_in_a_sentence(tmp_path, file):
    other, marked = tmp_path / "other.onnx", {"likewise.head": "1"}
    write_model(other, [node("Relu", ["v"], "w")])
    with pytest.raises(ValueError, match="is no learned distance: 'likewise head' writes them"):
        read_head(other)
    write_model(other, [node("Relu", ["v"], "w")], facts=marked)  # bent, not linear
    with pytest.raises(ValueError, match="is not as 'likewise head' writes"):
        read_head(other)
    nothing = constant("c", np.full((1, 4), np.nan, np.float32))
    write_model(other, [node("Mul", ["v", "c"], "w")], [nothing], facts=marked)
    with pytest.raises(ValueError, match="gives no vectors"):
        read_head(other)
    write_model(other, [node("Relu", ["v"], "w")], facts=marked, shape=("n", 1_000_000))
    with pytest.raises(ValueError, match="is no learned distance"):
        read_head(other)
    other.write_bytes(file.read_bytes()[:200])
    with pytest.raises(ValueError, match="is no network ONNX Runtime can run"):
        read_head(other)
    with pytest.raises(FileNotFoundError, match="there is no network"):
        open_network(tmp_path / "none.onnx")
