"""A study and crowd work in a real browser: from the introduction to the thanks, by keyboard; axe on every screen."""

import json
import shutil
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from likewise.store import Store
from tests.browser.conftest import why_not
from tests.browser.leaves import KINDS, draw_leaves, kind_of
from tests.browser.served import Served
from tests.browser.test_screens import PHONE, WIDE, problems

# several commands in one process: starting Python is what takes long
RUN = """
import json, sys
from likewise.cli import app
for command in json.loads(sys.argv[1]):
    app(command, standalone_mode=False)
"""
SURVEY = ("performance", "effort_per_query", "overall_effort", "frustration", "preference")


@pytest.fixture(scope="module")
def classes(tmp_path_factory):
    """Leaves in class folders, served, with a study and two lists of hits."""
    if reason := why_not():
        pytest.skip(reason)
    home = tmp_path_factory.mktemp("study")
    draw_leaves(home / "flat", each=3)
    for path in sorted((home / "flat").iterdir()):
        folder = home / "leaves" / kind_of(path.name)
        folder.mkdir(parents=True, exist_ok=True)
        shutil.move(path, folder / path.name)
    server = Served(home / "leaves", home, "--n-clusters", "6")

    study = ["study", "new", "--name", "s1", "--pairs", "2", "--triplets", "2", "--reference-board"]
    words = ["crowd", "hits", "--name", "w1", "--per-hit", "6", "--rounds", "1", "--overlap", "2"]
    groups = ["crowd", "hits", "--name", "g1", "--per-hit", "9", "--rounds", "1", "--overlap", "2"]
    commands = [study, words, [*groups, "--kind", "grouping"]]
    told = json.dumps([[*each, str(server.pictures)] for each in commands])
    subprocess.run([sys.executable, "-c", RUN, told], env=server.environment, check=True)
    with server:
        yield server


def events(page, server, kind):
    lines = page.request.get(f"{server.address}api/export?format=jsonl", max_retries=3).text().splitlines()
    return [event for event in map(json.loads, lines) if event["kind"] == kind]


def fits(page):
    assert problems(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0


def begin(page, name):
    page.get_by_label("Your name or number").fill(name)
    page.get_by_role("button", name="Begin").click()


def answer(page, key):
    """Press a key once the pictures are there; False where a part is announced, or all is answered."""
    page.wait_for_selector(".centre button, .question.study img, #survey")
    if page.locator(".question.study").count() == 0:
        return False
    place = page.locator(".far span").inner_text()
    page.wait_for_function("() => [...document.querySelectorAll('.sides img')].every((i) => i.complete)")
    page.wait_for_timeout(300)
    page.keyboard.press(key)
    expect(page.locator(".far span")).not_to_have_text(place)
    return True


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (PHONE, "dark")], ids=["wide", "phone"])
def test_a_study_from_the_introduction_to_the_thanks(classes, open_page, size, scheme):
    page = open_page(f"{classes.address}study/s1", color_scheme=scheme, bypass_csp=True, **size)
    expect(page.get_by_role("heading", name="One example of each class")).to_be_visible()
    expect(page.locator(".reference li")).to_have_count(len(KINDS))
    fits(page)
    who = f"P {scheme}"
    begin(page, who)
    seen = set()
    while page.locator("#survey").count() == 0:
        page.wait_for_selector(".centre button, .question.study img, #survey")
        if page.locator(".centre button").count():
            fits(page)
            page.get_by_role("button", name="I am ready").press("Enter")
            page.wait_for_selector(".question.study img")
            kind = "triplet" if page.locator(".question.triplet").count() else "pair"
            if kind not in seen:
                fits(page)
                seen.add(kind)
        assert ".jpg" not in page.locator("main").inner_html()
        answer(page, "0" if page.locator(".question.triplet").count() else "d")
    assert seen == {"pair", "triplet"}
    fits(page)
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Please choose one")).to_be_visible()
    for question in SURVEY:
        page.locator(f'input[name="{question}"][value="pair"]').check()
    page.get_by_label("Why?").fill("<b>easy</b>")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    fits(page)
    said = [event for event in events(page, classes, "study-answer") if event["annotator"] == who]
    assert [event["payload"]["number"] for event in said] == list(range(8))
    assert {event["payload"]["value"] for event in said} == {"different", "none"}
    assert all(0.2 <= event["seconds"] < 600 for event in said)
    (survey,) = (event for event in events(page, classes, "study-survey") if event["annotator"] == who)
    assert survey["payload"] == {"name": "s1", "choices": dict.fromkeys(SURVEY, "pair"), "comment": "<b>easy</b>"}


