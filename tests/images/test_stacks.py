"""Stacks: copies are found whatever was done to them, what people say goes first, what is flat is left alone."""

import io
import sqlite3
from itertools import combinations

import numpy as np
import pytest
from PIL import Image, ImageEnhance

from likewise.constraints import Constraints
from likewise.images import index, open_index, stacks as stacks_module
from likewise.images.catalog import open_catalog
from likewise.images.exif import EXIF_PART, MAKE, MODEL, ORIGINAL, read_taken
from likewise.images.stacks import ALIKE, MOST_IN_VAIN, find_links, grey_of, likeness, open_stacks
from likewise.kernels.pictures.alignment import align_pictures, correlate_gradients, warp_picture
from likewise.kernels.pictures.alignment_arrays import align_arrays, spread_gradients


def scene(seed, size=(160, 120)):
    """Blobs and lines that no other seed has."""
    rng = np.random.default_rng(seed)
    small = rng.integers(0, 255, (12, 16, 3)).astype(np.uint8)
    return Image.fromarray(small).resize(size, Image.Resampling.BICUBIC)


def altered(image, rng):
    width, height = image.size
    image = image.rotate(rng.uniform(-3, 3), Image.Resampling.BICUBIC)
    left, top = width * rng.uniform(0, 0.05), height * rng.uniform(0, 0.05)
    image = image.crop((int(left), int(top), int(left + 0.93 * width), int(top + 0.93 * height)))
    image = ImageEnhance.Brightness(image).enhance(rng.uniform(0.7, 1.3))
    noisy = np.asarray(image, float) + rng.normal(0, 6, (image.height, image.width, 3))
    file = io.BytesIO()
    Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8)).save(file, "JPEG", quality=int(rng.integers(45, 95)))
    return Image.open(io.BytesIO(file.getvalue()))


def test_altered_copies_are_alike_and_other_pictures_are_not():
    rng = np.random.default_rng(0)
    for seed in range(10):
        copy = altered(scene(seed), rng)
        assert likeness(scene(seed), copy) > ALIKE
        assert likeness(copy, altered(scene(seed), rng)) > ALIKE
        assert likeness(scene(seed), scene(seed + 100)) < 0.6


def test_the_aligned_likeness_is_no_less_than_that_of_the_best_shift_by_hand():
    for seed in range(8):
        rng = np.random.default_rng(seed)
        grey = np.asarray(scene(seed, (96, 96)).convert("L"), float) / 255
        y, x = rng.integers(0, 10, 2)
        a, b = grey[16:80, 16:80], grey[16 + y - 5 : 80 + y - 5, 16 + x - 5 : 80 + x - 5]
        best, out = -1.0, np.empty_like(a)
        for across in range(-6, 7):
            for along in range(-6, 7):
                warp_picture(b, np.array([0, 0, across / 64, 0, 0, along / 64]), out)
                best = max(best, correlate_gradients(a, out))
        found = likeness(*(Image.fromarray(np.uint8(255 * each)) for each in (a, b)))
        assert found > best - 0.03


def test_whole_arrays_give_what_the_compiled_loops_give():
    rng = np.random.default_rng(0)
    greys = [grey_of(scene(seed)) for seed in range(6)] + [grey_of(altered(scene(seed), rng)) for seed in range(6)]
    greys.append(np.zeros((64, 64)))
    for a, b in combinations(greys, 2):
        assert align_arrays(a, b, 0.25) == pytest.approx(align_pictures(a, b, 0.25), abs=1e-9)


def test_a_picture_with_edges_everywhere_has_them_spread_and_a_line_has_not():
    noise = np.random.default_rng(0).random((64, 64))
    line = np.zeros((64, 64))
    line[:, 32] = 1.0
    assert spread_gradients(np.zeros((64, 64))) == 0
    assert spread_gradients(line) < 0.12 < spread_gradients(noise)


def test_flat_tiny_and_unlike_shapes_are_never_alike():
    flat, dot = Image.new("RGB", (40, 40), "red"), Image.new("RGB", (1, 1), "red")
    for one, other in combinations([flat, dot, Image.new("L", (3, 999)), scene(1)], 2):
        assert likeness(one, other) == -1
    assert likeness(flat, flat) == -1  # the same file is a copy by its content, not by its looks


