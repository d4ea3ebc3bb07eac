import io

import numpy as np
import pytest
from PIL import Image, ImageEnhance

from likewise.images import duplicates as duplicates_module
from likewise.images.duplicates import group_equal, group_near, near_pairs
from likewise.images.fingerprints import RADIUS, fingerprint


def distances(rows):
    bits = np.unpackbits(rows, axis=1).astype(int)
    return (bits[:, None] != bits[None]).sum(axis=-1)


def clumped(rng, n, width, centres, flips):
    """Fingerprints around a few centres, so that many pairs are near and some are equal."""
    bits = rng.integers(0, 2, (centres, 8 * width))[rng.integers(0, centres, n)]
    for row in bits:
        row[rng.integers(0, 8 * width, rng.integers(0, flips + 1))] ^= 1
    return np.packbits(bits.astype(np.uint8), axis=1)


@pytest.fixture(params=["all with all", "by bands"])
def both_ways(request, monkeypatch):
    if request.param == "by bands":
        monkeypatch.setattr(duplicates_module, "FEW", -1)


@pytest.mark.usefixtures("both_ways")
@pytest.mark.parametrize("width", [1, 3, 8, 9, 32])
@pytest.mark.parametrize("radius", [0, 1, 3, 7])
def test_near_pairs_are_those_of_brute_force(width, radius):
    rng = np.random.default_rng(100 * width + radius)
    for centres in (1, 5, 60):
        rows = clumped(rng, 60, width, centres, 6)
        apart = distances(rows)
        i, j = np.nonzero(np.triu(apart <= radius, 1))
        pairs, found = near_pairs(rows, radius)
        assert np.array_equal(pairs, np.stack([i, j], axis=1))
        assert np.array_equal(found, apart[i, j])


@pytest.mark.usefixtures("both_ways")
def test_radius_of_the_index_against_brute_force():
    rows = clumped(np.random.default_rng(1), 300, 32, 40, 20)
    apart = distances(rows)
    assert np.array_equal(near_pairs(rows, RADIUS)[0], np.argwhere(np.triu(apart <= RADIUS, 1)))


@pytest.mark.usefixtures("both_ways")
def test_more_pairs_than_expected_and_none_at_all():
    pairs, found = near_pairs(np.zeros((100, 4), np.uint8), 2)
    assert len(pairs) == 4950
    assert not found.any()
    for n in (0, 1):
        assert near_pairs(np.zeros((n, 4), np.uint8), 2)[0].shape == (0, 2)


def test_bad_arguments():
    with pytest.raises(ValueError, match="radius must be between 0 and 15"):
        near_pairs(np.zeros((2, 2), np.uint8), 16)
    with pytest.raises(ValueError, match="shape"):
        near_pairs(np.zeros(3, np.uint8), 1)


@pytest.mark.parametrize("seed", range(5))
def test_groups_are_the_connected_parts(seed):
    rng = np.random.default_rng(seed)
    rows = clumped(rng, 80, 4, 30, 4)
    reach = distances(rows) <= 3
    for _ in range(7):
        reach = (reach.astype(int) @ reach.astype(int)) > 0
    expected = sorted({tuple(np.nonzero(line)[0].tolist()) for line in reach if line.sum() > 1})
    assert [tuple(group.tolist()) for group in group_near(rows, 3)] == expected


def test_many_equal_rows_cost_no_pairs():
    rows = np.zeros((200_000, 32), np.uint8)
    rows[:3] = 255
    assert [len(group) for group in group_near(rows, RADIUS)] == [3, 199_997]
    assert group_near(np.zeros((0, 32), np.uint8), RADIUS) == []


def test_equal_groups():
    rng = np.random.default_rng(0)
    keys = rng.integers(0, 20, 40)
    expected = [np.nonzero(keys == key)[0].tolist() for key in dict.fromkeys(keys) if (keys == key).sum() > 1]
    assert [group.tolist() for group in group_equal(keys)] == expected
    assert group_equal(np.array([])) == []
    assert group_equal(np.array(["aa", "b"])) == []


def scene(seed, side=300):
    rng = np.random.default_rng(seed)
    coarse = Image.fromarray(rng.integers(0, 256, (10, 10, 3), dtype=np.uint8))
    return coarse.resize((side, side), Image.Resampling.BICUBIC)


def apart(a, b):
    return int(distances(np.array([list(fingerprint(a)), list(fingerprint(b))], np.uint8))[0, 1])


def recompressed(image, quality):
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality)
    return Image.open(buffer)


@pytest.mark.parametrize("seed", range(8))
def test_copies_are_near_and_other_pictures_far(seed):
    image = scene(seed)
    assert apart(image, recompressed(image, 30)) <= RADIUS
    assert apart(image, image.resize((90, 90), Image.Resampling.BICUBIC)) <= RADIUS
    assert apart(image, ImageEnhance.Brightness(image).enhance(0.85)) <= RADIUS
    assert apart(image, image.convert("L")) <= RADIUS
    assert apart(image, scene(seed + 100)) > 4 * RADIUS
    assert apart(image, image.rotate(90)) > 4 * RADIUS


def test_plain_pictures_have_no_random_bits():
    assert fingerprint(Image.new("L", (500, 3), 77)) == bytes(32)
