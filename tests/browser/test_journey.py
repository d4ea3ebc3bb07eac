"""The whole way in a real browser: from the first start to the second."""

import csv
import io
import json
import re
import time
from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError, expect

from tests.browser.person import Person
from tests.browser.served import Served
from tests.browser.test_screens import say


@pytest.fixture
def own(leaves, tmp_path):
    with Served(leaves, tmp_path) as server:
        yield server


def test_from_the_first_start_to_the_second(own, open_page, tmp_path):
    page = open_page(own.address, accept_downloads=True)
    person = Person(page, own.address)
    answer_thirty_and_undo_three(person)
    answer_triplets(person)
    name_and_merge(person)
    split(person)
    make_a_conflict_and_resolve_it(person)
    export(person, tmp_path)
    before = {path: lasting(person.get(path)) for path in KEPT}
    answer_while_the_server_is_away(person, own)
    for path, then in before.items():
        assert eventually(lambda path=path: lasting(person.get(path)), then) == then, path


KEPT = ("project", "clusters?sort=name", "progress", "conflicts")


def lasting(told):
    """What must be as it was: not the numbers of clusters and events, nor how fast pictures were read."""
    if isinstance(told, dict):
        told = {key: value for key, value in told.items() if key not in ("indexing", "clusters_version", "version")}
        if isinstance(told.get("clusters"), list):
            told["clusters"] = [(c["name"], c["size"], c["confirmed"]) for c in told["clusters"]]
    return told


def eventually(look, wanted, seconds=30):
    """What is there, as soon as it is what is wanted: the clusters come a moment after the answers."""
    until = time.monotonic() + seconds
    while (found := look()) != wanted and time.monotonic() < until:
        time.sleep(0.2)
    return found


def answer_while_the_server_is_away(person, server):
    """What is said then is kept, sent when it is back, and stored once."""
    page, number, answers = person.page, person.number(), person.get("project")["answers"]
    server.stop()
    page.keyboard.press("d")
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    server.start(port=int(server.address.rsplit(":", 1)[1].rstrip("/")))
    expect(page.locator(".asked p")).to_contain_text(f"Question {number + 1} ", timeout=60_000)
    assert person.get("project")["answers"] == answers + 1
    expect(page.get_by_role("alert")).to_have_count(0)
    person.undo()


def answer_thirty_and_undo_three(person):
    assert person.number() == 1
    for _ in range(30):
        person.answer()
    assert person.get("project")["answers"] == 30
    for _ in range(3):
        person.undo()
    assert person.get("project")["answers"] == 27


def answer_triplets(person):
    page = person.page
    page.get_by_role("link", name="Settings").click()
    page.get_by_text("Three pictures").click()
    expect(page.get_by_text("The next questions are of this form")).to_be_visible()
    page.get_by_role("link", name="Questions").first.click()
    for _ in range(40):
        if len(person.kinds()) == 3:
            break
        person.answer()
    answered = 0
    for _ in range(12):
        answered += len(person.kinds()) == 3
        person.answer()
        if answered == 3:
            break
    assert answered == 3
    page.get_by_role("link", name="Settings").click()
    page.get_by_text("Two pictures").click()
    expect(page.get_by_text("The next questions are of this form").last).to_be_visible()


def name_and_merge(person):
    page = person.page
    page.get_by_role("link", name="Clusters").click()
    page.wait_for_selector(".card a")
    names = page.get_by_role("region", name="Clusters").get_by_text(re.compile("Add a name"))
    before = names.count()
    assert before >= 2
    page.locator(".card a").first.focus()
    page.keyboard.press("F2")
    page.keyboard.type("<b>Leaves & more</b> " + "x" * 100)
    page.keyboard.press("Enter")
    expect(page.locator(".card .naming bdi").first).to_contain_text("<b>Leaves & more</b>")
    assert page.locator(".card b").count() == 0, "a name is text"
    page.locator(".card a").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.get_by_text("2 clusters selected")).to_be_visible()
    page.keyboard.press("m")
    field = page.get_by_label("Name of the")
    expect(field).to_be_focused()
    field.fill("All sorts")
    choose_all(page)
    page.keyboard.press("Enter")
    expect(page.locator(".card .naming bdi", has_text="All sorts")).to_be_visible()
    assert "All sorts" in [c["name"] for c in person.get("clusters")["clusters"]]


