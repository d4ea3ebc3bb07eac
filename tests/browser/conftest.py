"""A real Chromium on the real server; what a page asks for and complains of is watched."""

import shutil
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.leaves import draw_leaves
from tests.browser.served import ROOT, Served

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


expect.set_options(timeout=30_000)  # on a machine that is busy with other tests


def why_not():
    if not Path(CHROMIUM).exists():
        return "chromium is not installed"
    if not (ROOT / "src/likewise/server/static/index.html").exists():
        return "the page is not built: make page"
    return ""


@pytest.fixture(scope="session")
def browser():
    if reason := why_not():
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


# the browser's own words on a server that was stopped, and on a cluster that is not there: the page says it too
EXPECTED = (
    "net::ERR_CONNECTION_REFUSED",
    "net::ERR_CONNECTION_RESET",
    "net::ERR_EMPTY_RESPONSE",
    "net::ERR_INCOMPLETE_CHUNKED",
    "status of 404",
    "status of 401",
)


class Watch:
    """What a page asked for, and what went wrong in it."""

    def __init__(self, page):
        self.hosts = set()
        self.wrong = []
        page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, said):
        if said.type == "error" and not any(word in said.text for word in EXPECTED):
            self.wrong.append(said.text)


@pytest.fixture
def open_page(browser):
    """Opens pages; at the end none of them may have asked another host, or complained."""
    opened = []

    def make(address, **options):
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 800}} | options))
        page = context.new_page()
        page.set_default_timeout(60_000)
        opened.append((context, Watch(page), urlsplit(address).netloc))
        page.goto(address)
        return page

    yield make
    for context, watch, host in opened:
        context.close()
        assert watch.hosts <= {host, ""}, "a request went to another host"
        assert watch.wrong == []


@pytest.fixture(scope="session")
def drawn(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drawn") / "leaves"
    draw_leaves(folder)
    return folder


@pytest.fixture(scope="module")
def leaves(drawn, tmp_path_factory):
    return shutil.copytree(drawn, tmp_path_factory.mktemp("photos") / "leaves")


@pytest.fixture(scope="module")
def served(leaves, tmp_path_factory):
    if reason := why_not():
        pytest.skip(reason)
    with Served(leaves, tmp_path_factory.mktemp("work"), "--n-clusters", "6") as server:
        yield server
