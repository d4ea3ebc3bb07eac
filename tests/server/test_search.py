"""Search and filters: against a look at every picture, and asking only about some of them."""

import base64
import io
import time
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from likewise.app import facts as facts_module
from likewise.app.facts import Filter, facts_of, matching
from likewise.server.auth import Auth, new_token
from likewise.server.routes import search as search_routes
from tests.app.page import TRUTH
from tests.images.known import write_clip

DAY = 86_400


@pytest.fixture
def photographs(page):
    """Pictures that carry something: every other one was taken on a day of its own, by one of two cameras."""
    page.wait()
    kept = facts_of(page.live)
    kept.paths = [f"{'summer/lake' if k % 3 else 'winter'}/{k}.jpg" for k in range(24)]
    kept.taken = np.array([1_700_000_000.0 + k * DAY if k % 2 else np.nan for k in range(24)])
    kept.cameras = ["Box 1" if k % 4 else "Phone 2" for k in range(24)]
    page.facts = kept
    yield page
    facts_module._kept.clear()


def ids(page, **wanted):
    found = page.get("pictures", limit=1000, **wanted)
    assert found["total"] == len(found["pictures"])
    return [each["id"] for each in found["pictures"]]


def slowly(page, wanted):
    """Every picture looked at, one condition after the other."""
    kept, tags = page.facts, {1: "boat", 2: "boat", 7: "tree"}
    found = []
    for k in range(24):
        day = None if np.isnan(kept.taken[k]) else datetime.fromtimestamp(kept.taken[k], UTC).date().isoformat()
        name = page.live.wall.clusters[page.live.wall.cluster_of[k]].name
        text = f"{kept.paths[k]} {name} {tags.get(k, '')}".casefold()
        keep = all(word in text for word in wanted.get("q", "").casefold().split())
        keep &= kept.paths[k].startswith(wanted.get("folder", "").rstrip("/") + "/" * bool(wanted.get("folder")))
        keep &= wanted.get("camera", kept.cameras[k]) == kept.cameras[k]
        keep &= wanted.get("tag", tags.get(k)) == tags.get(k)
        keep &= wanted.get("name", name) == name
        keep &= "since" not in wanted or (day is not None and day >= wanted["since"])
        keep &= "until" not in wanted or (day is not None and day <= wanted["until"])
        found += [k] if keep else []
    return found


def test_filters_let_through_what_a_look_at_every_picture_does(photographs):
    page = photographs
    page.post("tags", items=[1, 2], name="boat", value="yes")
    page.post("tags", items=[7], name="tree", value="yes")
    page.post("clusters/name", cluster=page.live.wall.cluster_of[0], name="Oak leaves")
    page.wait()
    fields = {
        "q": ["oak", "summer boat", "3.jpg", "nothing of the kind"],
        "folder": ["summer", "summer/lake", "winter/", "sum"],
        "camera": ["Box 1"],
        "tag": ["boat", "tree"],
        "name": ["Oak leaves"],
        "since": ["2023-11-20"],
        "until": ["2023-11-24"],
    }
    rng = np.random.default_rng(0)
    for _ in range(60):
        some = [name for name in fields if rng.random() < 0.35]
        wanted = {name: str(rng.choice(fields[name])) for name in some}
        assert ids(page, **wanted) == slowly(page, wanted), wanted
        wall = page.get("clusters", **wanted)
        homes = {page.live.wall.cluster_of[k] for k in slowly(page, wanted)}
        assert {each["id"] for each in wall["clusters"]} == homes
        assert all(set(each["cover"]) <= set(slowly(page, wanted)) for each in wall["clusters"])


def test_states(photographs):
    page = photographs
    page.post("bad", item=5)
    page.wait()
    assert ids(page, state="bad") == [5]
    settled = ids(page, state="settled")
    assert sorted([*settled, *ids(page, state="open")]) == [k for k in range(24) if k != 5]
    assert ids(page, state="named") == []
    assert len(ids(page, state="unnamed")) == 23


def test_what_a_picture_carries_and_what_there_is_to_filter_by(photographs):
    page = photographs
    about = page.get("pictures/3")
    assert about["path"] == "winter/3.jpg"
    assert about["full_path"] == "photos/winter/3.jpg"
    assert about["taken"] == "2023-11-17 22:13:20"
    assert about["camera"] == "Box 1"
    assert about["cluster"] == page.live.wall.cluster_of[3]
    assert page.get("pictures/2")["taken"] is None
    assert page.client.get("/api/pictures/99").status_code == 404
    choices = page.get("pictures/choices")
    counts = {each["name"]: each["n"] for each in choices["folders"]}
    assert counts == {"summer": 16, "summer/lake": 16, "winter": 8}
    assert [each["name"] for each in choices["cameras"]] == ["Box 1", "Phone 2"]
    assert (choices["first_day"], choices["last_day"]) == ("2023-11-15", "2023-12-07")


