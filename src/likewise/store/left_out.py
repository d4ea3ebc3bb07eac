"""Pictures that people left out: a manager's word counts at once, that of people who were invited like a vote."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from likewise.store.payloads import Listed
from likewise.store.votes import OVERLAP

if TYPE_CHECKING:
    from likewise.store.log import Event

__all__ = ["LeftOut", "read_left_out"]


@dataclass
class LeftOut:
    """What was said of pictures that are no use.

    - `items`: Pictures that are left out.
    - `reports`, dict of item to names: Who reported a picture, where no manager has decided on it since.
    """

    items: set[int] = field(default_factory=set)
    reports: dict[int, list[str]] = field(default_factory=dict)

    def reported_by(self, name: str) -> set[int]:
        """Pictures that somebody reported and no manager has decided on."""
        return {item for item, names in self.reports.items() if name in names}


def read_left_out(events: Iterable[Event]) -> LeftOut:
    """Read the events in force: a report says how many people have to agree, everything else decides.

    - `events`, iterable of Event: In order.
    """
    found = LeftOut()
    needs: dict[int, int] = {}
    for event in events:
        if event.kind not in ("bad", "restore"):
            continue
        shown = event.payload.shown if isinstance(event.payload, Listed) else {}
        for item in event.payload.images():
            if event.kind == "bad" and OVERLAP in shown:
                names = found.reports.setdefault(item, [])
                names.extend(name for name in (event.annotator,) if name not in names)
                if len(names) >= needs.setdefault(item, _people_needed(shown[OVERLAP])):
                    found.items.add(item)
                continue
            found.reports.pop(item, None)
            needs.pop(item, None)
            (found.items.add if event.kind == "bad" else found.items.discard)(item)
    return found


def _people_needed(number: object) -> int:
    """How many people have to agree; whatever else was stored there, one."""
    return number if isinstance(number, int) and number >= 1 else 1
