"""Faces as items: found, cut out, different within a photograph, asked about last where they are hard, and exported."""

import base64
import csv
import io
import os
import re
import shutil
import sqlite3
import zipfile
from contextlib import closing

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from likewise.app.engine import Engine
from likewise.app.exporting import take_snapshot, wall_of
from likewise.app.face_indexer import FaceIndexer
from likewise.app.face_items import copied_faces, faces_apart, hard_faces, like_left_out
from likewise.app.live import LiveProject
from likewise.app.location import Location
from likewise.app.people import Person
from likewise.app.pictures import Pictures
from likewise.cli import app
from likewise.cli.serve import DEFAULT_MODEL, choose_model
from likewise.formats import export, exporters
from likewise.images import faces
from likewise.images.faces import FACES, FoundFace
from likewise.store import Store
from likewise.store.archive import read_archive, write_archive
from tests.app.drawn_faces import draw_album, draw_photograph
from tests.app.page import served
from tests.browser.plugin.likewise_faces import DrawnFaces

NOUN = re.compile(r"\b(pictures?|clusters?|groups?)\b", re.IGNORECASE)


class Told:
    """A finder that finds what it is told to."""

    dimension, longest = 4, 512

    def __init__(self, faces):
        self.faces = faces

    def find(self, pixels):
        return self.faces


