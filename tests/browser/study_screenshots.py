"""Draws the pictures of docs/studies.md and docs/crowd.md: ``python -m tests.browser.study_screenshots``."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import ARGUMENTS, CHROMIUM, why_not
from tests.browser.leaves import draw_leaves, kind_of
from tests.browser.screenshots import SIZES, TARGET, keep
from tests.browser.served import Served
from tests.browser.test_study_pages import RUN

HERE = TARGET.parent / "study"
COMMANDS = [
    ["study", "new", "--name", "s1", "--pairs", "3", "--triplets", "3", "--practice", "0", "--reference-board"],
    ["crowd", "hits", "--name", "w1", "--per-hit", "10", "--rounds", "2"],
    ["crowd", "hits", "--name", "g1", "--per-hit", "20", "--rounds", "2", "--kind", "grouping"],
]


def shoot(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    page.wait_for_timeout(700)
    keep(page, f"../{HERE.name}/{name}.png")


def take_part(page: Page, address: str, size: str) -> None:
    """A study as far as both forms have been seen."""
    page.goto(f"{address}study/s1")
    page.get_by_role("button", name="Begin").click()
    seen: set[str] = set()
    while len(seen) < 2:
        page.wait_for_selector(".centre button, .question.study img")
        if page.locator(".centre button").count():
            page.get_by_role("button", name="I am ready").click()
            continue
        kind = "triplet" if page.locator(".question.triplet").count() else "pair"
        page.wait_for_timeout(400)
        if kind not in seen:
            seen.add(kind)
            shoot(page, f"{kind}-{size}")
        page.keyboard.press("0" if kind == "triplet" else "d")
        page.wait_for_timeout(400)


def work(page: Page, address: str, size: str) -> None:
    """A page of keywords and a page of groups, both begun."""
    page.goto(f"{address}crowd/w1")
    page.get_by_role("button", name="Begin").click()
    for number, words in enumerate(("leaf, toothed edge,", "leaf, autumn,", "three round parts,"), 1):
        page.get_by_label(f"Keywords of picture {number}", exact=True).fill(words)
    shoot(page, f"keywords-{size}")
    page.goto(f"{address}crowd/g1")
    page.get_by_role("button", name="Begin").click()
    for some in ((0, 3), (1, 4, 5)):
        for place in some:
            page.locator(".loose .tile").nth(place).click()
        page.get_by_role("button", name="New group").click()
    page.locator(".loose .tile").first.click()
    shoot(page, f"grouping-{size}")


def draw(browser: Browser, address: str) -> None:
    for size, options in SIZES.items():
        context = browser.new_context(**options, reduced_motion="reduce")
        context.add_init_script(f"localStorage.setItem('annotator', 'P{size}')")
        page = context.new_page()
        take_part(page, address, size)
        work(page, address, size)
        context.close()


def main() -> None:
    if reason := why_not():
        raise SystemExit(reason)
    HERE.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as home, sync_playwright() as playwright:
        flat, pictures = Path(home, "flat"), Path(home, "leaves")
        draw_leaves(flat, each=8, grain=0.0)
        for path in sorted(flat.iterdir()):
            (pictures / kind_of(path.name)).mkdir(parents=True, exist_ok=True)
            shutil.move(path, pictures / kind_of(path.name) / path.name)
        server = Served(pictures, Path(home), "--n-clusters", "6")
        told = json.dumps([[*each, str(pictures)] for each in COMMANDS])
        subprocess.run([sys.executable, "-c", RUN, told], env=server.environment, check=True)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        with server:
            draw(browser, server.address)
        browser.close()


if __name__ == "__main__":
    main()
