"""The wall of 100,000 pictures in a real Chromium: memory of the page, and how long it is blocked while scrolling.

``python -m benchmarks.speed.wall``; needs chromium and the built page.
"""

from __future__ import annotations

import os
from pathlib import Path

from benchmarks.record import keep

CONFIG = {"images": 100_000, "clusters": 8_000, "window": [1280, 800], "seed": 0}


def main() -> None:
    try:
        from playwright.sync_api import sync_playwright

        from tests.browser.conftest import ARGUMENTS, CHROMIUM, why_not
        from tests.browser.large_wall import measure, served
    except ImportError as error:
        print(f"skipped: {error.name} is not installed")
        return
    if reason := why_not():
        print(f"skipped: {reason}")
        return
    with sync_playwright() as playwright, served(CONFIG["images"], CONFIG["clusters"]) as address:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        results = {"chromium": browser.version, "load": round(os.getloadavg()[0], 1), **measure(browser, address)}
        browser.close()
    for where in ("wall", "largest_cluster"):
        print(f"{where}: {results[where]}")
    keep(Path(__file__).with_suffix(".json"), config=CONFIG, results=results)


if __name__ == "__main__":
    main()
