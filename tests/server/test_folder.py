"""A real folder of pictures: new ones join, vanished ones rest, and what is wrong is said in one sentence."""

import time

import numpy as np
import pytest
from fastapi.testclient import TestClient
from PIL import Image

from likewise.app.live import LiveProject
from likewise.app.location import Location
from likewise.app.pictures import Pictures
from likewise.server.application import create_app
from likewise.store import NewerVersionError, StoreFullError
from likewise.store.migration import MIGRATIONS
from tests.app.page import Page
from tests.store.test_store_migrations import make_first_version

KINDS = {"left": (0, 16), "right": (48, 64), "middle": (24, 40)}


def draw(path, kind, seed):
    rng = np.random.default_rng(seed)
    pixels = rng.integers(0, 60, (64, 64, 3), np.uint8)
    first, last = KINDS[kind]
    pixels[:, first:last] += 150
    Image.fromarray(pixels).save(path)


def wait_until(what, seconds=240):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if found := what():
            return found
        time.sleep(0.05)
    raise TimeoutError


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    for kind in KINDS:
        for number in range(6):
            draw(folder / f"{kind}-{number}.png", kind, number)
    return folder


@pytest.fixture
def served(folder, tmp_path):
    home = str(tmp_path / "project")
    live = LiveProject(Location(home, home, "photos", "pixels"))
    live.adjust({"n_clusters": 3})
    shown = Pictures(live, folder)
    with TestClient(create_app(live, shown), base_url="http://127.0.0.1") as client:
        page = Page(client, live)
        page.shown = shown
        wait_until(lambda: shown.state["state"] == "done" and live.ready == 18)
        page.wait()
        yield page


def position(page, name):
    return next(image.id for image in page.live.project.items() if image.path == name)


def test_new_pictures_join_and_vanished_ones_rest(served, folder):
    page = served
    left = [position(page, f"left-{k}.png") for k in range(6)]
    home = page.live.wall.cluster_of
    assert len({home[image] for image in left}) == 1
    group = home[left[0]]
    page.post("clusters/name", cluster=group, name="left")
    page.post("clusters/confirm", cluster=group)
    page.post("answers", items=[left[0], position(page, "right-0.png")], value="different")
    ids = dict(home)
    draw(folder / "left-new.png", "left", 99)
    draw(folder / "right-new.png", "right", 98)
    (folder / "middle-5.png").unlink()
    page.shown.look()
    wait_until(lambda: page.live.project.n_items == 20 and page.live.ready == 19)
    page.wait()
    gone = position(page, "middle-5.png")
    assert gone not in page.live.wall.cluster_of
    assert {image: ids[image] for image in ids if image != gone} == {
        image: page.live.wall.cluster_of[image] for image in ids if image != gone
    }, "everything else is where it was"
    found = page.get(f"clusters/{group}")
    assert (found["name"], found["confirmed"], found["size"]) == ("left", True, 6)
    assert found["suggested"] == [position(page, "left-new.png")], "a confirmed group does not change by itself"
    assert page.live.wall.cluster_of[position(page, "right-new.png")] == home[position(page, "right-0.png")]
    answer = page.client.get(f"/api/images/{gone}?size=full")
    assert answer.status_code == 404
    assert "not in the folder any more" in answer.json()["detail"]
    for _ in range(30):
        question = page.get("question", annotator="eve")
        if "items" not in question:
            break
        items = [item["id"] for item in question["items"]]
        assert gone not in items
        page.post("answers", items=items, kind=question["kind"], value="unsure", annotator="eve")
    draw(folder / "middle-5.png", "middle", 5)
    page.shown.look()
    wait_until(lambda: page.live.ready == 20)
    page.wait()
    assert gone in page.live.wall.cluster_of


def test_a_picture_that_vanished_a_moment_ago_is_said(served, folder):
    image = position(served, "left-0.png")
    (folder / "left-0.png").unlink()
    answer = served.client.get(f"/api/images/{image}?size=full")
    assert answer.status_code == 410
    assert "not there any more" in answer.json()["detail"]
    assert served.client.get(f"/api/images/{image}?size=thumb").status_code == 200, "its small copy is kept"


