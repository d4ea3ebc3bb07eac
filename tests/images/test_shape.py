"""Silhouettes whose outline and curvature are known, turned, scaled and inverted."""

import numpy as np
import pytest
from PIL import Image, ImageDraw
from scipy import ndimage

from likewise.distances import pairwise
from likewise.images.shape import LEVELS, RADII, curvature_histogram, silhouette
from likewise.kernels.pictures.curvature import find_outline, measure_discs


def draw(points, size=256, turn=0.0, scale=1.0, shift=(0.0, 0.0)):
    """A white polygon on black, its edges smooth, turned about its middle."""
    cos, sin = np.cos(turn), np.sin(turn)
    turned = np.asarray(points) @ np.array([[cos, sin], [-sin, cos]]) * scale + size / 2 + np.asarray(shift)
    image = Image.new("L", (size * 4, size * 4))
    ImageDraw.Draw(image).polygon([tuple(point) for point in (turned * 4).tolist()], fill=255)
    small = np.asarray(image.resize((size, size), Image.Resampling.BOX))
    return np.repeat(small[..., None], 3, axis=2).copy()


def star(n_tips, inner, outer=80.0):
    angle = np.pi * np.arange(2 * n_tips) / n_tips
    radius = np.where(np.arange(2 * n_tips) % 2, inner, outer)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


DISC = star(180, 80.0)
SQUARE = np.array([[-60, -60], [60, -60], [60, 60], [-60, 60]], float)
LEAF = np.array([[-90, 0], [-40, -30], [0, -22], [30, -35], [90, 0], [30, 30], [0, 20], [-40, 34]], float)


def lens(r, R):
    """Area of the part of a disc of radius r, centred on a circle of radius R, that lies inside that circle."""
    return (
        r**2 * np.arccos(r / (2 * R))
        + R**2 * np.arccos(1 - r**2 / (2 * R**2))
        - 0.5 * np.sqrt(r**2 * (2 * R - r) * (2 * R + r))
    )


# Kernels


def disc_field(size, middle, radius):
    rows, columns = np.mgrid[:size, :size]
    return np.clip(radius - np.hypot(rows - middle[0], columns - middle[1]) + 0.5, 0, 1)


@pytest.mark.parametrize("middle", [(50, 50), (49.3, 51.8)])
@pytest.mark.parametrize("radius", [5.0, 20.5, 40.0])
def test_the_outline_of_a_disc_is_its_circle(middle, radius):
    points, lengths = find_outline(disc_field(101, middle, radius))
    assert lengths.sum() == pytest.approx(2 * np.pi * radius, rel=0.01)
    np.testing.assert_allclose(np.hypot(*(points - middle).T), radius, atol=0.12)


def test_both_ways_through_a_saddle():
    field = np.zeros((4, 4))
    field[1, 1] = field[2, 2] = 1.0
    # The middle of the square between them is at a half, inside: the two are one piece, round the other corners.
    joined = {tuple(point) for point in find_outline(field)[0].round(6).tolist()}
    assert {(1.25, 1.75), (1.75, 1.25)} <= joined
    field[1, 1] = field[2, 2] = 0.9  # now the middle is outside: two pieces, each round its own corner
    apart = find_outline(field)[0]
    nearest = np.abs(apart[:, None] - [[1, 1], [2, 2]]).sum(axis=2).min(axis=1)
    assert nearest.max() < 0.8


@pytest.mark.parametrize("radius", [3.0, 7.5, 20.0, 39.0])
def test_discs_on_a_circle_are_covered_as_geometry_says(radius):
    R = 40.0
    field = disc_field(161, (80.2, 79.7), R)
    points, _ = find_outline(field)
    shares = measure_discs(field, points, np.array([radius]))[:, 0]
    np.testing.assert_allclose(shares[:, 0], lens(radius, R) / (np.pi * radius**2), atol=0.02)
    np.testing.assert_allclose(shares[:, 1], np.arccos(radius / (2 * R)) / np.pi, atol=0.03)


def covered_slowly(field, y, x, radius, steps=400):
    """Share of a disc that a picture covers, its pixels joined by straight lines, by a fine grid of points."""
    v, u = np.meshgrid(*[(2 * np.arange(steps) + 1) / steps - 1] * 2, indexing="ij")
    v, u = v[v**2 + u**2 <= 1] * radius + y, u[v**2 + u**2 <= 1] * radius + x
    return ndimage.map_coordinates(field, [v, u], order=1, mode="constant", cval=0.0).mean()


def around_slowly(field, y, x, radius, steps=5000):
    """Share of a circle that a picture covers, its pixels joined by straight lines."""
    angles = 2 * np.pi * np.arange(steps) / steps
    v, u = y + radius * np.sin(angles), x + radius * np.cos(angles)
    return ndimage.map_coordinates(field, [v, u], order=1, mode="constant", cval=0.0).mean()


