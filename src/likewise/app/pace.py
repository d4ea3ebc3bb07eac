"""How fast somebody is and how often they are contradicted, form by form; and how long it may take yet."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from likewise.query.form_times import fit_times
from likewise.query.question import Form
from likewise.store.payloads import Said

if TYPE_CHECKING:
    from likewise.app.live import LiveProject
    from likewise.query.dendrogram.remaining import SecondsLeft

FORMS: tuple[Form, ...] = ("pair", "triplet", "grid", "pick")


def pace_of(live: LiveProject, annotator: str) -> list[dict[str, Any]]:
    """A row a form that somebody answered: seconds, fitted to their own answers, and how much of it was set aside."""
    log = live.log()
    mine = [event for event in log.standing() if event.annotator == annotator and event.kind == "answer"]
    said = [answer for event in log.standing() if isinstance(event.payload, Said) for answer in event.answers()]
    times = fit_times(said, annotator)
    kind_of = {event.seq: event.payload.kind for event in mine if isinstance(event.payload, Said)}
    aside = Counter(kind_of[seq] for _, seq, _ in live.ledger.contradictions() if seq in kind_of)
    n_answers = Counter(kind_of.values())
    n_said = Counter(
        answer.kind for event in mine if event.seq in kind_of for answer in event.answers() for _ in answer.statements()
    )
    return [
        {
            "form": form,
            "answers": n_answers[form],
            "statements": n_said[form],
            "set_aside": aside[form],
            "base": round(times[form].base, 2),
            "shown": round(times[form].shown, 3),
            "tap": round(times[form].tap, 2),
        }
        for form in FORMS
        if n_answers[form]
    ]


def time_left(live: LiveProject) -> dict[str, Any] | None:
    """Seconds that are probably left to 95 % and to all, with an interval and a reason; None where nobody can tell."""
    left = live.clustering.left
    if left is None:
        return None
    return {"to_most": _interval(left.to_most), "to_end": _interval(left.to_end), "reason": left.reason}


def _interval(left: SecondsLeft) -> list[float]:
    return [round(seconds, 1) for seconds in (left.low, left.seconds, left.high)]
