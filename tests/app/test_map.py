"""The map keeps neighbours together, changes little when pictures come, and is laid out behind the back of the page."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.manifold import trustworthiness

from likewise.app.layout import embed_neighbours, join_both_ways, place_by_neighbours, principal_places
from likewise.app.map import MapLayout, ProjectMap, lay_out_pictures, read_layout, write_layout
from likewise.app.wall import Wall
from likewise.store.edit_events import FIRST_OLD_GROUP
from tests.app.page import TRUTH


@pytest.fixture(scope="module")
def digits():
    return load_digits().data[:500]


def test_neighbours_are_kept_better_than_by_the_main_axes(digits):
    places = embed_neighbours(digits, n_epochs=100)
    kept, by_axes = (trustworthiness(digits, each, n_neighbors=10) for each in (places, principal_places(digits)))
    assert kept > 0.95 > 0.9 > by_axes
    assert (places == embed_neighbours(digits, n_epochs=100)).all()  # the same seed, the same map
    assert (places != embed_neighbours(digits, n_epochs=100, random_state=1)).any()


def test_what_was_placed_stays_near_its_place_and_what_is_new_comes_to_its_neighbours(digits):
    old = np.arange(500) % 10 > 0
    before = np.full((500, 2), np.nan)
    before[old] = embed_neighbours(digits[old], n_epochs=100)
    after = embed_neighbours(digits, before)
    width = np.ptp(before[old], axis=0).max()
    assert np.median(np.linalg.norm(after[old] - before[old], axis=1)) < 0.05 * width
    assert trustworthiness(digits, after, n_neighbors=10) > 0.95


def test_edges_are_joined_both_ways():
    heads, tails, weights = join_both_ways(np.array([[1], [2], [1]]), np.array([[0.5], [1.0], [0.5]]))
    assert list(zip(heads.tolist(), tails.tolist(), weights.tolist(), strict=True)) == [
        (0, 1, 0.5),
        (1, 0, 0.5),
        (1, 2, 1.0),
        (2, 1, 1.0),
    ]


def test_new_pictures_start_at_the_mean_of_their_neighbours():
    before = np.array([[0.0, 0.0], [4.0, 2.0], [np.nan, np.nan], [np.nan, np.nan], [np.nan, np.nan]])
    heads, tails = np.array([2, 2, 3, 2]), np.array([0, 1, 2, 3])  # 3 is joined to 2 alone, 4 to none
    places = place_by_neighbours(before, heads, tails, np.array([1.0, 3.0, 1.0, 1.0]))
    assert places.tolist() == [[0.0, 0.0], [4.0, 2.0], [3.0, 1.5], [3.0, 1.5], [2.0, 1.0]]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 5])
def test_few_or_equal_pictures_have_places(n):
    for X in (np.ones((n, 4)), np.eye(5)[:n]):
        for before in (None, np.full((n, 2), np.nan)):
            places = embed_neighbours(X, before)
            assert places.shape == (n, 2)
            assert np.isfinite(places).all()


def test_places_are_between_0_and_1_and_missing_ones_are_told():
    layout = MapLayout(1, np.array([2, 5, 9]), np.array([[0.0, 1.0], [1.0, 1.0], [4.0, 1.0]]))
    places, known = layout.find(np.array([0, 2, 5, 9, 11]))
    assert known.tolist() == [False, True, True, True, False]
    assert places[:, 0].tolist() == [0, 0, 0.25, 1, 0]
    assert not MapLayout(0, np.empty(0, np.int64), np.empty((0, 2))).find(np.array([3]))[1].any()


def test_a_picture_that_came_since_stands_in_its_cluster():
    layout = MapLayout(1, np.array([0, 1, 2]), np.array([[0.0, 0.0], [1.0, 1.0], [0.5, 0.0]]))
    images, old = np.arange(5), FIRST_OLD_GROUP
    wall = Wall(0, {}, {0: 7, 1: 7, 2: old + 1, 3: 7, 4: old + 9}, 0)
    found = json.loads("{" + ProjectMap().places(layout, wall, images) + "}")
    assert found == {"images": [0, 1, 2, 3, 4], "x": [0, 1, 0.5, 0.5, 0.5], "y": [0, 1, 0, 0.5, 0.5]}


def test_the_page_has_the_main_axes_until_the_pictures_are_laid_out(page):
    page.post("answers", items=[0, 1], value="same")
    first, background = page.get("map"), page.client.app.state.background
    assert (first["layout"], first["images"], first["edges"]) == (0, list(range(24)), [[0, 1, "same"]])
    while (found := page.get("map", unless=0))["layout"] == 0:
        assert found["images"] == []  # nothing is sent twice
        background.wait("map", 240)
    assert (found["layout"], found["images"]) == (1, list(range(24)))
    places = np.array([found["x"], found["y"]]).T
    assert ((places >= 0) & (places <= 1)).all()
    centres = np.array([places[k == TRUTH].mean(axis=0) for k in range(4)])
    assert (np.linalg.norm(places[:, None] - centres, axis=2).argmin(axis=1) == TRUTH).mean() > 0.9
    page.post("bad", item=23)
    page.wait()
    after = page.get("map")  # one less: nothing is laid out again
    assert (after["layout"], after["working"], after["images"]) == (1, False, list(range(23)))
    assert after["x"] == found["x"][:23]
    add_picture(page, np.eye(4)[[3]])
    while 24 not in page.get("map")["images"]:
        page.wait()
    background.wait("map", 240)
    last = page.get("map")  # one more: all are laid out again, from where they were
    assert (last["layout"], last["working"], last["images"]) == (2, False, [*range(23), 24])
    again = ProjectMap()  # after a restart
    images, places = lay_out_pictures(page.live.location)
    assert json.loads("{" + again.places(MapLayout(1, images, places), page.live.wall, images[images != 23]) + "}") == {
        name: last[name] for name in ("images", "x", "y")
    }


def test_a_damaged_layout_is_none(tmp_path):
    path = tmp_path / "map.npz"
    assert read_layout(path) is None
    write_layout(path, np.array([1, 4]), np.array([[0.0, 1.0], [2.0, 3.0]]))
    images, places = read_layout(path)
    assert (images.tolist(), places.tolist()) == ([1, 4], [[0.0, 1.0], [2.0, 3.0]])
    assert path.stat().st_mode & 0o777 == 0o600
    whole = path.read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], b"x" * 200, whole[:-60] + b"y" * 60):
        path.write_bytes(damaged)
        assert read_layout(path) is None
    write_layout(path, np.array([4, 1]), np.zeros((2, 2)))
    assert read_layout(path) is None
    write_layout(path, np.array([1, 4]), np.array([[0.0, np.nan], [2.0, 3.0]]))
    assert read_layout(path) is None
    write_layout(tmp_path / "gone" / "map.npz", images, places)  # nothing to keep it in: nothing is kept


def add_picture(page, vector):
    project = page.live.project
    project.add_images(["late.jpg"])
    with project.vectors("test", 4, write=True) as vectors:
        vectors.append(vector)
    page.live.indexing(page.client.app.state.pictures.state)
