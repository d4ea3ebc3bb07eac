"""Questions of all forms in a real browser: sorted to the end by keyboard and by touch, and the end that is led."""

import csv
import io

import pytest
from playwright.sync_api import expect

from tests.browser.leaves import draw_leaves, kind_of
from tests.browser.person import Person
from tests.browser.served import Served
from tests.browser.test_screens import PHONE, WIDE, problems, say

MOST = 120  # questions


@pytest.fixture
def few(tmp_path):
    """A small folder served with all forms, which come in turn."""
    draw_leaves(tmp_path / "leaves", each=4)
    with Served(tmp_path / "leaves", tmp_path, "--forms", "all", "--strategy", "in-turn") as server:
        yield server


def until_done(person, answer):
    """Answer until nothing is left; the forms that came."""
    person.wait_for_clusters()
    person.page.reload()
    seen = []
    for _ in range(MOST):
        if person.is_done():
            return seen
        seen.append(person.form())
        answer()
    raise AssertionError("it does not end")


def exported(person):
    table = person.page.request.get(f"{person.address}api/export?format=csv", max_retries=3).text()
    return list(csv.DictReader(io.StringIO(table)))


def assert_sorted(person):
    """Every cluster holds one kind and every kind is one cluster, in the export."""
    person.wait_for_clusters(
        len(person.get("steps?limit=1")["steps"]) and person.get("steps?limit=1")["steps"][0]["seq"]
    )
    pairs = {(kind_of(row["path"]), row["cluster"]) for row in exported(person)}
    assert len(pairs) == len({kind for kind, _ in pairs}) == len({cluster for _, cluster in pairs}) == 6


def test_all_forms_to_the_end_by_keyboard_and_the_end_is_led(few, open_page):
    page = open_page(few.address)
    person = Person(page, few.address)
    seen = until_done(person, person.answer)
    assert {"grid", "pick", "pair"} <= set(seen)
    assert len(seen) < 60
    assert_sorted(person)
    page.get_by_role("link", name="Name and confirm the groups").focus()
    page.keyboard.press("Enter")
    for n in range(6):
        field = page.get_by_label("Its name")
        expect(field).to_be_focused()
        expect(page.get_by_role("status").first).to_contain_text(f"{n} of 6 groups confirmed")
        kind = kind_of(picture_name(person, page.locator(".finish-cover img").first.get_attribute("src")))
        page.keyboard.type(kind)
        page.keyboard.press("Enter")
        if n < 5:
            expect(page.get_by_role("status").first).to_contain_text(f"{n + 1} of 6 groups confirmed")
    expect(page.get_by_text("Every group is confirmed")).to_be_visible()
    rows = exported(person)
    assert all(kind_of(row["path"]) == row["name"] and row["state"] == "confirmed" for row in rows)


def test_doubtful_groups_are_looked_at_on_a_grid_before_they_are_named(few, open_page):
    page = open_page(few.address)
    person = Person(page, few.address)
    person.wait_for_clusters()
    kinds = {int(row["image"]): kind_of(row["path"]) for row in exported(person)}
    person.go("finish")
    field, shown = page.get_by_label("Its name"), page.locator(".check .tile")
    kind = ""
    for _ in range(MOST):
        expect(shown.first.or_(field)).to_be_visible()
        if field.count():
            break
        expect(page.get_by_role("heading", name="Which of these do not belong?")).to_be_visible()
        items = [int(tile.get_attribute("data-item")) for tile in shown.all()]
        core = [int(src.split("/images/")[1].split("?")[0]) for src in sources(page.locator(".check .core img"))]
        kind = kind or kinds[(core or items)[0]]
        for item in items:
            if kinds[item] != kind:
                page.keyboard.press(
                    page.locator(f".tile[data-item='{item}']").get_attribute("aria-keyshortcuts").lower()
                )
        expect(page.locator(".check .tile.odd")).to_have_count(sum(kinds[item] != kind for item in items))
        page.wait_for_timeout(220)  # a press at once was meant for the page before
        page.keyboard.press("Enter")
        page.wait_for_function(
            "(before) => String([...document.querySelectorAll('.check .tile')].map((t) => t.dataset.item)) !== before",
            arg=",".join(map(str, items)),
        )
    expect(field).to_be_focused()
    page.keyboard.type(kind)
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 of")).to_be_visible()
    rows = [row for row in exported(person) if row["name"] == kind]
    assert len(rows) > 1
    assert {kind_of(row["path"]) for row in rows} == {kind}


def sources(pictures):
    return [each.get_attribute("src") for each in pictures.all()]


