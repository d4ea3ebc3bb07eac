"""Search and filters on the page: by file name, example, dropped file and words; and asking only about some."""

import re

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from likewise.images.exif import EXIF_PART, MODEL, ORIGINAL
from tests.browser.person import Person
from tests.browser.served import Served

COLOURS = {"winter": (40, 70, 200), "summer": (210, 40, 40), "spring": (60, 180, 60)}


def draw_photographs(folder, each=8):
    rng = np.random.default_rng(0)
    for month, (season, colour) in enumerate(COLOURS.items(), start=1):
        (folder / season).mkdir(parents=True)
        for number in range(each):
            pixels = np.clip(np.array(colour) + rng.integers(-30, 30, (6, 8, 3)), 0, 255).astype(np.uint8)
            picture = Image.fromarray(pixels).resize((320, 240), Image.Resampling.BICUBIC)
            tags = picture.getexif()
            tags[MODEL] = f"Box {month}"
            tags.get_ifd(EXIF_PART)[ORIGINAL] = f"2024:{month:02}:{number + 1:02} 12:00:00"
            picture.save(folder / season / f"{season}-{number}.jpg", exif=tags)
    (folder / "holiday.jpg").symlink_to(folder / "nowhere.jpg")


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    work = tmp_path_factory.mktemp("search")
    draw_photographs(work / "photos")
    with Served(work / "photos", work) as served:
        yield served


def first_path(page):
    return page.locator(".found-tile").first


@pytest.mark.parametrize("width", [1280, 390])
def test_pictures_are_found_by_name_example_file_and_words(photos, open_page, tmp_path, width):
    page = open_page(photos.address, viewport={"width": width, "height": 844})
    person = Person(page, photos.address)
    expect(page.get_by_text("1 file not read: 1 × a broken link")).to_be_visible()
    person.wait_for_clusters()
    person.go("search")
    expect(page.get_by_text("24 pictures", exact=True)).to_be_visible()
    page.get_by_role("searchbox", name="Name, tag or file").fill("summer-3")
    expect(page.locator(".found-tile")).to_have_count(1)
    first_path(page).click()
    facts = page.locator(".zoom .facts")
    expect(facts).to_contain_text("summer/summer-3.jpg")
    expect(facts).to_contain_text("2024-02-04 12:00")
    expect(facts).to_contain_text("Box 2")
    page.context.grant_permissions(["clipboard-write"])
    facts.get_by_role("button", name="Copy the path").click()
    expect(page.locator(".zoom .toast")).to_have_text(re.compile("The path is copied"))  # over the picture, not behind
    assert page.locator(".zoom .toast").evaluate(
        "each => each.contains(document.elementFromPoint(...(b => [b.x + 9, b.y + 9])(each.getBoundingClientRect())))"
    )
    facts.get_by_role("link", name="More like this").click()
    expect(page).to_have_url(re.compile("#/search/like/"))
    expect(page.get_by_text("Pictures that look like this one")).to_be_visible()
    page.get_by_role("link", name="Search all").click()
    page.get_by_role("searchbox", name="Name, tag or file").fill("")
    expect(page.get_by_text("24 pictures", exact=True)).to_be_visible()
    Image.new("RGB", (900, 700), COLOURS["winter"]).save(tmp_path / "mine.png")
    page.get_by_label("A picture to find others like").set_input_files(tmp_path / "mine.png")
    expect(page.get_by_text("Pictures that look like mine.png")).to_be_visible()
    for k in range(8):
        expect(page.locator(".found-tile").nth(k)).to_have_attribute("title", re.compile("^winter/"))
    page.get_by_role("button", name="Search all").click()
    page.get_by_text("What they show").click()
    page.get_by_role("searchbox", name="What the pictures show").fill("red things")
    expect(first_path(page)).to_have_attribute("title", re.compile("^summer/"))


def test_only_what_a_filter_lets_through_is_asked_about(photos, open_page):
    page = open_page(photos.address)
    person = Person(page, photos.address)
    person.wait_for_clusters()
    person.go("clusters")
    page.get_by_text("Filter", exact=True).click()
    page.get_by_label("Folder").select_option("spring")
    page.get_by_label("From").fill("2024-03-02")
    page.get_by_role("button", name="Ask only about these 7").click()
    expect(page.get_by_text("Asking only about 7 pictures: in spring, since 2024-03-02")).to_be_visible()
    expect(page.locator(".question .side img").first).to_be_visible()
    for n in range(1, 4):
        question = person.get("question?annotator=me")
        assert all(item["name"].startswith("spring/") for item in question["items"])
        page.wait_for_timeout(220)  # a press right after another question came is not taken
        page.keyboard.press("s")
        expect(page.locator(".pill")).to_contain_text(re.compile(f"^{n} answer"))
    page.get_by_role("button", name="Ask about all").click()
    expect(page.locator(".focused")).to_have_count(0)
    assert person.get("focus")["wanted"]["folder"] == ""


def test_who_is_in_a_field_of_the_new_screen_stays_there(photos, open_page):
    page = open_page(photos.address)
    Person(page, photos.address).go("search")
    field = page.get_by_role("searchbox", name="Name, tag or file")
    expect(field).to_be_visible()
    go = """(address) => new Promise((done) => {
        location.hash = address;
        addEventListener("hashchange", () => requestAnimationFrame(() => requestAnimationFrame(done)), { once: true });
    })"""
    page.evaluate(go, "#/search/")
    expect(page.locator("#main")).to_be_focused()
    field.evaluate("(field) => addEventListener('hashchange', () => field.focus(), { once: true })")
    page.evaluate(go, "#/search")
    expect(field).to_be_focused()
