"""How everybody does who answers: how many, how fast, how often right, how far they agree. For the manager only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from likewise.app.edits import NotThereError
from likewise.app.people import Person
from likewise.app.queue import NotYoursError
from likewise.crowd import AnnotatorQuality, CrowdAnswer, crowd_quality
from likewise.crowd.reliability import estimate_reliability, wilson
from likewise.query.question import reorder
from likewise.store import Event, Log
from likewise.store.payloads import Said, Withdrawn
from likewise.store.statements import SCREENS, split_answer
from likewise.store.votes import GOLD, Votes, subject_of

if TYPE_CHECKING:
    from likewise.app.live import LiveProject
    from likewise.query.answers.people import AnnotatorRates

NO_ANSWERS: dict[str, Any] = {
    **dict.fromkeys(("answers", "unsure", "gold"), 0),
    **dict.fromkeys(("seconds", "accuracy", "agreement", "reliability", "last")),
}
NOT_TESTED: dict[str, Any] = {"suspicion": "", "weight": 1.0, "tested": 0.0, "wrong": 0.0}
FEWEST_REPORTS, SHARE_OF_REPORTS = 3, 0.02  # pictures that one person may report before a manager looks


def team_of(live: LiveProject) -> dict[str, Any]:
    """What the manager sees: a row for each person, and figures on the whole."""
    log = live.log()
    votes = log.votes()
    answers = answers_of(log)
    found, reliability = crowd_quality(answers), estimate_reliability(answers)
    last = {event.annotator: event for event in log.standing() if event.kind == "answer"}
    done, gone = what_people_did(log), taken_back(log)
    rows = {each.annotator: _row(each, last, reliability.get(each.annotator)) for each in found.annotators}
    for name in [*done, *gone]:
        rows.setdefault(name, NO_ANSWERS | {"name": name})
    weighed = live.clustering.people
    people = [
        row | {"did": done.get(name, {}), "taken_back": gone.get(name)} | _weighed(weighed.get(name))
        for name, row in rows.items()
    ]
    reports = log.left_out()
    return {
        "people": people,
        "reports": [
            {"item": item, "people": names, "left_out": item in reports.items}
            for item, names in sorted(reports.reports.items())
        ],
        "alpha": found.figures.get("alpha"),
        "answers": sum(row["answers"] for row in people),
        "holding": live.queue.people,
        "gold_pairs": len(live.gold()),
        "disputes": len(votes.disputed()),
        **_questions(votes),
        **{name: live.settings[name] for name in ("overlap", "gold_rate", "lease_minutes")},
    }


def not_counted(live: LiveProject) -> list[AnnotatorRates]:
    """Those whose answers are not counted in the clusters, by name."""
    found = live.clustering.people
    return [found[name] for name in sorted(found) if found[name].suspicion]


def what_people_did(log: Log) -> dict[str, dict[str, int]]:
    """How many things everybody did that are in force, by kind; undo and redo are not counted."""
    counts: dict[str, Counter[str]] = {}
    for event in log.standing():
        if not event.payload.outside_session and event.kind != "withdraw":
            counts.setdefault(event.annotator, Counter())[event.action] += 1
    return {name: dict(kinds.most_common()) for name, kinds in counts.items()}


def taken_back(log: Log) -> dict[str, int]:
    """The events in force that took back all that somebody had done until then, by who that is."""
    first: dict[str, int] = {}  # what is in force of everybody
    for event in log.standing():
        if _is_work(event, log):
            first.setdefault(event.annotator, event.seq)
    found: dict[str, int] = {}
    for event in log.standing():
        if isinstance(event.payload, Withdrawn) and event.payload.how == "choice":
            whose = {log.event(seq).annotator for seq in event.payload.events}
            if len(whose) == 1 and first.get(name := whose.pop(), len(log) + 1) > event.seq:
                found[name] = event.seq
    return found


def take_back_all(live: LiveProject, manager: Person, name: str, *, key: str) -> Event:
    """Take back everything that somebody did and that is in force, in one event; taken back itself, all is there again.

    - `manager`: Who does it.
    - `name`: Whose work it is.
    - `key`: The sender's key for it.
    """
    with live.writing:
        log = live.log()
        if (stored := live.events.stored(key, "withdraw")) is not None:
            return stored
        mine = {event.seq for event in log.standing() if event.annotator == name and _is_work(event, log)}
        if not mine:
            raise NotThereError(f"there is nothing of {name!r} to take back")
        return live.withdraw(mine, annotator=manager.name, key=key)


def _is_work(event: Event, log: Log) -> bool:
    """Whether an event is something to take back: not an undo, and not what took one's own work back."""
    if isinstance(event.payload, Withdrawn):
        whose = {log.event(seq).annotator for seq in event.payload.events}
        return event.payload.how == "choice" and event.annotator not in whose
    return not event.payload.outside_session


def require_few_reports(live: LiveProject, person: Person) -> None:
    """Refuse one more bad picture of somebody, where the manager has not looked at many."""
    waiting = len(live.log().left_out().reported_by(person.name))
    most = max(FEWEST_REPORTS, round(SHARE_OF_REPORTS * live.project.n_images))
    if waiting >= most:
        raise NotYoursError(f"you reported {waiting} bad pictures: say not sure until the manager has looked at them")


def answers_of(log: Log) -> list[CrowdAnswer]:
    """All answers to questions in force, screens pair by pair; those that tested somebody with the truth."""
    known = {
        subject_of(event.payload.items): event.payload.value
        for event in log.standing()
        if event.kind == "gold" and isinstance(event.payload, Said)
    }
    return [each for event in log.standing() if _is_answer(event) for each in _crowd_answers(event, known)]


def _is_answer(event: Event) -> bool:
    return event.kind == "answer" and isinstance(event.payload, Said)


def _crowd_answers(event: Event, known: Mapping[tuple[int, ...], str]) -> Iterator[CrowdAnswer]:
    """What somebody said, pair by pair where it was a screen; of its pairs, those that are gold have their truth."""
    (answer,) = event.answers()
    truth = event.payload.data()["shown"].get(GOLD, "")
    for part in split_answer(answer):
        items, value = reorder(part.items, part.value)
        right = known.get(subject_of(part.items), "") if answer.kind in SCREENS else truth
        yield CrowdAnswer(event.annotator, items, value, part.seconds, str(right), part.kind)


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


def _weighed(rates: AnnotatorRates | None) -> dict[str, Any]:
    """For how much somebody's answers count, and why."""
    return NOT_TESTED if rates is None else {name: getattr(rates, name) for name in NOT_TESTED}


def _questions(votes: Votes) -> dict[str, int]:
    asked = [ballot for ballot in votes.ballots.values() if ballot.votes]
    agreed = sum(ballot.complete and len(ballot.choices) == 1 for ballot in asked)
    return {
        "questions": len(asked),
        "complete": sum(ballot.complete for ballot in asked),
        "agreed": agreed,
        "adjudicated": sum(ballot.ruling is not None for ballot in asked),
    }
