"""Stacks on the page: one tile with a count, opened, taken apart, and back by undo."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.person import Person
from tests.browser.served import Served
from tests.browser.test_screens import say
from tests.images.test_stacks import altered, scene


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    work = tmp_path_factory.mktemp("stacks")
    folder, rng = work / "photos", np.random.default_rng(0)
    folder.mkdir()
    for seed in range(6):
        scene(seed + 50).save(folder / f"alone-{seed}.jpg")
        for number in range(5):
            altered(scene(seed), rng).convert("RGB").save(folder / f"{seed}-{number}.jpg", quality=90)
    with Served(folder, work, "--stacks") as served:
        yield served


def open_stack_of(page, person):
    """The page of the cluster with most pictures, and its first tile that is a stack.

    It has a name: a group that somebody touched stays as it is while the engine clusters anew.
    """
    page.wait_for_selector(".question .side img")
    person.wait_for_clusters()
    cluster = person.get("clusters")["clusters"][0]
    named = say(person, "clusters/name", cluster=cluster["id"], name="all of them")
    person.wait_for_clusters(named["seq"])
    person.go(f"clusters/{cluster['id']}")
    tile = page.locator(".member.stacked").first
    expect(tile).to_be_visible()
    return cluster["id"], tile


@pytest.mark.parametrize("width", [1280, 390])
def test_a_stack_is_opened_taken_apart_and_put_back(photos, open_page, width):
    page = open_page(photos.address, viewport={"width": width, "height": 844})
    person = Person(page, photos.address)
    number, tile = open_stack_of(page, person)
    before = person.get(f"clusters/{number}")
    expect(tile).to_have_attribute("aria-label", re.compile("a stack of 5"))
    tile.locator(".stack-count").click()
    dialog = page.get_by_role("dialog", name="A stack of 5 pictures")
    expect(dialog.locator("li")).to_have_count(5)
    dialog.get_by_role("button", name="Take all apart").click()
    expect(page.get_by_text("Took 5 pictures out of the stack")).to_be_visible()
    expect(dialog).to_have_count(0)
    expect(page.locator(".member")).to_have_count(before["n_shown"] + 4)
    page.get_by_role("button", name="Undo").last.click()
    expect(page.locator(".member")).to_have_count(before["n_shown"])
    assert person.get(f"clusters/{number}")["size"] == before["size"], "nothing moved"


def test_what_is_done_with_a_tile_is_done_with_its_stack_by_keys(photos, open_page):
    page = open_page(photos.address)
    person = Person(page, photos.address)
    number, tile = open_stack_of(page, person)
    stack = next(m["stack"] for m in person.get(f"clusters/{number}")["members"] if m["stack"])
    tile.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="A stack of 5 pictures")).to_be_visible()
    page.keyboard.press("Escape")
    tile.focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("5 selected", exact=True)).to_be_visible()
    page.get_by_role("button", name="Make a group").click()
    expect(page.get_by_text("Made a group of 5 pictures")).to_be_visible()
    last = person.get("steps?limit=1")["steps"][0]["seq"]
    person.wait_for_clusters(last)
    found = [c for c in person.get("clusters")["clusters"] if set(c["cover"]) & set(stack)]
    assert [(c["size"], c["cover_stacks"]) for c in found] == [(5, [5])]
    page.get_by_role("button", name="Undo").last.click()
    expect(page.get_by_text(re.compile("Took back"))).to_be_visible()
