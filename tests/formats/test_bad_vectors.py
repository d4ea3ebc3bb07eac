"""Files of vectors that are no good: one sentence, and nothing of them is kept."""

import json
import sys

import numpy as np
import pytest
from PIL import Image

from likewise.cli import main
from likewise.images import index
from likewise.images.indexing import default_project
from likewise.images.vectors import recipe, vectors
from likewise.store import Store

X = np.random.default_rng(0).normal(size=(6, 5))


@pytest.fixture
def photos(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    for k in range(6):
        Image.new("RGB", (9, 9), (40 * k, 0, 0)).save(folder / f"{k}.png")
    index(folder, workers=0)
    return folder


def run(monkeypatch, capsys, *arguments):
    monkeypatch.setattr(sys, "argv", ["likewise", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code, capsys.readouterr().err.strip()


def save(folder, rows, cut=0):
    path = folder / "x.npy"
    np.save(path, rows)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) - cut])
    path.with_suffix(".names.json").write_text(json.dumps([f"{k}.png" for k in range(len(rows))]))
    return path


def with_value(value):
    rows = X.copy()
    rows[2, 1] = value
    return rows


@pytest.mark.parametrize("kind", ["auto", "vectors"])
@pytest.mark.parametrize(
    ("rows", "cut", "message"),
    [
        (X, 9, "is not an array of numbers"),
        (X, 6 * 5 * 8 + 60, "is not an array of numbers"),
        (X, 6 * 5 * 8 + 128, "is not an array of numbers"),
        (with_value(np.nan), 0, "row 2, column 1 (from 0) is not a finite number"),
        (with_value(np.inf), 0, "row 2, column 1 (from 0) is not a finite number"),
        (X * 1e200, 0, "too large to be kept: scale them down"),
        (X[:0], 0, "has no rows"),
        (X[:, :0], 0, "has no rows"),
        (X[0], 0, "must hold numbers in two dimensions"),
    ],
)
def test_what_cannot_be_read_is_one_sentence_and_changes_nothing(
    photos, tmp_path, monkeypatch, capsys, rows, cut, message, kind
):
    path = save(tmp_path, rows, cut)
    options = [] if kind == "auto" else ["--kind", kind]
    code, said = run(monkeypatch, capsys, "import", photos, path, "--model", "mine", *options)
    assert code == 2
    assert message in said
    assert len(said.splitlines()) == 1
    assert not (default_project(photos) / "vectors" / "mine").exists()


@pytest.mark.parametrize("rows", [X[:1], X[:2], np.ones((6, 5)), np.zeros((6, 5))])
def test_few_and_equal_vectors_are_kept(photos, tmp_path, monkeypatch, capsys, rows):
    path = save(tmp_path, rows)
    assert run(monkeypatch, capsys, "import", photos, path, "--kind", "vectors", "--model", "mine")[0] == 0
    with Store.open(default_project(photos)) as store:
        (project,) = store.projects()
        kept = project.vectors("mine").rows
    assert len(kept) == len(rows)
    assert np.isfinite(kept).all()


def test_vectors_of_nothing_of_one_and_of_equal_pictures(tmp_path):
    for n in (0, 1, 2, 30):
        folder = tmp_path / str(n)
        folder.mkdir()
        for k in range(n):
            Image.new("RGB", (9, 9), "red").save(folder / f"{k}.png")
        rows = vectors(index(folder, workers=0), recipe("pixels"))
        assert len(rows) == n
        assert (rows == rows[:1]).all()


def test_what_does_not_fit_is_one_sentence(tmp_path, monkeypatch, capsys):
    from likewise.distances import memory

    monkeypatch.setattr(memory, "LEAST", 0)
    monkeypatch.setattr(memory, "free_bytes", lambda: 100)
    path = save(tmp_path, X)
    code, said = run(monkeypatch, capsys, "cluster", path, "-k", 2, "--method", "cop-kmeans", "--metric", "cosine")
    assert (code, len(said.splitlines())) == (2, 1)
    assert "GB of memory" in said
