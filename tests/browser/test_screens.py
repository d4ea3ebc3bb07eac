"""Every screen: the axe rules, light and dark, wide and narrow; keys, swipes, and clusters that change meanwhile."""

from contextlib import suppress
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from tests.browser.person import Person
from tests.browser.served import ROOT

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WIDE = {"viewport": {"width": 1280, "height": 800}}
SETTLED = """() => Promise.all(document.getAnimations()
    .filter(each => each.effect.getComputedTiming().endTime < Infinity).map(each => each.finished))"""


def say(person, path, **form):
    """Send a form as the page would."""
    form |= {"key": uuid4().hex, "annotator": "me"}
    answer = person.page.request.post(f"{person.address}api/{path}", data=form)
    assert answer.ok, answer.text()
    return answer.json()


@pytest.fixture
def prepared(served, open_page):
    """Opens a page on a project that has everything to see: names, a confirmed cluster, a conflict."""

    def make(**options):
        page = open_page(served.address, **options)
        person = Person(page, served.address)
        page.wait_for_selector(".question .side img")
        person.wait_for_clusters()  # they come a moment after the question
        if not person.get("conflicts"):
            first, second = person.get("clusters")["clusters"][:2]
            say(person, "clusters/name", cluster=first["id"], name="Oak <i>leaves</i> " + "long " * 30)
            say(person, "clusters/confirm", cluster=second["id"])
            a, b, c = first["cover"][:3]
            for items, value in (([a, b], "same"), ([b, c], "same"), ([a, c], "different")):
                last = say(person, "answers", items=items, value=value)
            person.wait_for_clusters(last["seq"])
            page.reload()  # it was told nothing of these
            page.wait_for_selector(".question .side img")
        return person

    return make


def screens(person):
    """Every screen: how to get there, and what is there when it is."""
    first, *_ = person.get("clusters")["clusters"]
    return [
        ("", ".question .side img"),
        ("clusters", ".card canvas"),
        (f"clusters/{first['id']}", ".member canvas"),
        (f"clusters/{first['id']}/check", ".tile img"),
        ("clusters/99999", ".centre h1"),
        ("browse", ".examples img"),
        ("search", ".found-tile img"),
        ("tags", "main h1"),
        ("map", ".legend a"),
        ("conflicts", ".conflict"),
        ("history", ".steps"),
        ("progress", ".numbers"),
        ("export", ".box"),
        ("settings", ".keys"),
        ("team", "#invites-title"),
        ("adjudicate", ".centre h1"),
    ]


