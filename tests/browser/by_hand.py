"""A person who knows the truth edits groups by hand, and looks at the page and at the export after every step.

``python -m tests.browser.by_hand`` does 20 of each edit at 1280 and at 390 pixels, then undoes them one by one back to
the start, and does it again with a server that is killed in the middle; ``--each 2`` is the short form.
"""

import argparse
import re
import shutil
import signal
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from playwright.sync_api import sync_playwright

from tests.browser.conftest import ARGUMENTS, CHROMIUM, why_not
from tests.browser.hands import Groups, Hands, Seen, eventually
from tests.browser.leaves import draw_leaves
from tests.browser.served import Served

SIZES = {
    "1280": {"viewport": {"width": 1280, "height": 800}},
    "390": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
KINDS = ("split", "group", "move", "merge", "name", "grid", "confirm")
FINER = 4  # classes of each kind of leaf: what nobody can see keeps the clusters mixed, and right edits plenty


def class_of(path: str) -> str:
    """The class of a picture by its name: its kind, and a part of it that only the person knows."""
    kind, number = re.fullmatch(r"(?:.*/)?(\w+)-(\d+)\.jpg", path).groups()
    return f"{kind} {int(number) % FINER}"


class InexactError(AssertionError):
    """The page, or the export, is not what was asked for."""


class Work:
    """Right edits of mixed kinds, each checked.

    Parameters
    ----------
    hands : Hands
        Who does it, and where.
    seed : int
        For the choice among right edits.
    """

    def __init__(self, hands: Hands, seed: int = 0) -> None:
        self.hands = hands
        self.rng = np.random.default_rng(seed)
        hands.wait_for_engine()
        paths, _ = hands.export()
        self.truth = {image: class_of(path) for image, path in paths.items()}
        self.touched: dict[int, Seen] = {}  # what every group that was touched has to be
        self.means: dict[int, str] = {}  # the class that a group stands for
        self.before: list[tuple[str, Groups, dict[int, Seen]]] = []  # what was there before every step
        self.done: Counter[str] = Counter()

    # which edit is right

    def class_in(self, groups: Groups, number: int) -> str:
        """The class that a group stands for: that of its most central picture when somebody first touched it."""
        return self.means.get(number) or self.truth[self.hands.cores[number]]

    def wrong_in(self, groups: Groups, number: int) -> list[int]:
        """The pictures of a group that do not belong there."""
        wanted = self.class_in(groups, number)
        return sorted(image for image in groups[number].images if self.truth[image] != wanted)

    def mixed(self, groups: Groups) -> list[int]:
        """Groups with pictures that belong there and others, in a random order."""
        found = [k for k in sorted(groups) if 0 < len(self.wrong_in(groups, k)) < len(groups[k].images)]
        return self.rng.permutation(found).tolist()

    def pure(self, groups: Groups) -> list[int]:
        """Groups of one class, in a random order."""
        return self.rng.permutation([k for k in sorted(groups) if not self.wrong_in(groups, k)]).tolist()

    def split(self, groups: Groups) -> bool:
        for number in self.mixed(groups):
            taken = self.wrong_in(groups, number)[: 1 + self.done["split"] % 2]
            return self.do("split", groups, {number: taken}, lambda n=number, t=taken: self.hands.split(n, t))
        return False

    def group(self, groups: Groups) -> bool:
        """Of a class of which there is a pure group already, where possible: these two can be merged."""
        there = {self.class_in(groups, number) for number in self.pure(groups)}
        found = [
            (self.truth[i] in there, k, self.truth[i]) for k in self.mixed(groups) for i in self.wrong_in(groups, k)
        ]
        if not found:
            return False
        _, number, wanted = max(found, key=lambda each: each[0])
        taken = [image for image in self.wrong_in(groups, number) if self.truth[image] == wanted][:2]
        self.do("group", groups, {number: taken}, lambda: self.hands.make_group(number, taken), new=taken)
        return True

    def move(self, groups: Groups) -> bool:
        for number in self.mixed(groups):
            for image in self.wrong_in(groups, number):
                wanted = self.truth[image]
                homes = [k for k in sorted(groups) if k != number and self.class_in(groups, k) == wanted]
                if homes:
                    taken = [each for each in self.wrong_in(groups, number) if self.truth[each] == wanted][:1]
                    act = lambda n=number, t=taken, to=homes[0]: self.hands.move(n, t, to)  # noqa: E731
                    return self.do("move", groups, {number: taken}, act, to=homes[0])
        return False

    def merge(self, groups: Groups) -> bool:
        first: dict[str, int] = {}
        for number in self.pure(groups):
            other = first.setdefault(self.class_in(groups, number), number)
            if other == number:
                continue
            pair = [other, number]
            into = next((k for k in pair if k in self.touched), other)
            name = groups[into].name or f"together {self.done['merge']}"
            both = frozenset().union(*(groups[k].images for k in pair))
            confirmed = all(groups[k].confirmed for k in pair)
            after = {into: Seen(name, both, confirmed)}
            gone = {k for k in pair if k != into}
            return self.do("merge", groups, {}, lambda p=pair, n=name: self.hands.merge(p, n), after=after, gone=gone)
        return False

    def confirm(self, groups: Groups) -> bool:
        for number in self.pure(groups):
            if not groups[number].confirmed:
                after = {number: groups[number]._replace(confirmed=True)}
                return self.do("confirm", groups, {}, lambda n=number: self.hands.confirm(n), after=after)
        return False

    def name(self, groups: Groups) -> bool:
        for number in self.rng.permutation([k for k in sorted(groups) if not groups[k].name]).tolist():
            name = f"{self.class_in(groups, number)}, no. {self.done['name']}"
            after = {number: groups[number]._replace(name=name)}
            return self.do("name", groups, {}, lambda n=number, of=name: self.hands.name(n, of), after=after)
        return False

    def grid(self, groups: Groups) -> bool:
        few_wrong = sorted(self.mixed(groups), key=lambda k: len(self.wrong_in(groups, k)))  # the others are for later
        pure = self.pure(groups)
        for number in [*few_wrong, *pure] if self.done["grid"] % 2 else [*pure, *few_wrong]:
            told = self.hands.get(f"grid?cluster={number}")
            if told["items"]:
                self.means.setdefault(number, self.class_in(groups, number))
                odd = [image for image in told["items"] if self.truth[image] != self.means[number]]
                act = lambda n=number: self.hands.check(n, lambda i: self.truth[i] != self.means[n])  # noqa: E731
                return self.do("grid", groups, {number: odd}, act)
        return False

    # do it, and look

    def do(self, kind, groups, taken, act, *, after=None, gone=(), to=None, new=None) -> bool:
        """Make an edit and look what became of it; `taken` are the pictures that leave, by group."""
        self.before.append((kind, groups, dict(self.touched), dict(self.means)))
        for number in [*taken, *(after or {}), *([] if to is None else [to])]:
            self.means.setdefault(number, self.class_in(groups, number))
        act()
        expected = {k: v for k, v in self.touched.items() if k not in gone} | (after or {})
        for number, images in taken.items():
            left = groups[number].images - set(images)
            expected[number] = groups[number]._replace(images=left)
            if to is not None:
                expected[to] = groups[to]._replace(images=groups[to].images | set(images))
        now = self.hands.groups()
        if new is not None:
            number = next((k for k, seen in now.items() if seen.images == set(new)), -1)
            if number in groups or number < 0:
                raise InexactError(f"{kind}: there is no new group of {new}")
            expected[number] = Seen("", frozenset(new), False)
            self.means[number] = self.truth[new[0]]
        self.touched = expected
        self.look(kind, now, "at once")
        for number, images in taken.items():
            if set(images) & now[number].images:
                raise InexactError(f"{kind}: pictures are still in group {number}")
        if kind in ("split", "group", "move", "confirm", "name"):
            self.look_at_page(kind, next(iter(taken or after)))
        self.hands.wait_for_engine()
        now = self.hands.groups()
        self.look(kind, now, "when the engine had it")
        self.look_at_wall(kind, now)
        self.done[kind] += 1
        return True

    def look(self, kind: str, now: Groups, when: str) -> None:
        """Every group that was touched is just as it was left."""
        if set().union(*(seen.images for seen in now.values())) != set(self.truth):
            raise InexactError(f"{kind}, {when}: pictures are lost")
        for number, wanted in self.touched.items():
            if now.get(number) != wanted:
                raise InexactError(f"{kind}, {when}: group {number} is {now.get(number)}, not {wanted}")

    def look_at_page(self, kind: str, number: int) -> None:
        """The page that is open shows the group as it is, without being loaded again."""
        wanted = set(self.touched[number].images)
        seen = eventually(lambda: self.hands.members(number), wanted)
        if seen != wanted:
            raise InexactError(f"{kind}: the page of group {number} shows {seen}, not {wanted}")

    def look_at_wall(self, kind: str, now: Groups) -> None:
        """The wall shows every group with its name and size."""
        wanted = {k: (seen.name, len(seen.images), seen.confirmed) for k, seen in now.items()}
        seen = eventually(self.hands.wall, wanted)
        if seen != wanted:
            differing = {k: (seen.get(k), wanted.get(k)) for k in seen | wanted if seen.get(k) != wanted.get(k)}
            raise InexactError(f"{kind}: the wall shows (seen, wanted) {differing}")

    # all of it

    def work(self, each: int, half=lambda: None) -> None:
        """So many of every edit, in turns; `half` is called in the middle."""
        total = each * len(KINDS)
        while sum(min(self.done[kind], each) for kind in KINDS) < total:
            did = False
            for kind in KINDS:
                if self.done[kind] >= each and not (kind == "group" and self.done["merge"] < each):
                    continue
                did |= getattr(self, kind)(self.hands.groups())
                if half and sum(self.done.values()) >= total // 2:
                    half()
                    half = None
            if not did:
                raise RuntimeError(f"no right edit is left: {dict(self.done)}")

    def undo_all(self, *, numbers: bool = True) -> int:
        """Undo one by one; after each the groups are as before. Gives how many steps were undone."""
        n = len(self.before)
        while self.before:
            kind, groups, self.touched, self.means = self.before.pop()
            self.hands.undo()
            self.look(f"undo of a {kind}", self.hands.groups(), "at once")
            self.hands.wait_for_engine()
            now = eventually(self.hands.groups, groups) if numbers else self.hands.groups()
            if numbers and now != groups:
                raise InexactError(f"undo of a {kind}: {difference(now, groups)}")
            if not numbers and {*now.values()} != {*groups.values()}:
                raise InexactError(f"undo of a {kind}: {difference(now, groups)}")
        self.look_at_wall("undo of everything", self.hands.groups())
        return n


def difference(now: Groups, then: Groups) -> str:
    """Which groups are not as they were."""
    return str({k: (now.get(k), then.get(k)) for k in now | then if now.get(k) != then.get(k)})


@contextmanager
def served(work: Path, each: int):
    """A server on leaves of which there are so many of each kind."""
    folder = work / "leaves"
    draw_leaves(folder, each=each)
    with Served(folder, work, "--n-clusters", str(4 * 6 if each > 8 else 9)) as server:
        yield server


def kill(server: Served, hands: Hands) -> None:
    """Kill the server and start it again at the same address; the page stays open."""
    before = hands.groups()
    server.stop(signal.SIGKILL)
    server.start(port=int(server.address.rsplit(":", 1)[1].rstrip("/")))
    hands.wait_for_engine()
    now = hands.groups()
    if {*now.values()} != {*before.values()}:
        raise InexactError(f"after a kill: {difference(now, before)}")


def run(open_page, server: Served, size: str, each: int, killed: bool) -> Counter:
    """All edits at one size, undone again; how many of each."""
    page = open_page(server.address, **SIZES[size])
    hands = Hands(page, server.address, touch=size == "390")
    page.wait_for_selector(".question .side img", timeout=120_000)
    work = Work(hands, seed=int(size))
    begun = time.monotonic()
    work.work(each, (lambda: kill(server, hands)) if killed else lambda: None)
    worked = time.monotonic()
    what = f"{size}{', killed in the middle' if killed else ''}"
    print(f"{what}: {dict(work.done)} exact in {worked - begun:.0f} s", flush=True)
    undone = work.undo_all(numbers=not killed)
    print(f"{what}: {undone} undone exactly in {time.monotonic() - worked:.0f} s", flush=True)
    return work.done


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--size", choices=SIZES, action="append")
    options = parser.parse_args()
    if reason := why_not():
        raise SystemExit(reason)
    with TemporaryDirectory() as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)

        def open_page(address, **how):
            page = browser.new_context(**how).new_page()
            page.set_default_timeout(30_000)
            page.goto(address)
            return page

        for killed in (False, True):
            for size in options.size or SIZES:
                work = Path(place, f"{size}-{killed}")
                with served(work, 24 if options.each > 4 else 8) as server:
                    run(open_page, server, size, options.each, killed)
                shutil.rmtree(work)
        browser.close()


if __name__ == "__main__":
    main()
