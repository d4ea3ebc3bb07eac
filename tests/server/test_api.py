"""The API as a page uses it."""

import csv
import io
import json

import numpy as np

TRUTH = np.repeat(np.arange(4), 6)


def truth_of(question):
    i, j = (item["id"] for item in question["items"])
    return "same" if TRUTH[i] == TRUTH[j] else "different"


def answer(page, question, value=None, **more):
    items = [item["id"] for item in question["items"]]
    return page.post("answers", kind=question["kind"], items=items, value=value or truth_of(question), **more)


def test_ask_answer_undo(page):
    question = page.get("question", annotator="ann")
    assert question["kind"] == "pair"
    assert question["items"][0]["cluster"]["size"] > 0
    done = answer(page, question, seconds=1.5)
    assert done["seq"] == 1
    assert done["next"]["id"] != question["id"]
    back = page.post("undo")
    assert back["undone"]["seq"] == 1
    assert back["next"]["id"] == question["id"]
    assert page.get("project")["answers"] == 0
    assert page.post("redo")["seq"] == 3
    assert page.get("project")["answers"] == 1
    page.post("undo")
    assert "nothing to undo" in page.post("undo", status=409)["detail"]


def test_sent_twice_is_stored_once(page):
    question = page.get("question", annotator="ann")
    first = answer(page, question, key="one-and-only")
    again = answer(page, question, key="one-and-only")
    assert first["seq"] == again["seq"]
    assert page.get("project")["answers"] == 1
    wrong = "same" if truth_of(question) == "different" else "different"
    items = [item["id"] for item in question["items"]]
    page.post("answers", items=items, value=wrong, key="one-and-only", status=409)


def test_two_people_get_different_questions(page):
    ann, bob = page.get("question", annotator="ann"), page.get("question", annotator="bob")
    assert ann["id"] != bob["id"]


