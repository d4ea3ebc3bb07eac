"""What a person does to groups by hand at the page, with a mouse and keys or with a finger, and what they see there."""

import csv
import io
import time
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from playwright.sync_api import Locator, Page, expect

from tests.browser.person import Person


class Seen(NamedTuple):
    """A group as it is seen: its name, its pictures, and whether it is confirmed."""

    name: str
    images: frozenset[int]
    confirmed: bool


Groups = dict[int, Seen]


class Hands(Person):
    """Edits groups at the page.

    Parameters
    ----------
    page : Page
        Where the app is open.
    address : str
        Of the app.
    touch : bool
        Whether there is only a finger: no keys but in fields.
    """

    def __init__(self, page: Page, address: str, touch: bool = False) -> None:
        super().__init__(page, address)
        self.touch = touch
        self.cores: dict[int, int] = {}  # by group: the picture that stands for it

    # what is there

    def export(self) -> tuple[dict[int, str], dict[int, tuple[str, set[int]]]]:
        """The table that is exported: the path of every picture, and the name and pictures of every cluster."""
        told = self.page.request.get(f"{self.address}api/export?format=csv", max_retries=3).text()
        paths, clusters = {}, {}
        for row in csv.DictReader(io.StringIO(told)):
            image = int(row["image"])
            assert image not in paths, "a picture is there twice"
            paths[image] = row["path"]
            clusters.setdefault(int(row["cluster"]), (row["name"], set()))[1].add(image)
        return paths, clusters

    def groups(self) -> Groups:
        """All clusters by number, as they are exported; whether they are confirmed is not in the table."""
        for _ in range(10):  # the engine may come between two requests
            _, clusters = self.export()
            told = {each["id"]: each for each in self.get("clusters?limit=1000")["clusters"]}
            exported = {k: (name, len(images)) for k, (name, images) in clusters.items()}
            shown = {k: (each["name"], each["size"]) for k, each in told.items()}
            if exported == shown:
                self.cores = {k: each["cover"][0] for k, each in told.items()}
                return {k: Seen(name, frozenset(some), told[k]["confirmed"]) for k, (name, some) in clusters.items()}
        raise AssertionError(f"the export has {exported}, the wall {shown}")

    def wait_for_engine(self) -> None:
        """Until the engine has taken in everything that was done."""
        told = self.page.request.get(f"{self.address}api/export?format=jsonl", max_retries=3).text()
        self.wait_for_clusters(told.count("\n"))

    def wall(self) -> dict[int, tuple[str, int, bool]]:
        """What the cards of the wall say: name, size and confirmed, by number; from top to bottom."""
        self.go("clusters")
        self.page.wait_for_selector(".card .facts")
        found: dict[int, tuple[str, int, bool]] = {}
        for _ in self._down():
            found |= {card["id"]: (card["name"], card["size"], card["confirmed"]) for card in self.page.evaluate(CARDS)}
        return found

    def members(self, number: int) -> set[int]:
        """The pictures that the page of a group shows, which is open."""
        self.page.wait_for_selector(f".cluster .toolbar [data-group='{number}']")
        found: set[int] = set()
        for _ in self._down():
            found |= set(self.page.evaluate(MEMBERS))
        return found

    def _down(self) -> Iterable[int]:
        """From the top of the page to its end, a window at a time."""
        height = self.page.viewport_size["height"] - 260
        for step in range(200):
            self.page.evaluate("(y) => scrollTo(0, y)", step * height)
            self.page.wait_for_function(DRAWN)
            yield step
            if self.page.evaluate("() => innerHeight + scrollY >= document.documentElement.scrollHeight - 2"):
                return

    def _find(self, locator: Locator) -> Locator:
        for _ in self._down():
            if locator.count():
                return locator.first
        raise LookupError(f"{locator} is nowhere on the page")

    # what is done

    def open(self, number: int) -> None:
        """Open a group."""
        self.go(f"clusters/{number}")
        self.page.wait_for_selector(f".cluster .toolbar [data-group='{number}']")
        self.page.wait_for_selector(".member[aria-label^='Picture']")

    def select(self, number: int, images: Collection[int]) -> None:
        """Select pictures of a group."""
        self.open(number)
        for image in sorted(images):
            label = f"[aria-label='Picture {image}'], .member[aria-label^='Picture {image},']"
            self._find(self.page.locator(f".member{label}")).click()
        expect(self.page.locator(".selection span").first).to_have_text(f"{len(images)} selected")

    def press(self, name: str) -> None:
        """Press a button outside dialogs."""
        self.page.locator("main, .selection").get_by_role("button", name=name, exact=True).first.click()

    def heard(self, text: str) -> None:
        """The message that was waited for is there; it is closed, as the next one may say the same."""
        toast = self.page.locator(".toast", has_text=text)
        expect(toast).to_be_visible()
        toast.get_by_role("button", name="Close this message").click()
        expect(toast).to_have_count(0)

    def split(self, number: int, images: Collection[int]) -> None:
        """Split pictures off."""
        self.select(number, images)
        self.press("Split off")
        self.heard(f"Split off {count(images)}")

    def make_group(self, number: int, images: Collection[int]) -> None:
        """Make a group of pictures."""
        self.select(number, images)
        self.press("Make a group")
        self.heard(f"Made a group of {count(images)}")

    def move(self, number: int, images: Collection[int], to: int) -> None:
        """Move pictures to another group."""
        self.select(number, images)
        self.press("Move to…")
        self.page.locator(f"dialog .covers button:has([data-group='{to}'])").click()
        self.heard(f"Moved {count(images)}")

    def merge(self, numbers: Collection[int], name: str) -> None:
        """Merge groups on the wall, under a name."""
        self.go("clusters")
        self.page.wait_for_selector(".card .facts")
        for number in numbers:
            card = self._find(self.page.locator(f".card:has(> a[href='#/clusters/{number}'])"))
            card.locator(".pick input").check()
        if self.touch:
            self.press("Merge")
        else:
            self.page.keyboard.press("m")
        field = self.page.locator("dialog").get_by_label("Name of the")
        field.fill(name)
        self.page.locator("dialog").get_by_role("button", name="Merge").click()
        self.heard(f"Merged {len(numbers)} clusters")

    def confirm(self, number: int) -> None:
        """Confirm a group."""
        self.open(number)
        self.press("Confirm")
        self.heard("Confirmed")

    def check(self, number: int, is_odd: Callable[[int], bool]) -> tuple[list[int], list[int]]:
        """Look at a grid and tap the odd ones; gives what was on it, and what was odd."""
        self.go(f"clusters/{number}/check")
        self.page.wait_for_selector(f".check .toolbar [data-group='{number}']")
        self.page.wait_for_selector(".tile")
        items = self.page.evaluate("() => [...document.querySelectorAll('.tile')].map((t) => Number(t.dataset.item))")
        odd = [image for image in items if is_odd(image)]
        for image in odd:
            self.page.locator(f".tile[data-item='{image}']").click()
        self.page.wait_for_timeout(220)  # a press at once was meant for the page before
        if self.touch:
            self.page.locator(".selection .primary").click()
        else:
            self.page.keyboard.press("Enter")
        self.heard(f"{count(odd)} taken out" if odd else "belong together")
        return items, odd

    def name(self, number: int, name: str) -> None:
        """Name a group."""
        self.open(number)
        self.page.locator(".toolbar [data-rename]").click()
        field = self.page.locator("input.naming")
        field.fill(name)
        if self.touch:
            field.blur()
        else:
            field.press("Enter")
        self.heard(f"Named {name}")

    def undo(self) -> None:
        """Take the last step back: by keys, or on the screen History."""
        if self.touch:
            self.go("history")
            self.page.locator(".history .toolbar button").first.click()
        else:
            self.page.keyboard.press("Control+z")
        self.heard("Took back")


def count(images: Collection[int]) -> str:
    """How many pictures, as the page says it."""
    return "1 picture" if len(images) == 1 else f"{len(images)} pictures"


def eventually(look: Callable[[], object], wanted: object, seconds: float = 20) -> object:
    """What is there, as soon as it is what is wanted."""
    until = time.monotonic() + seconds
    while (found := look()) != wanted and time.monotonic() < until:
        time.sleep(0.1)
    return found


CARDS = """() => [...document.querySelectorAll(".card:not(.waiting)")].map((card) => ({
    id: Number(card.querySelector("a").getAttribute("href").split("/")[2]),
    name: card.querySelector(".naming.empty") ? "" : card.querySelector(".naming bdi").textContent,
    size: Number(parseInt(card.querySelector(".size").textContent.replace(",", ""))),
    confirmed: card.querySelector(".tag.good") !== null,
}))"""
MEMBERS = """() => [...document.querySelectorAll(".member")]
    .map((each) => Number((each.getAttribute("aria-label").match(/^Picture (\\d+)/) || [])[1]))"""
DRAWN = """() => new Promise((done) => setTimeout(() => requestAnimationFrame(() =>
    done(!document.querySelector(".card.waiting, .member[aria-label=Loading]"))), 120))"""