@pytest.fixture(autouse=True, scope="module")
def as_important_as_before():
    """What is read here is read in this process, which is not to wait for all others from then on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("likewise.app.indexer.lower_priority", lambda by: None)
        yield


def open_album(folder, home, finder=None):
    location = Location(str(home), str(home), "album", FACES)
    live = LiveProject(location)
    indexer = FaceIndexer(live.project, location, folder, lambda report: None, finder or DrawnFaces())
    indexer.scan()
    return live, indexer


@pytest.fixture(scope="module")
def indexed(tmp_path_factory):
    """An album, read once."""
    work = tmp_path_factory.mktemp("indexed")
    (work / "album").mkdir()
    truth = draw_album(work / "album")
    open_album(work / "album", work / "home")[0].stop()
    return work, truth


@pytest.fixture
def album(indexed, tmp_path):
    """A copy of it, with its project folder beside it."""
    shutil.copytree(indexed[0], tmp_path, dirs_exist_ok=True)
    with closing(sqlite3.connect(tmp_path / "home" / "likewise-index.sqlite")) as catalog, catalog:
        catalog.execute("UPDATE facts SET value = ? WHERE name = 'folder'", (os.fsencode(tmp_path / "album"),))
    return tmp_path / "album", indexed[1]


def faces_of(live):
    """Faces by name."""
    return {item.name: item for item in live.project.items() if item.region is not None}


def test_every_face_is_an_item(album, tmp_path):
    folder, truth = album
    live, _ = open_album(folder, tmp_path / "home")
    faces = faces_of(live)
    assert set(faces) == {f"{name}#{k}" for name, people in truth.items() for k in range(1, len(people) + 1)}
    assert live.project.vectors(FACES).present().sum() == len(faces)
    for item in faces.values():
        x, y, w, h = item.region
        assert 0 <= x < x + w <= item.width
        assert 0 <= y < y + h <= item.height
        assert live.project.item(item.id) == item
    shown = Pictures(live, folder)
    item = faces["party-00.png#1"]
    sizes = {}
    for size in ("thumb", "preview", "full", "photograph"):
        with shown.open(item.id, size) as file:
            sizes[size] = Image.open(file).size
    assert sizes["photograph"] == (640, 420)
    assert max(sizes["thumb"]) <= 256
    assert sizes["full"][0] == pytest.approx(1.8 * max(item.region[2:]), abs=2)
    live.stop()


def test_a_copy_that_was_removed_is_cut_again(album, tmp_path):
    folder, _ = album
    live, _ = open_album(folder, tmp_path / "home")
    item = faces_of(live)["party-00.png#1"]
    shown = Pictures(live, folder)
    with shown.open(item.id, "thumb") as file:
        before = file.read()
    for path in (tmp_path / "home" / "256").rglob("*.jpg"):
        path.unlink()
    with shown.open(item.id, "thumb") as file:
        assert file.read() == before
    live.stop()


def test_faces_of_one_photograph_are_different_from_the_start(album, tmp_path):
    folder, truth = album
    live, _ = open_album(folder, tmp_path / "home")
    live._rebuild_queue()
    known = live.ledger.constraints.known
    faces = list(faces_of(live).values())
    for a in faces:
        for b in faces:
            if a.id < b.id:
                assert known(a.id, b.id) == ("different" if a.path == b.path else None)
    wall = wall_of(live.project, FACES)
    for cluster in wall.clusters.values():
        photographs = [live.project.item(image).path for image in cluster.images.tolist()]
        assert len(set(photographs)) == len(photographs)
    assert len(faces_apart(live.project, FACES)) == len(truth)
    live.stop()


def test_new_changed_and_copied_photographs(album, tmp_path):
    folder, _ = album
    live, indexer = open_album(folder, tmp_path / "home")
    before = faces_of(live)
    draw_photograph([0, 1], 99).save(folder / "new.png")
    (folder / "copy.png").write_bytes((folder / "party-00.png").read_bytes())
    image = Image.open(folder / "party-01.png").convert("RGB")
    image.putpixel((0, 419), (0, 0, 0))  # saved again: other bytes, the same faces
    image.save(folder / "party-01.png")
    indexer.scan()
    after = faces_of(live)
    assert {name: item.id for name, item in before.items()} == {name: after[name].id for name in before}
    assert {"new.png#1", "new.png#2", "copy.png#1"} <= set(after)
    assert live.project.vectors(FACES).present()[[item.id for item in after.values()]].all()
    pairs = {tuple(sorted(pair)) for pair in copied_faces(live.project).tolist()}
    assert (after["party-00.png#1"].id, after["copy.png#1"].id) in pairs
    live.stop()


def test_a_face_that_is_no_longer_there_is_not_asked_about(tmp_path):
    folder = tmp_path / "album"
    folder.mkdir()
    draw_photograph([0, 1], 1).save(folder / "a.png")
    live, indexer = open_album(folder, tmp_path / "home")
    assert faces_apart(live.project, FACES) == [(1, 2)]
    draw_photograph([3], 5).save(folder / "a.png")
    indexer.scan()
    there = np.flatnonzero(live.project.vectors(FACES).present())
    assert there.tolist() == [3]
    assert faces_apart(live.project, FACES) == []
    live.stop()


@pytest.fixture
def page(album, tmp_path):
    live, _ = open_album(album[0], tmp_path / "home")
    live.adjust({"kind": "pair", "check_rate": 0.0})
    with served(live) as page:
        page.app_pictures = page.client.app.state.pictures = Pictures(live, album[0])
        yield page


def test_the_page_asks_about_faces(page, album):
    page.wait()
    live = page.live
    assert page.get("project")["of_faces"] is True
    question = page.get("question", annotator="ann")
    for item in question["items"]:
        assert "#" in item["name"]
        face = page.get(f"images/{item['id']}/face")
        assert face["photograph"] == item["name"].partition("#")[0]
        assert all(0 <= number <= 1 for number in face["box"])
        assert len(face["others"]) == len(album[1][face["photograph"]]) - 1
    assert live.project.item(question["items"][0]["id"]).path != live.project.item(question["items"][1]["id"]).path
    whole = next(iter(live.project.whole_pictures().values()))
    assert page.client.get(f"/api/images/{whole}/face").status_code == 404
    assert {"people", "xmp"} <= {each["name"] for each in page.get("export/formats")}


def test_an_answer_against_a_photograph_is_a_conflict(page):
    page.wait()
    faces = faces_of(page.live)
    a, b = faces["party-00.png#1"].id, faces["party-00.png#2"].id
    other = next(item.id for item in faces.values() if item.path != "party-00.png")
    page.post("answers", items=[a, other], value="same")
    page.post("answers", items=[b, other], value="same")
    [conflict] = page.get("conflicts")
    kinds = sorted(link["kind"] for link in conflict["chain"])
    assert kinds == ["answer", "photograph"]
    fact = next(link for link in conflict["chain"] if link["kind"] == "photograph")
    assert (fact["seq"], sorted(fact["items"]), fact["annotator"]) == (0, [a, b], "")
    assert all(step["kind"] == "answer" for step in page.get("steps")["steps"])


def test_one_person_twice_is_said_by_hand_and_holds(page):
    page.wait()
    faces = faces_of(page.live)
    a, b = faces["party-00.png#1"].id, faces["party-00.png#2"].id
    home = page.live.wall.cluster_of
    clusters = [home[a], home[b]]
    found = page.post("clusters/merge", clusters=clusters, preview=True)["breaks"]
    assert {link["kind"] for each in found for link in each["chain"]} == {"photograph"}
    page.post("clusters/merge", clusters=clusters, status=409)
    number = page.post("clusters/merge", clusters=clusters, twice=True)["cluster"]
    page.wait()
    assert {page.live.wall.cluster_of[face] for face in (a, b)} == {number}
    assert page.live.ledger.constraints.known(a, b) == "same"
    assert page.get("conflicts") == []
    page.post("undo")
    page.wait()
    assert page.live.ledger.constraints.known(a, b) == "different"


def test_exports_are_about_people(page, album):
    _, truth = album
    page.wait()
    first = faces_of(page.live)["party-00.png#1"]
    number = page.live.wall.cluster_of[first.id]
    page.post("clusters/name", cluster=number, name="Ann & <Bob>")
    rows = list(csv.DictReader(io.StringIO(page.client.get("/api/export?format=people").text)))
    assert sorted(row["photograph"] for row in rows) == sorted(name for name, people in truth.items() for _ in people)
    named = [row for row in rows if row["face"] == "party-00.png#1"]
    assert named[0]["person"] == "Ann & <Bob>"
    assert tuple(int(named[0][name]) for name in ("x", "y", "width", "height")) == first.region
    coco = page.client.get("/api/export?format=coco").json()
    assert {image["file_name"] for image in coco["images"]} == set(truth)
    assert len(coco["annotations"]) == len(rows)
    names = {image["id"]: image["file_name"] for image in coco["images"]}
    mine = [each for each in coco["annotations"] if tuple(each["bbox"]) == first.region]
    assert "party-00.png" in {names[each["image_id"]] for each in mine}
    with zipfile.ZipFile(io.BytesIO(page.client.get("/api/export?format=folders").content)) as archive:
        copies = [os.path.basename(name) for name in archive.namelist()]
    assert sorted(copies) == sorted(row["photograph"] for row in rows)
    with zipfile.ZipFile(io.BytesIO(page.client.get("/api/export?format=yolo").content)) as archive:
        cut = [name for name in archive.namelist() if name.endswith(".jpg")]
        assert len(cut) == len(rows)
        assert Image.open(io.BytesIO(archive.read(cut[0]))).width < 400
    with zipfile.ZipFile(io.BytesIO(page.client.get("/api/export?format=xmp").content)) as archive:
        assert set(archive.namelist()) == {f"{name}.xmp" for name in truth}
    table = list(csv.DictReader(io.StringIO(page.client.get("/api/export").text)))
    assert {row["path"] for row in table} == {row["face"] for row in rows}
    assert b"data:image/jpeg" in page.client.get("/api/export?format=report").content


def test_what_is_said_is_about_faces_and_people(page):
    page.wait()
    wall = page.live.wall
    faces, home = faces_of(page.live), wall.cluster_of
    first = faces["party-00.png#1"].id
    number = home[first]
    other = next(home[item.id] for item in faces.values() if home[item.id] != number)
    others = [image for image in wall.clusters[other].images.tolist() if image != first]
    page.post("clusters/name", cluster=number, name="all the pictures of a cluster")
    page.post("clusters/confirm", cluster=number)
    page.post("clusters/split", cluster=other, items=others[:1])
    said = [step["text"] for step in page.get("steps")["steps"]]
    said += [text for each in page.get("export/formats") for text in (each["title"], each["about"])]
    said.append(page.post("clusters/merge", clusters=[number, number], status=422)["detail"])
    said.append(page.client.get("/api/images/99999/face").json()["detail"])
    report = page.client.get("/api/export?format=report").text
    said += re.findall(r">([^<]+)<", re.sub(r"<style>.*?</style>", "", report, flags=re.DOTALL))
    said += re.findall(r'aria-label="([^"]+)"|<title>([^<]+)', report)[0]
    assert any("all the pictures of a cluster" in text for text in said)
    assert {"Photographs", "Faces", "People"} <= {*said}
    for text in said:
        assert not NOUN.search(text.replace("all the pictures of a cluster", "")), text
    rows = csv.DictReader(io.StringIO(page.client.get("/api/export?format=people").text))
    assert all(re.match("person-|all the", row["person"]) for row in rows)


def test_faces_are_found_by_a_file_with_one(page, album, monkeypatch):
    page.wait()
    monkeypatch.setattr("likewise.app.searching.load_finder", lambda model: DrawnFaces())
    first = faces_of(page.live)["party-00.png#1"]
    with Pictures(page.live, album[0]).open(first.id, "full") as file:
        sent = base64.b64encode(file.read()).decode()
    found = page.client.post("/api/pictures/like", json={"picture": sent, "limit": 3}).json()["pictures"]
    assert found[0]["id"] == first.id
    blank = io.BytesIO()
    draw_photograph([], 0).save(blank, "PNG")
    sent = base64.b64encode(blank.getvalue()).decode()
    refused = page.client.post("/api/pictures/like", json={"picture": sent})
    assert (refused.status_code, "no face was found" in refused.json()["detail"]) == (422, True)


def test_small_faces_are_asked_about_last(tmp_path):
    folder = tmp_path / "album"
    folder.mkdir()
    for seed in range(4):
        draw_photograph([seed % 2, 2], seed, sides=[90, 24]).save(folder / f"{seed}.png")
    live, _ = open_album(folder, tmp_path / "home")
    faces = faces_of(live)
    small = {item.id for item in faces.values() if item.region[2] < 40}
    assert hard_faces(live.project, FACES) == small
    assert len(small) == 4
    live.adjust({"kind": "pair", "check_rate": 0.0})
    with served(live) as page:
        page.wait()
        hard = []
        while (question := page.get("question", annotator="ann")).get("finished") is None:
            if question.get("waiting") is not None:
                page.wait()
                continue
            items = [item["id"] for item in question["items"]]
            hard.append(not small.isdisjoint(items))
            seeds = [(live.project.item(item).path, item in small) for item in items]
            same = seeds[0][1] == seeds[1][1] and (seeds[0][1] or int(seeds[0][0][0]) % 2 == int(seeds[1][0][0]) % 2)
            page.post("answers", items=items, value="same" if same else "different")
            page.wait()
        assert any(hard)
        assert hard == sorted(hard)


def test_a_photograph_without_a_face_says_so(tmp_path):
    folder = tmp_path / "album"
    folder.mkdir()
    Image.new("RGB", (1, 1)).save(folder / "dot.png")
    Image.new("RGB", (60, 60), "white").save(folder / "blank.png")
    live, _ = open_album(folder, tmp_path / "home")
    live.start()
    live.indexing({"state": "done", "done": 2, "total": 2, "rate": 1.0})
    waiting = live.next_for(Person("ann"))
    assert "No face was found in any of the 2 pictures" in waiting.reason
    live.stop()


def test_a_face_that_is_one_pixel(tmp_path):
    folder = tmp_path / "album"
    folder.mkdir()
    Image.new("RGB", (1, 1), "red").save(folder / "dot.png")
    live, _ = open_album(
        folder, tmp_path / "home", Told([FoundFace((0.0, 0.0, 1.0, 1.0), 1.0, np.ones(4, np.float32))])
    )
    [item] = faces_of(live).values()
    assert (item.region, item.width, item.height) == ((0, 0, 1, 1), 1, 1)
    for size in ("thumb", "full", "photograph"):
        with Pictures(live, folder).open(item.id, size) as file:
            assert Image.open(file).size == (1, 1)
    live.stop()


BOXES = {
    "beyond the picture": (-3.0, 0.5, 9.0, 1.5),
    "without width": (0.5, 0.5, 0.5, 0.9),
    "turned round": (0.9, 0.9, 0.1, 0.1),
    "no number": (np.nan, 0.0, np.inf, 1.0),
}


@pytest.mark.parametrize("box", BOXES.values(), ids=BOXES)
def test_a_finder_that_gives_boxes_that_are_none(box, tmp_path):
    folder = tmp_path / "album"
    folder.mkdir()
    draw_photograph([0], 1).save(folder / "a.png")
    good = FoundFace((0.25, 0.25, 0.5, 0.5), 1.0, np.ones(4, np.float32))
    live, _ = open_album(folder, tmp_path / "home", Told([FoundFace(box, 1.0, np.zeros(4, np.float32)), good]))
    found = [item for item in faces_of(live).values() if item.status == "present"]
    assert (160, 105, 160, 105) in {item.region for item in found}
    assert len(found) == (2 if box == BOXES["beyond the picture"] else 1)
    for item in found:
        x, y, w, h = item.region
        assert 0 <= x < x + w <= 640
        assert 0 <= y < y + h <= 420
    live.stop()


LIES = {
    "on its side": {0x0112: 6},
    "turned in no way there is": {0x0112: 77},
    "of another size": {0x0100: 60_000, 0x0101: 1, 0xA002: 1, 0xA003: 60_000},
    "taken on no day": {0x9003: "0000:99:99 25:61:61", 0x0132: "yesterday"},
    "in no way that can be read": b"Exif\x00\x00MM\x00*\x00\x00\x00\x08\xff\xff\x01\x12",
}


@pytest.mark.filterwarnings("ignore:Corrupt EXIF")
@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_photograph_whose_camera_lied(lie, tmp_path):
    folder = tmp_path / "album"
    folder.mkdir()
    tags = Image.Exif()
    if isinstance(lie, dict):
        tags.update(lie)
    draw_photograph([0, 1], 1).save(folder / "a.jpg", exif=tags if isinstance(lie, dict) else lie, quality=95)
    upright = (420, 640) if lie == {0x0112: 6} else (640, 420)
    live, _ = open_album(folder, tmp_path / "home")
    live.location.remember_model(live.project)
    faces = list(faces_of(live).values())
    assert len(faces) == 2
    for item in faces:
        x, y, w, h = item.region
        assert (item.width, item.height) == upright
        assert 0 <= x < x + w <= upright[0]
        assert 0 <= y < y + h <= upright[1]
    wall = wall_of(live.project, FACES)
    snapshot = take_snapshot(live.project, tmp_path / "home", folder, wall)
    written = export(exporters()["xmp"], snapshot, tmp_path / "out")
    sidecar = (tmp_path / "out" / "a.jpg.xmp").read_text()
    sides = [float(share) for share in re.findall(r'stArea:[xywh]="([^"]+)"', sidecar)]
    assert (written.count, len(sides), all(0 < share < 1 for share in sides)) == (1, 8, True)
    assert 'stDim:w="640" stDim:h="420"' in sidecar
    live.stop()


def test_a_thousand_faces_in_one_picture(tmp_path):
    folder = tmp_path / "album"
    folder.mkdir()
    Image.new("RGB", (400, 400), "white").save(folder / "crowd.png")
    rng = np.random.default_rng(0)
    boxes = [(k % 32 / 32, k // 32 / 32, (k % 32 + 1) / 32, (k // 32 + 1) / 32) for k in range(1000)]
    crowd = [FoundFace(box, 1.0, rng.normal(size=4).astype(np.float32)) for box in boxes]
    live, _ = open_album(folder, tmp_path / "home", Told(crowd))
    assert len(faces_of(live)) == 1000
    apart = faces_apart(live.project, FACES)
    assert 8000 <= len(apart) <= 16000
    engine = Engine(kind="pair")
    items = np.array(sorted(item.id for item in faces_of(live).values()))
    engine.keep_apart(apart)
    engine.set_pictures(items, live.project.vectors(FACES).rows_of(items))
    label_of = dict(zip(items.tolist(), engine.cluster().labels.tolist(), strict=True))
    assert all(label_of[a] != label_of[b] for a, b in apart)
    live.stop()


def test_without_the_extra_a_sentence_says_how(tmp_path, monkeypatch):
    monkeypatch.setattr(faces, "PACKAGE", "nothing_of_this_name")
    faces._models.cache_clear()
    result = CliRunner().invoke(app, ["serve", str(tmp_path), "--faces", "--no-browser"])
    assert result.exit_code != 0
    assert "likewise[faces]" in result.output
    result = CliRunner().invoke(app, ["serve", str(tmp_path), "--faces", "--model", "pixels"])
    assert "finds no faces" in result.output


def test_a_project_of_faces_goes_into_an_archive(album, tmp_path):
    live, _ = open_album(album[0], tmp_path / "home")
    write_archive(live.project, tmp_path / "album.zip", tmp_path / "home")
    with Store.open(tmp_path / "other") as store:
        copy = read_archive(store, tmp_path / "album.zip")
        theirs = {item.name: item.region for item in copy.items() if item.region is not None}
        assert theirs == {name: item.region for name, item in faces_of(live).items()}
    live.stop()


def test_the_project_remembers_that_it_is_about_faces(album, tmp_path):
    live, _ = open_album(album[0], tmp_path / "home")
    live.location.remember_model(live.project)
    live.stop()
    other = Location(str(tmp_path / "home"), str(tmp_path / "home"), "album", DEFAULT_MODEL)
    assert other.with_model(None).model == FACES
    assert [choose_model(None, on, last) for on in (True, False) for last in (FACES, DEFAULT_MODEL)] == [
        FACES,
        FACES,
        DEFAULT_MODEL,
        None,
    ]
    assert choose_model("other", False, FACES) == "other"


def brute_like_left_out(X, gone):
    D = np.linalg.norm(X[:, None] - X[None], axis=2)
    np.fill_diagonal(D, np.inf)
    like = [(D[k].min(), k) for k in range(len(X)) if not gone[k] and gone[D[k].argmin()]]
    return [k for _, k in sorted(like)]


@pytest.mark.parametrize("seed", range(5))
def test_what_is_like_a_face_left_out_is_suggested(seed, tmp_path):
    rng = np.random.default_rng(seed)
    with Store.open(tmp_path) as store:
        project = store.create_project("album")
        items = project.add_regions([("a.jpg", (k, 0, 1, 1)) for k in range(15)])
        X = rng.normal(size=(15, 3))
        project.vectors(FACES, 3, write=True).put(items, X.astype(np.float32))
        gone = rng.random(15) < 0.3
        left_out = [item for item, is_out in zip(items, gone, strict=True) if is_out]
        found = like_left_out(project, FACES, left_out, set(items))
        assert found == brute_like_left_out(X, gone)
        assert like_left_out(project, FACES, [], set(items)) == []
        assert like_left_out(project, FACES, items, set(items)) == []


def test_regions_are_checked_and_keep_their_ids(tmp_path):
    with Store.open(tmp_path) as store:
        project = store.create_project("album")
        first = project.add_regions([("a.jpg", (0, 0, 5, 5)), ("b.jpg", (0, 0, 5, 5)), ("a.jpg", (6, 0, 5, 5))])
        assert project.add_regions([("a.jpg", (6, 0, 5, 5)), ("a.jpg", (9, 9, 1, 1))]) == [first[2], 3]
        assert [item.name for item in project.items()] == ["a.jpg#1", "b.jpg#1", "a.jpg#2", "a.jpg#3"]
        assert project.add_items(["a.jpg"]) == [4]
        assert project.item(4).name == "a.jpg"
        assert project.regions_of("a.jpg") == {0: (0, 0, 5, 5), 2: (6, 0, 5, 5), 3: (9, 9, 1, 1)}
        for region in [(0, 0, 0, 5), (-1, 0, 5, 5), (0.5, 0, 5, 5), (0, 0, 5), (0, 0, 2**31, 1)]:
            with pytest.raises(ValueError, match="a region is"):
                project.add_regions([("a.jpg", region)])
