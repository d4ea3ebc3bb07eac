"""Small networks as others write them: a transformer with a class token, and CLIP with its half for words."""

import hashlib
import json
from dataclasses import replace

import numpy as np
import onnx

from likewise.images.known_models import HubFile
from likewise.images.words import START, STOP, byte_letters

SIDE = 8
PATCH = 4
WORDS = {"red": 0, "lime": 1, "blue": 2}  # the colour that each word means; no two share a pair of letters
helper, kinds = onnx.helper, onnx.TensorProto


def _save(path, nodes, given, results, constants, opset=13):
    held = [onnx.numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "small", given, results, held)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8), path)
    return path


def write_vit(path, *, n=None, seed=0, pooled=False, factor=1.0):
    """Patches by a convolution, a class token before them, one round of attention; (n, 1 + 4, 6).

    `factor` scales the patches: NaN makes a network that gives none. `pooled` has the class token as second output.
    """
    rng = np.random.default_rng(seed)
    constants = {
        "kernel": rng.normal(size=(6, 3, PATCH, PATCH)).astype(np.float32) * np.float32(factor),
        "flat": np.array([0, 6, -1], np.int64),
        "class": rng.normal(size=(1, 1, 6)).astype(np.float32),
        "first": np.array(0, np.int64),
        "one": np.array([1], np.int64),
    }
    nodes = [
        helper.make_node("Conv", ["pixel_values", "kernel"], ["map"], strides=[PATCH, PATCH]),
        helper.make_node("Reshape", ["map", "flat"], ["columns"]),
        helper.make_node("Transpose", ["columns"], ["patches"], perm=[0, 2, 1]),
        helper.make_node("ReduceMean", ["patches"], ["mean"], axes=[1], keepdims=1),
        helper.make_node("Sub", ["mean", "mean"], ["nothing"]),
        helper.make_node("Add", ["nothing", "class"], ["token"]),
        helper.make_node("Concat", ["token", "patches"], ["tokens"], axis=1),
        helper.make_node("Transpose", ["tokens"], ["keys"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["tokens", "keys"], ["scores"]),
        helper.make_node("Softmax", ["scores"], ["weights"], axis=-1),
        helper.make_node("MatMul", ["weights", "tokens"], ["last_hidden_state"]),
    ]
    results = [helper.make_tensor_value_info("last_hidden_state", kinds.FLOAT, [n, 5, 6])]
    if pooled:
        nodes.append(helper.make_node("Gather", ["last_hidden_state", "first"], ["pooler_output"], axis=1))
        results.append(helper.make_tensor_value_info("pooler_output", kinds.FLOAT, [n, 6]))
    given = [helper.make_tensor_value_info("pixel_values", kinds.FLOAT, [n, 3, SIDE, SIDE])]
    return _save(path, nodes, given, results, constants)


def vit_class_token(path, batch):
    """What :func:`write_vit` gives for a batch, token by token in float64."""
    held = {each.name: onnx.numpy_helper.to_array(each).astype(float) for each in onnx.load(path).graph.initializer}
    found = []
    for picture in batch.astype(float):
        tokens = [held["class"][0, 0]]
        for top in range(0, SIDE, PATCH):
            for left in range(0, SIDE, PATCH):
                part = picture[:, top : top + PATCH, left : left + PATCH]
                tokens.append((held["kernel"] * part).sum(axis=(1, 2, 3)))
        scores = np.array([tokens[0] @ token for token in tokens])
        weights = np.exp(scores - scores.max())
        found.append((weights[:, None] / weights.sum() * np.array(tokens)).sum(axis=0))
    return np.array(found)


def write_clip(folder):
    """Pictures become their mean colour, words the colour they mean: both (n, 3)."""
    _save(
        folder / "vision_model.onnx",
        [helper.make_node("ReduceMean", ["pixel_values"], ["image_embeds"], axes=[2, 3], keepdims=0)],
        [helper.make_tensor_value_info("pixel_values", kinds.FLOAT, [None, 3, SIDE, SIDE])],
        [helper.make_tensor_value_info("image_embeds", kinds.FLOAT, [None, 3])],
        {},
    )
    vocabulary = write_vocabulary(folder / "tokenizer.json")
    table = np.zeros((len(vocabulary), 3), np.float32)
    for word, colour in WORDS.items():
        table[vocabulary[f"{word}</w>"], colour] = 1
    _save(
        folder / "text_model.onnx",
        [
            helper.make_node("Gather", ["table", "input_ids"], ["rows"], axis=0),
            helper.make_node("ReduceSum", ["rows", "axis"], ["text_embeds"], keepdims=0),
        ],
        [helper.make_tensor_value_info("input_ids", kinds.INT64, [None, None])],
        [helper.make_tensor_value_info("text_embeds", kinds.FLOAT, [None, 3])],
        {"table": table, "axis": np.array([1], np.int64)},
    )
    return {"picture": "vision_model.onnx", "text": "text_model.onnx", "tokenizer": "tokenizer.json"}


def write_vocabulary(path, words=tuple(WORDS)):
    """All bytes, and the pairs that make these words, from the left."""
    pieces = [*byte_letters(), *(f"{letter}</w>" for letter in byte_letters())]
    merges = []
    for word in words:
        parts = [*word[:-1], f"{word[-1]}</w>"]
        while len(parts) > 1:
            merges.append(f"{parts[0]} {parts[1]}")
            parts = [parts[0] + parts[1], *parts[2:]]
            pieces.append(parts[0])
    numbers = {piece: k for k, piece in enumerate(dict.fromkeys([*pieces, START, STOP]))}
    path.write_text(json.dumps({"model": {"type": "BPE", "vocab": numbers, "merges": list(dict.fromkeys(merges))}}))
    return numbers


class FakeHub:
    """A hub that has the files of a folder, and counts what is asked of it."""

    def __init__(self, folder):
        self.folder = folder
        self.asked = []

    def __call__(self, *, repo_id, filename, revision, local_dir):
        from pathlib import Path

        self.asked.append((repo_id, filename, revision))
        source = self.folder / filename.rsplit("/", 1)[-1]
        if not source.exists():
            raise ConnectionError("no route to the hub")
        target = Path(local_dir) / filename
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
        return str(target)


def known_as(model, folder, files, **changes):
    """A known model with the files of a folder in place of its own."""

    def described(part, file):
        content = (folder / files[part]).read_bytes()
        return HubFile(file.path, len(content), hashlib.sha256(content).hexdigest())

    parts = {part: described(part, getattr(model, part)) for part in files}
    return replace(model, **parts, **changes)