def choose_all(page):
    """In a dialog that says what would break: take back the first of each chain."""
    for fieldset in page.locator("dialog fieldset.break").all():
        fieldset.locator("input[type=radio]:not(:disabled)").first.check()


def split(person):
    page = person.page
    page.locator(".card", has_text="All sorts").locator("a").click()
    page.wait_for_selector(".member canvas")
    members = page.locator(".member")
    ids = [int(members.nth(k).get_attribute("aria-label").split()[1].rstrip(",")) for k in range(4)]
    members.nth(1).click()
    members.nth(3).click(modifiers=["Shift"])
    expect(page.get_by_text("3 selected").last).to_be_visible()
    page.get_by_role("button", name="Split off").click()
    dialog = page.locator("dialog.panel")
    page.wait_for_timeout(500)
    if dialog.is_visible():
        choose_all(page)
        dialog.get_by_role("button", name="Take back").click()
    expect(page.get_by_text("Split off 3 pictures")).to_be_visible()
    home = homes(person)
    assert home[ids[0]] not in {home[image] for image in ids[1:]}, "at once"
    expect(page.locator(f".member[aria-label^='Picture {ids[1]}']")).to_have_count(0)


def homes(person):
    """The cluster of every picture, as it is exported."""
    table = person.page.request.get(f"{person.address}api/export?format=csv", max_retries=3).text()
    return {int(row["image"]): int(row["cluster"]) for row in csv.DictReader(io.StringIO(table))}


def make_a_conflict_and_resolve_it(person):
    page = person.page
    page.get_by_role("link", name="Check on a grid").click()
    page.wait_for_selector(".tile img")
    page.locator(".tile").nth(0).click()
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("1 picture taken out").first).to_be_visible()
    clusters = person.get("clusters")["clusters"]
    a, b, c = next(each["cover"] for each in clusters if not each["touched"] and each["size"] > 2)[:3]
    for items, value in (([a, b], "same"), ([b, c], "same"), ([a, c], "different")):
        say(person, "answers", items=items, value=value)
    page.get_by_role("link", name="Conflicts").click()
    page.wait_for_selector(".conflict")
    found = person.get("conflicts")
    assert found
    page.get_by_role("button", name="Same", exact=True).first.click()
    expect(page.get_by_text("Taken back").last).to_be_visible()
    while page.locator(".conflict").count():
        with suppress(TimeoutError):
            page.get_by_role("button", name="Same", exact=True).first.click(timeout=1000)
    expect(page.get_by_text("No conflicts")).to_be_visible()
    assert person.get("conflicts") == []


def export(person, tmp_path):
    page = person.page
    page.get_by_role("link", name="Export").click()
    with page.expect_download() as table:
        page.get_by_role("link", name="Download CSV").click()
    rows = list(csv.DictReader(io.StringIO(table.value.path().read_text())))
    assert len(rows) == 60
    assert "All sorts" in {row["name"] for row in rows}
    with page.expect_download() as said:
        page.get_by_role("link", name="Download JSONL").click()
    kinds = {json.loads(line)["kind"] for line in said.value.path().read_text().splitlines()}
    assert {"answer", "withdraw", "edit"} <= kinds
    target = tmp_path / "sorted"
    page.get_by_label("Where to").fill(str(target))
    page.get_by_role("button", name="Write folders").click()
    expect(page.get_by_text("60 pictures in")).to_be_visible()
    assert len(list(target.rglob("*.jpg"))) == 60
    page.get_by_role("link", name="Questions").first.click()
