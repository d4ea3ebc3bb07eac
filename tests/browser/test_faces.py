"""Faces on the page: asked about, seen in their photographs, left out, kept apart, and exported as people."""

import re

import pytest
from playwright.sync_api import expect

from tests.app.drawn_faces import draw_album, draw_photograph
from tests.browser.person import Person
from tests.browser.served import Served


@pytest.fixture(scope="module")
def album(tmp_path_factory):
    work = tmp_path_factory.mktemp("faces")
    folder = work / "album"
    folder.mkdir()
    draw_album(folder, n=8)
    with Served(folder, work, "--faces", "--model", "drawn") as served:
        yield served


@pytest.mark.parametrize("width", [1280, 390])
def test_a_face_is_seen_in_its_photograph(album, open_page, width):
    page = open_page(album.address, viewport={"width": width, "height": 844})
    page.wait_for_selector(".question .side .frame img", timeout=240_000)  # faces are being found
    page.keyboard.press("p")
    framed = page.locator(".question .side svg.photograph")
    expect(framed).to_have_count(2)
    expect(framed.first.locator("rect.on-face")).to_be_visible()
    page.keyboard.press("p")
    expect(framed).to_have_count(0)
    page.locator(".question .side .frame").first.click()
    dialog = page.get_by_role("dialog", name=re.compile("Enlarged: party-.*#"))
    dialog.get_by_role("button", name="Photograph").click()
    expect(dialog.locator("svg.photograph rect.on-face")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_two_faces_of_one_photograph_are_put_together_only_knowingly(album, open_page):
    page = open_page(album.address)
    person = Person(page, album.address)
    page.wait_for_selector(".question .side img")
    person.wait_for_clusters()
    wall = [cluster["id"] for cluster in person.get("clusters")["clusters"]]
    home = {member["id"]: number for number in wall for member in person.get(f"clusters/{number}")["members"]}
    face = next(iter(home))
    other = person.get(f"images/{face}/face")["others"][0]
    person.go("clusters")
    for number in (home[face], home[other]):
        page.locator(f"article:has(a[href='#/clusters/{number}'])").get_by_role("checkbox").check()
    page.get_by_role("button", name="Merge").click()
    dialog = page.get_by_role("dialog", name="Merge 2 people?")
    merge = dialog.get_by_role("button", name="Merge", exact=True)
    expect(merge).to_have_attribute("aria-disabled", "true")
    dialog.get_by_role("radio", name=re.compile("two faces of one photograph")).check()
    merge.click()
    expect(page.get_by_text("Merged 2 people")).to_be_visible()
    members = {
        member["id"]
        for cluster in person.get("clusters")["clusters"]
        for member in person.get(f"clusters/{cluster['id']}")["members"]
        if cluster["touched"]
    }
    assert {face, other} <= members
    page.get_by_text("Merged 2 people").locator("..").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Took back: Merged 2 people")).to_be_visible()


def test_no_face_is_left_out_with_one_press(album, open_page):
    page = open_page(album.address)
    page.wait_for_selector(".question .side img")
    side = page.locator(".question .side").first
    name = side.locator(".frame").get_attribute("title")
    side.get_by_role("button", name="Not a face").click()
    expect(page.locator(f".question .side .frame[title='{name}']")).to_have_count(0)
    page.goto(f"{album.address}#/progress")
    page.get_by_text("1 face left out").click()
    expect(page.get_by_role("button", name="Take in again")).to_be_visible()
    page.get_by_role("button", name="Take in again").click()
    expect(page.get_by_text("Taken in again")).to_be_visible()


def test_no_face_anywhere_is_said(open_page, tmp_path):
    (tmp_path / "empty").mkdir()
    draw_photograph([], 0).save(tmp_path / "empty" / "ground.png")
    with Served(tmp_path / "empty", tmp_path, "--faces", "--model", "drawn") as served:
        page = open_page(served.address)
        expect(page.get_by_text("No face was found in the picture")).to_be_visible(timeout=240_000)


SCREENS = ["", "clusters", "browse", "map", "progress", "search", "tags", "conflicts", "history", "team", "export"]
READ = """() => [document.body.innerText, ...["aria-label", "title", "placeholder", "alt"].flatMap((name) =>
    [...document.querySelectorAll(`[${name}]`)].map((each) => each.getAttribute(name)))]"""


def test_every_screen_is_about_faces_and_people(album, open_page):
    page = open_page(album.address)
    Person(page, album.address).wait_for_clusters()
    for screen in [*SCREENS, "settings", "finish", "clusters/0"]:
        page.goto(f"{album.address}#/{screen}")
        expect(page.locator("main h1").first).to_be_visible()
        if screen == "finish":
            page.keyboard.press("?")
            expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
        for text in page.evaluate(READ):
            found = re.search(r"(?<![-/#\w])(pictures?|clusters?|groups?)\b(?!\.\w)", text, re.IGNORECASE)
            assert found is None, (screen, text)
