"""Stacks in a project: found from the start, never asked about, taken apart by hand, and gone where people differ."""

import csv
import io
import uuid
from itertools import combinations

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from likewise.app.engine import Engine
from likewise.app.engine_process import Orders
from likewise.app.engine_worker import Worker
from likewise.app.evidence import Evidence
from likewise.app.exporting import wall_of
from likewise.app.grids import grid_of
from likewise.app.indexer import Indexer
from likewise.app.live import LiveProject
from likewise.app.location import Location
from likewise.app.stack_rows import StackRows
from likewise.app.stacking import read_links
from likewise.cli import app
from likewise.constraints import Constraints
from likewise.query.question import Answer, Question
from tests.app.page import served
from tests.images.test_stacks import altered, scene

N_SCENES, N_COPIES = 6, 4


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    """Four copies of each of six pictures, and six pictures without copies."""
    folder = tmp_path_factory.mktemp("photos")
    rng = np.random.default_rng(0)
    for seed in range(N_SCENES):
        for number in range(N_COPIES):
            altered(scene(seed), rng).convert("RGB").save(folder / f"{seed}-{number}.jpg", quality=90)
        scene(seed + 50).save(folder / f"alone-{seed}.jpg")
    Image.new("RGB", (1, 1)).save(folder / "dot.png")
    return folder


@pytest.fixture
def live(photos, tmp_path):
    location = Location(str(tmp_path), str(tmp_path), "photos", "pixels")
    live = LiveProject(location)
    Indexer(live.project, location, photos, lambda report: None).scan()
    return live


@pytest.fixture
def page(live):
    live.adjust({"check_rate": 0.5})
    with served(live) as page:
        yield page


def names_of(live):
    return {item.id: item.path for item in live.project.items()}


def copies(live, seed):
    return [image for image, name in names_of(live).items() if name.startswith(f"{seed}-")]


def stacks_on(live):
    return {tuple(members) for members in live.wall.stacks.members.values()}


def shown_in(page):
    """Every tile of the wall with the pictures that it stands for."""
    tiles = {}
    for cluster in page.get("clusters")["clusters"]:
        found = page.get(f"clusters/{cluster['id']}")
        assert found["n_shown"] == len(found["members"])
        assert sum(len(member["stack"]) or 1 for member in found["members"]) == found["size"]
        assert len(found["cover"]) == len(found["cover_stacks"])
        tiles |= {member["id"]: member["stack"] for member in found["members"]}
    return tiles


def test_copies_are_one_stack_from_the_start_and_no_question_is_within_one(page):
    live = page.live
    wanted = {tuple(copies(live, seed)) for seed in range(N_SCENES)}
    assert stacks_on(live) == wanted
    assert {tuple(stack) for stack in shown_in(page).values() if stack} == wanted
    name = names_of(live)
    for _ in range(40):
        question = page.get("question", annotator="ann")
        if "items" not in question:
            break
        items = [item["id"] for item in question["items"]]
        assert live.wall.stacks.parted(items)
        same = name[items[0]][0] == name[items[1]][0] != "a"
        page.post("answers", items=items, value="same" if same else "different")
        page.wait()
    assert live.conflicts() == []


def test_a_stack_is_taken_apart_by_hand_and_undone(page):
    live, stack = page.live, copies(page.live, 2)
    page.post("stacks/apart", items=stack[:2])
    assert tuple(stack) not in stacks_on(live)  # at once
    assert tuple(stack[2:]) in stacks_on(live)
    page.wait()
    assert shown_in(page)[stack[0]] == []
    assert page.get("steps")["steps"][0]["text"] == "Took 2 pictures out of their stacks"
    rows = wall_of(live.project, live.location.model).stacks
    assert rows.of_picture(stack[2]) == stack[2:]
    assert page.post("undo")["undone"]["kind"] == "unstack"
    assert tuple(stack) in stacks_on(live)
    page.wait()
    assert shown_in(page)[stack[0]] == stack
    page.post("redo")
    assert tuple(stack[2:]) in stacks_on(live)


def test_an_answer_opens_a_stack_there_and_nothing_that_was_said_is_lost(page):
    live, stack = page.live, copies(page.live, 1)
    page.post("answers", items=[stack[0], stack[3]], value="different")
    page.wait()
    assert live.conflicts() == []
    parts = [live.wall.stacks.of_picture(image) for image in stack]
    assert all(not {stack[0], stack[3]} <= set(part) for part in parts)
    assert live.wall.cluster_of[stack[0]] != live.wall.cluster_of[stack[3]]
    assert live.n_answers == 1
    page.post("undo")
    page.wait()
    assert tuple(stack) in stacks_on(live)


