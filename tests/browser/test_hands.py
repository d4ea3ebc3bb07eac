"""Edits by hand, one by one: names, keys, messages, history, the grid, and what a question says."""

import pytest
from playwright.sync_api import expect

from tests.browser.hands import Hands
from tests.browser.test_screens import PHONE, say

NARROW = {"viewport": {"width": 390, "height": 844}}


@pytest.fixture
def hands(served, open_page):
    """Opens a page; what was done at it is undone at the end, so that no test depends on another."""
    opened = []

    def make(**options):
        page = open_page(served.address, **options)
        made = Hands(page, served.address, touch=bool(options.get("has_touch")))
        page.wait_for_selector(".question .side img")
        made.wait_for_clusters()
        opened.append((made, {step["seq"] for step in made.get("steps?limit=500")["steps"]}))
        return made

    yield make
    for made, before in opened:
        steps = made.get("steps?limit=500")["steps"]
        for step in steps:
            if step["seq"] not in before and step["in_force"] and step["kind"] != "withdraw":
                say(made, "steps/take-back", seq=step["seq"])
        made.wait_for_engine()


def first_groups(hands, n):
    return [each["id"] for each in hands.get("clusters")["clusters"][:n]]


@pytest.mark.parametrize("key", ["Enter", "Tab"])
def test_a_name_is_stored_once(hands, key):
    person = hands()
    sent = []
    person.page.on("request", lambda request: request.url.endswith("clusters/name") and sent.append(request))
    [number] = first_groups(person, 1)
    person.open(number)
    person.page.locator(".toolbar [data-rename]").click()
    person.page.locator("input.naming").fill("Once")
    person.page.locator("input.naming").press(key)
    person.heard("Named Once")
    assert len(sent) == 1
    person.undo()
    assert [each["name"] for each in person.get("clusters")["clusters"] if each["id"] == number] == [""]


def test_escape_stores_no_name(hands):
    person = hands()
    [number] = first_groups(person, 1)
    before = len(person.get("steps")["steps"])
    person.open(number)
    person.page.locator(".toolbar [data-rename]").click()
    person.page.locator("input.naming").fill("Never")
    person.page.locator("input.naming").press("Escape")
    expect(person.page.locator(".toolbar [data-rename]")).to_be_focused()
    assert len(person.get("steps")["steps"]) == before


def test_names_are_completed_and_two_groups_of_one_name_offered_to_be_merged(hands):
    person = hands()
    page, (one, other) = person.page, first_groups(person, 2)
    sizes = {each["id"]: each["size"] for each in person.get("clusters")["clusters"]}
    person.name(one, "Roses")
    person.open(other)
    page.locator(".toolbar [data-rename]").click()
    expect(page.locator("datalist#known-names option[value=Roses]")).to_have_count(1)
    page.locator("input.naming").fill("Roses")
    page.locator("input.naming").press("Enter")
    page.locator(".toast").get_by_role("button", name="Merge…").click()
    page.locator("dialog").get_by_role("button", name="Merge").click()
    person.heard("Merged 2 clusters")
    expect(page.get_by_text(f"{sizes[one] + sizes[other]} pictures", exact=True)).to_be_visible()


def test_groups_are_found_by_name_on_the_wall(hands):
    person = hands()
    page, (one, _) = person.page, first_groups(person, 2)
    person.name(one, "Roses, red")
    person.go("clusters")
    page.wait_for_selector(".card canvas")
    page.keyboard.press("/")
    expect(page.get_by_label("Look for a name")).to_be_focused()
    page.keyboard.type("RED")
    expect(page.locator(".card")).to_have_count(1)
    expect(page.locator(".card bdi")).to_have_text("Roses, red")
    page.keyboard.press("Escape")
    expect(page.locator(".card").nth(1)).to_be_visible()


