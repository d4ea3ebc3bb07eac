"""Draws the pictures of docs/app.md: ``python -m tests.browser.screenshots``, every screen at 1280 and 390 pixels.

With ``faces``, only those of docs/howto/faces.md.
"""

import sys
from collections import Counter
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

from PIL import Image
from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright

from tests.app.drawn_faces import draw_album
from tests.browser.conftest import ARGUMENTS, CHROMIUM, why_not
from tests.browser.leaves import draw_leaves, kind_of
from tests.browser.served import ROOT, Served

TARGET = ROOT / "docs" / "assets" / "app"
LARGEST = 150_000
SIZES = {
    "1280": {"viewport": {"width": 1280, "height": 800}},
    "390": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
ANSWERS = 36
TREES = ("birch", "ginkgo", "maple", "oak")


class Studio:
    """A project made worth looking at, and a camera."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self.address = address
        self.page = browser.new_page()
        self.page.goto(address)
        self.names = {}

    def get(self, path: str):
        return self.page.request.get(f"{self.address}api/{path}", max_retries=3).json()

    def post(self, path: str, annotator: str = "Ann", **form):
        form |= {"key": uuid4().hex, "annotator": annotator}
        return self.page.request.post(f"{self.address}api/{path}", data=form).json()

    def wait(self) -> None:
        """Until the clusters take everything into account."""
        for _ in range(3000):
            said = self.page.request.get(f"{self.address}api/export?format=jsonl", max_retries=3).text().count("\n")
            if self.get("project")["clusters_version"] == said and "waiting" not in self.get("question"):
                return
            self.page.wait_for_timeout(100)
        raise RuntimeError("the clusters are not there")

    def kind(self, image: int) -> str:
        if not self.names:
            rows = self.page.request.get(f"{self.address}api/export?format=csv", max_retries=3).text().splitlines()
            at = rows[0].split(",").index("image"), rows[0].split(",").index("path")
            cells = [row.split(",") for row in rows[1:]]
            self.names = {int(cell[at[0]]): kind_of(cell[at[1]]) for cell in cells}
        return self.names[image]

    def prepare(self) -> None:
        """Answers, names, a confirmed cluster, a contradiction."""
        self.page.request.put(f"{self.address}api/settings", data={"check_rate": 0.2}, max_retries=3)
        self.wait()
        for number in range(ANSWERS):
            question = self.get("question?annotator=Ann")
            if "items" not in question:
                self.wait()
                continue
            items = [item["id"] for item in question["items"]]
            value = "same" if self.kind(items[0]) == self.kind(items[1]) else "different"
            shown = {"check": question["check"]}
            self.post("answers", items=items, value=value, seconds=1 + number % 5 / 4, shown=shown)
        self.wait()
        for cluster in self.get("clusters")["clusters"][:5]:
            kinds = Counter(map(self.kind, cluster["cover"]))
            self.post("clusters/name", cluster=cluster["id"], name=kinds.most_common(1)[0][0].title())
        self.post("clusters/confirm", cluster=self.get("clusters")["clusters"][2]["id"])
        a, b, c = self.get("clusters")["clusters"][0]["cover"][:3]
        self.post("answers", items=[a, b], value="same", seconds=1.5)
        self.post("answers", items=[b, c], value="same", seconds=1.2, annotator="Bob")
        self.post("answers", items=[a, c], value="different", seconds=0.8)
        self.wait()

    def tag(self) -> None:
        """Tags of which every fifth is forgotten, and the tree among them."""
        self.kind(0)
        given = {kind: [i for i, of in self.names.items() if of == kind] for kind in set(self.names.values())}
        given["tree"] = [i for i, of in self.names.items() if of in TREES]
        for name, items in sorted(given.items()):
            self.post("tags", items=[item for at, item in enumerate(items) if at % 5], name=name)
        self.post("tags/learn")
        for _ in range(3000):
            if self.get("tags")["tree"] and not self.get("tags")["working"]:
                return
            self.page.wait_for_timeout(100)
        raise RuntimeError("the tree is not there")

    def shoot(self, size: str, scheme: str = "light", triplets: bool = False) -> None:
        """Every screen at one size; of the dark ones two, and triplets by themselves."""
        context = self.browser.new_context(**SIZES[size], color_scheme=scheme, reduced_motion="reduce")
        context.add_init_script("localStorage.setItem('annotator', 'Ann')")
        page = context.new_page()
        page.set_default_timeout(240_000)
        mark = "" if scheme == "light" else "-dark"
        clusters = self.get("clusters")["clusters"]
        first = clusters[0]["id"]
        most_open = max(clusters, key=lambda each: each["size"] - each["n_settled"])["id"]

        def at(path: str, sign: str, name: str, act=None) -> None:
            page.goto(f"{self.address}#/{path}")
            page.wait_for_selector(sign)
            if act:
                act(page)
            page.mouse.move(0, 0)
            page.wait_for_timeout(700)
            keep(page, f"{name}{mark}-{size}.png")

        if triplets:
            at("", ".question.triplet .strip img", "triplet")
            context.close()
            return
        at("", ".strip img", "question")
        at("clusters", ".card canvas", "clusters")
        if scheme == "dark":
            context.close()
            return
        at("clusters", ".card canvas", "merge", open_merge)
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        at(f"clusters/{first}", ".member canvas", "cluster", select_three)
        at(f"clusters/{most_open}/check", ".tile img", "grid", tap_two)
        at("history", ".steps li", "history")
        at("browse", ".examples img", "browse")
        at(f"search/like/{clusters[0]['cover'][0]}", ".found-tile img", "search")
        at("tags", ".tag-tree li", "tags")
        at("map", ".legend a", "map")
        at("conflicts", ".conflict img", "conflicts")
        at("progress", ".curve", "progress")
        at("export", ".formats li", "export")
        at("settings", ".keys", "settings")
        context.close()

    def ask_triplets(self) -> None:
        """Answer pairs until a question is a triplet."""
        self.page.request.put(f"{self.address}api/settings", data={"kind": "triplet"}, max_retries=3)
        for _ in range(100):
            question = self.get("question?annotator=Ann")
            if question.get("kind") == "triplet":
                return
            if "items" in question:
                self.post("answers", items=[item["id"] for item in question["items"]], value="unsure")
            self.page.wait_for_timeout(100)


def open_merge(page: Page) -> None:
    for k in (0, 3):
        page.locator(".pick input").nth(k).check()
    page.get_by_role("button", name="Merge").click()
    page.wait_for_selector("dialog[open]")


def select_three(page: Page) -> None:
    for k in (1, 3, 4):
        page.locator(".member").nth(k).click()


def tap_two(page: Page) -> None:
    for k in range(0, page.locator(".tile").count(), 4):
        page.locator(".tile").nth(k).click()


def keep(page: Page, name: str) -> None:
    """As few colours as it takes to be small."""
    with suppress(TimeoutError):
        page.wait_for_load_state("networkidle", timeout=1000)  # the stream of news stays open
    whole = Image.open(BytesIO(page.screenshot())).convert("RGB")
    for colours in (256, 128, 64):
        small = BytesIO()
        whole.quantize(colours, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
        if small.tell() < LARGEST:
            break
    (TARGET / name).write_bytes(small.getvalue())
    print(f"{name}: {small.tell() / 1000:.0f} kB")


def shoot_faces(browser: Browser, work: Path) -> None:
    """A question about two faces, in their photographs."""
    (work / "album").mkdir()
    draw_album(work / "album", n=10, n_people=6)
    with Served(work / "album", work, "--faces", "--model", "drawn") as server:
        for size, options in SIZES.items():
            page = browser.new_context(**options, reduced_motion="reduce").new_page()
            page.set_default_timeout(240_000)
            page.goto(server.address)
            page.wait_for_selector(".side .frame img")
            page.wait_for_selector(".its-group")
            page.keyboard.press("p")
            page.wait_for_selector("svg.photograph")
            page.wait_for_timeout(700)
            keep(page, f"faces-{size}.png")
            page.context.close()


def main() -> None:
    if reason := why_not():
        raise SystemExit(reason)
    TARGET.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as work, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        shoot_faces(browser, Path(work))
        if sys.argv[1:] == ["faces"]:
            return
        draw_leaves(Path(work, "leaves"), grain=0.0)
        with Served(Path(work, "leaves"), Path(work), "--n-clusters", "6") as server:
            studio = Studio(browser, server.address)
            studio.prepare()
            studio.tag()
            for size in SIZES:
                studio.shoot(size, "dark")
                studio.shoot(size)
            studio.ask_triplets()
            for size in SIZES:
                studio.shoot(size, triplets=True)
        browser.close()


if __name__ == "__main__":
    main()
