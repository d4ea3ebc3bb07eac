"""What an annotator says while the server does not answer: kept, said on the screen, sent again with the same key."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_study_pages import begin, classes, events  # noqa: F401 (a fixture)

AWAY = "The server does not answer. What you said is kept here and sent again"


class Line:
    """The way to the server, cut and mended; remembers the keys of what was sent over it."""

    def __init__(self, page, path):
        self.keys = []
        self.is_cut = False
        page.route(re.compile(r"/api/"), self._carry)
        page.on("request", lambda request: self._remember(request, path))

    def _carry(self, route):
        if self.is_cut:
            route.abort("connectionrefused")
        else:
            route.fallback()

    def _remember(self, request, path):
        if request.method == "POST" and request.url.endswith(path):
            self.keys.append(json.loads(request.post_data)["key"])


def say_it_while_cut(page, line, press):
    """Press while the line is cut, mend it when it was tried again; the keys of what was sent."""
    line.is_cut = True
    press()
    expect(page.get_by_role("alert")).to_contain_text(AWAY)
    for _ in range(300):
        if len(line.keys) >= 2:
            break
        page.wait_for_timeout(100)
    line.is_cut = False
    expect(page.get_by_role("alert")).to_have_count(0)
    assert len(line.keys) >= 2, "it was not sent again"
    assert len(set(line.keys)) == 1, "it was sent again under another key"


@pytest.fixture
def invited(classes, open_page):  # noqa: F811
    """The page of the manager, and that of somebody who was invited."""
    manager = open_page(classes.address)
    made = manager.request.post(f"{classes.address}api/team/invite", data={"name": "Ann", "days": 1})
    page = open_page(f"{classes.address}{made.json()['link'].lstrip('/')}")
    page.wait_for_selector(".question .side img", timeout=240_000)
    return manager, page


def test_an_invited_annotator_loses_nothing_while_the_server_is_away(classes, invited):  # noqa: F811
    manager, page = invited
    line = Line(page, "/api/answers")
    expect(page.locator(".me bdi")).to_have_text("Ann")
    page.wait_for_timeout(300)  # a press at once was meant for the question before
    say_it_while_cut(page, line, lambda: page.keyboard.press("d"))
    expect(page.locator(".asked p")).to_contain_text("Question 2 ")
    answers = [event for event in events(manager, classes, "answer") if event["annotator"] == "Ann"]
    assert [event["payload"]["value"] for event in answers] == ["different"], "stored once"


def test_a_participant_of_a_study_loses_nothing_while_the_server_is_away(classes, open_page):  # noqa: F811
    page = open_page(f"{classes.address}study/s1")
    begin(page, "cut off")
    page.get_by_role("button", name="I am ready").click()
    page.wait_for_function(
        "() => document.querySelector('.sides img') && "
        "[...document.querySelectorAll('.sides img')].every((i) => i.complete)"
    )
    line = Line(page, "/api/study/s1/answers")
    page.wait_for_timeout(300)
    key = "0" if page.locator(".question.triplet").count() else "d"
    say_it_while_cut(page, line, lambda: page.keyboard.press(key))
    expect(page.locator(".far span")).to_have_text("1 of 8")
    said = [event for event in events(page, classes, "study-answer") if event["annotator"] == "cut off"]
    assert len(said) == 1, "stored once"


def test_a_study_that_is_opened_while_the_server_is_away_comes_when_it_is_back(classes, open_page):  # noqa: F811
    page = open_page(f"{classes.address}study/s1")
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    line = Line(page, "/api/study/s1/begin")
    line.is_cut = True
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text(AWAY)
    line.is_cut = False
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