def test_keys_work_after_a_box_was_ticked_and_a_button_pressed_with_the_mouse(hands):
    person = hands()
    page = person.page
    person.go("clusters")
    page.wait_for_selector(".card canvas")
    page.locator(".pick input").nth(0).click()
    page.locator(".pick input").nth(1).click()
    page.keyboard.press("m")
    expect(page.locator("dialog[open]")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_text("Least certain").click()
    page.keyboard.press("Escape")
    expect(page.locator(".selection")).to_have_count(0)
    [number] = first_groups(person, 1)
    person.open(number)
    page.get_by_text("Most doubtful").click()
    page.wait_for_selector(".member canvas")
    page.keyboard.press("Control+a")
    expect(page.get_by_text("selected", exact=False).first).to_be_visible()
    page.get_by_role("button", name="Clear").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".member:focus")).to_have_count(1)
    person.go("")
    asked = person.number()
    page.get_by_role("button", name="Examples").click()
    page.wait_for_timeout(250)  # a press just after a question appeared was meant for the one before
    page.keyboard.press("Space")
    person.wait_for_number(asked + 1)
    page.get_by_role("button", name="Examples").click()


@pytest.mark.parametrize("size", [{}, PHONE, NARROW], ids=["wide", "phone", "narrow"])
def test_messages_cover_no_bar_and_go_away(hands, size):
    person = hands(**size)
    page, [number] = person.page, first_groups(person, 1)
    images = [each["id"] for each in person.get(f"clusters/{number}")["members"]]
    person.select(number, images[:1])
    person.press("Make a group")
    expect(page.locator(".toast")).to_be_visible()
    page.locator(".member").nth(1).click()
    covered = page.evaluate(
        """() => [...document.querySelectorAll(".selection button, .tabs a, .top button")].filter((button) => {
            const {left, top, width, height} = button.getBoundingClientRect();
            const over = document.elementFromPoint(left + width / 2, top + height / 2);
            return width > 0 && over?.closest(".toasts");
        }).length"""
    )
    assert covered == 0
    person.go("")
    page.wait_for_selector(".question .side img")
    page.keyboard.press("Control+z")
    toast = page.locator(".toast", has_text="Took back")
    expect(toast).to_be_visible()
    assert page.evaluate(OVERLAPS) == []
    expect(toast).to_have_count(0)


def test_the_history_takes_any_step_back_and_does_it_again(hands):
    person = hands()
    page, (one, other) = person.page, first_groups(person, 2)
    person.name(one, "First")
    person.name(other, "Second")
    person.go("history")
    row = page.locator(".steps li", has_text="First")
    row.get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(row).to_contain_text("taken back")
    expect(row.get_by_role("button")).to_be_focused()
    names = {each["id"]: each["name"] for each in person.get("clusters")["clusters"]}
    assert (names[one], names[other]) == ("", "Second"), "just that step"
    page.keyboard.press("Enter")
    expect(row).not_to_contain_text("taken back")
    names = {each["id"]: each["name"] for each in person.get("clusters")["clusters"]}
    assert (names[one], names[other]) == ("First", "Second")


@pytest.mark.parametrize("size", [{}, PHONE], ids=["wide", "phone"])
def test_one_tap_of_a_grid_is_taken_back_without_the_rest(hands, size):
    person = hands(**size)
    page, [number] = person.page, first_groups(person, 1)
    shown = person.get(f"grid?cluster={number}")["items"]
    wrong, right = shown[0], shown[1]
    person.check(number, lambda image: image in (wrong, right))
    expect(page.locator(".check .toolbar [data-group]")).not_to_have_attribute("data-group", str(number))
    page.locator(f".last-taps li[data-item='{wrong}'] button").click()
    person.heard("1 picture open again")
    expect(page.locator(f".last-taps li[data-item='{wrong}']")).to_have_count(0)
    expect(page.locator(f".last-taps li[data-item='{right}']")).to_have_count(1)
    settled = {each["id"] for each in person.get(f"clusters/{number}")["members"] if each["placed"]}
    assert settled >= set(shown) - {wrong, right}, "the rest of the grid holds"
    assert right not in {each["id"] for each in person.get(f"clusters/{number}")["members"]}


