"""One thing done is one thing undone; confirmed groups change by people only."""

import queue
from contextlib import suppress


def test_a_merge_with_a_name_and_answers_taken_back_is_undone_and_redone_as_one(page):
    first, second = (c["id"] for c in page.get("clusters")["clusters"][:2])
    a, b = (page.get(f"clusters/{number}")["cover"][0] for number in (first, second))
    page.post("answers", items=[a, b], value="different")
    page.wait()
    page.post("clusters/merge", clusters=[first, second], withdraw=[1], name="oak")
    page.wait()
    assert page.live.ledger.constraints.known(a, b) == "same"
    undone = page.post("undo")
    assert undone["undone"]["kind"] == "merge"
    assert page.live.ledger.constraints.known(a, b) == "different"
    assert page.live.log().names() == []
    page.post("redo")
    assert page.live.ledger.constraints.known(a, b) == "same"
    assert [name.name for name in page.live.log().names()] == ["oak"]
    page.post("undo")
    assert page.post("undo")["undone"]["kind"] == "answer"
    page.post("undo", status=409)


def test_an_answer_given_twice_has_to_be_taken_back_twice(page):
    wall = page.get("clusters")["clusters"]
    clusters = [wall[0]["id"], wall[1]["id"]]
    items = [wall[0]["cover"][0], wall[1]["cover"][0]]
    page.post("answers", items=items, value="different")
    page.post("answers", items=items, value="different", annotator="bob")
    page.wait()
    (left,) = page.post("clusters/merge", clusters=clusters, withdraw=[1], status=409)["breaks"]
    assert [link["annotator"] for link in left["chain"]] == ["bob"]
    page.post("clusters/merge", clusters=clusters, withdraw=[1, 2])
    assert page.get("conflicts") == []


def test_undo_sent_twice_undoes_once(page):
    first, second, third = (c["id"] for c in page.get("clusters")["clusters"][:3])
    page.post("clusters/merge", clusters=[first, second], name="oak")
    page.wait()
    page.post("clusters/name", cluster=third, name="elm")
    page.post("undo", key="the-same-undo")
    page.post("undo", key="the-same-undo")
    assert [name.name for name in page.live.log().names()] == ["oak"]


def test_what_was_moved_to_a_confirmed_group_can_be_split_off_again(page):
    wall = page.get("clusters")["clusters"]
    group, other = wall[0]["id"], wall[1]["id"]
    items = [member["id"] for member in page.get(f"clusters/{other}")["members"]]
    page.post("clusters/confirm", cluster=group)
    page.post("clusters/move", items=items, to=group)
    page.wait()
    taken = page.get(f"clusters/{group}")
    assert taken["confirmed"]
    assert taken["size"] == wall[0]["size"] + wall[1]["size"]
    assert taken["suggested"] == []
    page.post("clusters/split", cluster=group, items=items)  # the last word counts
    assert page.get("conflicts") == []
    page.wait()
    after = page.get(f"clusters/{group}")
    assert after["confirmed"]
    assert after["size"] == wall[0]["size"]
    assert after["suggested"] == []
    page.post("undo")
    page.wait()
    assert page.get(f"clusters/{group}")["size"] == taken["size"]


def test_a_confirmed_group_is_what_a_person_said(page):
    wall = page.get("clusters")["clusters"]
    group = wall[0]["id"]
    members = [member["id"] for member in page.get(f"clusters/{group}")["members"]]
    first, second, third = members[:3]
    page.post("clusters/confirm", cluster=group)
    known = page.live.ledger.constraints.known
    assert known(second, third) == known(first, members[-1]) == "same"
    assert page.get("progress")["settled"] == round(len(members) / 24, 4)
    assert page.get("progress")["answers"] == page.get("project")["answers"] == 0
    page.wait()
    made = page.post("answers", items=[second, third], value="different")["conflict"]
    assert {link["kind"] for link in made["chain"]} == {"confirm"}
    page.post("undo")
    page.post("clusters/unconfirm", cluster=group)
    assert page.live.ledger.constraints.known(second, third) is None
    page.post("undo")
    assert page.live.ledger.constraints.known(second, third) == "same"
    page.post("undo")
    assert page.live.ledger.constraints.known(second, third) is None
    page.wait()
    assert page.post("answers", items=[second, third], value="different")["conflict"] is None


def test_what_confirming_would_break_is_said_before(page):
    group = page.get("clusters")["clusters"][0]["id"]
    first, second = (member["id"] for member in page.get(f"clusters/{group}")["members"][:2])
    page.live.engine.stop()  # the clusters stay as they were
    page.post("answers", items=[first, second], value="different")
    (told,) = page.post("clusters/confirm", cluster=group, preview=True)["breaks"]
    assert [link["seq"] for link in told["chain"]] == [1]
    page.post("clusters/confirm", cluster=group, status=409)
    assert page.live.log().confirmed() == []
    page.post("clusters/confirm", cluster=group, withdraw=[1])
    assert page.live.ledger.constraints.known(first, second) == "same"
    assert page.get("conflicts") == []
    page.post("undo")
    assert page.live.log().confirmed() == []
    assert page.live.ledger.constraints.known(first, second) == "different"


def test_what_is_merged_with_a_group_confirmed_by_an_older_version_is_in_it_and_that_is_to_be_confirmed(page):
    wall = page.get("clusters")["clusters"]
    small, group = wall[-1]["id"], wall[0]["id"]
    many = [member["id"] for member in page.get(f"clusters/{group}")["members"]]
    one = [member["id"] for member in page.get(f"clusters/{small}")["members"]][:1]
    page.live.append("confirm", {"items": one}, annotator="me", key="one")
    page.wait()
    (alone,) = (c["id"] for c in page.get("clusters")["clusters"] if c["confirmed"])
    page.post("clusters/merge", clusters=[alone, group])
    page.wait()
    found = page.get(f"clusters/{alone}")
    assert {member["id"] for member in found["members"]} == {*one, *many}
    assert not found["confirmed"]


def test_two_confirmed_groups_that_are_merged_are_one(page):
    wall = page.get("clusters")["clusters"]
    for cluster in wall[:2]:
        page.post("clusters/confirm", cluster=cluster["id"])
    page.post("clusters/merge", clusters=[wall[0]["id"], wall[1]["id"]])
    page.wait()
    assert [c["size"] for c in page.get("clusters")["clusters"] if c["confirmed"]] == [
        wall[0]["size"] + wall[1]["size"]
    ]


def test_news_says_how_many_pictures_moved_and_conflicts_what_was_done(page):
    wall = page.get("clusters")["clusters"]
    with page.live.stream.listen() as news:
        page.post("clusters/merge", clusters=[wall[0]["id"], wall[1]["id"]])
        page.wait()
        told = []
        with suppress(queue.Empty):
            while True:
                told.append(news.get_nowait())
    moved = [each.data["moved"] for each in told if each.name == "clusters"]
    assert sum(moved) >= min(wall[0]["size"], wall[1]["size"])
    a, b = wall[0]["cover"][0], wall[1]["cover"][0]
    page.post("answers", items=[a, b], value="different")
    (conflict,) = page.get("conflicts")
    assert conflict["statement"]["kind"] == "answer"
    assert [link["kind"] for link in conflict["chain"]] == ["merge"]


def test_bad_pictures_are_listed(page):
    page.post("bad", item=3)
    assert page.get("bad") == [3]
    page.post("restore", item=3)
    assert page.get("bad") == []
