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
        answer = self.page.request.get(f"{self.address}api/{path}")
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
        number, key = self.number(), self.right_key()
        self.page.wait_for_timeout(220)
        self.page.keyboard.press(key)
        self.wait_for_number(number + 1)

    def undo(self) -> None:
        """Take the last answer back by keyboard."""
        number = self.number()
        self.page.keyboard.press("Backspace")
        self.wait_for_number(number - 1)

    def wait_for_number(self, number: int) -> None:
        """Until that question, or a later one, is there."""
        expect(self.page.locator(".asked p")).to_contain_text(f"Question {number} ")