def test_what_is_split_off_a_stack_stays_off(page):
    live, stack = page.live, copies(page.live, 3)
    cluster = live.wall.cluster_of[stack[0]]
    page.post("clusters/split", cluster=cluster, items=[stack[1]])
    page.wait()
    assert live.wall.cluster_of[stack[1]] != live.wall.cluster_of[stack[0]]
    assert live.wall.stacks.of_picture(stack[1]) == [stack[1]]
    assert set(live.wall.stacks.of_picture(stack[0])) == set(stack) - {stack[1]}


def test_a_grid_shows_one_of_a_stack_and_its_odd_ones_leave_together(page):
    live = page.live
    first, second = copies(live, 0), copies(live, 4)
    numbers = list({live.wall.cluster_of[first[0]], live.wall.cluster_of[second[0]]})
    if len(numbers) == 2:
        page.post("clusters/merge", clusters=numbers)
        page.wait()
    number = live.wall.cluster_of[first[0]]
    seen = grid_of(live, number, 100)
    assert live.wall.stacks.parted(seen["core"] + seen["items"])
    odd = [image for image in seen["core"] + seen["items"] if image in second]
    page.post("grid", cluster=number, items=seen["core"] + seen["items"], odd=odd)
    page.wait()
    assert {live.wall.cluster_of[image] for image in second}.isdisjoint({live.wall.cluster_of[first[0]]})


def test_settled_spreads_over_a_stack(page):
    live, stack = page.live, copies(page.live, 5)
    other = copies(live, 0)
    page.post("answers", items=[stack[0], other[0]], value="same")
    page.wait()
    members = {m["id"]: m for m in page.get(f"clusters/{live.wall.cluster_of[stack[0]]}")["members"]}
    about = page.get(f"clusters/{live.wall.cluster_of[stack[0]]}")
    assert all(members[image]["settled"] for image in (stack[0], other[0]))
    assert about["n_settled"] >= 2 * N_COPIES


def test_switched_off_every_picture_is_alone(page):
    page.client.put("/api/settings", json={"stacks": False})
    page.wait()
    page.live.claim.require()
    for _ in range(200):
        if not page.live.wall.stacks.members:
            break
        page.wait()
    assert stacks_on(page.live) == set()


def test_tests_of_people_are_not_within_a_stack(live):
    a, b, *_ = copies(live, 0)
    live.follow(live.events.follow())
    worker = Worker(live.project, live.location.model)
    worker.follow(Orders.of_log(live.log(), {}))
    live._clustering = worker.engine.cluster()
    live._rebuild_wall()
    assert not live.queue.may_test("ann", Question("pair", (a, b)))
    assert live.queue.may_test("ann", Question("pair", (a, copies(live, 1)[0])))
    live.stop()


