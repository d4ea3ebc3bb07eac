"""Descriptors of pictures whose histograms are known, and of many pictures at once."""

import math

import numpy as np
import pytest
from PIL import Image

from likewise.images import UnreadableImage, describe
from likewise.images.colour import hsv_histogram, laplacian_histogram, luminance, probability_histogram
from likewise.images.descriptors import DESCRIPTORS, JOINT
from likewise.images.texture import fourier_histogram, hough_histogram
from likewise.kernels.pictures.colours import count_alike
from likewise.kernels.pictures.lines import vote_lines


def flat(colour, shape=(24, 32)):
    return np.broadcast_to(np.array(colour, np.uint8), (*shape, 3)).copy()


def grey(values):
    return np.repeat(np.asarray(values)[..., None], 3, axis=2).astype(np.uint8)


def rgb_cell(red, green, blue):
    return (red * 6 // 256 * 6 + green * 6 // 256) * 6 + blue * 6 // 256


# Colour


@pytest.mark.parametrize("colour", [(0, 0, 0), (255, 255, 255), (200, 10, 90), (42, 43, 128)])
@pytest.mark.parametrize("describe_colour", [laplacian_histogram, probability_histogram])
def test_a_single_colour_is_a_single_cell(colour, describe_colour):
    expected = np.zeros(216)
    expected[rgb_cell(*colour)] = 1
    np.testing.assert_allclose(describe_colour(flat(colour)), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("colour", "cell"),
    [
        ((255, 0, 0), 0 * 9 + 2 * 3 + 2),
        ((255, 0, 20), 0 * 9 + 2 * 3 + 2),  # red from the other side of the circle of hues
        ((0, 255, 0), 4 * 9 + 2 * 3 + 2),
        ((0, 0, 255), 8 * 9 + 2 * 3 + 2),
        ((255, 255, 0), 2 * 9 + 2 * 3 + 2),
        ((0, 60, 0), 4 * 9 + 2 * 3 + 0),
        ((255, 170, 170), 0 * 9 + 0 * 3 + 2),
        ((0, 0, 0), 108),
        ((128, 128, 128), 108 + 6),
        ((255, 255, 255), 119),
        ((250, 255, 250), 119),  # next to no saturation
    ],
)
def test_colours_fall_where_they_should_in_hsv(colour, cell):
    assert hsv_histogram(flat(colour)).argmax() == cell
    assert hsv_histogram(flat(colour))[cell] == 1


def test_halves_count_by_half_without_weights():
    picture = flat((255, 0, 0))
    picture[:, 16:] = (0, 0, 255)
    histogram = hsv_histogram(picture)
    assert histogram[8] == histogram[80] == 0.5


def test_the_laplacian_counts_edges_alone():
    # Black and white far from each other's edge, and a red dot: the flat areas must not count at all.
    picture = flat((0, 0, 0), (40, 60))
    picture[:, 30:] = 255
    histogram = laplacian_histogram(picture)
    np.testing.assert_allclose(histogram[[0, 215]], 0.5)
    picture[:, 30:] = 0
    picture[20, 10] = (255, 0, 0)
    # The dot's Laplacian is four times that of each of its four neighbours: 16 against 4 × 1.
    np.testing.assert_allclose(laplacian_histogram(picture)[[0, rgb_cell(255, 0, 0)]], [0.2, 0.8])


def count_alike_slowly(colours, radius):
    share = np.empty(colours.shape)
    for i, j in np.ndindex(colours.shape):
        window = colours[max(0, i - radius) : i + radius + 1, max(0, j - radius) : j + radius + 1]
        share[i, j] = (window == colours[i, j]).mean()
    return share


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (7, 2), (12, 15), (5, 5)])
@pytest.mark.parametrize("radius", [0, 1, 3, 8])
def test_counting_in_a_sliding_window_equals_counting_each(shape, radius):
    rng = np.random.default_rng(shape[0] * 31 + shape[1])
    for n_colours in (1, 2, 6):
        colours = rng.integers(0, n_colours, shape)
        np.testing.assert_allclose(count_alike(colours, n_colours, radius), count_alike_slowly(colours, radius))


def test_a_colour_rare_where_it_is_counts_more():
    picture = flat((0, 0, 0), (30, 30))
    picture[15, 15] = 255
    dot, rest = probability_histogram(picture)[[215, 0]]
    # The dot is one of 49 in its window; of the others 48 see it (one in 49 fewer alike) and the rest see only black.
    assert dot / rest == pytest.approx(49 / (48 * 49 / 48 + 900 - 49))


# Lines


