"""GIST answers where, how coarse and which way, as its filters should."""

import numpy as np
import pytest
from PIL import Image

from likewise.images.gist import _even_contrast, _square, gist


def grey(values):
    return np.repeat(np.asarray(values)[..., None], 3, axis=2).astype(np.uint8)


def grating(frequency, angle, size=128):
    rows, columns = np.mgrid[:size, :size]
    return 127.5 + 100 * np.cos(2 * np.pi * frequency * (columns * np.cos(angle) + rows * np.sin(angle)))


@pytest.mark.parametrize("scale", range(4))
@pytest.mark.parametrize("orientation", range(8))
def test_a_grating_excites_its_own_filter(scale, orientation):
    wave = grey(grating(0.3 / 1.85**scale, -np.pi * orientation / 8))
    energy = gist(wave).reshape(4, 8, 4, 4).sum(axis=(2, 3))
    assert np.unravel_index(energy.argmax(), (4, 8)) == (scale, orientation)


def test_energy_is_found_where_the_texture_is():
    picture = np.full((128, 128), 127.0)
    picture[32:64, 64:96] += np.random.default_rng(0).normal(0, 40, (32, 32))
    energy = gist(grey(np.clip(picture, 0, 255))).reshape(32, 4, 4).sum(axis=0)
    assert np.unravel_index(energy.argmax(), (4, 4)) == (1, 2)
    assert energy[1, 2] > 3 * np.delete(energy.ravel(), 6).max()


def filter_slowly(values, scale, orientation):
    """One filter's mean energy in the 16 cells, in float64 and place by place in the plane of frequencies."""
    padded = np.pad(values.astype(np.float64), 32, mode="symmetric")
    n = len(padded)
    transfer = np.zeros((n, n))
    for i, fy in enumerate(np.fft.fftfreq(n)):
        for j, fx in enumerate(np.fft.fftfreq(n)):
            if fx == fy == 0:
                continue
            turn = np.arctan2(fy, fx) + np.pi * orientation / 8
            off = np.arctan2(np.sin(turn), np.cos(turn))
            radial = np.hypot(fx, fy) / (0.3 / 1.85**scale) - 1
            transfer[i, j] = np.exp(-10 * 0.35 * radial**2 - 2 * np.pi * (16 * 64 / 1024) * off**2)
    energy = np.abs(np.fft.ifft2(np.fft.fft2(padded) * transfer))[32:-32, 32:-32]
    return [[energy[a : a + 32, b : b + 32].mean() for b in range(0, 128, 32)] for a in range(0, 128, 32)]


@pytest.mark.parametrize(("scale", "orientation"), [(0, 0), (1, 3), (2, 7), (3, 5)])
def test_filters_equal_those_applied_slowly(scale, orientation):
    pixels = np.random.default_rng(1).integers(0, 256, (140, 128, 3), np.uint8)
    expected = filter_slowly(_even_contrast(_square(pixels)), scale, orientation)
    found = gist(pixels).reshape(4, 8, 4, 4)[scale, orientation]
    np.testing.assert_allclose(found, expected, rtol=1e-3)


def test_light_changes_little_and_scale_nothing():
    rng = np.random.default_rng(2)
    coarse = rng.integers(40, 120, (16, 16)).astype(np.uint8)
    picture = np.asarray(Image.fromarray(coarse).resize((256, 256), Image.Resampling.BICUBIC), float)
    other = np.asarray(Image.fromarray(rng.permutation(coarse.ravel()).reshape(16, 16)).resize((256, 256)), float)
    base = gist(grey(picture))
    brighter = gist(grey(picture * 1.9))
    smaller = gist(np.asarray(Image.fromarray(grey(picture)).resize((128, 128), Image.Resampling.BICUBIC)))
    different = np.linalg.norm(gist(grey(other)) - base)
    assert np.linalg.norm(brighter - base) < 0.1 * different
    assert np.linalg.norm(smaller - base) < 0.1 * different


def test_the_middle_square_of_a_wide_picture_is_taken():
    wide = grey(np.hstack([np.zeros((64, 30)), grating(0.1, 0.3, 64), np.full((64, 30), 255)]))
    np.testing.assert_allclose(gist(wide), gist(np.ascontiguousarray(wide[:, 30:94])), rtol=1e-5)


def test_a_flat_picture_has_no_energy():
    assert gist(np.full((50, 40, 3), 77, np.uint8)).max() < 1e-5
