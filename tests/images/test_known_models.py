"""Models by name: fetched once from a hub, checked, and read as their makers meant; and what goes wrong with them."""

import io
import json
import socket
import sys
import types

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from likewise.cli import app
from likewise.images import embed, embedding, hub, known_models, vectors
from likewise.images.embedding import knows_words, load_embedder, normalise
from likewise.images.network import OnnxEmbedder
from likewise.images.words import BytePairs
from tests.images.known import SIDE, FakeHub, known_as, vit_class_token, write_clip, write_vit, write_vocabulary


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def client(tmp_path, monkeypatch):
    """A hub on which dinov2-small and clip-vit-b-32 are small networks."""
    folder = tmp_path / "hub"
    folder.mkdir()
    write_vit(folder / "model.onnx")
    known = {
        "dinov2-small": known_as(known_models.KNOWN["dinov2-small"], folder, {"picture": "model.onnx"}, dimension=6),
        "clip-vit-b-32": known_as(known_models.KNOWN["clip-vit-b-32"], folder, write_clip(folder), dimension=3),
    }
    monkeypatch.setattr(known_models, "KNOWN", known)
    for module in (hub, embedding, vectors):
        monkeypatch.setattr(module, "KNOWN", known)
    client = FakeHub(folder)
    monkeypatch.setattr(hub, "_hub_download", lambda *_: client)
    return client


def pictures(n=3, seed=0):
    rng = np.random.default_rng(seed)
    return [Image.fromarray(rng.integers(0, 256, (SIDE, SIDE, 3), np.uint8)) for _ in range(n)]


# Fetching


def test_a_model_is_fetched_once_at_its_revision_and_kept(client, cache):
    assert not hub.is_kept("dinov2-small")
    embedder = load_embedder("dinov2-small")
    assert embedder.dimension == 6
    pinned = known_models.KNOWN["dinov2-small"]
    assert client.asked == [("onnx-community/dinov2-small", "onnx/model.onnx", pinned.revision)]
    load_embedder("dinov2-small")
    assert len(client.asked) == 1
    assert hub.is_kept("dinov2-small")
    assert sorted(each.name for each in (cache / "models" / "dinov2-small").iterdir()) == ["lock", "model.onnx"]


def test_every_known_model_is_pinned_to_a_commit_and_checksums():
    for name, known in known_models.KNOWN.items():
        assert len(known.revision) == 40, name
        for file in known.files:
            assert len(file.sha256) == 64, name
            assert set(file.sha256 + known.revision) <= set("0123456789abcdef")
            assert file.n_bytes > 1_000_000


