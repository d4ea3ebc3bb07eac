"""Browsing examples by keyboard; tags typed, the tree learned from them, suggestions taken and turned down."""

from uuid import uuid4

from playwright.sync_api import expect

from tests.browser.leaves import kind_of
from tests.browser.person import Person


def open_ready(served, open_page, **options):
    page = open_page(served.address, **options)
    person = Person(page, served.address)
    person.wait_for_clusters()
    return person


def kinds(person):
    """Pictures of every kind of leaf, by the names in the export."""
    rows = person.page.request.get(f"{person.address}api/export?format=csv", max_retries=3).text().splitlines()
    at = rows[0].split(",").index("image"), rows[0].split(",").index("path")
    found = {}
    for cells in (row.split(",") for row in rows[1:]):
        found.setdefault(kind_of(cells[at[1]]), []).append(int(cells[at[0]]))
    return found


def test_examples_are_gone_through_by_keyboard(served, open_page):
    person = open_ready(served, open_page)
    page = person.page
    person.go("clusters")
    page.get_by_role("link", name="Browse examples").click()
    page.wait_for_selector(".examples img", timeout=240_000)  # kernels may have to be compiled first
    expect(page.locator(".examples li")).to_have_count(person.get("clusters")["total"])
    page.locator('[data-at="0-0"]').focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(page.locator('[data-at="1-1"]')).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("dialog.zoom")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.zoom")).to_have_count(0)
    page.get_by_text("Looks alone").click()
    page.get_by_label("Classes").fill("3")
    page.get_by_label("Classes").press("Enter")
    expect(page.locator(".examples li")).to_have_count(3)


def test_tags_are_typed_and_suggestions_decided(served, open_page):
    person = open_ready(served, open_page)
    page = person.page
    person.go("tags")
    expect(page.locator("main h1")).to_have_text("No tags yet")
    first = person.get("clusters")["clusters"][0]
    person.go(f"clusters/{first['id']}")
    page.wait_for_selector(".member canvas")
    page.locator(".member").nth(0).click()
    page.locator(".member").nth(1).click()
    page.get_by_role("button", name="Tag…").click()
    page.get_by_label("A tag more").fill("<b>first</b>")
    page.keyboard.press("Enter")
    expect(page.locator("dialog .tag")).to_contain_text("<b>first</b>")
    page.keyboard.press("Escape")
    (one, some), (_, others), *_ = kinds(person).items()
    for items, name in ((some[1:] + others[1:], "leaf"), (some, one), (others, "other")):
        form = {"key": uuid4().hex, "annotator": "me", "items": items, "name": name}
        assert page.request.post(f"{person.address}api/tags", data=form).ok
    person.go("tags")
    page.wait_for_selector(".suggestions li", timeout=240_000)  # learned without being asked
    expect(page.locator(".tag-tree li.below").first).to_be_visible()
    before = person.get("tags")["suggested"]
    tag = page.locator(".suggestions li bdi").first.inner_text()
    page.locator(".suggestions .accept").first.focus()
    page.keyboard.press("n")
    expect(page.locator(".toast", has_text="is not suggested again")).to_be_visible()
    assert person.get("tags")["suggested"] == before - 1
    assert sum(each["count"] for each in person.get("tags")["tags"] if each["name"] == tag) > 0
    page.get_by_role("button", name="Learn the tree").click()
    expect(page.get_by_text("Learning the tree…")).to_have_count(0)
    assert person.get("tags")["suggested"] == before - 1
