"""What a person does to a group holds: the page after every press, undone one by one, and after a new start."""

import csv
import io
import uuid

import numpy as np
import pytest

from likewise.app.live import LiveProject
from likewise.app.location import Location
from tests.app.page import put_pictures, served


def groups_on(page):
    """All clusters by number: their pictures and name, as a page shows them."""
    while True:
        wall = page.live.wall
        listed = page.get("clusters", limit=1000)["clusters"]
        pages = {each["id"]: page.client.get(f"/api/clusters/{each['id']}?limit=1000") for each in listed}
        if page.live.wall is wall:  # else the engine had news in between
            break
    shown = {number: reply.json() for number, reply in pages.items()}
    return {
        number: (frozenset(member["id"] for member in each["members"]), each["name"], each["confirmed"])
        for number, each in shown.items()
    }


def exported(page):
    """All clusters as the exported table has them."""
    reply = page.client.get("/api/export", params={"format": "csv"})
    assert reply.status_code == 200, reply.text
    found = {}
    for row in csv.DictReader(io.StringIO(reply.text)):
        found.setdefault((int(row["cluster"]), row["name"]), set()).add(row["path"])
    return {(number, name): frozenset(paths) for (number, name), paths in found.items()}


def _members(page, number):
    return [member["id"] for member in page.get(f"clusters/{number}", limit=1000)["members"]]