@pytest.mark.parametrize("kind", ["half", "other"])
def test_a_file_that_is_not_the_right_one_is_never_kept(client, cache, kind):
    source = client.folder / "model.onnx"
    whole = source.read_bytes()
    source.write_bytes(whole[: len(whole) // 2] if kind == "half" else whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(hub.NotFetchedError, match=r"onnx/model\.onnx of dinov2-small is not the file it should be"):
        load_embedder("dinov2-small")
    assert not hub.is_kept("dinov2-small")
    source.write_bytes(whole)
    assert load_embedder("dinov2-small").dimension == 6  # the next start fetches it anew


def test_a_kept_file_that_was_damaged_is_found_and_fetched_again(client):
    load_embedder("dinov2-small")
    kept = hub.kept_path("dinov2-small", known_models.KNOWN["dinov2-small"].picture)
    kept.write_bytes(kept.read_bytes()[:-9])
    with pytest.raises(hub.NotFetchedError, match="it was removed; start again to fetch it anew"):
        load_embedder("dinov2-small")
    assert load_embedder("dinov2-small").dimension == 6


def test_a_connection_that_breaks_is_one_sentence(client):
    (client.folder / "model.onnx").unlink()
    with pytest.raises(hub.NotFetchedError, match=r"dinov2-small could not be fetched: no route to the hub\. Nothing"):
        load_embedder("dinov2-small")


def test_without_the_package_or_a_connection_it_says_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ImportError, match=r"dinov2-small has to be fetched .* install likewise\[hub\]"):
        load_embedder("dinov2-small")
    monkeypatch.setitem(sys.modules, "huggingface_hub", types.ModuleType("huggingface_hub"))
    for name in hub.PROXIES:
        monkeypatch.delenv(name, raising=False)

    def unreachable(*_):
        raise socket.gaierror("no name service")

    monkeypatch.setattr(socket, "create_connection", unreachable)
    with pytest.raises(hub.NotFetchedError, match=r"not kept on this machine yet and huggingface\.co cannot be"):
        load_embedder("dinov2-small")


def test_the_hubs_own_client_is_called_as_it_wants_to_be(monkeypatch, capsys):
    import inspect

    hub_package = pytest.importorskip("huggingface_hub")
    monkeypatch.setattr(socket, "create_connection", lambda *_: io.BytesIO())
    download = hub._hub_download("dinov2-small", known_models.KNOWN["dinov2-small"])
    assert download is hub_package.hf_hub_download
    inspect.signature(download).bind(repo_id="a/b", filename="c", revision="d", local_dir="e")
    assert "Fetching dinov2-small once, 89 MB (Apache-2.0)" in capsys.readouterr().err


# A transformer with a class token


def test_the_class_token_stands_for_the_picture(tmp_path, client):
    embedder = load_embedder("dinov2-small")
    batch = np.stack([embedder.prepare(picture) for picture in pictures()])
    expected = vit_class_token(client.folder / "model.onnx", batch)
    assert expected.std() > 0.1
    np.testing.assert_allclose(embedder.embed(batch), expected, atol=1e-4)
    pooled = OnnxEmbedder(write_vit(tmp_path / "pooled.onnx", pooled=True))  # the vector rather than the tokens
    assert pooled._output == "pooler_output"
    np.testing.assert_allclose(pooled.embed(batch), expected, atol=1e-4)


def test_a_network_with_a_fixed_number_of_pictures_takes_any_number(tmp_path):
    free = OnnxEmbedder(write_vit(tmp_path / "free.onnx"))
    batch = np.stack([free.prepare(picture) for picture in pictures(5)])
    for n in (1, 2, 4):
        fixed = OnnxEmbedder(write_vit(tmp_path / f"fixed{n}.onnx", n=n))
        np.testing.assert_allclose(fixed.embed(batch), free.embed(batch), atol=1e-6)


# CLIP: pictures and words


def test_words_find_the_pictures_they_mean(client, tmp_path):
    embedder = load_embedder("clip-vit-b-32")
    assert knows_words(embedder)
    assert not knows_words(load_embedder("dinov2-small"))
    colours = ("red", "lime", "blue")
    shown = np.stack([embedder.prepare(Image.new("RGB", (SIDE, SIDE), colour)) for colour in ("red", "lime", "blue")])
    alike = (
        normalise(embedder.embed_text([f"a {colour} thing" for colour in colours])) @ normalise(embedder.embed(shown)).T
    )
    assert alike.argmax(axis=1).tolist() == [0, 1, 2]
    assert len(client.asked) == 4  # one file of dinov2-small, three of CLIP


def test_words_beside_a_file_of_ones_own(tmp_path):
    write_clip(tmp_path)
    (tmp_path / "vision_model.onnx").rename(tmp_path / "mine.onnx")
    assert not OnnxEmbedder(tmp_path / "mine.onnx").knows_words
    (tmp_path / "text_model.onnx").rename(tmp_path / "mine.text.onnx")
    (tmp_path / "tokenizer.json").rename(tmp_path / "mine.tokenizer.json")
    np.testing.assert_array_equal(OnnxEmbedder(tmp_path / "mine.onnx").embed_text(["lime"]), [[0, 1, 0]])
    write_vit(tmp_path / "mine.text.onnx")
    with pytest.raises(ValueError, match="does not take the numbers of a text"):
        OnnxEmbedder(tmp_path / "mine.onnx").embed_text(["lime"])


def joined_slowly(pieces, merges):
    """Byte pairs the obvious way: the first rule that applies anywhere, at its leftmost place, again and again."""
    while True:
        for left, right in merges:
            at = next((k for k in range(len(pieces) - 1) if (pieces[k], pieces[k + 1]) == (left, right)), None)
            if at is not None:
                pieces = [*pieces[:at], left + right, *pieces[at + 2 :]]
                break
        else:
            return pieces


def test_byte_pairs_are_joined_by_the_first_rule_that_applies(tmp_path):
    rng = np.random.default_rng(0)
    for _ in range(20):
        words = ["".join(rng.choice(list("abc"), rng.integers(1, 6))) for _ in range(5)]
        numbers = write_vocabulary(tmp_path / "v.json", words)
        merges = [tuple(each.split(" ")) for each in json.loads((tmp_path / "v.json").read_text())["model"]["merges"]]
        read = BytePairs(tmp_path / "v.json")
        for text in ("".join(rng.choice(list("abc"), 7)) for _ in range(10)):
            expected = joined_slowly([*text[:-1], f"{text[-1]}</w>"], list(dict.fromkeys(merges)))
            assert read(text)[1:-1] == [numbers[piece] for piece in expected]


@pytest.mark.parametrize("text", ["", "   ", "é ñ 漢字 🙂", "x" * 5000, "it's  2 DOGS!?", "\x00\ud800"])
def test_any_text_becomes_numbers(tmp_path, text):
    read = BytePairs_of(tmp_path)
    numbers = read(text)
    assert numbers[0] == read.start
    assert numbers[-1] == read.stop
    assert len(numbers) <= 77


def BytePairs_of(folder):  # noqa: N802 - named after what it makes
    write_vocabulary(folder / "v.json")
    return BytePairs(folder / "v.json")


def test_a_vocabulary_that_is_none_is_refused(tmp_path):
    (tmp_path / "v.json").write_text('{"model": {"vocab": []}}')
    with pytest.raises(ValueError, match="is no vocabulary of byte pairs"):
        BytePairs(tmp_path / "v.json")


def test_the_numbers_are_those_of_the_package_tokenizers(tmp_path):
    tokenizers = pytest.importorskip("tokenizers")
    numbers = write_vocabulary(tmp_path / "v.json", ("photograph", "dog", "it", "'s"))
    merges = [tuple(each.split(" ")) for each in json.loads((tmp_path / "v.json").read_text())["model"]["merges"]]
    theirs = tokenizers.Tokenizer(
        tokenizers.models.BPE(vocab=numbers, merges=merges, end_of_word_suffix="</w>", continuing_subword_prefix="")
    )
    normal, before = tokenizers.normalizers, tokenizers.pre_tokenizers
    theirs.normalizer = normal.Sequence(
        [normal.NFC(), normal.Replace(tokenizers.Regex(r"\s+"), " "), normal.Lowercase()]
    )
    pattern = tokenizers.Regex(r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+")
    theirs.pre_tokenizer = before.Sequence(
        [before.Split(pattern, behavior="removed", invert=True), before.ByteLevel(add_prefix_space=False)]
    )
    read = BytePairs(tmp_path / "v.json")
    for text in ("A photograph of a dog", "it's 1987, isn't it?!", "Ünïcödé — 漢字 🙂 ½", "dog_dog  dogs' 's"):
        assert read(text)[1:-1] == theirs.encode(text).ids


# What goes wrong


def test_a_network_that_gives_no_numbers_is_refused_when_it_is_opened(tmp_path):
    with pytest.raises(ValueError, match=r"bad\.onnx' gives what is no number for a grey picture"):
        OnnxEmbedder(write_vit(tmp_path / "bad.onnx", factor=np.nan))


def test_half_a_file_and_a_wrong_shape_are_one_sentence_each(tmp_path):
    whole = write_vit(tmp_path / "whole.onnx").read_bytes()
    (tmp_path / "half.onnx").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match=r"half\.onnx' is no network ONNX Runtime can run: ") as half:
        OnnxEmbedder(tmp_path / "half.onnx")
    assert "\n" not in str(half.value)
    with pytest.raises(ValueError, match=r"whole\.onnx' fails on pictures: ") as wrong:
        OnnxEmbedder(tmp_path / "whole.onnx", size=SIDE + 1)
    assert "\n" not in str(wrong.value)


class NoNumberForRed:
    dimension, read_size = 3, 8

    def prepare(self, image):
        return np.asarray(image.resize((1, 1)), np.float32)[0, 0]

    def embed(self, batch):
        return np.where(batch[:, :1] > 200, np.inf, batch)


def test_a_picture_for_which_there_is_no_number_costs_only_itself(tmp_path):
    for name in ("blue", "red", "green"):
        Image.new("RGB", (8, 8), name).save(tmp_path / f"{name}.png")
    paths, met = sorted(tmp_path.glob("*.png")), []
    found = embed(paths, NoNumberForRed(), on_error=met.append)
    assert np.isnan(found).all(axis=1).tolist() == [False, False, True]
    assert [(error.path.name, error.reason, error.lasting) for error in met] == [
        ("red.png", "the model gives what is no number for it", False)
    ]


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"unknown model 'nosuch': choose efficientnet-lite0, pixels, dinov2-small"):
        load_embedder("nosuch")


