"""A manager and two annotators, each in a browser of their own: sign in, invite, answer, disagree, decide, revoke."""

import os
import re
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import why_not
from tests.browser.served import Served
from tests.browser.test_screens import PHONE, WIDE, problems

TOKEN = "the-manager's-long-token"
NAME = "Ann <i>the first</i>"
KEPT = os.environ.get("LIKEWISE_SHOTS")  # a folder for pictures of what was seen


@pytest.fixture(scope="module")
def team(leaves, tmp_path_factory):
    if reason := why_not():
        pytest.skip(reason)
    project = tmp_path_factory.mktemp("team")
    options = ("--n-clusters", "6", "--token", TOKEN, "--project", str(project / "kept"))
    with Served(leaves, tmp_path_factory.mktemp("work"), *options) as server:
        yield server


def look(page, name):
    """No serious finding of axe, nothing wider than the window; a picture where they are kept."""
    assert problems(page) == [], name
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{name} is wider than the window"
    if KEPT:
        page.screenshot(path=Path(KEPT) / f"{name}.png")


def ask(page, address, path):
    answer = page.request.get(f"{address}api/{path}", max_retries=3)
    assert answer.ok, answer.text()
    return answer.json()


def send(page, address, path, method="post", **form):
    answer = getattr(page.request, method)(f"{address}api/{path}", data=form)
    assert answer.ok, answer.text()
    return answer.json()


def question(page, address):
    for _ in range(1200):
        found = ask(page, address, "question")
        if "items" in found:
            return [item["id"] for item in found["items"]]
        page.wait_for_timeout(100)
    raise TimeoutError("no question came")


def sign_in(open_page, team, **options):
    page = open_page(f"{team.address}join#{TOKEN}", bypass_csp=True, reduced_motion="reduce", **options)
    page.wait_for_selector(".question .side img", timeout=240_000)
    return page


def test_a_team_from_the_invitation_to_its_end(team, open_page):
    """One test: each part goes on from where the one before left the project."""
    links = invite(team, open_page)
    annotate(team, open_page, links)
    for size, scheme in ((WIDE, "light"), (PHONE, "dark")):
        adjudicate(team, open_page, size, scheme)
    revoke(team, open_page, links)


def invite(team, open_page):
    """The manager signs in and invites two; their links by name."""
    links = {}
    page = open_page(team.address, bypass_csp=True, reduced_motion="reduce")
    page.wait_for_selector("#signin-title")
    look(page, "signin")
    page.get_by_label("Token or link").fill("wrong-wrong-wrong-wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("opens nothing")).to_be_visible()
    page.get_by_label("Token or link").fill(TOKEN)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_selector(".question .side img", timeout=240_000)
    send(page, team.address, "settings", "put", overlap=2, check_rate=0.0)
    page.get_by_role("link", name="Team").click()
    for name in (NAME, "Bob"):
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_role("button", name="Invite", exact=True).click()
        field = page.locator(".link input")
        expect(page.locator(".link bdi")).to_have_text(name)
        links[name] = field.input_value()
        assert re.fullmatch(re.escape(team.address) + r"join#lwi_\S+", links[name])
    assert page.locator("main i").count() == 0
    look(page, "invited")
    return links


def annotate(team, open_page, links):
    """They answer, and see nothing else."""
    for name in (NAME, "Bob"):
        page = open_page(links[name], bypass_csp=True, reduced_motion="reduce", **(WIDE if name == NAME else PHONE))
        page.wait_for_selector(".question .side img", timeout=240_000)
        assert page.url == team.address, "the token is out of the address"
        assert page.evaluate("() => history.length") <= 3
        expect(page.locator(".me bdi")).to_have_text(name)
        assert page.get_by_role("navigation").count() == 0
        assert page.get_by_role("button", name="Examples").count() == 0
        look(page, f"annotator-{'wide' if name == NAME else 'phone'}")
        for number in range(1, 4):
            expect(page.locator(".asked p")).to_contain_text(f"Question {number}")
            page.wait_for_timeout(300)
            page.keyboard.press("s" if name == NAME else "d")
        expect(page.locator(".asked p")).to_contain_text("Question 4")
        page.keyboard.press("Backspace")
        expect(page.locator(".asked p")).to_contain_text("Question 3")
        page.wait_for_timeout(300)
        page.keyboard.press("s" if name == NAME else "d")
        expect(page.locator(".asked p")).to_contain_text("Question 4")


def adjudicate(team, open_page, size, scheme):
    """The manager sees how they do, and decides."""
    page = sign_in(open_page, team, color_scheme=scheme, **size)
    kind = "wide" if size is WIDE else "phone"
    page.goto(f"{team.address}#/team")
    page.wait_for_selector(".people")
    expect(page.locator(".people tbody tr")).to_have_count(2)
    look(page, f"team-{kind}")
    left = ask(page, team.address, "disputes")["total"]
    assert left
    page.goto(f"{team.address}#/adjudicate")
    page.wait_for_selector(".adjudicate .two img")
    look(page, f"adjudicate-{kind}")
    page.keyboard.press("d")
    expect(page.get_by_text("Different;")).to_be_visible()
    assert ask(page, team.address, "disputes")["total"] == left - 1
    page.get_by_text("Different;").locator("..").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Took back a decision")).to_be_visible()
    assert ask(page, team.address, "disputes")["total"] == left


def revoke(team, open_page, links):
    """An invitation that is taken back is over at once."""
    ann = open_page(links[NAME], reduced_motion="reduce")
    ann.wait_for_selector(".question .side img", timeout=240_000)
    page = sign_in(open_page, team)
    page.goto(f"{team.address}#/team")
    page.get_by_role("button", name="Revoke the invitation of Ann").click()
    expect(page.get_by_text("is out")).to_be_visible()
    row = page.locator(".people tbody tr").filter(has_text=NAME)
    expect(row).to_contain_text("3 answers")
    page.get_by_role("button", name=f"Take back everything of {NAME}").click()
    expect(page.get_by_text("Took back 3 steps")).to_be_visible()
    expect(row).to_contain_text("all taken back")
    look(page, "taken-back")
    page.get_by_role("button", name=f"Bring back everything of {NAME}").click()
    expect(row).to_contain_text("3 answers")
    items = [1, 2]
    refused = ann.request.post(f"{team.address}api/answers", data={"key": uuid4().hex, "items": items, "value": "same"})
    assert refused.status == 401
    ann.reload()
    expect(ann.get_by_text("taken back")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_selector("#signin-title")