def vote_slowly(gx, gy, n_angles, n_distances, floor):
    votes = np.zeros((n_angles, n_distances))
    height, width = gx.shape
    half = math.hypot(height, width) / 2
    for i, j in np.ndindex(gx.shape):
        length = math.hypot(gx[i, j], gy[i, j])
        if length <= floor:
            continue
        angle = math.atan2(gy[i, j], gx[i, j])
        distance = (j - (width - 1) / 2) * math.cos(angle) + (i - (height - 1) / 2) * math.sin(angle)
        # A line has two normals: vote for both, on the full circle, and take the half of it that is asked for.
        for turned, along in ((angle, distance), (angle + math.pi, -distance)):
            a = (turned % (2 * math.pi)) / math.pi * n_angles
            d = (along / half + 1) / 2 * n_distances - 0.5
            for row in (math.floor(a), math.floor(a) + 1):
                for column in (math.floor(d), math.floor(d) + 1):
                    share = (1 - abs(a - row)) * (1 - abs(d - column))
                    if row % (2 * n_angles) < n_angles:
                        votes[row % (2 * n_angles), min(max(column, 0), n_distances - 1)] += length * share
    return votes


@pytest.mark.parametrize("shape", [(1, 1), (3, 8), (9, 9), (16, 5)])
def test_votes_for_lines_equal_those_counted_slowly(shape):
    rng = np.random.default_rng(7)
    for n_angles, n_distances in ((7, 7), (4, 3), (1, 1)):
        gx, gy = rng.normal(size=(2, *shape))
        gx[rng.random(shape) < 0.2] = 0  # exact angles too
        gy[rng.random(shape) < 0.2] = 0
        fast = vote_lines(gx, gy, n_angles, n_distances, 0.3)
        np.testing.assert_allclose(fast, vote_slowly(gx, gy, n_angles, n_distances, 0.3), atol=1e-12)


@pytest.mark.parametrize("angle", range(7))
@pytest.mark.parametrize("distance", [1, 2, 3, 5])
def test_a_straight_edge_is_a_single_cell(angle, distance):
    size = 96
    rows, columns = np.mgrid[:size, :size] - (size - 1) / 2
    theta = math.pi * angle / 7
    half = size / math.sqrt(2)
    at = ((distance + 0.5) / 7 * 2 - 1) * half  # the middle of the cell
    edge = columns * math.cos(theta) + rows * math.sin(theta) - at
    picture = grey(255 * np.clip(edge + 0.5, 0, 1))
    histogram = hough_histogram(picture).reshape(7, 7)
    assert np.unravel_index(histogram.argmax(), (7, 7)) == (angle, distance)
    assert histogram[angle, distance] > 0.8


# Frequencies


@pytest.mark.parametrize("period", [64, 32, 16, 8, 4])
@pytest.mark.parametrize(("right", "down", "wedge"), [(1, 0, 0), (0, 1, 4), (1, 1, 2), (1, -1, 6)])
def test_a_pure_wave_is_a_single_cell(period, right, down, wedge):
    rows, columns = np.mgrid[:128, :128]
    wave = np.cos(2 * np.pi * (columns * right + rows * down) / period)
    frequency = math.hypot(right, down) / period
    ring = int(math.log(frequency * 128) / math.log(64) * 8 + 1e-9)
    histogram = fourier_histogram(grey(np.rint(127.5 + 100 * wave))).reshape(8, 8)
    assert np.unravel_index(histogram.argmax(), (8, 8)) == (ring, wedge)
    assert histogram[ring, wedge] > 0.9  # the rest is rounding to whole greys


@pytest.mark.parametrize("shape", [(16, 16), (15, 20), (20, 15), (1, 8), (7, 1)])
def test_frequencies_are_counted_one_by_one(shape):
    picture = np.random.default_rng(3).integers(0, 256, (*shape, 3), np.uint8)
    values = luminance(picture)
    amplitude = np.abs(np.fft.fft2(values - values.mean()))
    expected = np.zeros((8, 8))
    for i, j in np.ndindex(shape):
        fy, fx = np.fft.fftfreq(shape[0])[i], np.fft.fftfreq(shape[1])[j]
        frequency = max(math.hypot(fy, fx), 1 / 128)
        ring = min(int(math.log(frequency * 128) / math.log(64) * 8 + 1e-9), 7)
        # A frequency and its opposite are one wave: the angle counts up to half a turn.
        wedge = math.floor(math.atan2(fy, fx) / math.pi * 8 + 0.5) % 8
        expected[ring, wedge] += amplitude[i, j]
    np.testing.assert_allclose(fourier_histogram(picture), (expected / expected.sum()).ravel(), atol=1e-12)


def test_a_mirrored_picture_has_mirrored_wedges():
    picture = np.random.default_rng(4).integers(0, 256, (20, 30, 3), np.uint8)
    plain = fourier_histogram(picture).reshape(8, 8)
    mirrored = fourier_histogram(picture[:, ::-1].copy()).reshape(8, 8)
    np.testing.assert_allclose(mirrored[:, 1:].sum(axis=1), plain[:, 1:].sum(axis=1))
    np.testing.assert_allclose(mirrored, plain[:, -np.arange(8) % 8], atol=0.02)  # bounds of wedges fall one way


# All of them