def test_until_nothing_is_left(page):
    for _ in range(24 * 23 // 2):
        question = page.get("question", annotator="ann")
        if "finished" in question:
            break
        if "waiting" in question:
            page.wait()
            continue
        answer(page, question)
    assert "known" in page.get("question", annotator="ann")["finished"]["reason"]
    page.wait()
    clusters = page.get("clusters")
    assert clusters["total"] == 4
    assert all(cluster["size"] == 6 for cluster in clusters["clusters"])
    assert page.get("progress")["stop"]["hint"]


def test_name_merge_split_move_confirm(page):
    wall = page.get("clusters")["clusters"]
    assert sum(cluster["size"] for cluster in wall) == 24
    first, second = wall[0]["id"], wall[1]["id"]
    page.post("clusters/name", cluster=first, name="<b>oak</b>")
    merged = page.post("clusters/merge", clusters=[first, second], preview=True)
    assert merged["breaks"] == []
    assert page.get("project")["answers"] == 0
    page.post("clusters/merge", clusters=[first, second], name="oak")
    page.wait()
    (oak,) = (c for c in page.get("clusters")["clusters"] if c["name"] == "oak")
    assert oak["size"] == wall[0]["size"] + wall[1]["size"]
    members = [m["id"] for m in page.get(f"clusters/{oak['id']}")["members"]]
    again = page.post("clusters/split", cluster=oak["id"], items=members[-3:], preview=True)
    assert again["moves"] == 3
    page.post("clusters/confirm", cluster=oak["id"])
    assert page.get(f"clusters/{oak['id']}")["confirmed"]
    page.post("clusters/unconfirm", cluster=oak["id"])
    assert not page.get(f"clusters/{oak['id']}")["confirmed"]


def test_what_a_merge_would_break_is_said_first_and_can_be_taken_back(page):
    wall = page.get("clusters")["clusters"]
    a, b = wall[0]["cover"][0], wall[1]["cover"][0]
    page.post("answers", items=[a, b], value="different")
    page.wait()
    home = {i: c["id"] for c in page.get("clusters")["clusters"] for i in c["cover"]}
    preview = page.post("clusters/merge", clusters=[home[a], home[b]], preview=True)
    refused = page.post("clusters/merge", clusters=[home[a], home[b]], status=409)
    assert preview["breaks"] == refused["breaks"]
    assert preview["breaks"][0]["chain"][0]["seq"] == 1
    page.post("clusters/merge", clusters=[home[a], home[b]], withdraw=[1])
    page.wait()
    assert page.live.ledger.constraints.known(a, b) == "same"
    assert page.get("conflicts") == []
    page.post("undo")  # the merge, and what was taken back for it
    assert page.live.ledger.constraints.known(a, b) == "different"


def test_a_contradiction_is_shown_with_its_chain_and_resolved(page):
    page.post("answers", items=[0, 1], value="same")
    page.post("answers", items=[1, 2], value="same")
    made = page.post("answers", items=[0, 2], value="different", annotator="bob")["conflict"]
    (conflict,) = page.get("conflicts")
    assert conflict == made
    said = {"seq": 3, "items": [0, 2], "value": "different", "annotator": "bob", "kind": "answer"}
    assert conflict["statement"] == said
    assert [link["seq"] for link in conflict["chain"]] == [1, 2]
    assert "contradict" in page.get("progress")["stop"]["reason"]
    assert page.post("conflicts/resolve", withdraw=[2])["left"] == 0
    assert page.live.ledger.constraints.known(0, 2) == "different"


def test_what_more_contradict_is_set_aside_unless_that_is_off(page):
    """Bob and Eve both contradict the first answer, each by a picture of their own."""
    for items in ([0, 1], [0, 2], [0, 3]):
        page.post("answers", items=items, value="same")
    first = page.post("answers", items=[1, 2], value="different", annotator="bob")["conflict"]
    assert first["statement"]["annotator"] == "bob"
    second = page.post("answers", items=[1, 3], value="different", annotator="eve")
    assert second["conflict"] is None  # two against one: hers stands
    (conflict,) = page.get("conflicts")
    assert conflict["statement"]["items"] == [0, 1]
    assert page.live.ledger.constraints.known(1, 3) == "different"
    page.wait()
    home = {image: cluster.id for cluster in page.live.wall.clusters.values() for image in cluster.images.tolist()}
    assert home[1] not in (home[0], home[2], home[3])
    page.client.put("/api/settings", json={"recheck": False})
    assert [each["statement"]["annotator"] for each in page.get("conflicts")] == ["bob", "eve"]
    page.client.put("/api/settings", json={"recheck": True})
    assert page.post("conflicts/resolve", withdraw=[1])["left"] == 0


def test_bad_pictures_leave_and_come_back(page):
    question = page.get("question", annotator="ann")
    bad = question["items"][0]["id"]
    after = page.post("bad", item=bad)["next"]
    assert bad not in [item["id"] for item in after["items"]]
    page.wait()
    assert page.get("clusters")["n_images"] == 23
    page.post("restore", item=bad)
    page.wait()
    assert page.get("clusters")["n_images"] == 24


def test_one_look_at_a_grid_is_many_answers(page):
    cluster = page.get("clusters")["clusters"][0]
    grid = page.get("grid", cluster=cluster["id"])
    page.post("grid", items=grid["items"], odd=grid["items"][-1:], seconds=4.0)
    assert page.get("project")["answers"] == 1  # one screen
    page.wait()
    home = page.live.wall.cluster_of
    assert home[grid["items"][0]] != home[grid["items"][-1]]
    page.post("undo")
    assert page.get("project")["answers"] == 0


def test_export(page):
    page.post("answers", items=[0, 1], value="same")
    rows = list(csv.DictReader(io.StringIO(page.client.get("/api/export", params={"format": "csv"}).text)))
    assert len(rows) == 24
    assert {row["state"] for row in rows} == {"found"}
    lines = page.client.get("/api/export", params={"format": "jsonl"}).text.splitlines()
    assert json.loads(lines[0])["payload"]["value"] == "same"


def test_mistakes_get_a_clear_word_and_change_nothing(page):
    cases = [
        ("answers", {"items": [0, 999], "value": "same"}, 404, "999"),
        ("answers", {"items": [0, 0], "value": "same"}, 422, "twice"),
        ("answers", {"items": [0, 1], "value": "ab"}, 422, "same, different, unsure"),
        ("answers", {"items": [0, 1], "value": "same", "more": 1}, 422, "more"),
        ("clusters/name", {"cluster": 999, "name": "x"}, 404, "cluster 999"),
        ("clusters/merge", {"clusters": [0]}, 422, "clusters"),
        ("conflicts/resolve", {"withdraw": [55]}, 404, "55"),
        ("bad", {"item": 999}, 404, "999"),
    ]
    for path, form, status, word in cases:
        assert word in page.post(path, status=status, **form)["detail"]
    assert len(page.live.log()) == 0
    assert page.client.get("/api/clusters/999").status_code == 404
    assert page.client.put("/api/settings", json={"strategy": "magic"}).status_code == 422


def test_safe_headers(page):
    headers = page.client.get("/api/project").headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_started_again_everything_is_there(page, location):
    from likewise.app.live import LiveProject

    for _ in range(5):
        question = page.get("question", annotator="ann")
        answer(page, question)
        page.wait()
    before = page.live.log().answers()
    labels = dict(page.live.wall.cluster_of)
    page.live.stop()
    again = LiveProject(location)
    again.start()
    assert again.log().answers() == before
    assert len(labels) == 24
    again.stop()


def test_triplets(page):
    assert page.client.put("/api/settings", json={"kind": "triplet"}).json()["kind"] == "triplet"
    for _ in range(600):
        question = page.get("question", annotator="eve")
        if question.get("kind") == "triplet":
            break
        if "items" in question:
            answer(page, question, annotator="eve")
        else:
            page.wait()
    items = [item["id"] for item in question["items"]]
    assert len(items) == 3
    done = page.post("answers", kind="triplet", items=items, value="none", annotator="eve")
    assert done["conflict"] is None
    assert page.live.log().answers()[-1].value == "none"
    page.client.put("/api/settings", json={"kind": "pair"})
    page.wait()
    assert page.get("question", annotator="eve")["kind"] == "pair"


def test_map(page):
    page.post("answers", items=[0, 1], value="same")
    found = page.get("map")
    assert len(found["x"]) == len(found["y"]) == len(found["cluster"]) == len(found["images"]) == 24
    assert all(0 <= x <= 1 for x in found["x"])
    assert found["edges"] == [[0, 1, "same"]]


def test_strategies_are_listed(page):
    assert "random" in page.get("strategies")


def test_folders_need_a_whole_path_and_an_empty_folder(page, tmp_path):
    refused = page.client.post("/api/export/folders", json={"target": "out"})
    assert refused.status_code == 422
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    refused = page.client.post("/api/export/folders", json={"target": str(tmp_path / "full")})
    assert "not empty" in refused.json()["detail"]
