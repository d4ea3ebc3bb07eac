"""A person sorts 300 real flowers to the end, by keyboard and by touch.

``LIKEWISE_DATA=… python -m tests.browser.flowers FOLDER``: the folder gets a picture of the first screen of each form,
and of the end. It says how many screens of which form there were, what axe finds, and whether the exported groups are
the species.
"""

import csv
import io
import os
import shutil
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import ARGUMENTS, CHROMIUM, Watch
from tests.browser.leaves import kind_of
from tests.browser.person import Person
from tests.browser.served import Served
from tests.browser.test_screens import PHONE, WIDE, problems

N = 300
MOST = 1500  # screens


def copy_flowers(folder: Path) -> None:
    """Some of every species, named after it."""
    kinds = sorted(p for p in (Path(os.environ["LIKEWISE_DATA"]) / "images" / "flowers-17").iterdir() if p.is_dir())
    folder.mkdir()
    for number in range(N):
        kind = kinds[number % len(kinds)]
        picture = sorted(kind.iterdir())[number // len(kinds)]
        shutil.copy(picture, folder / f"{kind.name}-{number // len(kinds):02}{picture.suffix}")


def sort_all(browser: Browser, address: str, size: dict, name: str, target: Path) -> None:
    """Answer to the end, and look at each form once."""
    page = browser.new_context(bypass_csp=True, reduced_motion="reduce", **size).new_page()
    page.set_default_timeout(120_000)
    watch, seen, began = Watch(page), Counter(), monotonic()
    page.goto(address)
    person = Person(page, address)
    person.wait_for_clusters()
    page.reload()
    while not person.is_done() and sum(seen.values()) < MOST:
        form = person.form()
        if not seen[form]:
            page.wait_for_load_state("networkidle")
            page.screenshot(path=target / f"{form}-{name}.png")
            print(name, form, "axe:", problems(page), flush=True)
        seen[form] += 1
        person.tap() if size.get("has_touch") else person.answer()
    page.screenshot(path=target / f"end-{name}.png")
    person.wait_for_clusters(person.get("steps?limit=1")["steps"][0]["seq"])
    rows = list(csv.DictReader(io.StringIO(page.request.get(f"{address}api/export?format=csv", max_retries=3).text())))
    groups = {(kind_of(row["path"]), row["cluster"]) for row in rows}
    exact = len(groups) == len({kind for kind, _ in groups}) == len({cluster for _, cluster in groups})
    print(name, dict(seen), f"{monotonic() - began:.0f} s, exact: {exact}, complaints: {watch.wrong}", flush=True)


def main() -> None:
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for name, size in (("1280", WIDE), ("390", PHONE)):
            with TemporaryDirectory() as folder:
                work = Path(folder)
                copy_flowers(work / "flowers")
                with Served(work / "flowers", work, "--model", "efficientnet-lite0", "--forms", "all") as served:
                    sort_all(browser, served.address, size, name, target)


if __name__ == "__main__":
    main()