WRONG = [
    ("get", "images/99999", None, 404),
    ("get", "images/-1", None, 422),
    ("get", "images/9999999999999999999999", None, 422),
    ("get", "images/..%2F..%2Fetc%2Fpasswd", None, 404),
    ("get", "images/x", None, 422),
    ("get", "clusters/99999", None, 404),
    ("get", "nothing", None, 404),
    ("post", "answers", {"items": [0, 99999], "value": "same"}, 404),
    ("post", "answers", {"items": [0, 0], "value": "same"}, 422),
    ("post", "answers", {"items": [0, 1], "value": "ab"}, 422),
    ("post", "bad", {"item": 99999}, 404),
    ("post", "clusters/merge", {"clusters": [0, 99999]}, 404),
    ("post", "clusters/split", {"cluster": 0, "items": [99999]}, 404),
    ("post", "clusters/confirm", {"cluster": 99999}, 404),
    ("post", "conflicts/resolve", {"withdraw": [99999]}, 404),
    ("post", "undo", {}, 409),
]


def test_wrong_ids_get_one_sentence_and_change_nothing(served):
    before = len(served.live.log())
    for method, path, form, status in WRONG:
        more = {} if form is None else {"json": {"key": "a-wrong-one", "annotator": "ann", **form}}
        answer = getattr(served.client, method)(f"/api/{path}", **more)
        assert answer.status_code == status, (path, answer.text)
        assert answer.json()["detail"], path
    assert len(served.live.log()) == before


def test_a_full_disk_is_said_and_the_answer_can_be_sent_again(page, monkeypatch):
    before = page.get("question", annotator="ann")
    items = [item["id"] for item in before["items"]]

    def full(entries):
        raise StoreFullError("no space is left, nothing was written")

    with monkeypatch.context() as patch:
        patch.setattr(page.live.project, "append_many", full)
        told = page.post("answers", items=items, value="same", key="sent-again", status=507)
        assert told["detail"] == "no space is left, nothing was written"
        assert page.get("question", annotator="ann")["id"] == before["id"], "the question is still there"
    assert page.post("answers", items=items, value="same", key="sent-again")["seq"] == 1


def test_a_project_of_the_first_version_is_served_with_all_its_answers(tmp_path):
    where = str(tmp_path / "old")
    make_first_version(where)
    live = LiveProject(Location(where, where, "leaves 🍂", "test"))
    live.follow(live.events.follow())
    assert [answer.value for answer in live.log().answers()] == ["same", "ab"]
    assert live.store.upgraded_from.name == "likewise-0001.backup.db"
    live.stop()


def test_a_project_of_a_newer_version_is_left_alone(tmp_path, monkeypatch):
    location = Location(str(tmp_path), str(tmp_path), "leaves", "test")
    location.open_store().close()
    monkeypatch.setattr("likewise.store.migration.bring_up_to_date.__defaults__", (MIGRATIONS, "0001"))
    with pytest.raises(NewerVersionError, match="newer"):
        LiveProject(location)


def test_what_is_put_in_place_of_a_picture_is_not_sent(served, folder, tmp_path):
    outside = tmp_path / "outside.png"
    outside.write_bytes(b"the user's own")
    image = position(served, "left-0.png")
    get = served.client.get
    whole = get(f"/api/images/{image}?size=full")
    assert whole.content == (folder / "left-0.png").read_bytes()
    assert whole.headers["content-type"] == "image/png"
    assert whole.headers["content-length"] == str(len(whole.content))
    (folder / "left-0.png").unlink()
    (folder / "left-0.png").symlink_to(outside)
    refused = get(f"/api/images/{image}?size=full")
    assert refused.status_code == 410
    assert "links are not followed" in refused.json()["detail"]
    assert str(tmp_path) not in refused.text
    for size in ("thumb", "preview"):  # the copies that were made before
        assert get(f"/api/images/{image}?size={size}").content.startswith(b"\xff\xd8")


def test_the_time_for_reading_pictures_does_not_make_the_pause_longer(served, folder, monkeypatch):
    from likewise.app import indexer

    now = [0.0]
    monkeypatch.setattr(indexer.time, "monotonic", lambda: now[0])
    one = indexer.Indexer(served.live.project, served.live.location, folder, lambda report: None)

    def read(pictures, *, progress, **options):
        now[0] += 2.0  # looking through the folder
        progress(0, 5)
        now[0] += 300.0  # reading

    monkeypatch.setattr(indexer, "index", read)
    one.scan()
    assert one.pause == 40.0
    now[0] = one._start = one._looked = 0.0
    assert one.pause == indexer.RESCAN_SECONDS
    one._looked = 1e6
    assert one.pause == indexer.LONGEST_PAUSE
