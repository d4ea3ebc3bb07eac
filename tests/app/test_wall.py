"""What people did by hand is shown just so; names and numbers survive re-clustering."""

from datetime import UTC, datetime

import numpy as np
from hypothesis import given, settings, strategies as st

from likewise.app.edits import Board, confirm_cluster, merge_clusters, name_cluster, split_cluster
from likewise.app.wall import Clustering, build_wall, changes
from likewise.constraints import Constraints
from likewise.store import Entry, Log


def clustering(labels, version=0):
    labels = np.array(labels)
    return Clustering(version, np.arange(len(labels)), labels, np.zeros(len(labels), np.float32))


def log_of(*events):
    """A log of these events, each a kind and a payload."""
    log = Log()
    for kind, payload in events:
        log.add(Entry(kind, payload, key=f"key-{len(log)}").checked().numbered(len(log) + 1, datetime.now(UTC)))
    return log


def groups_of(*events):
    return log_of(*events).groups()


def edited(wall, events, make, *args, **options):
    """These events and one more, that an edit of the wall makes."""
    board = Board(wall, groups_of(*events), Constraints(100))
    return [*events, ("edit", make(board, *args, **options).payload())]


ANSWER = ("answer", {"kind": "pair", "items": [98, 99], "value": "same"})


def members(wall):
    return {c.id: sorted(c.images.tolist()) for c in wall.clusters.values()}


def test_ids_follow_the_pictures():
    before = build_wall(clustering([0, 0, 0, 1, 1]))
    after = build_wall(clustering([5, 5, 3, 3, 3], 1), before=before)
    assert members(before) == {0: [0, 1, 2], 1: [3, 4]}
    assert members(after) == {0: [0, 1], 1: [2, 3, 4]}
    assert changes(before, after) == [(2, 0, 1)]


def test_a_new_cluster_gets_a_new_id_and_what_comes_back_has_its_own():
    before = build_wall(clustering([0, 0, 0, 0]))
    after = build_wall(clustering([0, 0, 0, 1]), before=before)
    assert members(after) == {0: [0, 1, 2], 1: [3]}
    third = build_wall(clustering([0, 0, 0, 0]), before=after)
    fourth = build_wall(clustering([0, 0, 1, 1]), before=third)
    assert members(fourth) == {0: [0, 1], 2: [2, 3]}
    fifth = build_wall(clustering([0, 0, 0, 1]), before=fourth)
    assert members(fifth) == {0: [0, 1, 2], 1: [3]}


def test_names_of_older_versions_go_with_most_of_their_pictures_and_the_latest_holds():
    names = [("name", {"items": [0, 1, 2], "name": "cat"}), ("name", {"items": [3, 4], "name": "dog"}), ANSWER]
    wall = build_wall(clustering([0, 0, 1, 1, 1]), groups_of(*names))
    assert {c.name: sorted(c.images.tolist()) for c in wall.clusters.values()} == {"cat": [0, 1], "dog": [2, 3, 4]}
    wall = build_wall(clustering([0, 0, 1, 1, 1]), groups_of(*names, ("name", {"items": [0, 1], "name": "tiger"})))
    assert {c.name for c in wall.clusters.values() if len(c.images) > 1} == {"tiger", "dog"}


def test_confirmed_groups_of_older_versions_are_shown_just_so():
    confirmed = groups_of(("confirm", {"items": [0, 1]}))
    wall = build_wall(clustering([0, 0, 0, 1, 1]), confirmed)
    (group,) = (c for c in wall.clusters.values() if c.confirmed)
    assert group.images.tolist() == [0, 1]
    assert group.suggested.tolist() == [2]
    assert [2] in members(wall).values()  # what is suggested is somewhere until a person says yes
    wall = build_wall(clustering([0, 1, 2, 3, 4]), confirmed)  # torn apart by the engine, still together here
    assert [0, 1] in members(wall).values()