def test_discs_equal_those_summed_point_by_point():
    rng = np.random.default_rng(0)
    smooth = ndimage.gaussian_filter(rng.random((30, 40)), 2.0)
    field = np.pad((smooth - smooth.min()) / np.ptp(smooth), 2)
    points = rng.random((12, 2)) * [42, 52] - 4  # some beyond the picture
    radii = np.array([1.0, 4.3, 9.0, 60.0])
    shares = measure_discs(field, points, radii)
    for (y, x), row in zip(points, shares, strict=True):
        for radius, (area, around) in zip(radii, row, strict=True):
            assert area == pytest.approx(covered_slowly(field, y, x, radius), abs=0.01)
            assert around == pytest.approx(around_slowly(field, y, x, radius), abs=0.02)


# Silhouettes


def test_light_on_dark_and_dark_on_light_are_the_same():
    picture = draw(LEAF)
    np.testing.assert_allclose(silhouette(picture), silhouette(255 - picture), atol=0.02)
    np.testing.assert_allclose(silhouette(picture), picture[..., 0] / 255, atol=0.02)


def test_the_largest_part_is_taken_and_its_holes_filled():
    picture = draw(SQUARE)
    picture[120:130, 120:130] = 0  # a hole
    picture[5:15, 5:15] = 255  # a speck
    np.testing.assert_allclose(silhouette(picture), silhouette(draw(SQUARE)), atol=0.02)


def test_texture_within_is_not_seen():
    picture = draw(SQUARE).astype(int)
    inside = picture[..., 0] == 255
    picture[inside] -= np.random.default_rng(0).integers(0, 60, (inside.sum(), 1))
    clean, textured = silhouette(draw(SQUARE)), silhouette(picture.astype(np.uint8))
    assert np.abs(clean - textured).mean() < 0.01


def mean_shares(picture):
    """Mean of each share over the outline, from the histograms."""
    histograms = curvature_histogram(picture).reshape(2, len(RADII), LEVELS) * 2 * len(RADII)
    return histograms @ ((np.arange(LEVELS) + 0.5) / LEVELS)


def test_a_disc_has_the_curvature_of_a_disc():
    R = 1 / np.sqrt(np.pi)  # of a disc of area 1
    area, around = mean_shares(draw(DISC))
    np.testing.assert_allclose(area, lens(RADII, R) / (np.pi * RADII**2), atol=0.02)
    np.testing.assert_allclose(around, np.arccos(RADII / (2 * R)) / np.pi, atol=0.02)
    # All of its outline bends alike: each histogram is at one level, or between two.
    histograms = curvature_histogram(draw(DISC)).reshape(30, LEVELS)
    assert (np.sort(histograms, axis=1)[:, -2:].sum(axis=1) * 30).min() > 0.9


def test_a_square_is_straight_but_for_its_corners():
    histograms = curvature_histogram(draw(SQUARE, turn=0.3)).reshape(2, len(RADII), LEVELS) * 2 * len(RADII)
    middle, quarter = LEVELS // 2, round(LEVELS / 4 - 0.5)
    # A disc of radius r sees a corner from 2r of each side's end: all else is straight.
    straight = histograms[0, :, middle - 1 : middle + 2].sum(axis=1)
    assert (straight[:8] > 1 - 2 * RADII[:8] - 0.05).all()
    assert histograms[0, 10, quarter - 1 : quarter + 2].sum() > 0.03
    assert histograms[0, :10, middle + 3 :].max() < 0.01  # no notches


SHAPES = {"disc": DISC, "square": SQUARE, "leaf": LEAF, "star": star(5, 40.0), "burst": star(9, 60.0)}


def test_turning_scaling_and_moving_change_little():
    names = list(SHAPES)
    standard = np.array([curvature_histogram(draw(SHAPES[name])) for name in names])
    between = pairwise(standard, metric="chi2")
    nearest = np.where(np.eye(len(names), dtype=bool), np.inf, between).min()
    for i, name in enumerate(names):
        for turn, scale, shift in [(0.4, 1, (0, 0)), (1.3, 1, (7, -5)), (0, 0.6, (20, 20)), (2.2, 0.7, (-9, 4))]:
            moved = curvature_histogram(draw(SHAPES[name], turn=turn, scale=scale, shift=shift))
            distance = pairwise(moved[None], standard, metric="chi2")[0]
            assert distance.argmin() == i
            assert distance[i] < (0.25 if scale == 1 else 0.6) * nearest  # small ones have rounder corners
    quarter = np.ascontiguousarray(np.rot90(draw(LEAF)))
    np.testing.assert_allclose(curvature_histogram(quarter), curvature_histogram(draw(LEAF)), atol=1e-3)


@pytest.mark.parametrize("side", [1, 2, 3])
def test_the_smallest_silhouettes_give_numbers(side):
    picture = np.zeros((20, 300, 3), np.uint8)
    picture[5 : 5 + side, 5 : 5 + side] = 255
    assert curvature_histogram(picture).sum() == pytest.approx(1)
    picture[5 : 5 + side] = 255  # a thread from border to border
    assert curvature_histogram(picture).sum() == pytest.approx(1)