@pytest.mark.parametrize("name", DESCRIPTORS)
@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (2, 2), (33, 50)])
@pytest.mark.parametrize("colour", [(0, 0, 0), (255, 255, 255), (13, 200, 77)])
def test_flat_pictures_of_any_size_give_numbers(name, shape, colour):
    row = DESCRIPTORS[name].compute(flat(colour, shape))
    assert row.shape == (DESCRIPTORS[name].dimension,)
    assert np.isfinite(row).all()
    assert row.sum() == pytest.approx(1) or not row.any()


@pytest.mark.parametrize("name", [name for name in DESCRIPTORS if name != "gist"])
def test_histograms_sum_to_one(name):
    rng = np.random.default_rng(5)
    for shape in ((2, 3), (31, 17), (64, 64)):
        row = DESCRIPTORS[name].compute(rng.integers(0, 256, (*shape, 3), np.uint8))
        assert row.min() >= 0
        assert row.sum() == pytest.approx(1)


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    rng = np.random.default_rng(0)
    folder = tmp_path_factory.mktemp("pictures")
    for i in range(9):
        coarse = Image.fromarray(rng.integers(0, 256, (6, 9, 3), np.uint8))
        coarse.resize((90 + i, 60 - i)).save(folder / f"{i}.png")
    Image.fromarray(rng.integers(0, 256, (400, 700, 3), np.uint8)).save(folder / "large.png")
    return sorted(folder.iterdir())


def test_descriptors_are_joined_in_the_order_named(paths):
    parts = {name: describe(paths, name) for name in DESCRIPTORS}
    for name, part in parts.items():
        assert part.shape == (10, DESCRIPTORS[name].dimension)
    np.testing.assert_array_equal(describe(paths), np.hstack([parts[name] for name in JOINT]))
    mixed = ("shape", "hsv", "gist")
    np.testing.assert_array_equal(describe(paths, mixed), np.hstack([parts[name] for name in mixed]))
    assert describe(paths).shape[1] > 600


def test_the_number_of_threads_changes_nothing(paths):
    np.testing.assert_array_equal(describe(paths, workers=1), describe(paths, workers=3))


def test_unreadable_pictures_are_rows_of_nan(paths, tmp_path):
    (tmp_path / "text.jpg").write_text("not a picture")
    mixed = [*paths[:2], tmp_path / "text.jpg", *paths[2:]]
    with pytest.warns(UserWarning, match=r"1 pictures are rows of NaN: .*text.jpg.*not a picture"):
        rows = describe(mixed, "hsv", pca=4, root=True)
    assert np.isnan(rows[2]).all()
    np.testing.assert_allclose(np.delete(rows, 2, axis=0), describe(paths, "hsv", pca=4, root=True), atol=1e-12)
    with pytest.raises(UnreadableImage, match="not a picture"):
        describe(mixed, "hsv", on_error="raise")
    met = []
    describe(mixed, "hsv", on_error=met.append)
    assert [error.path for error in met] == [tmp_path / "text.jpg"]


def test_principal_components_keep_what_varies(paths):
    full = describe(paths)
    centred = full - full.mean(axis=0)
    reduced = describe(paths, pca="fifth")
    assert reduced.shape == (10, 10)  # a fifth of 665 is 133, but ten pictures span no more than ten
    np.testing.assert_allclose(reduced @ reduced.T, centred @ centred.T, atol=1e-12)
    two = describe(paths, pca=2)
    np.testing.assert_allclose(two, reduced[:, :2], atol=1e-12)
    largest = np.linalg.svd(centred, compute_uv=False)[:2]
    np.testing.assert_allclose(np.linalg.norm(two, axis=0), largest)
    assert describe(paths * 15, pca="fifth").shape == (150, 133)


def test_roots_give_the_distance_of_hellinger(paths):
    plain, rooted = describe(paths, "hsv"), describe(paths, "hsv", root=True)
    np.testing.assert_allclose(rooted**2, plain)
    np.testing.assert_allclose(np.linalg.norm(rooted, axis=1), 1)


@pytest.mark.parametrize("n", [0, 1])
def test_few_pictures(paths, n):
    assert describe(paths[:n]).shape == (n, 665)
    assert describe(paths[:n], pca="fifth").shape == (n, n)
    assert not describe(paths[:n], pca=3).any()


def test_arguments_are_checked(paths):
    with pytest.raises(ValueError, match="unknown descriptor 'sift': choose from laplacian, probability"):
        describe(paths, ("hsv", "sift"))
    with pytest.raises(ValueError, match="no descriptor"):
        describe(paths, ())
    with pytest.raises(ValueError, match="named twice"):
        describe(paths, ("hsv", "hsv"))
    for wrong in ({"pca": 0}, {"pca": "tenth"}, {"pca": True}, {"workers": 0}, {"on_error": None}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            describe(paths, "hsv", **wrong)
    with pytest.raises(TypeError, match="a single path"):
        describe(str(paths[0]))


def test_progress_is_told(paths):
    told = []
    describe(paths, "hsv", progress=lambda done, total: told.append((done, total)))
    assert told == [(i, 10) for i in range(11)]
