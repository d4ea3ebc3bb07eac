"""Names, confirmed groups and ids survive re-clustering."""

import numpy as np
from hypothesis import given, settings, strategies as st

from likewise.app.wall import Clustering, build_wall, changes


def clustering(labels, version=0):
    labels = np.array(labels)
    return Clustering(version, np.arange(len(labels)), labels, np.zeros(len(labels), np.float32))


def members(wall):
    return {c.id: sorted(c.images.tolist()) for c in wall.clusters.values()}


def test_ids_follow_the_pictures():
    before = build_wall(clustering([0, 0, 0, 1, 1]), [], [])
    after = build_wall(clustering([5, 5, 3, 3, 3], 1), [], [], before)
    assert members(before) == {0: [0, 1, 2], 1: [3, 4]}
    assert members(after) == {0: [0, 1], 1: [2, 3, 4]}
    assert changes(before, after) == [(2, 0, 1)]


def test_a_new_cluster_gets_a_new_id():
    before = build_wall(clustering([0, 0, 0, 0]), [], [])
    after = build_wall(clustering([0, 0, 0, 1]), [], [], before)
    assert members(after) == {0: [0, 1, 2], 1: [3]}
    third = build_wall(clustering([0, 0, 0, 0]), [], [], after)
    fourth = build_wall(clustering([0, 0, 0, 1]), [], [], third)
    assert members(fourth) == {0: [0, 1, 2], 2: [3]}  # an id is never given twice


def test_names_go_with_most_of_their_pictures_and_the_latest_holds():
    names = [("cat", [0, 1, 2]), ("dog", [3, 4])]
    wall = build_wall(clustering([0, 0, 1, 1, 1]), names, [])
    assert {c.name: sorted(c.images.tolist()) for c in wall.clusters.values()} == {"cat": [0, 1], "dog": [2, 3, 4]}
    wall = build_wall(clustering([0, 0, 1, 1, 1]), [*names, ("tiger", [0, 1])], [])
    assert {c.name for c in wall.clusters.values()} == {"tiger", "dog"}


def test_confirmed_groups_are_shown_just_so():
    wall = build_wall(clustering([0, 0, 0, 1, 1]), [], [[0, 1]])
    (group,) = (c for c in wall.clusters.values() if c.confirmed)
    assert group.images.tolist() == [0, 1]
    assert group.suggested.tolist() == [2]
    wall = build_wall(clustering([0, 1, 2, 3, 4]), [], [[0, 1]])  # torn apart by the engine, still together here
    assert [0, 1] in members(wall).values()


@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=14),
    st.lists(st.lists(st.integers(0, 13), min_size=1, max_size=5, unique=True), max_size=3),
    st.lists(st.integers(0, 4), min_size=1, max_size=14),
)
@settings(max_examples=200, deadline=None)
def test_every_picture_is_in_one_place(labels, confirmed, later):
    before = build_wall(clustering(labels), [], confirmed)
    wall = build_wall(clustering(later), [], confirmed, before)
    shown = [i for c in wall.clusters.values() for i in (*c.images.tolist(), *c.suggested.tolist())]
    assert sorted(shown) == list(range(len(later)))
    assert all(wall.cluster_of[i] == c.id for c in wall.clusters.values() for i in c.images.tolist())


def test_named_pictures_and_more_than_the_group_are_not_folded_into_a_confirmed_one():
    wall = build_wall(clustering([0] * 9), [("oak", [5, 6])], [[0, 1, 2]])
    clusters = wall.clusters.values()
    found = {(c.name, c.confirmed, tuple(c.images.tolist())) for c in clusters}
    assert all(not len(c.suggested) for c in clusters)
    assert found == {("", True, (0, 1, 2)), ("oak", False, (5, 6)), ("", False, (3, 4, 7, 8))}
    wall = build_wall(clustering([0] * 9), [("oak", [5, 6])], [[0, 1, 2]], merged=[[3, 8], [7, 5, 1]])
    (group,) = (c for c in wall.clusters.values() if c.confirmed)
    assert group.suggested.tolist() == [3, 4, 7, 8]  # more than the group, but a person said so
    wall = build_wall(clustering([0] * 5), [("oak", [0, 4])], [[0, 1, 2]])
    (group,) = wall.clusters.values()
    assert (group.name, group.suggested.tolist()) == ("oak", [3, 4])