def test_a_folder_is_opened_for_the_person_at_the_machine_only(page, monkeypatch):
    shown = []
    monkeypatch.setattr(search_routes, "has_file_manager", lambda: True)
    monkeypatch.setattr(search_routes, "show_in_file_manager", lambda *given: shown.append(given))
    assert page.get("pictures/3")["can_reveal"] is True
    assert page.client.post("/api/pictures/3/reveal").json() == {"path": "3.jpg"}
    assert page.client.post("/api/pictures/99/reveal").status_code == 404
    monkeypatch.setattr(page.client.app.state, "auth", Auth(page.live.project, new_token()))
    assert page.get("pictures/3")["can_reveal"] is False
    assert page.client.post("/api/pictures/3/reveal").status_code == 403
    assert shown == [(Path("photos"), "3.jpg")]


@pytest.mark.parametrize("wanted", [{"since": "yesterday"}, {"since": "2023-13-40"}, {"state": "odd"}])
def test_what_is_no_filter_is_refused(page, wanted):
    assert page.client.get("/api/pictures", params=wanted).status_code == 422


def test_more_like_this_is_the_order_of_the_cosines(page):
    page.wait()
    vectors = page.live.project.vectors("test").rows_of(np.arange(24)).astype(float)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for image in (0, 7, 23):
        found = ids(page, like=image)
        assert found[0] == image
        rest = [k for k in np.argsort(-(unit @ unit[image]), kind="stable").tolist() if k != image]
        assert found[1:] == rest
        assert {TRUTH[k] for k in found[:6]} == {TRUTH[image]}
    assert page.client.get("/api/pictures", params={"like": 99}).status_code == 404


def test_without_a_network_only_pictures_that_are_there_can_be_looked_for(page):
    page.wait()
    assert page.get("pictures/words") == {"words": False}
    refused = page.client.get("/api/pictures", params={"words": "a dog"})
    assert refused.status_code == 422
    assert "their network is gone" in refused.json()["detail"]


def in_base64(colour):
    kept = io.BytesIO()
    Image.new("RGB", (9, 9), colour).save(kept, "PNG")
    return base64.b64encode(kept.getvalue()).decode()


def test_a_dropped_picture_and_words_find_what_they_show(page, tmp_path, monkeypatch):
    from likewise.images.network import OnnxEmbedder

    page.wait()
    write_clip(tmp_path)
    text = (tmp_path / "text_model.onnx", tmp_path / "tokenizer.json")
    search = page.client.app.state.search
    search._embedder = OnnxEmbedder(tmp_path / "vision_model.onnx", text=text, mean=(0, 0, 0), std=(1, 1, 1))
    colours = np.eye(3)[np.arange(24) % 3]
    with page.live.project.vectors("colours", 3, write=True) as vectors:
        vectors.append(colours)
    where = page.live.location
    monkeypatch.setattr(page.live, "location", type(where)(where.where, where.folder, where.name, "colours"))
    assert page.get("pictures/words") == {"words": True}
    answer = page.client.post("/api/pictures/like", json={"picture": in_base64("lime"), "limit": 8})
    assert [each["id"] for each in answer.json()["pictures"]] == list(range(1, 24, 3))
    assert ids(page, words="something blue")[:8] == list(range(2, 24, 3))
    for bad in ("not base64!", base64.b64encode(b"not a picture").decode()):
        refused = page.client.post("/api/pictures/like", json={"picture": bad})
        assert refused.status_code == 422, bad


def wait_for(holds, seconds=120):
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)


def test_only_these_are_asked_about_and_all_clusters_stay(photographs):
    page = photographs
    before = sorted(page.live.wall.cluster_of)
    winter = [k for k in range(24) if k % 3 == 0]
    put = page.client.put("/api/focus", json={"wanted": {"folder": "winter"}})
    assert put.json() == {"wanted": put.json()["wanted"], "total": 8}
    asked = set()
    for _ in range(12):
        wait_for(lambda: page.get("question", annotator="ann").get("waiting") is None)
        question = page.get("question", annotator="ann")
        if question.get("finished"):
            break
        items = [each["id"] for each in question["items"]]
        asked.update(items)
        truth = "same" if len({TRUTH[k] for k in items}) == 1 else "different"
        if question["kind"] != "pair":
            page.post("bad", item=items[-1])
        else:
            page.post("answers", kind="pair", items=items, value=truth)
    assert asked
    assert asked <= set(winter)
    assert page.live.project.settings()["focus"] == {"folder": "winter"}  # also at the next start
    assert set(before) - set(page.live.events.left_out()) <= set(page.live.wall.cluster_of)
    page.client.put("/api/focus", json={})
    assert page.get("focus")["total"] == len(page.live.wall.cluster_of)
    wait_for(lambda: page.get("question", annotator="ann").get("items") is not None)


def test_too_few_pictures_are_no_focus(photographs):
    refused = photographs.client.put("/api/focus", json={"wanted": {"q": "3.jpg winter/3"}})
    assert refused.status_code == 422
    assert matching(photographs.live, Filter(q="winter/3.jpg")) == [3]
    assert photographs.get("focus")["wanted"]["q"] == ""


def test_annotators_see_nothing_of_it(page):
    from likewise.server.middleware import FOR_ANNOTATORS

    for path in ("/api/pictures", "/api/pictures/3", "/api/focus", "/api/pictures/choices"):
        assert not any(method == "GET" and pattern.fullmatch(path) for method, pattern in FOR_ANNOTATORS)