def stacks_by_hand(links, constraints, apart):
    """The definition, slowly: all pairs of a growing partition are looked at for every link."""
    part = {item: {item} for link in links for item in link}
    said = {}
    for i, j in combinations(range(constraints.n), 2):
        if (known := constraints.known(i, j)) is not None:
            said[i, j] = known
    same = {i: {i} for i in range(constraints.n)}
    for (i, j), relation in said.items():
        if relation == "same":
            same[i] |= {j}
            same[j] |= {i}
    world = {item: set(same.get(item, {item})) for item in range(constraints.n)}
    for a, b in links:
        if a in apart or b in apart:
            continue
        union = world[a] | world[b]
        if any(said.get((min(i, j), max(i, j))) == "different" for i, j in combinations(union, 2)):
            continue
        joined = part[a] | part[b]
        for item in union:
            world[item] = union
        for item in joined:
            part[item] = joined
    return {item: min(members) for item, members in part.items() if len(members) > 1}


def test_opened_stacks_are_those_of_brute_force():
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 12))
        constraints = Constraints(n)
        for _ in range(int(rng.integers(0, 7))):
            i, j = rng.choice(n, 2, replace=False).tolist()
            constraints.add(i, j, str(rng.choice(["same", "different", "different"])))
        links = [tuple(sorted(rng.choice(n, 2, replace=False).tolist())) for _ in range(int(rng.integers(1, 9)))]
        found = open_stacks(links, constraints)
        assert found == stacks_by_hand(links, constraints, set())
        for i, j in combinations(sorted(found), 2):
            assert found[i] != found[j] or constraints.known(i, j) != "different"


def test_what_is_taken_out_stands_alone_and_the_rest_stays_together():
    links = [(1, 2), (2, 3), (3, 4), (7, 8)]
    assert open_stacks(links, apart=[3]) == {1: 1, 2: 1, 4: 1, 7: 7, 8: 7}
    assert open_stacks(links, apart=[1, 2, 3, 4]) == {7: 7, 8: 7}
    assert open_stacks(links, Constraints(9, cannot_link=[(2, 4)]), apart=[3]) == {1: 1, 2: 1, 7: 7, 8: 7}
    assert open_stacks([]) == {}


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    return folder


def every_pair(found):
    return list(combinations(range(len(found)), 2))


def save(image, path, taken=None, camera="Box 1"):
    tags = Image.Exif()
    if taken is not None:
        tags[MAKE], tags[MODEL] = "Maker", camera
        tags.get_ifd(EXIF_PART)[ORIGINAL] = taken
    image.convert("RGB").save(path, exif=tags, quality=92)


def test_links_make_the_stacks_of_copies_and_find_no_more_the_second_time(folder):
    rng = np.random.default_rng(3)
    for seed in range(4):
        for number in range(3):
            save(altered(scene(seed), rng), folder / f"{seed}-{number}.jpg")
    save(scene(0), folder / "x.jpg")
    (folder / "y.jpg").write_bytes((folder / "x.jpg").read_bytes())
    for name in "pq":
        Image.new("RGB", (50, 50), "red").save(folder / f"{name}.png", compress_level=1 if name == "p" else 9)
    found = index(folder, workers=0)
    pictures = [Image.open(path).convert("RGB").resize((8, 8)) for path in found.paths]
    small = np.array([np.asarray(picture, float).ravel() for picture in pictures])
    candidates = sorted(every_pair(found), key=lambda pair: np.abs(small[pair[0]] - small[pair[1]]).sum())
    links = find_links(found, candidates)
    stacks = open_stacks([(a, b) for a, b, _ in links])
    label = {row: name[0] for row, name in enumerate(found.names)}
    for a, b in every_pair(found):
        if a in stacks and b in stacks and not {label[a], label[b]} & set("xy"):
            assert (stacks[a] == stacks[b]) == (label[a] == label[b])
    assert len(stacks) >= 13  # all but the flat ones; one of the two that are the same file
    assert find_links(found, candidates, [(a, b) for a, b, _ in links]) == []