class Hand:
    """Does something to a random group, and says what the page has to show then."""

    def __init__(self, page, seed):
        self.page, self.rng = page, np.random.default_rng(seed)

    def pick(self, shown, least=1):
        large = sorted(number for number, (images, _, _) in shown.items() if len(images) >= least)
        return int(self.rng.choice(large)) if large else None

    def some(self, images, most):
        images = sorted(images)
        return [int(k) for k in self.rng.choice(images, self.rng.integers(1, most + 1), replace=False)]

    def split(self, shown, as_group=False):
        number = self.pick(shown, 3)
        images, name, confirmed = shown[number]
        taken = self.some(images, len(images) - 1)
        done = self.change("split", cluster=number, items=taken, as_group=as_group)
        expected = {number: (images - set(taken), name, confirmed)}
        return expected | ({done["cluster"]: (frozenset(taken), "", False)} if as_group else {}), taken

    def group(self, shown):
        return self.split(shown, as_group=True)

    def move(self, shown):
        source = self.pick(shown, 3)
        to = self.pick({number: each for number, each in shown.items() if number != source})
        taken = self.some(shown[source][0], len(shown[source][0]) - 1)
        self.change("move", items=taken, to=to)
        return {
            source: (shown[source][0] - set(taken), *shown[source][1:]),
            to: (shown[to][0] | set(taken), *shown[to][1:]),
        }, []

    def merge(self, shown):
        first, second = (int(k) for k in self.rng.choice(sorted(shown), 2, replace=False))
        done = self.change("merge", clusters=[first, second])
        into, other = (first, second) if done["cluster"] == first else (second, first)
        confirmed = shown[into][2] and shown[other][2]
        return {into: (shown[into][0] | shown[other][0], shown[into][1] or shown[other][1], confirmed), other: None}, []

    def confirm(self, shown):
        number = self.pick(shown)
        self.change("confirm", cluster=number)
        return {number: (*shown[number][:2], True)}, []

    def name(self, shown):
        number, name = self.pick(shown), f"name {self.rng.integers(1000)}"
        self.page.post("clusters/name", annotator="me", cluster=number, name=name)
        return {number: (shown[number][0], name, shown[number][2])}, []

    def grid(self, shown):
        number = self.pick(shown, 2)
        images = shown[number][0]
        items = sorted(images)[: max(2, len(images) // 2)]
        odd = self.some(items, len(items) - 1)
        self.send_grid(cluster=number, items=items, odd=odd)
        return {number: (images - set(odd), *shown[number][1:])}, odd

    def change(self, what, **form):
        told = self.page.post(f"clusters/{what}", preview=True, **form)["breaks"]
        gone = sorted({link["seq"] for each in told for link in each["chain"] if link["seq"]})
        return self.page.post(f"clusters/{what}", annotator="me", withdraw=gone, **form)

    def send_grid(self, **form):
        told = self.page.client.post("/api/grid", json={**form, "key": "grid-" + uuid.uuid4().hex})
        if told.status_code == 409:
            gone = sorted({link["seq"] for each in told.json()["breaks"] for link in each["chain"] if link["seq"]})
            self.page.post("grid", annotator="me", withdraw=gone, **form)
        else:
            assert told.status_code == 200, told.text


KINDS = ("split", "group", "move", "merge", "confirm", "name", "grid")


def check(before, after, expected, freed):
    """The groups that were touched are just as wanted; all other clusters as before, but for what was set free."""
    for number, wanted in expected.items():
        assert after.get(number) == wanted, (number, wanted, after.get(number))
    for number, (images, name, confirmed) in before.items():
        if number not in expected:
            assert number in after, number
            assert after[number][0] >= images
            assert after[number][0] - images <= set(freed)
            assert after[number][1:] == (name, confirmed)


def in_export(page, shown):
    """Whether the exported table has the same clusters; picture 3 is 3.jpg."""
    table = {(number, name): frozenset(f"{k}.jpg" for k in images) for number, (images, name, _) in shown.items()}
    return exported(page) == table


@pytest.mark.parametrize("seed", range(4))
def test_every_edit_is_exact_at_once_and_after_the_engine_and_undone_one_by_one(page, seed):
    hand, states = Hand(page, seed), []
    for kind in np.random.default_rng(seed).permutation(KINDS * 2).tolist():
        before = groups_on(page)
        states.append(before)
        version = page.live.wall.version
        expected, freed = getattr(hand, kind)(before)
        at_once = groups_on(page)
        if page.live.wall.version == version:  # the engine has not read it yet: all else is as it was
            check(before, at_once, expected, freed)
        assert {number: at_once.get(number) for number in expected} == expected
        page.wait()
        after = groups_on(page)
        assert {number: after.get(number) for number in expected} == expected
        assert in_export(page, after)
    for before in reversed(states):
        page.post("undo", annotator="me")
        page.wait()
        assert groups_on(page) == before


@pytest.mark.parametrize("seed", range(2))
def test_groups_are_the_same_after_a_new_start(tmp_path, seed):
    location = Location(str(tmp_path), str(tmp_path), "leaves", "test")
    put_pictures((live := LiveProject(location)).project)
    with served(live) as page:
        hand = Hand(page, seed)
        for kind in np.random.default_rng(seed).permutation(KINDS).tolist():
            getattr(hand, kind)(groups_on(page))
        touched = {each["id"] for each in page.get("clusters")["clusters"] if each["touched"]}
        before = groups_on(page)
    with served(LiveProject(location)) as page:
        after = groups_on(page)
        assert {number: after[number] for number in touched} == {number: before[number] for number in touched}
        steps = page.get("steps")["steps"]
        for _ in range(len(KINDS)):
            page.post("undo", annotator="me")
        assert not any(each["touched"] for each in page.get("clusters")["clusters"])
        assert len(steps) == len(KINDS)
        assert not any(step["in_force"] for step in page.get("steps")["steps"])


def test_a_later_answer_or_guess_moves_nothing_that_was_placed_by_hand(page):
    first, second = (each["id"] for each in page.get("clusters")["clusters"][:2])
    taken = _members(page, second)[:2]
    page.post("clusters/move", items=taken, to=first)
    stays = frozenset(_members(page, first))
    for image in stays - set(taken):
        page.post("answers", items=[image, taken[0]], value="different")
        page.post("answers", items=[image, taken[0]], value="different", annotator="bob")
    page.wait()
    assert set(taken) <= set(_members(page, first))
    assert page.get("conflicts")
    named = page.post("clusters/name", cluster=first, name="oak")
    assert named["same_name"] == []
    assert page.get(f"clusters/{first}")["name"] == "oak"


def test_split_off_says_nothing_among_those_that_leave_and_make_a_group_does(page):
    cluster = page.get("clusters")["clusters"][0]["id"]
    a, b, c, d, *_ = _members(page, cluster)[::-1]
    page.post("clusters/split", cluster=cluster, items=[a, b])
    known = page.live.ledger.constraints.known
    assert known(a, b) is None
    new = page.post("clusters/split", cluster=cluster, items=[c, d], as_group=True)["cluster"]
    known = page.live.ledger.constraints.known
    assert known(c, d) == "same"
    assert known(a, c) is None
    assert _members(page, new) == sorted(_members(page, new), key=lambda k: k) or set(_members(page, new)) == {c, d}


def test_suggestions_stay_in_a_cluster_of_their_own_and_a_no_sticks(page):
    cluster = page.get("clusters")["clusters"][0]["id"]
    members = _members(page, cluster)
    out = members[-3:]
    page.post("clusters/split", cluster=cluster, items=out)
    page.post("clusters/open", cluster=cluster, items=out)
    page.post("clusters/confirm", cluster=cluster)
    page.wait()
    found = page.get(f"clusters/{cluster}")
    assert set(found["suggested"]) == set(out)
    assert {k for each in groups_on(page).values() for k in each[0]} == set(range(24))
    page.post("clusters/move", items=out[1:2], to=cluster)  # a yes to one leaves the others as they are
    page.wait()
    assert set(page.get(f"clusters/{cluster}")["suggested"]) == {out[0], out[2]}
    page.post("undo")
    page.wait()
    page.post("clusters/reject", cluster=cluster, items=out[:2])
    page.wait()
    assert page.get(f"clusters/{cluster}")["suggested"] == out[2:]
    page.post("clusters/move", items=out[2:], to=cluster)
    page.wait()
    found = page.get(f"clusters/{cluster}")
    assert found["suggested"] == []
    assert set(_members(page, cluster)) == set(members) - set(out[:2])
    for _ in range(3):
        page.post("answers", items=[out[0], members[0]], value="same")
    page.wait()
    assert out[0] not in page.get(f"clusters/{cluster}")["suggested"]
    assert out[0] not in _members(page, cluster)


def test_all_answers_against_a_merge_are_shown_first(page):
    first, second = (each["id"] for each in page.get("clusters")["clusters"][:2])
    left, right = _members(page, first), _members(page, second)
    for i, j in zip(left, right, strict=False):
        page.post("answers", items=[i, j], value="different")
    page.wait()
    breaks = page.post("clusters/merge", clusters=[first, second], preview=True)["breaks"]
    seqs = {link["seq"] for each in breaks for link in each["chain"]}
    assert seqs == set(range(1, min(len(left), len(right)) + 1))
    page.post("clusters/merge", clusters=[first, second], status=409)
    done = page.post("clusters/merge", clusters=[first, second], withdraw=sorted(seqs))
    assert set(_members(page, done["cluster"])) == {*left, *right}
    page.wait()
    assert set(_members(page, done["cluster"])) == {*left, *right}


def test_one_wrong_tap_is_taken_back_without_the_rest(page):
    cluster = page.get("clusters")["clusters"][0]["id"]
    grid = page.get("grid", cluster=cluster)
    items, odd = grid["items"], grid["items"][:2]
    assert not set(grid["core"]) & set(items)
    assert grid["n_left"] == len(items)
    page.post("grid", cluster=cluster, items=items, odd=odd, seconds=4.0)
    known = page.live.ledger.constraints.known
    assert all(known(each, items[-1]) == "different" for each in odd)
    page.post("answers", items=[odd[0], items[-1]], value="same")
    (conflict,) = page.get("conflicts")
    checked = conflict["chain"][0]["seq"]
    assert {link["kind"] for link in conflict["chain"]} == {"check"}
    assert page.post("conflicts/resolve", withdraw=[checked])["left"] == 0
    known = page.live.ledger.constraints.known
    assert known(odd[0], items[-1]) == "same"
    assert known(odd[1], items[-1]) == "different"
    assert known(items[-2], items[-1]) == "same"


def test_any_step_is_taken_back_and_done_again(page):
    first, second = (each["id"] for each in page.get("clusters")["clusters"][:2])
    page.post("clusters/name", cluster=first, name="oak")
    page.post("clusters/confirm", cluster=first)
    page.post("clusters/name", cluster=second, name="elm")
    listed = page.get("steps", annotator="ann")["steps"]
    assert [step["text"].split()[0] for step in listed] == ["Named", "Confirmed", "Named"]
    assert all(step["mine"] and step["in_force"] for step in listed)
    page.post("steps/take-back", seq=listed[1]["seq"])
    shown = page.get(f"clusters/{first}")
    assert (shown["name"], shown["confirmed"]) == ("oak", False)
    assert [step["in_force"] for step in page.get("steps")["steps"]] == [True, True, False, True]
    page.post("steps/take-back", seq=listed[1]["seq"], status=404)
    page.post("steps/again", seq=listed[1]["seq"])
    assert page.get(f"clusters/{first}")["confirmed"]
    page.post("steps/again", seq=listed[1]["seq"], status=404)


def test_names_are_listed_searched_and_two_of_one_name_are_said(page):
    first, second, third = (each["id"] for each in page.get("clusters")["clusters"][:3])
    page.post("clusters/name", cluster=first, name="Oak tree")
    assert page.post("clusters/name", cluster=second, name="Oak tree ")["same_name"] == [first]
    page.post("clusters/name", cluster=third, name="elm")
    assert [each["name"] for each in page.get("names")] == ["elm", "Oak tree"]
    assert {each["id"] for each in page.get("clusters", q="oak")["clusters"]} == {first, second}
    assert page.get("clusters", q="oak")["total"] == 2


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("clusters/name", {"cluster": 0, "name": "Oak"}),
        ("steps/take-back", {"seq": 1}),
        ("steps/again", {"seq": 1}),
        ("conflicts/resolve", {"withdraw": [1]}),
        ("team/take-back", {"name": "ann"}),
        ("answers", {"items": [2, 3], "value": "same"}),
        ("tags", {"items": [1], "name": "big", "value": "yes"}),
    ],
)
def test_a_key_that_was_used_for_something_else_is_refused(page, path, form):
    page.post("answers", items=[0, 1], value="same", key="a-key-used-twice")
    assert "key" in page.post(path, key="a-key-used-twice", status=409, **form)["detail"]
    assert len(page.live.project.events()) == 1