def problems(page):
    """What axe finds that is serious."""
    page.evaluate(SETTLED)
    page.add_script_tag(path=str(AXE))
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [
        (each["id"], each["impact"], [node["target"] for node in each["nodes"]][:3])
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (PHONE, "dark")], ids=["wide", "phone"])
def test_axe_finds_nothing_serious_and_nothing_overflows(prepared, size, scheme):
    # the rules are run from the page itself, which its policy forbids to all but this test
    person = prepared(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce", **size)
    page = person.page
    for path, sign in screens(person):
        person.go(path)
        page.wait_for_selector(sign)
        assert problems(page) == [], path
        wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{path} is wider than the window"
    person.go("clusters")
    page.wait_for_selector(".card canvas")
    for k in range(2):
        page.locator(".pick input").nth(k).check()
    page.get_by_role("button", name="Merge").click()
    page.wait_for_selector("dialog[open]")
    assert problems(page) == [], "the dialog of a change"


def test_a_name_with_markup_is_text_everywhere(prepared):
    person = prepared()
    for path, sign in screens(person):
        person.go(path)
        person.page.wait_for_selector(sign)
        assert person.page.locator("main i").count() == 0, path


def test_a_double_press_answers_once(prepared):
    person = prepared()
    page = person.page
    person.go("")
    number = person.number()
    page.wait_for_timeout(300)
    before = person.get("project")["answers"]
    # the press that answers, a second in the same moment, and a third as soon as the next question appears
    page.evaluate(
        """() => {
            const press = () => dispatchEvent(new KeyboardEvent("keydown", {key: "d", bubbles: true}));
            const next = new MutationObserver(() => { next.disconnect(); press(); });
            next.observe(document.querySelector(".asked p"), {subtree: true, characterData: true, childList: true});
            press();
            press();
        }"""
    )
    person.wait_for_number(number + 1)
    page.wait_for_timeout(500)
    assert person.get("project")["answers"] == before + 1
    person.undo()


def test_keys_can_be_changed_and_switched_off_and_are_silent_while_typing(prepared):
    person = prepared()
    page = person.page
    person.go("settings")
    page.get_by_role("button", name="Key for Different").click()
    page.keyboard.press("f")
    expect(page.get_by_role("button", name="Key for Different: F")).to_be_visible()
    before = person.get("project")["answers"]
    page.get_by_label("Your name").press("f")
    person.go("")
    number = person.number()
    page.wait_for_timeout(300)
    page.keyboard.press("d")
    page.wait_for_timeout(300)
    assert person.get("project")["answers"] == before
    page.keyboard.press("f")
    person.wait_for_number(number + 1)
    person.undo()
    person.go("settings")
    page.get_by_role("button", name="Back to the usual keys").click()
    page.get_by_label("Answer with single keys").uncheck()
    expect(page.get_by_text("Keys are off")).to_be_visible()
    person.go("")
    number = person.number()
    page.wait_for_timeout(300)
    page.keyboard.press("s")
    page.wait_for_timeout(300)
    assert person.number() == number
    page.get_by_role("button", name="Not sure").focus()
    page.keyboard.press("Enter")
    page.wait_for_timeout(500)
    page.keyboard.press("Control+z")
    expect(page.get_by_text("Took back an answer")).to_be_visible()
    person.go("settings")
    page.get_by_label("Answer with single keys").check()
    expect(page.get_by_text("Keys are on")).to_be_visible()


def test_swiping_answers(prepared):
    person = prepared(**PHONE)
    page = person.page
    person.go("")
    number = person.number()
    page.wait_for_timeout(300)
    page.evaluate(
        """() => {
            const target = document.querySelector(".sides");
            const at = (x) => [new Touch({identifier: 1, target, clientX: x, clientY: 300})];
            const touch = (name, x, left) => target.dispatchEvent(new TouchEvent(name, {
                bubbles: true, touches: left ? [] : at(x), changedTouches: at(x)}));
            touch("touchstart", 300, false);
            touch("touchmove", 180, false);
            touch("touchend", 180, true);
        }"""
    )
    person.wait_for_number(number + 1)
    last = page.request.get(f"{person.address}api/export?format=jsonl", max_retries=3).text().splitlines()[-1]
    assert '"value": "same"' in last
    say(person, "undo")


def test_clusters_that_change_meanwhile_do_not_jump(prepared):
    person = prepared()
    page = person.page
    person.go("clusters")
    page.wait_for_selector(".card canvas")
    cards = page.locator(".card .facts").all_inner_texts()
    other = [c for c in person.get("clusters")["clusters"] if not c["confirmed"]]
    for cluster in other:  # one of which no answer says otherwise
        form = {"cluster": cluster["id"], "items": cluster["cover"][-2:], "annotator": "bob"}
        form["key"] = f"somebody-else-splits-{cluster['id']}"
        answer = page.request.post(f"{person.address}api/clusters/split", data=form)
        if answer.ok:
            break
    assert answer.ok, answer.text()
    note = page.locator(".stillness")
    expect(note).to_contain_text("moved")
    assert page.locator(".card .facts").all_inner_texts() == cards
    for _ in range(10):  # the engine may move more when it has read the split: that is said again
        note.get_by_role("button", name="Show").click()
        with suppress(AssertionError):
            expect(note).not_to_contain_text("moved", timeout=3000)
            break
    expect(note).not_to_contain_text("moved")
    page.wait_for_timeout(300)
    assert page.locator(".card .facts").all_inner_texts() != cards
    answer = page.request.post(f"{person.address}api/undo", data={"key": "somebody-else-undoes", "annotator": "bob"})
    assert answer.ok


def test_one_card_dropped_on_another_merges_them_and_undo_takes_it_back(prepared):
    person = prepared()
    page = person.page
    person.go("clusters")
    page.wait_for_selector(".card canvas")
    before = [cluster["size"] for cluster in person.get("clusters")["clusters"]]
    cards = page.locator(".card")
    cards.nth(3).locator("a").drag_to(cards.nth(4).locator("a"))
    page.wait_for_selector("dialog[open]")
    page.get_by_role("button", name="Cancel").click()
    assert [cluster["size"] for cluster in person.get("clusters")["clusters"]] == before
    cards.nth(3).locator("a").drag_to(cards.nth(4).locator("a"))
    page.get_by_label("Name of the").fill("Two in one")
    page.locator("dialog").get_by_role("button", name="Merge").click()
    expect(page.locator(".card bdi", has_text="Two in one")).to_be_visible()
    page.get_by_text("Merged 2 clusters").locator("..").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Took back: Merged 2 clusters")).to_be_visible()
    expect(page.locator(".card bdi", has_text="Two in one")).to_have_count(0)


def test_a_cluster_that_is_gone_is_said(prepared):
    person = prepared()
    page = person.page
    person.go("clusters/99999")
    expect(page.get_by_text("This cluster is gone")).to_be_visible()
    page.get_by_role("link", name="All clusters").click()
    page.wait_for_selector(".card canvas")
