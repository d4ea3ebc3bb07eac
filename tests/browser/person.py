"""What a person does at the page, who knows the kinds of leaves."""

from playwright.sync_api import Page, expect

from tests.browser.leaves import kind_of


class Person:
    """Looks at the page, answers by keyboard from the truth.

    Parameters
    ----------
    page : Page
        Where the app is open.
    address : str
        Of the app.
    """

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address

    def get(self, path: str):
        """Ask the server directly."""
        answer = self.page.request.get(f"{self.address}api/{path}", max_retries=3)
        assert answer.ok, answer.text()
        return answer.json()

    def wait_for_clusters(self, seq: int = 0) -> None:
        """Until all pictures are read and in clusters, under everything said up to an event."""
        for _ in range(1200):
            project = self.get("project")
            whole = project["indexing"]["state"] == "done" and project["n_ready"] == project["n_images"] > 0
            if whole and project["clusters_version"] >= seq and self.get("clusters")["total"]:
                return
            self.page.wait_for_timeout(100)
        raise TimeoutError("the clusters are not there")

    def go(self, screen: str) -> None:
        """Go to a screen by its address."""
        self.page.goto(f"{self.address}#/{screen}")

    def form(self) -> str:
        """The form of the question: pair, triplet, grid or pick."""
        self.page.wait_for_selector(".question")
        return self.page.get_attribute(".question", "data-form")

    def odd(self) -> list[int]:
        """The places of the pictures of a grid that do not belong, from 0 on."""
        kind = kind_of(self.page.get_attribute(".core img", "alt"))
        tiles = self.page.query_selector_all(".grid-area .tile")
        return [k for k, tile in enumerate(tiles) if kind_of(tile.get_attribute("data-name")) != kind]

    def group(self) -> int | None:
        """The place of the group of a pick that is right, from 0 on; None where none is."""
        kind = kind_of(self.page.get_attribute(".frame img", "alt"))
        groups = [kind_of(each.get_attribute("data-name")) for each in self.page.query_selector_all(".group-tile")]
        return groups.index(kind) if kind in groups else None

    def kinds(self) -> list[str]:
        """The kinds on the pictures in question."""
        self.page.wait_for_selector(".question .side")
        return [kind_of(frame.get_attribute("alt")) for frame in self.page.query_selector_all(".frame img")]

    def number(self) -> int:
        """The number of the question."""
        self.page.wait_for_selector(".question .asked p")
        return int(self.page.inner_text(".asked p").split()[1].replace(",", ""))

    def right_key(self) -> str:
        """The key that is right."""
        kinds = self.kinds()
        if len(kinds) == 2:
            return "s" if kinds[0] == kinds[1] else "d"
        a, b, c = kinds
        alike = [key for key, same in zip("123", (a == b, a == c, b == c), strict=True) if same]
        return alike[0] if len(alike) == 1 else "0" if not alike else " "

    def answer(self) -> None:
        """Answer the question by keyboard, after a look at it."""
        number = self.number()
        for key in self.right_keys():
            self.page.wait_for_timeout(220)
            self.page.keyboard.press(key)
        self.wait_for_number(number + 1)

    def right_keys(self) -> list[str]:
        """The keys that are right, one after the other."""
        form = self.form()
        if form == "grid":
            tiles = self.page.query_selector_all(".grid-area .tile")
            return [*(tiles[k].get_attribute("aria-keyshortcuts").lower() for k in self.odd()), "Enter"]
        if form == "pick":
            place = self.group()
            return ["0" if place is None else self.page.locator(".group-tile kbd").nth(place).inner_text().lower()]
        return [self.right_key()]

    def tap(self) -> None:
        """Answer the question by touch."""
        number, form, page = self.number(), self.form(), self.page
        page.wait_for_timeout(220)
        if form == "grid":
            for k in self.odd():
                page.locator(".grid-area .tile").nth(k).tap()
            page.locator(".answers .answer").first.tap()
        elif form == "pick":
            place = self.group()
            button = page.locator(".answers .answer") if place is None else page.locator(".group-tile").nth(place)
            button.first.tap()
        else:
            page.get_by_role("button", name={"s": "Same", "d": "Different"}[self.right_key()], exact=False).first.tap()
        self.wait_for_number(number + 1)

    def undo(self) -> None:
        """Take the last answer back by keyboard."""
        number = self.number()
        self.page.keyboard.press("Backspace")
        self.wait_for_number(number - 1)

    def wait_for_number(self, number: int) -> None:
        """Until that question is there, or nothing is left to ask."""
        asked = self.page.locator(".asked p", has_text=f"Question {number} ")
        expect(asked.or_(self.page.get_by_text("Nothing is left to ask")).first).to_be_visible()

    def is_done(self) -> bool:
        """Whether nothing is left to ask."""
        self.page.wait_for_selector(".question .asked p, .finished")
        return self.page.locator(".finished").count() > 0
