"""Faces: found where they are drawn, kept apart, and alike when they are the same."""

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter

from likewise.images import faces as module
from likewise.images.faces import Faces, find_faces


def draw_face(width=200, skin=200, mouth=110):
    """A face that the detector takes for one, in the middle of a grey square."""
    image = Image.new("RGB", (200, 200), (90, 90, 90))
    draw = ImageDraw.Draw(image)

    def ellipse(box, grey):
        draw.ellipse(box, fill=(grey, grey, grey))

    ellipse((40, 10, 160, 70), 60)
    ellipse((45, 20, 155, 180), skin)
    ellipse((40, 10, 160, 70), 60)
    ellipse((52, 40, 148, 175), skin)
    for x in (80, 120):
        ellipse((x - 16, 78, x + 16, 102), skin - 50)
        ellipse((x - 12, 84, x + 12, 97), 230)
        ellipse((x - 6, 84, x + 6, 97), 40)
        draw.rectangle((x - 17, 70, x + 17, 76), fill=(60, 60, 60))
    draw.polygon([(100, 90), (90, 125), (110, 125)], fill=(skin - 35,) * 3)
    ellipse((90, 120, 98, 127), 70)
    ellipse((102, 120, 110, 127), 70)
    ellipse((78, 137, 122, 152), mouth)
    return image.filter(ImageFilter.GaussianBlur(1.5)).resize((width, width))


@pytest.fixture
def dlib():
    pytest.importorskip("dlib")
    if module.importlib.util.find_spec(module.PACKAGE) is None:
        pytest.skip("the models of the extra 'faces' are not installed")


@pytest.mark.usefixtures("dlib")
def test_several_faces_of_a_picture_are_kept_apart(tmp_path):
    both = Image.new("RGB", (600, 300), (90, 90, 90))
    both.paste(draw_face(), (20, 50))
    both.paste(draw_face(260, skin=150), (320, 20))
    both.save(tmp_path / "two.png")
    Image.new("RGB", (100, 100), (90, 90, 90)).save(tmp_path / "none.png")
    draw_face().save(tmp_path / "one.png")
    found = find_faces([tmp_path / f"{name}.png" for name in ("two", "none", "one")])
    np.testing.assert_array_equal(found.pictures, [0, 0, 2])
    assert found.vectors.shape == (3, 128)
    np.testing.assert_array_equal(found.cannot_link, [[0, 1]])
    middles = (found.boxes[:, :2] + found.boxes[:, 2:]) / 2
    order = middles[:2, 0].argsort()
    np.testing.assert_allclose(middles[:2][order], [[120 / 600, 165 / 300], [450 / 600, 170 / 300]], atol=0.06)
    distances = np.linalg.norm(found.vectors[:2][order] - found.vectors[2], axis=1)
    assert distances[0] < 0.2  # the same drawing, elsewhere in the frame
    assert distances[0] < distances[1]


@pytest.mark.usefixtures("dlib")
def test_small_faces_need_the_picture_enlarged(tmp_path):
    draw_face(70).save(tmp_path / "small.png")
    assert len(find_faces([tmp_path / "small.png"], upsample=0)) == 0
    assert len(find_faces([tmp_path / "small.png"], upsample=2)) == 1


@pytest.mark.usefixtures("dlib")
def test_unreadable_pictures_have_no_faces(tmp_path):
    (tmp_path / "empty.jpg").touch()
    draw_face().save(tmp_path / "one.png")
    with pytest.warns(UserWarning, match="the file is empty"):
        found = find_faces([tmp_path / "empty.jpg", tmp_path / "one.png"])
    np.testing.assert_array_equal(found.pictures, [1])
    assert find_faces([]).vectors.shape == (0, 128)


def test_faces_of_one_picture_cannot_be_one_person():
    pictures = np.array([0, 0, 0, 2, 5, 5])
    found = Faces(pictures, np.zeros((6, 4)), np.ones(6), np.zeros((6, 128), np.float32))
    np.testing.assert_array_equal(found.cannot_link, [[0, 1], [0, 2], [1, 2], [4, 5]])
    nobody = Faces(pictures[:0], np.zeros((0, 4)), np.ones(0), np.zeros((0, 128), np.float32))
    assert nobody.cannot_link.shape == (0, 2)


def test_without_the_extra_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setattr(module, "PACKAGE", "no_such_package")
    module._models.cache_clear()
    with pytest.raises(ImportError, match=r"likewise\[faces\]"):
        find_faces([])
    module._models.cache_clear()
    with pytest.raises(ValueError, match="upsample"):
        find_faces([], upsample=-1)