# timm and open_clip


class FakeTorch(types.ModuleType):
    """As much of PyTorch as is asked of it."""

    def __init__(self):
        super().__init__("torch")
        self.from_numpy = np.asarray

    def no_grad(self):
        import contextlib

        return contextlib.nullcontext()


class FakeNetwork:
    def __init__(self, value=1.0):
        self.value = value
        self.visual = types.SimpleNamespace(image_size=(8, 8))

    def eval(self):
        return self

    def __call__(self, batch):
        return batch.mean(axis=(2, 3)) * self.value

    encode_image = __call__

    def encode_text(self, numbers):
        return np.asarray(numbers, np.float32)


def to_array(image):
    return np.moveaxis(np.asarray(image.resize((8, 8)), np.float32) / 255, -1, 0)


@pytest.fixture
def packages(monkeypatch):
    timm, open_clip = types.ModuleType("timm"), types.ModuleType("open_clip")

    def create_model(name, *, pretrained, num_classes):
        assert (pretrained, num_classes) == (True, 0)
        if name == "nosuch":
            raise RuntimeError("Unknown model\n(nosuch)")
        return FakeNetwork(np.nan if name == "broken" else 1.0)

    timm.create_model = create_model
    timm.data = types.SimpleNamespace(
        resolve_model_data_config=lambda network: {"input_size": (3, 8, 8), "crop_pct": 0.5},
        create_transform=lambda **options: to_array,
    )
    open_clip.create_model_and_transforms = lambda name, pretrained: (FakeNetwork(), None, to_array)
    open_clip.get_tokenizer = lambda name: lambda texts: [[len(text), 0, 0] for text in texts]
    for name, module in {"torch": FakeTorch(), "timm": timm, "open_clip": open_clip}.items():
        monkeypatch.setitem(sys.modules, name, module)


