"""Faces: found where they are drawn, kept apart, and alike when they are the same."""

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter

from likewise.images import faces as module
from likewise.images.face_regions import cut_out, match_regions, overlap, region_of
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


@pytest.mark.usefixtures("dlib")
def test_blurred_and_small_faces_are_said_to_be_so(tmp_path):
    draw_face(300).save(tmp_path / "good.png")
    draw_face(300).filter(ImageFilter.GaussianBlur(8)).save(tmp_path / "blurred.png")
    draw_face(90).save(tmp_path / "small.png")
    found = find_faces([tmp_path / f"{name}.png" for name in ("good", "blurred", "small")])
    flaws = dict(zip(found.pictures.tolist(), found.flaws, strict=True))
    assert "small" not in flaws[0]
    assert "small" in flaws[2]
    assert ("blurred" in flaws[1]) >= ("blurred" in flaws[0])


def test_a_blurred_picture_is_less_sharp():
    face = draw_face()
    values = [module.sharpness(np.asarray(face.filter(ImageFilter.GaussianBlur(radius)))) for radius in (0, 2, 4, 8)]
    assert values == sorted(values, reverse=True)
    assert module.sharpness(np.zeros((0, 5, 3), np.uint8)) == 0
    assert module.sharpness(np.full((1, 1, 3), 9, np.uint8)) == 0


def brute_overlap(one, other):
    pixels = np.zeros((2, 40, 40), bool)
    for k, (x, y, w, h) in enumerate((one, other)):
        pixels[k, y : y + h, x : x + w] = True
    return (pixels[0] & pixels[1]).sum() / (pixels[0] | pixels[1]).sum()


@pytest.mark.parametrize("seed", range(20))
def test_regions_overlap_as_their_pixels_do(seed):
    rng = np.random.default_rng(seed)
    boxes = np.concatenate([rng.integers(0, 20, (6, 2)), rng.integers(1, 20, (6, 2))], axis=1)
    regions = [tuple(box) for box in boxes.tolist()]
    for one in regions:
        for other in regions:
            assert overlap(one, other) == pytest.approx(brute_overlap(one, other))
    before = dict(enumerate(regions[:3]))
    matched = match_regions(regions[3:], before)
    for region, found in zip(regions[3:], matched, strict=True):
        assert found == region or (found in before.values() and overlap(region, found) >= 0.5)


def test_regions_are_inside_the_picture_and_never_empty():
    for box in [(-1, -1, 0, 0), (0.999, 0.999, 1, 1), (0.5, 0.5, 0.5, 0.5), (2, 2, 3, 3), (-5, 0.2, 9, 0.4)]:
        x, y, w, h = region_of(box, 7, 3)
        assert min(x, y) >= 0
        assert min(w, h) >= 1
        assert (x + w <= 7, y + h <= 3) == (True, True)
        assert min(cut_out(Image.new("RGB", (7, 3)), (x, y, w, h)).size) >= 1
