"""Draws README's moving picture of answering: ``python -m tests.browser.moving_picture``."""

from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import ARGUMENTS, CHROMIUM, why_not
from tests.browser.leaves import draw_leaves
from tests.browser.person import Person
from tests.browser.served import ROOT, Served

TARGET = ROOT / "docs" / "assets" / "app" / "answering.webp"
LARGEST = 400_000
VIEW = {"width": 1100, "height": 720}
WIDTH = 800  # of what is kept
SCREENS = 14
LOOK, MARK, WALL = 1100, 450, 3000  # milliseconds that a question, a mark on it and the wall stay


class Film:
    """Pictures of a page, each with the time that it stays."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Image.Image] = []
        self.times: list[int] = []

    def shoot(self, milliseconds: int) -> None:
        """The page as it is."""
        self.page.evaluate("Promise.all([...document.images].map((each) => each.decode().catch(() => 0)))")
        whole = Image.open(BytesIO(self.page.screenshot())).convert("RGB")
        height = round(whole.height * WIDTH / whole.width)
        self.frames.append(whole.resize((WIDTH, height), Image.Resampling.LANCZOS))
        self.times.append(milliseconds)

    def write(self) -> None:
        """As WebP, as fine as it may be to be small."""
        for quality in (80, 65, 50, 35, 20):
            small = BytesIO()
            first, *others = self.frames
            options = {"duration": self.times, "loop": 0, "quality": quality, "method": 6}
            first.save(small, "WEBP", save_all=True, append_images=others, **options)
            if small.tell() < LARGEST:
                break
        TARGET.write_bytes(small.getvalue())
        print(f"{TARGET.name}: {len(self.frames)} pictures, {small.tell() / 1000:.0f} kB, quality {quality}")


def answer(film: Film, person: Person) -> None:
    """One screen: the question, every mark on it, and the answer."""
    number = person.number()
    film.shoot(LOOK)
    *marks, last = person.right_keys()
    for key in marks:
        film.page.keyboard.press(key)
        film.page.wait_for_timeout(200)
        film.shoot(MARK)
    film.page.keyboard.press(last)
    person.wait_for_number(number + 1)
    film.page.wait_for_timeout(700)


def main() -> None:
    if reason := why_not():
        raise SystemExit(reason)
    with TemporaryDirectory() as work, sync_playwright() as playwright:
        draw_leaves(Path(work, "leaves"), each=12, grain=0.0)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        with Served(Path(work, "leaves"), Path(work), "--forms", "all") as server:
            page = browser.new_page(viewport=VIEW, reduced_motion="reduce")
            page.set_default_timeout(240_000)
            page.goto(server.address)
            person, film = Person(page, server.address), Film(page)
            person.wait_for_clusters()
            page.wait_for_selector(".question img")
            page.wait_for_timeout(1500)
            for _ in range(SCREENS):
                if person.is_done():
                    break
                answer(film, person)
            person.go("clusters")
            page.wait_for_selector(".card canvas")
            page.wait_for_timeout(1500)
            film.shoot(WALL)
        browser.close()
    film.write()


if __name__ == "__main__":
    main()