def of_one_moment(seed):
    """The same place, something else in front of it: too different for copies."""
    image, front = scene(1), scene(seed).resize((48, 48))
    image.paste(front, (10 + 9 * seed, 30))
    return image


def test_pictures_of_one_moment_need_be_less_alike_but_a_time_that_all_have_says_nothing(folder):
    times = {"a": "2024:05:01 12:00:01", "b": "2024:05:01 12:00:04", "c": "2024:05:01 13:00:00", "d": None}
    for seed, (name, taken) in enumerate(times.items(), 2):
        save(of_one_moment(seed), folder / f"{name}.jpg", taken)
    save(of_one_moment(7), folder / "e.jpg", "2024:05:01 12:00:02", camera="Box 2")
    save(scene(50), folder / "f.jpg", "2024:05:01 12:00:03")
    found = index(folder, workers=0)
    links = {(found.names[a], found.names[b]) for a, b, _ in find_links(found, every_pair(found))}
    assert links == {("a.jpg", "b.jpg")}
    for number in range(31):  # a clock that stands still
        save(scene(100 + number), folder / f"z{number}.jpg", "2024:05:01 12:00:01")
    found = index(folder, workers=0)
    assert find_links(found, every_pair(found)) == []


def test_what_a_camera_wrote_is_read_and_what_is_wrong_with_it_is_unsaid():
    tags = Image.new("RGB", (8, 8)).getexif()
    for wrong in ("2024:13:01 12:00:00", "0000:00:00 00:00:00", "yesterday", "", b"\xff\xfe", 17):
        tags.get_ifd(EXIF_PART)[ORIGINAL] = wrong
        image = Image.new("RGB", (8, 8))
        image.getexif().get_ifd(EXIF_PART)[ORIGINAL] = wrong
        assert read_taken(image).at is None
    image = Image.new("RGB", (8, 8))
    image.getexif()[MAKE], image.getexif()[MODEL] = "Canon\0", "Canon  EOS\n5 " + "x" * 200
    assert read_taken(image).camera == ("Canon EOS 5 " + "x" * 200)[:80]


def test_an_index_of_the_version_before_is_brought_up_to_date_and_read_once_more(folder):
    save(scene(1), folder / "a.jpg", "2024:05:01 12:00:01")
    home = index(folder, workers=0).project
    with sqlite3.connect(home / "likewise-index.sqlite") as old:
        for column in ("taken", "camera", "looked"):
            old.execute(f"ALTER TABLE images DROP COLUMN {column}")
        old.execute("DROP TABLE links")
        old.execute("PRAGMA user_version = 1")
    assert np.isnan(open_index(home).taken).all()
    again = index(folder, workers=0)
    assert (again.summary.unchanged, again.summary.read) == (1, 1)
    assert again.taken.tolist() == [1714564801.0]
    assert again.cameras == ["Maker Box 1"]
    with open_catalog(home) as catalog:
        assert catalog.links() == []


def test_only_what_is_new_is_compared_and_a_lone_picture_with_few(folder, monkeypatch):
    rng = np.random.default_rng(5)
    for seed in range(9):
        save(altered(scene(seed), rng), folder / f"{seed}.jpg")
    for number in range(2):
        save(altered(scene(8), rng), folder / f"8-{number}.jpg")
    found = index(folder, workers=0)
    compared = []
    align = stacks_module.align_pictures
    monkeypatch.setattr(stacks_module, "align_pictures", lambda a, b, least: compared.append(1) or align(a, b, least))
    alone = [(0, other) for other in range(1, 9)]
    assert find_links(found, alone, new=[]) == []
    assert len(compared) == MOST_IN_VAIN
    assert find_links(found, [], new=[]) == []  # those with close fingerprints are not looked at a second time
    assert len(compared) == MOST_IN_VAIN
    last = found.names.index("8-0.jpg")
    others = [row for row, name in enumerate(found.names) if name[0] == "8" and row != last]
    links = find_links(found, [(last, row) for row in [*others, *range(4)]])
    assert {frozenset(link[:2]) for link in links} == {frozenset((last, row)) for row in others}