def test_a_picture_of_a_grid_is_enlarged_when_it_is_pointed_at(hands):
    person = hands()
    page, [number] = person.page, first_groups(person, 1)
    person.go(f"clusters/{number}/check")
    page.locator(".tile").nth(2).hover()
    expect(page.locator(".peek img")).to_be_visible()
    page.mouse.move(0, 0)
    expect(page.locator(".peek")).to_have_count(0)


def test_a_long_press_enlarges_and_is_no_tap(hands):
    person = hands(**PHONE)
    page, [number] = person.page, first_groups(person, 1)
    person.go(f"clusters/{number}/check")
    tile = page.locator(".tile").nth(1)
    tile.wait_for()
    tile.dispatch_event("pointerdown", {"pointerType": "touch", "clientX": 50, "clientY": 50, "pointerId": 1})
    expect(page.locator(".peek img")).to_be_visible()
    tile.dispatch_event("pointerup", {"pointerType": "touch", "clientX": 50, "clientY": 50, "pointerId": 1})
    tile.dispatch_event("click")
    expect(page.locator(".peek")).to_have_count(0)
    expect(tile).to_have_attribute("aria-pressed", "false")


def test_a_group_has_its_number_and_colour_on_every_screen(hands):
    person = hands()
    page, [number] = person.page, first_groups(person, 1)
    colours = set()
    for screen in ("clusters", f"clusters/{number}", f"clusters/{number}/check", "map"):
        person.go(screen)
        dot = page.locator(f"main [data-group='{number}'] .dot").first
        dot.wait_for()
        colours.add(dot.evaluate("(each) => getComputedStyle(each).backgroundColor"))
    assert len(colours) == 1
    person.go("")
    page.wait_for_selector(".side [data-group]")
    sizes = {each["id"]: each["size"] for each in person.get("clusters")["clusters"]}
    for side in page.locator(".its-group").all():
        group = int(side.locator("[data-group]").get_attribute("data-group"))
        said = "On its own" if sizes[group] == 1 else f"{sizes[group]} pictures"
        assert said in side.inner_text(), "counts agree with the wall"


@pytest.mark.parametrize("size", [{}, PHONE, NARROW], ids=["wide", "phone", "narrow"])
def test_nothing_of_a_question_is_cut_off_or_overlaps(hands, size):
    person = hands(**size)
    page = person.page
    person.go("")
    page.wait_for_selector(".side [data-group]")
    assert page.evaluate(OVERLAPS) == []
    shown = [page.locator(".side").nth(k).locator(".strip img") for k in range(2)]
    pictures = [{each.get_attribute("src") for each in side.all()} for side in shown]
    assert pictures[0].isdisjoint(pictures[1]), "the thumbnails of the two sides are of different things"


# texts of the question that stick out of their box, or out of the window, and buttons that cover each other
OVERLAPS = """() => {
    const shown = [...document.querySelectorAll(
        ".asked h1, .asked p, .answers button, .answers button > *, .its-group > *, .toast")]
        .filter((each) => each.getBoundingClientRect().width > 0);
    const box = (each) => each.getBoundingClientRect();
    const out = shown.filter((each) => {
        const {left, right, top, bottom} = box(each);
        const outer = box(each.closest("button, figcaption") ?? document.body);
        const inside = left >= outer.left - 1 && right <= outer.right + 1 && bottom <= outer.bottom + 1;
        return !inside || left < 0 || right > innerWidth + 1 || bottom > innerHeight + 1
            || each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflow !== "visible";
    });
    const apart = [...document.querySelectorAll(".answers button, .answers kbd, .answers span, .toast, .asked button")]
        .filter((each) => box(each).width > 0);
    const over = apart.filter((each) => apart.some((other) => each !== other && !each.contains(other)
        && !other.contains(each) && box(each).left < box(other).right - 1 && box(other).left < box(each).right - 1
        && box(each).top < box(other).bottom - 1 && box(other).top < box(each).bottom - 1));
    return [...out, ...over].map((each) => each.className + " " + each.textContent);
}"""