def picture_name(person, src):
    number = int(src.split("/images/")[1].split("?")[0])
    return next(row["path"] for row in exported(person) if int(row["image"]) == number)


def test_all_forms_to_the_end_by_touch_on_a_phone(few, open_page):
    page = open_page(few.address, **PHONE)
    person = Person(page, few.address)
    seen = until_done(person, person.tap)
    assert {"grid", "pick", "pair"} <= set(seen)
    assert_sorted(person)


def wait_for(person, form):
    """Answer until a question of this form is there."""
    for _ in range(MOST):
        if person.form() == form:
            return
        person.answer()
    raise AssertionError(f"no {form} came")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "narrow"])
def test_axe_finds_nothing_on_any_form(few, open_page, size):
    person = Person(open_page(few.address, bypass_csp=True, reduced_motion="reduce", **size), few.address)
    person.wait_for_clusters()
    words = {"prompt": "the same *species* <b>?", "instruction": "Look at the <i>edge</i>, not at the colour"}
    examples = [{"items": [0, 6], "value": "same"}, {"items": [0, 1], "value": "different"}]
    told = person.page.request.put(f"{few.address}api/settings", data=words | {"examples": examples}, max_retries=3)
    assert told.ok, told.text()
    person.page.reload()
    for form in ("grid", "pick", "pair"):
        wait_for(person, form)
        expect(person.page.locator("em", has_text="species")).to_be_visible()
        expect(person.page.get_by_text("Look at the <i>edge</i>")).to_be_visible()
        assert person.page.locator(".question b, .question i").count() == 0, "words are text"
        assert problems(person.page) == []
        assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        person.answer()
    person.go("finish")
    person.page.wait_for_selector(".finish, .finished, .check")
    assert problems(person.page) == []
    person.go("settings")
    person.page.wait_for_selector("#meaning")
    assert problems(person.page) == []


def test_undo_takes_a_screen_back_as_it_was_marked(few, open_page):
    page = open_page(few.address)
    person = Person(page, few.address)
    person.wait_for_clusters()
    page.reload()
    wait_for(person, "grid")
    while not person.odd():
        person.answer()
        wait_for(person, "grid")
    places, answers = person.odd(), person.get("project")["answers"]
    person.answer()
    assert person.get("project")["answers"] == answers + 1
    person.undo()
    assert person.get("project")["answers"] == answers
    assert person.form() == "grid"
    expect(page.locator(".grid-area .tile.odd")).to_have_count(len(places))
    assert person.odd() == places


def test_arrows_and_space_mark_too_and_what_is_marked_is_said_aloud(few, open_page):
    page = open_page(few.address)
    person = Person(page, few.address)
    person.wait_for_clusters()
    page.reload()
    wait_for(person, "grid")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".grid-area .tile").first).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator(".grid-area .tile").nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[aria-live=polite]").first).to_contain_text("1 marked")
    expect(page.get_by_role("button", name="Send: 1 does not belong")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="All belong")).to_be_visible()


def test_a_bad_picture_of_a_grid_is_left_out_and_the_rest_is_asked(few, open_page):
    page = open_page(few.address)
    person = Person(page, few.address)
    person.wait_for_clusters()
    page.reload()
    wait_for(person, "grid")
    tiles = page.locator(".grid-area .tile")
    before = tiles.count()
    page.wait_for_timeout(220)
    page.keyboard.press("b")
    expect(page.get_by_text("Which picture is of no use?")).to_be_visible()
    tiles.nth(1).click()
    expect(tiles).to_have_count(before - 1)
    assert len(person.get("bad")) == 1


def test_complete_and_one_group_are_one_press_away_on_every_form(few, open_page):
    page = open_page(few.address)
    person = Person(page, few.address)
    person.wait_for_clusters()
    page.reload()
    for form in ("grid", "pair"):
        wait_for(person, form)
        expect(page.get_by_role("button", name="Complete")).to_be_visible()
        expect(page.get_by_role("button", name="One group")).to_be_visible()
    wait_for(person, "grid")
    page.keyboard.press("m")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("c")
    expect(page.get_by_text("Confirmed").or_(page.get_by_role("dialog")).first).to_be_visible()


def test_pairs_only_is_a_setting(few, open_page):
    page = open_page(few.address)
    person = Person(page, few.address)
    person.wait_for_clusters()
    person.go("settings")
    page.get_by_text("Two pictures").click()
    expect(page.get_by_text("The next questions are of this form")).to_be_visible()
    assert person.get("settings")["kind"] == "pair"
    assert say(person, "answers", items=[0, 1], value="different")["seq"] == 1
