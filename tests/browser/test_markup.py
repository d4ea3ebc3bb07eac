"""Markup in everything that people write: in the page it is text, runs nothing and asks no other host."""

import json
import shutil
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import why_not
from tests.browser.person import Person
from tests.browser.served import Served
from tests.browser.test_screens import say, screens

RUN = "window.pwned=1"
# every way in which a text could become part of a page: elements, attributes, addresses, styles, templates
MARKUP = [
    f"<img src=http://evil.example/x.png onerror={RUN}>",
    f"<script>{RUN}</script>",
    f'"><svg onload="{RUN}">',
    f"' onmouseover='{RUN}' x='",
    f"javascript:{RUN}",
    "<style>@import url(http://evil.example/x.css)</style>",
    "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
    "<a href=//evil.example ping=//evil.example>x</a><base href=//evil.example>",
    "${window.pwned=1}{{constructor.constructor('window.pwned=1')()}}",
    "\u202e<b>turned\u2066",
]
ALL = "".join(MARKUP)
INSIDE = "main :is(script, iframe, style, base, [onerror], [onload], [onmouseover], [srcdoc]), main a[href*=evil]"
WATCH = """() => {
  window.broken = [];
  document.addEventListener("securitypolicyviolation", (event) => window.broken.push(event.violatedDirective));
}"""


def file_name(number):
    """A name for a file: all of it but what no file system takes."""
    return f"{number}{MARKUP[number % len(MARKUP)].replace('/', '∕')[:180]}.png"


@pytest.fixture(scope="module")
def server(drawn, tmp_path_factory):
    """A folder with markup in its own name and in those of its pictures; with a token, as people start it."""
    if reason := why_not():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("markup") / "<img src=x onerror=window.pwned=1>"
    folder.mkdir()
    for number, picture in enumerate(sorted(Path(drawn).rglob("*.*"))[:36]):
        if picture.is_file():
            shutil.copy(picture, folder / file_name(number))
    with Served(folder, tmp_path_factory.mktemp("work"), "--n-clusters", "4", asks_token=True) as server:
        yield server


class Eyes:
    """What happened in a page that should not."""

    def __init__(self, page, host):
        self.page, self.host = page, host
        self.asked, self.dialogs, self.errors = set(), [], []
        page.on("request", lambda request: self.asked.add(urlsplit(request.url)))
        page.on("dialog", lambda dialog: (self.dialogs.append(dialog.message), dialog.dismiss()))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, said):
        if "Content Security Policy" in said.text or "Refused to" in said.text:
            self.errors.append(said.text)

    def check(self):
        """Nothing ran, nothing left for another host, nothing was stopped by the policy: it was never tried."""
        assert self.dialogs == []
        assert self.errors == []
        assert {each.netloc for each in self.asked if each.scheme not in ("data", "blob", "file")} <= {self.host}
        assert self.page.evaluate("() => window.pwned") is None
        assert self.page.evaluate("() => window.broken ?? []") == []
        assert self.page.locator(INSIDE).count() == 0


@pytest.fixture
def look(browser, server):
    """Opens pages of the server with somebody who watches."""
    contexts = []

    def make(address):
        context = browser.new_context(viewport={"width": 1280, "height": 800}, accept_downloads=True)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.add_init_script(f"({WATCH})()")
        eyes = Eyes(page, urlsplit(server.address).netloc)
        page.goto(address)
        return page, eyes

    yield make
    for context in contexts:
        context.close()


def opening_page(server):
    """What the browser is opened on: a file that leads to the page, with the token in it and nowhere else."""
    home = server.pictures / ".likewise"
    token = json.loads((home / "server.json").read_text())["token"]
    page = home / "open-page.html"
    assert token in page.read_text()
    return page.as_uri()


def write_markup(person):
    """Names, tags, people and answers with markup in them, and something to see on every screen."""
    first, second = person.get("clusters")["clusters"][:2]
    say(person, "clusters/name", cluster=first["id"], name=ALL[:200])
    say(person, "clusters/name", cluster=second["id"], name=MARKUP[1])
    a, b, c = first["cover"][:3]
    for text in MARKUP:
        say(person, "tags", items=[a, b], name=text[:100], value="yes")
    for items, value in (([a, b], "same"), ([b, c], "same"), ([a, c], "different")):
        form = {"key": uuid4().hex, "annotator": ALL[:100], "items": items, "value": value}
        assert person.page.request.post(f"{person.address}api/answers", data=form).ok
    for text in MARKUP:
        invited = person.page.request.post(f"{person.address}api/team/invite", data={"name": text[:100]})
        assert invited.ok, invited.text()
    return invited.json()["link"]


def test_markup_is_text_on_every_screen(server, look, tmp_path):
    page, eyes = look(opening_page(server))
    page.wait_for_selector(".question .side img", timeout=240_000)
    assert page.url == server.address, "signed in without typing, and the token is out of the address"
    person = Person(page, server.address)
    person.wait_for_clusters()
    link = write_markup(person)
    page.reload()
    page.wait_for_selector(".question .side img")
    for where, what in screens(person):
        person.go(where)
        page.locator(what).first.wait_for()
        eyes.check()
    person.go("team")
    expect(page.get_by_text(MARKUP[1][:100], exact=True).first).to_be_visible()
    person.go("clusters")
    # in the list: the filter, which is closed, holds tags of the same text
    expect(page.get_by_role("list", name="Clusters").get_by_text(MARKUP[1]).first).to_be_visible()
    invited, theirs = look(f"{server.address.rstrip('/')}{link}")
    invited.wait_for_selector(".question .side img", timeout=240_000)
    theirs.check()
    report = tmp_path / "report.html"
    reply = page.request.get(f"{server.address}api/export?format=report", max_retries=3)
    assert reply.ok, reply.text()
    report.write_bytes(reply.body())
    read, readers = look(report.as_uri())
    read.wait_for_selector("h1")
    readers.check()
    assert read.locator("script, iframe, [onerror], [onload]").count() == 0