def test_links_are_kept_and_what_is_new_joins(photos, tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    for name in ("0-0.jpg", "0-1.jpg", "alone-1.jpg"):
        (folder / name).write_bytes((photos / name).read_bytes())
    location = Location(str(tmp_path / "home"), str(tmp_path / "home"), "photos", "pixels")
    with location.open_store() as store:
        project = location.project_of(store)
        indexer = Indexer(project, location, folder, lambda report: None)
        indexer.scan()
        before = read_links(tmp_path / "home")
        assert before.tolist() == [[0, 1]]
        (folder / "0-2.jpg").write_bytes((photos / "0-2.jpg").read_bytes())
        (folder / "0-2 again.jpg").write_bytes((photos / "0-2.jpg").read_bytes())
        indexer.scan()
        links = read_links(tmp_path / "home")
        assert {tuple(pair) for pair in before.tolist()} < {tuple(pair) for pair in links.tolist()}
        assert set(links.ravel().tolist()) == {0, 1, 3, 4}


def test_the_export_says_the_stack(photos, tmp_path):
    runner = CliRunner()
    folder = tmp_path / "photos"
    folder.mkdir()
    for name in ("0-0.jpg", "0-1.jpg", "alone-1.jpg", "alone-2.jpg"):
        (folder / name).write_bytes((photos / name).read_bytes())
    location = Location(str(folder / ".likewise"), str(folder / ".likewise"), "photos", "pixels")
    with location.open_store() as store:
        project = location.project_of(store)
        Indexer(project, location, folder, lambda report: None).scan()
        out = tmp_path / "out.csv"

        def exported():
            result = runner.invoke(app, ["export", str(folder), "--out", str(out), "--force", "--model", "pixels"])
            assert result.exit_code == 0, result.output
            return {row["path"]: row["stack"] for row in csv.DictReader(io.StringIO(out.read_text()))}

        assert exported() == {"0-0.jpg": "0-0.jpg", "0-1.jpg": "0-0.jpg", "alone-1.jpg": "", "alone-2.jpg": ""}
        project.append("unstack", {"items": [project.whole_pictures()[b"0-1.jpg"]]}, key=uuid.uuid4().hex)
        assert set(exported().values()) == {""}


def brute_rows(links, constraints, images):
    """Which pictures share a row, by the definition."""
    from likewise.images.stacks import open_stacks

    first = open_stacks(links, constraints)
    return {image: first.get(image, image) for image in images}


def test_rows_follow_what_is_said_and_taken_back():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(3, 10))
        links = np.array([sorted(rng.choice(n, 2, replace=False)) for _ in range(int(rng.integers(1, 6)))])
        rows, images, said = StackRows(links), np.arange(max(2, n - 2)), []
        for _ in range(8):
            if said and rng.random() < 0.4:
                said.pop()
            else:
                said.append((*rng.choice(n, 2, replace=False).tolist(), str(rng.choice(["same", "different"]))))
            images = np.arange(min(n, len(images) + int(rng.integers(0, 2))))
            constraints = Constraints(n)
            for statement in said:
                constraints.add(*statement)
            rows.place(images, constraints)
            wanted = brute_rows(links, constraints, images.tolist())
            for i, j in combinations(images.tolist(), 2):
                assert (rows.row_of[i] == rows.row_of[j]) == (wanted[i] == wanted[j])
            assert all(rows.row_of[rows.asked[row]] == row for row in set(rows.row_of.values()))
            assert rows.idle == set(range(len(rows.asked))) - set(rows.row_of.values())


def test_answers_are_told_to_the_session_by_stacks():
    rows = StackRows(np.array([[0, 1], [2, 3]]))
    rows.place(np.arange(6), None)
    a, b, c, d = (rows.row_of[image] for image in (0, 2, 4, 5))

    def told(kind, items, value, **more):
        found = rows.here([(1, Answer(kind, items, value, **more))])
        return [(each.kind, each.items, each.value, each.chosen) for each in found]

    assert told("pair", (1, 3), "same") == [("pair", (a, b), "same", ())]
    assert told("pair", (0, 1), "same") == []
    assert told("pair", (0, 9), "same") == []
    assert told("triplet", (0, 1, 4), "ab") == [("pair", (a, c), "different", ())]
    assert told("triplet", (0, 1, 4), "none") == []
    assert told("triplet", (0, 2, 4), "ab") == [("triplet", (a, b, c), "ab", ())]
    assert told("grid", (0, 1, 2, 3, 4), "marked", chosen=(2, 3)) == [("grid", (a, b, c), "marked", (b,))]
    assert told("pick", (0, 1, 4, 5), "chosen", chosen=(1,)) == [("pick", (a, c, d), "none", ())]
    assert told("membership", (0, 1, 2), "belongs", group=3) == [("membership", (a, b), "belongs", ())]


def test_an_engine_that_opens_and_closes_a_stack_is_as_one_that_was_never_told():
    vectors = np.random.default_rng(0).normal(size=(12, 3))
    links, images = np.array([[0, 1], [1, 2], [5, 6]]), np.arange(12)
    differ = Evidence([(1, Answer("pair", (0, 2), "different"))])

    def engine(evidence):
        made = Engine(strategy="random", n_clusters=4, seed=0)
        made.stack(links, ())
        made.update(evidence, 1)
        made.set_pictures(images, vectors)
        return made

    went = engine(Evidence())
    labels = went.cluster().labels
    assert labels[0] == labels[1] == labels[2]
    assert labels[5] == labels[6]
    went.update(differ, 1)
    assert went.cluster().labels[0] != went.cluster().labels[2]
    went.update(Evidence(), 2)
    again = went.cluster().labels
    assert again[0] == again[1] == again[2]
    asked = [question.items for question in went.prepare(30).questions]
    assert all(not {1, 2} & set(items) and 6 not in items for items in asked)
