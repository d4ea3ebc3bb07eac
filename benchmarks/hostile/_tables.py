"""The tables of docs/reliability.md, made from the kept figures: ``python -m benchmarks.hostile._tables``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.hostile._people import GROUP_EDITS
from benchmarks.hostile._results import RESULTS

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
PART = re.compile(r"(<!-- figures: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
DATABASES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
Figures = Mapping[str, Any]


def table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """A table; numbers with commas."""
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(f'{x:,}' if isinstance(x, int) else str(x) for x in line)} |\n" for line in lines)


def kills(figures: Figures) -> str:
    """A row a database: what was told, and what was wrong."""
    head = ["", "kills", "acknowledged", "of these edits of groups", "sent again", "stored, reply lost", "refused"]
    head += ["lost", "stored twice", "changed", "stored though refused", "damaged"]
    return table(head, (_row_of_kills(DATABASES[name], figures[name]) for name in DATABASES if name in figures))


def _row_of_kills(name: str, found: Figures) -> list[Any]:
    edits = sum(count for action, count in found["by_action"].items() if action in GROUP_EDITS)
    told = ["kills", "acknowledged", "resent", "stored_without_reply", "refused"]
    wrong = ["lost", "doubled", "changed", "refused_but_stored", "damaged"]
    row = [name, *(found[each] for each in told), *(found[each] for each in wrong)]
    return [*row[:3], edits, *row[3:]]


def actions(figures: Figures) -> str:
    """How often each thing was acknowledged."""
    names = sorted({action for name in DATABASES for action in figures[name]["by_action"]})
    rows = ([action, *(figures[name]["by_action"].get(action, 0) for name in DATABASES)] for action in names)
    return table(["acknowledged", *DATABASES.values()], rows)


def editors(figures: Figures) -> str:
    """One row: many people at once."""
    head = {
        "people": "people", "acknowledged": "edits acknowledged", "refused": "refused", "kills": "kills",
        "groups": "groups in the end", "lost": "lost", "doubled": "stored twice",
        "numbers_given_twice": "numbers of groups given twice",
        "pictures_not_in_one_cluster": "pictures not in one cluster", "seeing_otherwise": "people who see otherwise",
        "other_after_a_kill": "clusters that are other after a kill",
    }  # fmt: skip
    return table(head.values(), [[figures[name] for name in head]])


def flips(figures: Figures) -> str:
    """What became of each flipped bit."""
    rest = {name: count for name, count in figures.items() if isinstance(count, int) and " " in name}
    rest |= {"never another answer, nor one lost, without a word": "held" if figures["held"] else "failed"}
    return table(["of so many flipped bits", figures["flipped"]], sorted(rest.items(), key=lambda each: str(each[0])))


def fuzz(figures: Figures) -> str:
    """How much was sent and accepted."""
    names = ("projects", "sent", "accepted", "failed")
    rows = ([title, *(figures[name][each] for each in names)] for name, title in DATABASES.items())
    return table(["", "projects", "events sent", "accepted", "projects that failed"], rows)


def full_disk(figures: Figures) -> str:
    """Replies while the disk is full, and what was stored."""
    head = ["", "requests while it is full", "answered", "507 with a sentence", "409", "other", "sent again with room"]
    head += ["refused again", "acknowledged", "lost", "stored though refused", "damaged"]
    return table(head, (_row_of_disk(title, figures[name]) for name, title in DATABASES.items()))


def _row_of_disk(title: str, found: Figures) -> list[Any]:
    counts: dict[str, int] = {}
    for each in found["replies_while_full"].values():
        for status, count in each.items():
            counts[status] = counts.get(status, 0) + count
    total, known = sum(counts.values()), [counts.get(status, 0) for status in ("200", "507", "409")]
    after = ("sent_again", "refused_again", "acknowledged", "lost", "stored_though_refused", "damaged")
    return [title, total, *known, total - sum(known), *(found[name] for name in after)]


def long_lines(figures: Figures) -> str:
    """What each table took."""
    rows = ((name, found["exit"], found["megabytes_more"]) for name, found in sorted(figures["tables"].items()))
    return table([f"what takes {figures['megabytes']} MB", "exit code", "MB more than a table of one row"], rows)


def slow_senders(figures: Figures) -> str:
    """What somebody who is signed in got meanwhile."""
    head = [f"{figures['connections']:,} connections that send", "requests", "answered", "slowest, seconds", "MB more"]
    names = ("asked", "answered", "slowest_seconds", "megabytes_more")
    return table(head, ([way, *(found[each] for each in names)] for way, found in sorted(figures["ways"].items())))


PARTS: dict[str, tuple[str, Callable[[Figures], str]]] = {  # name on the page: whose figures, how they are shown
    "answer_kills": ("answer_kills", kills),
    "edit_kills": ("edit_kills", kills),
    "edit_actions": ("edit_kills", actions),
    "editors": ("editors", editors),
    "flips": ("flips", flips),
    "full_disk": ("full_disk", full_disk),
    "fuzz": ("fuzz", fuzz),
    "long_lines": ("long_lines", long_lines),
    "slow_senders": ("slow_senders", slow_senders),
}


def filled(page: str, results: Mapping[str, Figures]) -> str:
    """The page with the figures of now."""

    def part(found: re.Match[str]) -> str:
        name, show = PARTS[found[2]]
        note = "\nThis run was cut short.\n" if results[name].get("unfinished") else ""
        return f"{found[1]}{show(results[name])}{note}{found[3]}"

    return PART.sub(part, page)


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(), json.loads(RESULTS.read_text())))