@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=14),
    st.lists(st.lists(st.integers(0, 13), min_size=1, max_size=5, unique=True), max_size=3),
    st.lists(st.integers(0, 4), min_size=1, max_size=14),
    st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_every_picture_is_in_one_place(labels, confirmed, later, answered):
    events = [("confirm", {"items": items}) for items in confirmed] + [ANSWER] * answered
    before = build_wall(clustering(labels), groups_of(*events))
    if len(before.clusters) > 1:
        events = edited(before, events, merge_clusters, list(before.clusters)[:2])
    if before.clusters and max(c.size for c in before.clusters.values()) > 1:
        large = max(before.clusters.values(), key=lambda c: c.size)
        if large.id in build_wall(clustering(labels), groups_of(*events), before=before).clusters:
            events = edited(before, events, split_cluster, large.id, large.images[:1].tolist(), as_group=answered)
    wall = build_wall(clustering(later), groups_of(*events), before=before)
    shown = [i for c in wall.clusters.values() for i in c.images.tolist()]
    assert sorted(shown) == list(range(len(later)))
    assert all(wall.cluster_of[i] == c.id for c in wall.clusters.values() for i in c.images.tolist())
    suggested = [i for c in wall.clusters.values() for i in c.suggested.tolist()]
    assert len(set(suggested)) == len(suggested)
    assert all(c.id != wall.cluster_of[i] for c in wall.clusters.values() for i in c.suggested.tolist())


def test_a_group_keeps_what_was_seen_in_it_until_answers_say_otherwise():
    wall = build_wall(clustering([0, 0, 0, 0, 1, 1]))
    events = edited(wall, [], name_cluster, 0, "oak")
    elsewhere = clustering([0, 0, 0, 1, 1, 1])  # the engine has another idea of 3
    for said in ([], [ANSWER]):  # and an answer about others is no reason
        after = build_wall(elsewhere, groups_of(*events, *said), Constraints(100), wall)
        assert (sorted(after.clusters[0].images.tolist()), after.clusters[0].name) == ([0, 1, 2, 3], "oak")
    differ = Constraints(100, cannot_link=[(0, 4)])  # what it is with now differs from the group
    after = build_wall(elsewhere, groups_of(*events, ANSWER), differ, wall)
    assert sorted(after.clusters[0].images.tolist()) == [0, 1, 2]
    confirmed = edited(wall, events, confirm_cluster, 0)
    after = build_wall(elsewhere, groups_of(*confirmed, ANSWER), differ, wall)
    assert sorted(after.clusters[0].images.tolist()) == [0, 1, 2, 3]


def test_newcomers_join_a_group_after_an_answer_and_wait_at_a_confirmed_one():
    wall = build_wall(clustering([0, 0, 0, 1, 1]))
    named = edited(wall, [], name_cluster, 0, "oak")
    grown = clustering([0, 0, 0, 0, 1])
    found = build_wall(grown, groups_of(*named), Constraints(100), wall).clusters[0]
    assert (found.size, found.suggested.tolist()) == (3, [3])
    found = build_wall(grown, groups_of(*named, ANSWER), Constraints(100), wall).clusters[0]
    assert (found.size, found.suggested.tolist()) == (4, [])
    confirmed = edited(wall, named, confirm_cluster, 0)
    found = build_wall(grown, groups_of(*confirmed, ANSWER), Constraints(100), wall).clusters[0]
    assert (found.size, found.suggested.tolist()) == (3, [3])


def test_two_groups_that_answers_say_are_one_are_shown_as_one():
    wall = build_wall(clustering([0, 0, 1, 1, 2]))
    events = edited(wall, edited(wall, [], confirm_cluster, 0), confirm_cluster, 1)
    events = edited(wall, events, name_cluster, 1, "oak")
    after = build_wall(
        clustering([0, 0, 0, 0, 1]), groups_of(*events), Constraints(100, must_link=[(0, 1), (2, 3)]), wall
    )
    assert {tuple(sorted(c.images.tolist())) for c in after.clusters.values()} == {(0, 1), (2, 3), (4,)}
    same = Constraints(100, must_link=[(0, 1), (2, 3), (1, 2)])
    after = build_wall(clustering([0, 0, 0, 0, 1]), groups_of(*events, ANSWER), same, wall)
    assert {(c.name, tuple(sorted(c.images.tolist()))) for c in after.clusters.values()} == {
        ("oak", (0, 1, 2, 3)),
        ("", (4,)),
    }
