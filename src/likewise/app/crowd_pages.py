"""Lists of hits, pages of pictures for keywords or for grouping: who has which, and their marks, from the events."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from likewise.app.studies import Follower, OutOfTurnError, check_new, usable_images
from likewise.crowd.dealing import deal_hits
from likewise.store import Event, Project
from likewise.store.fields import Mark
from likewise.store.study_events import HitDone, HitsMade, HitTaken, TakenBack

__all__ = ["HELD_FOR", "HitList", "HitLists", "checked_groups", "checked_words", "hit_rows", "make_hits"]

HELD_FOR = timedelta(hours=1)  # after so long a hit that was begun may go to somebody else
MOST_WORDS = 20
NOT_PLAIN = re.compile(r"[<>\x00-\x1f\x7f]")


@dataclass
class HitList:
    """A list of hits: who took which and when, and what was done."""

    name: str
    kind: Literal["keywords", "grouping"]
    hits: tuple[tuple[int, ...], ...]
    overlap: int
    taken: dict[tuple[int, str], datetime] = field(default_factory=dict)
    done: dict[tuple[int, str], Event] = field(default_factory=dict)

    def held(self, person: str) -> int | None:
        """The hit that somebody has."""
        mine = [hit for hit, who in self.taken if who == person and (hit, who) not in self.done]
        return mine[-1] if mine else None

    def free(self, person: str, now: datetime) -> int | None:
        """The hit to give next: the least seen of those that need people and that this person did not have."""
        counts = self._seen_by(person, now)
        open_ones = [(n, hit) for hit, n in enumerate(counts) if 0 <= n < self.overlap]
        return min(open_ones)[1] if open_ones else None

    def _seen_by(self, person: str, now: datetime) -> list[int]:
        """How many people have, or had, each hit; below 0 where this person is one of them."""
        counts = [0] * len(self.hits)
        mine = {hit for hit, who in (*self.taken, *self.done) if who == person}
        for hit, _ in self.done:
            counts[hit] += 1
        for entry, at in self.taken.items():
            if entry not in self.done and now - at < HELD_FOR:
                counts[entry[0]] += 1
        return [-1 if hit in mine else n for hit, n in enumerate(counts)]

    def done_by(self, person: str) -> list[Event]:
        """What somebody did, in order."""
        return sorted((event for (_, who), event in self.done.items() if who == person), key=lambda e: e.seq)

    def take(self, event: Event) -> None:
        """Take an event about the list."""
        payload, who = event.payload, event.annotator
        if isinstance(payload, HitTaken):
            self.taken.pop((payload.hit, who), None)  # taken again, it is the last one
            self.taken[payload.hit, who] = event.at
        elif isinstance(payload, HitDone):
            self.done[payload.hit, who] = event
        elif isinstance(payload, TakenBack):
            for entry in [entry for entry, each in self.done.items() if each.seq in payload.events]:
                del self.done[entry]
                self.taken.pop(entry, None)
                self.taken[entry] = event.at  # they have it again


class HitLists(Follower[HitList]):
    """All lists of hits of a project."""

    what = "list of hits"

    def hit_list(self, name: str) -> HitList:
        """The list of a name, in step with the events."""
        return self.named(name)

    def take(self, event: Event) -> None:
        """Take one event."""
        payload = event.payload
        if isinstance(payload, HitsMade):
            made = HitList(payload.name, payload.kind, payload.hits, payload.overlap)
            self.works.setdefault(payload.name, made)
        elif isinstance(payload, HitTaken | HitDone | TakenBack) and payload.name in self.works:
            self.works[payload.name].take(event)

    def take_next(self, name: str, person: str, key: str) -> int | None:
        """Give a person their next hit, or the one they have; None where there is none for them."""
        hits = self.hit_list(name)
        with self.lock:
            self.follow()
            hit = hits.held(person)
            if hit is None and (hit := hits.free(person, now())) is not None:
                payload = {"name": name, "hit": hit}
                self.project.append("crowd-start", payload, annotator=person, key=key)
                self.follow()
        return hit

    def store_hit(
        self,
        name: str,
        hit: int,
        words: list[tuple[int, list[str]]] | None,
        groups: list[list[int]] | None,
        *,
        person: str,
        key: str,
        seconds: float,
    ) -> Event:
        """Store the keywords or the groups of a hit that the person has."""
        hits = self.hit_list(name)
        marks = _marks(hits, hit, words, groups)

        def check() -> None:
            if (hit, person) in hits.done:
                raise OutOfTurnError("you have sent this page already: take it back to change it")
            if (hit, person) not in hits.taken:
                raise OutOfTurnError("this page was not given to you")

        payload = {"name": name, "hit": hit, "marks": marks}
        return self.append_once("crowd-hit", payload, check, annotator=person, key=key, seconds=seconds)

    def take_back(self, name: str, person: str, key: str) -> tuple[Mark, ...] | None:
        """Give a person their last hit again, with its marks; None where it was taken back before."""
        hits = self.hit_list(name)
        with self.lock:
            self.follow()
            if self.was_taken_back(person, key):
                return None
            done = hits.done_by(person)
            if not done:
                raise OutOfTurnError("there is no page to take back")
            payload = {"name": name, "events": [done[-1].seq]}
            self.project.append("take-back", payload, annotator=person, key=key)
            self.follow()
        last = done[-1].payload
        assert isinstance(last, HitDone)
        return last.marks


def _marks(
    hits: HitList, hit: int, words: list[tuple[int, list[str]]] | None, groups: list[list[int]] | None
) -> list[tuple[int, list[str]]]:
    """Check the keywords or groups of a page, as the list asks for them."""
    if hit >= len(hits.hits):
        raise OutOfTurnError("this page was not given to you")
    page = hits.hits[hit]
    if hits.kind == "grouping":
        if groups is None or words is not None:
            raise ValueError("this page is for groups")
        return checked_groups(page, groups)
    if words is None or groups is not None:
        raise ValueError("this page is for keywords")
    if sorted(item for item, _ in words) != sorted(page):
        raise OutOfTurnError("these are not the pictures of the page: send each of them once")
    return checked_words(words)


def make_hits(
    project: Project,
    name: str,
    kind: Literal["keywords", "grouping"],
    *,
    per_hit: int = 20,
    rounds: int = 5,
    overlap: int = 1,
    sample: int | None = None,
    random_state: int = 0,
) -> HitsMade:
    """Write a new list of hits down.

    - `project`: Whose pictures.
    - `name`: Letters, digits, - and _; it is part of the address.
    - `kind`, "keywords" or "grouping": What people do with a page.
    - `per_hit`, `rounds`: Pictures on a page, and pages a picture is on: see :func:`~likewise.crowd.deal_hits`.
    - `overlap`: Different people a page is given to.
    - `sample`: Only so many of the pictures, drawn at random.
    - `random_state`: Seed.
    """
    import numpy as np

    check_new(name, HitLists(project))
    images = usable_images(project)
    if sample is not None and sample < len(images):
        chosen = np.random.default_rng([random_state, 1]).choice(len(images), sample, replace=False)
        images = [images[k] for k in sorted(chosen.tolist())]
    hits = deal_hits(images, per_hit, rounds, random_state)
    payload = HitsMade(name=name, kind=kind, hits=tuple(hits), overlap=overlap)
    project.append("crowd", payload, key=f"crowd/{name}")
    return payload


def checked_words(marks: Iterable[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """Keywords without outer blanks and repetitions; what is not plain text is refused."""
    found = []
    for item, words in marks:
        kept: dict[str, str] = {}
        for word in words:
            if NOT_PLAIN.search(word):
                raise ValueError("a keyword is plain text, without < and > and control characters")
            if "," in word:
                raise ValueError("send one keyword at a time: a comma is no part of a keyword")
            plain = " ".join(word.split())
            if plain:
                kept.setdefault(plain.casefold(), plain)
        if len(kept) > MOST_WORDS:
            raise ValueError(f"a picture has at most {MOST_WORDS} keywords, got {len(kept)}")
        found.append((item, list(kept.values())))
    return found


def checked_groups(hit: Iterable[int], groups: Iterable[Iterable[int]]) -> list[tuple[int, list[str]]]:
    """Groups of pictures of a hit as marks, numbered from 1; a picture in no group gets none."""
    group_of: dict[int, str] = {}
    for number, group in enumerate((members for each in groups if (members := list(each))), 1):
        for item in group:
            if item in group_of:
                raise ValueError("a picture is in two groups: it belongs to one, or to none")
            group_of[item] = str(number)
    order = list(hit)
    if not set(group_of) <= set(order):
        raise OutOfTurnError("a picture is not on this page: look at the page again")
    return [(item, [group_of[item]] if item in group_of else []) for item in order]


def hit_rows(works: HitList, item_name: Mapping[int, Any]) -> Iterator[dict[str, Any]]:
    """What people did as rows for :func:`~likewise.crowd.read_hits`: a hit is one page by one person."""
    mark = "keyword" if works.kind == "keywords" else "group"
    for (number, person), event in sorted(works.done.items(), key=lambda each: each[1].seq):
        done = event.payload
        assert isinstance(done, HitDone)
        for item, words in done.marks:
            for word in words or ("",):
                yield {
                    "hit": f"{works.name}/{number + 1}/{person}",
                    "item": item_name[item],
                    mark: word,
                    "person": person,
                    "seconds": event.seconds,
                    "when": event.at.isoformat(timespec="milliseconds"),
                }


def now() -> datetime:
    """The time by which hits are handed out."""
    return datetime.now(UTC)
