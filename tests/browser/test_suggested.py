"""What is suggested for a group, on a project of its own: what other tests did there would matter."""

import pytest
from playwright.sync_api import expect

from tests.browser.person import Person
from tests.browser.test_screens import say


@pytest.fixture
def suggested(served, open_page):
    """The page of a group for which four pictures are suggested; they were in it, and nothing is said of them now."""
    page = open_page(served.address)
    person = Person(page, served.address)
    page.wait_for_selector(".question .side img")
    person.wait_for_clusters()
    group = person.get("clusters")["clusters"][0]
    said = say(person, "clusters/split", cluster=group["id"], items=group["cover"][-4:])
    last = say(person, "clusters/open", cluster=group["id"], items=group["cover"][-4:])
    person.wait_for_clusters(last["seq"])
    person.go(f"clusters/{group['id']}")
    page.reload()
    expect(page.locator(".suggested li")).to_have_count(4)
    yield person, group["id"]
    while person.get(f"steps?before={said['seq'] + 1}&limit=1")["steps"][0]["in_force"]:
        say(person, "undo")


def size_of(person, group):
    return person.get(f"clusters/{group}")["size"]


def test_a_suggestion_is_refused_or_taken_one_by_one(suggested):
    person, group = suggested
    page, before = person.page, size_of(person, group)
    first, second, *_ = person.get(f"clusters/{group}")["suggested"]
    page.get_by_role("button", name=f"No, picture {second} does not belong here").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Said no to 1 picture")).to_be_visible()
    expect(page.get_by_role("button", name=f"No, picture {second} does not")).to_have_count(0)
    assert size_of(person, group) == before, "a no moves nothing"
    person.wait_for_clusters(person.get("steps?limit=1")["steps"][0]["seq"])
    left = person.get(f"clusters/{group}")["suggested"]
    assert second not in left, "a no sticks"
    assert first in left
    expect(page.locator(".suggested li")).to_have_count(len(left))  # by what was said no to, the engine has fewer
    expect(page.locator(".suggested .no:focus")).to_have_count(1)  # and one goes on with the next
    page.get_by_role("button", name=f"Yes, picture {first} belongs here").click()
    expect(page.get_by_text("Accepted 1 picture")).to_be_visible()
    expect(page.get_by_text(f"{before + 1} pictures", exact=True)).to_be_visible()
    members = {each["id"] for each in person.get(f"clusters/{group}")["members"]}
    assert first in members
    assert second not in members


def test_all_of_them_are_taken_and_undone_in_one_step(suggested):
    person, group = suggested
    page, before = person.page, size_of(person, group)
    page.get_by_role("button", name="All of these").click()
    expect(page.get_by_text(f"{before + 4} pictures", exact=True)).to_be_visible()
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.get_by_text(f"{before} pictures", exact=True)).to_be_visible()


def test_none_of_them_is_one_press_too(suggested):
    person, group = suggested
    page, before = person.page, size_of(person, group)
    four = person.get(f"clusters/{group}")["suggested"]
    page.get_by_role("button", name="None of these").click()
    for picture in four:  # the engine may think of others now
        expect(page.get_by_role("button", name=f"No, picture {picture} does not")).to_have_count(0)
    assert size_of(person, group) == before
    assert not set(four) & set(person.get(f"clusters/{group}")["suggested"])