def test_networks_of_timm_and_open_clip(packages, tmp_path):
    Image.new("RGB", (32, 16), (255, 0, 51)).save(tmp_path / "a.png")
    timm = load_embedder("timm:vit_small")
    assert (timm.dimension, timm.read_size, knows_words(timm)) == (3, 16, False)
    np.testing.assert_allclose(embed([tmp_path / "a.png"], timm), [[1, 0, 0.2]], atol=1e-6)
    clip = load_embedder("open_clip:ViT-B-32/laion2b")
    assert knows_words(clip)
    assert clip.embed_text(["four"]).tolist() == [[4, 0, 0]]
    assert vectors.model_key("open_clip:ViT-B-32/laion2b") == "open_clip_ViT-B-32_laion2b"


def test_what_these_packages_cannot_do_is_one_sentence(packages, monkeypatch):
    with pytest.raises(ValueError, match=r"^timm cannot load 'nosuch': Unknown model \(nosuch\)$"):
        load_embedder("timm:nosuch")
    with pytest.raises(ValueError, match="timm cannot load 'broken': it gives what is no number for a grey picture"):
        load_embedder("timm:broken")
    monkeypatch.setitem(sys.modules, "timm", None)
    with pytest.raises(ImportError, match="timm:vit_small needs timm and PyTorch: pip install timm"):
        load_embedder("timm:vit_small")


# The list


def test_the_list_says_what_is_there(client):
    load_embedder("clip-vit-b-32")
    result = CliRunner().invoke(app, ["models", "--json"])
    listed = {each["name"]: each for each in json.loads(result.stdout)}
    assert listed["clip-vit-b-32"]["here"]
    assert listed["clip-vit-b-32"]["words"]
    assert not listed["dinov2-small"]["here"]
    assert {"efficientnet-lite0", "pixels"} <= set(listed)
    assert "dinov2-small" in CliRunner().invoke(app, ["models"]).stdout