def test_a_person_goes_on_where_they_were_and_takes_an_answer_back(classes, open_page):
    page = open_page(f"{classes.address}study/s1")
    begin(page, "goes away")
    page.get_by_role("button", name="I am ready").click()
    key = "1" if page.locator(".question.triplet").count() else "s"
    answer(page, key)
    page.reload()
    expect(page.get_by_text("You have answered 1 of 8.")).to_be_visible()
    page.get_by_role("button", name="I am ready").click()
    page.wait_for_selector(".question.study img")
    page.keyboard.press("Backspace")
    expect(page.locator(".far span")).to_have_text("0 of 8")
    mine = [event for event in events(page, classes, "take-back") if event["annotator"] == "goes away"]
    assert len(mine) == 1
    page.get_by_role("button", name="Not you?").click()
    expect(page.get_by_label("Your name or number")).to_have_value("")
    page.goto(f"{classes.address}study/nothing")
    expect(page.get_by_role("heading", name="There is no study here")).to_be_visible()


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (PHONE, "dark")], ids=["wide", "phone"])
def test_keywords_are_typed_and_a_page_is_changed(classes, open_page, size, scheme):
    page = open_page(f"{classes.address}crowd/w1", color_scheme=scheme, bypass_csp=True, **size)
    fits(page)
    who = f"K {scheme}"
    begin(page, who)
    first = page.get_by_label("Keywords of picture 1", exact=True)
    first.fill("red leaf, oak,")
    first.press_sequentially("Oak")
    first.press("Enter")
    expect(page.locator(".tagging li").first.locator(".tag")).to_have_text(["red leaf", "oak"])
    first.press("Backspace")
    expect(page.locator(".tagging li").first.locator(".tag")).to_have_text(["red leaf"])
    second = page.get_by_label("Keywords of picture 2", exact=True)
    second.fill("<b>bold</b>")
    second.press("Enter")
    expect(page.get_by_text("plain text")).to_be_visible()
    second.fill("green")
    fits(page)
    page.reload()  # what was not sent is still there
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".tagging li").first.locator(".tag")).to_have_text(["red leaf"])
    page.get_by_label("Keywords of picture 2", exact=True).fill("green")
    page.get_by_role("button", name="Send this page").click()
    expect(page.get_by_text("1 page done")).to_be_visible()
    (event,) = (each for each in events(page, classes, "crowd-hit") if each["annotator"] == who)
    assert [words for _, words in event["payload"]["marks"]] == [["red leaf"], ["green"], [], [], [], []]
    page.get_by_role("button", name="Change the last one").click()
    expect(page.locator(".tagging li").first.locator(".tag")).to_have_text(["red leaf"])


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (PHONE, "dark")], ids=["wide", "phone"])
def test_pictures_are_put_into_groups_by_keys_presses_and_dragging(classes, open_page, size, scheme):
    page = open_page(f"{classes.address}crowd/g1", color_scheme=scheme, bypass_csp=True, **size)
    who = f"G {scheme}"
    begin(page, who)
    page.wait_for_selector(".grouping .tile")
    page.locator(".loose .tile").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="Group 1: 2 pictures")).to_be_visible()
    page.locator(".loose .tile").first.click()
    fits(page)
    page.get_by_role("button", name="New group with 1 picture").click()
    expect(page.get_by_role("heading", name="Group 2: 1 picture")).to_be_visible()
    groups = page.locator(".group:not(.loose):not(.fresh)")
    if size is WIDE:
        page.locator(".loose .tile").first.drag_to(groups.nth(1))
    else:
        page.locator(".loose .tile").first.click()
        page.get_by_role("button", name="Put 1 here").nth(1).click()
    expect(page.get_by_role("heading", name="Group 2: 2 pictures")).to_be_visible()
    groups.first.locator(".tile").first.click()
    page.get_by_role("button", name="Take out").click()
    expect(page.get_by_role("heading", name="Group 1: 1 picture")).to_be_visible()
    page.get_by_role("button", name="Send this page").click()
    expect(page.get_by_text("1 page done")).to_be_visible()
    (event,) = (each for each in events(page, classes, "crowd-hit") if each["annotator"] == who)
    marks = [words[0] if words else "" for _, words in event["payload"]["marks"]]
    assert sorted(marks) == ["", "", "", "", "", "", "1", "2", "2"]


def test_an_invitation_in_the_address_signs_in(classes, open_page):
    with Store.open(classes.pictures / ".likewise", create=False) as store:
        project = store.project()
        token = project.invites.token(project.invites.add("Invited Ann"))
        page = open_page(f"{classes.address}study/s1#{token}")
        expect(page.get_by_role("button", name="Begin")).to_be_visible()
        expect(page.get_by_label("Your name or number")).to_have_count(0)
        assert page.url.endswith("/study/s1"), "the token is in no history"
        page.get_by_role("button", name="Begin").click()
        expect(page.get_by_role("button", name="I am ready")).to_be_visible()
        assert [e.annotator for e in project.events() if e.kind == "study-start"][-1] == "Invited Ann"
