"""How everybody does who answers: how many, how fast, how often right, how far they agree. For the manager only."""

from __future__ import annotations

from typing import Any

from likewise.app.live import LiveProject
from likewise.crowd import AnnotatorQuality, CrowdAnswer, crowd_quality
from likewise.crowd.reliability import estimate_reliability, wilson
from likewise.query.question import reorder
from likewise.store import Event, Log
from likewise.store.payloads import Said
from likewise.store.votes import GOLD, Votes


def team_of(live: LiveProject) -> dict[str, Any]:
    """What the manager sees: a row for each person, and figures on the whole."""
    log = live.log()
    votes = log.votes()
    answers = answers_of(log)
    found, reliability = crowd_quality(answers), estimate_reliability(answers)
    last = {event.annotator: event for event in log.standing() if event.kind == "answer"}
    people = [_row(each, last, reliability.get(each.annotator)) for each in found.annotators]
    return {
        "people": people,
        "alpha": found.figures.get("alpha"),
        "answers": sum(row["answers"] for row in people),
        "holding": live.queue.people,
        "gold_pairs": len(live.gold()),
        "disputes": len(votes.disputed()),
        **_questions(votes),
        **{name: live.settings[name] for name in ("overlap", "gold_rate", "lease_minutes")},
    }


def answers_of(log: Log) -> list[CrowdAnswer]:
    """All answers to questions in force, those that tested somebody with the truth."""
    return [_crowd_answer(event, event.payload) for event in log.standing() if _is_answer(event)]


def _is_answer(event: Event) -> bool:
    return event.kind == "answer" and isinstance(event.payload, Said)


def _crowd_answer(event: Event, payload: Any) -> CrowdAnswer:
    (answer,) = event.answers()
    items, value = reorder(answer.items, answer.value)
    return CrowdAnswer(event.annotator, items, value, event.seconds, str(payload.shown.get(GOLD, "")), payload.kind)


def _row(each: AnnotatorQuality, last: dict[str, Event], reliability: list[float] | None) -> dict[str, Any]:
    return {
        "name": each.annotator,
        "answers": each.answers,
        "unsure": each.unsure,
        "seconds": None if each.seconds is None else round(each.seconds, 2),
        "gold": each.known,
        "accuracy": wilson(each.right, each.known) if each.known else None,
        "agreement": each.agreement,
        "reliability": reliability,
        "last": last[each.annotator].at.isoformat() if each.annotator in last else None,
    }


def _questions(votes: Votes) -> dict[str, int]:
    asked = [ballot for ballot in votes.ballots.values() if ballot.votes]
    agreed = sum(ballot.complete and len(ballot.choices) == 1 for ballot in asked)
    return {
        "questions": len(asked),
        "complete": sum(ballot.complete for ballot in asked),
        "agreed": agreed,
        "adjudicated": sum(ballot.ruling is not None for ballot in asked),
    }
