"""The steps of a person in a study: begin, answer, take back, survey. Refused when they are out of turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from likewise.app.live import LiveProject
from likewise.app.studies import OutOfTurnError, Participant, Studies, Study
from likewise.query.question import ANSWERS
from likewise.store import Entry, Event

__all__ = ["FACTORS", "answer", "begin", "factors_of", "send_survey", "take_back"]

FACTORS = ("performance", "effort_per_query", "overall_effort", "frustration", "preference")


def begin(studies: Studies, name: str, person: str, key: str) -> Study:
    """Draw the person's questions and store them; a study that was begun stays as it is."""
    study = studies.study(name)
    with studies.lock:
        studies.follow()
        if study.person(person).questions is None:
            payload = {"name": name, "questions": study.deal(person)}
            studies.project.append("study-start", payload, annotator=person, key=key)
            studies.follow()
    return study


def answer(
    studies: Studies, live: LiveProject, payload: Mapping[str, Any], *, person: str, key: str, seconds: float
) -> Event:
    """Store an answer to the person's current question.

    - `studies`: The studies of the project.
    - `live`: Gets the answer too, where the study says that its answers count.
    - `payload`: ``name`` of the study, ``number`` of the question, ``items``, ``value`` and ``shown``.
    - `person`, `key`, `seconds`: Author, idempotence key, and how long the answer took.
    """
    study = studies.study(payload["name"])
    kind = "pair" if len(payload["items"]) == 2 else "triplet"

    entries = [Entry("study-answer", {**payload, "kind": kind}, person, key, seconds)]
    with studies.lock, live.writing:
        studies.follow()
        questions = study.person(person).questions
        if questions is None:
            raise OutOfTurnError("begin the study first")
        if key not in studies.keys:
            _check_turn(study, study.person(person), payload)
        number = payload["number"]
        if study.plan["feed"] and number < len(questions) and not questions[number][2]:
            entries.append(_fed(entries[0]))
        event = live.append_all(entries)
        studies.follow()
    return event


def take_back(studies: Studies, live: LiveProject, name: str, person: str, key: str) -> Study:
    """Take the person's last answer back; it is kept as taken back."""
    study = studies.study(name)
    with studies.lock, live.writing:
        studies.follow()
        state = study.person(person)
        if studies.was_taken_back(person, key):
            return study
        if state.survey is not None:
            raise OutOfTurnError("the study is finished: nothing can be taken back any more")
        if not state.answers:
            raise OutOfTurnError("there is no answer to take back")
        last = state.answers[-1]
        entries = [Entry("take-back", {"name": name, "events": [last.seq]}, person, key)]
        fed = live.done(f"{last.key}/feed")
        if fed is not None and live.log().in_force(fed):
            entries.append(Entry("withdraw", {"events": [fed]}, person, f"{key}/feed"))
        live.append_all(entries)
        studies.follow()
    return study


def send_survey(studies: Studies, payload: Mapping[str, Any], *, person: str, key: str) -> Study:
    """Store the survey (``name``, ``choices``, ``comment``), which ends the study for this person."""
    study = studies.study(payload["name"])
    wanted = set(factors_of(study))
    if set(payload["choices"]) != wanted:
        missing = sorted(wanted - set(payload["choices"]))
        raise ValueError(
            f"the survey has no choice for {missing[0]}" if missing else "this study has only one form of question"
        )

    def check() -> None:
        state = study.person(person).state
        if state == "done":
            raise OutOfTurnError("you have sent the survey already")
        if state != "survey":
            raise OutOfTurnError("the survey comes after the last question")

    studies.append_once("study-survey", payload, check, annotator=person, key=key)
    return study


def factors_of(study: Study) -> tuple[str, ...]:
    """What the survey asks for: it compares the two forms of question."""
    return FACTORS if study.plan["pairs"] and study.plan["triplets"] else ()


def _check_turn(study: Study, state: Participant, payload: Mapping[str, Any]) -> None:
    """Refuse what is not an answer to the person's current question."""
    assert state.questions is not None
    at, number, value = len(state.answers), payload["number"], payload["value"]
    if number < at:
        raise OutOfTurnError(f"question {number + 1} is answered already: take it back to change it")
    if number >= len(state.questions):
        raise OutOfTurnError(f"there are {len(state.questions)} questions, none with number {number + 1}")
    if number > at:
        raise OutOfTurnError(f"you are at question {at + 1}: question {number + 1} comes later")
    kind, items, _ = state.questions[at]
    if tuple(payload["items"]) != items:
        raise OutOfTurnError(f"these are not the pictures of your question {at + 1}")
    allowed = ANSWERS[kind]
    if value not in allowed or (value == "unsure" and not study.plan["unsure"]):
        words = [word for word in allowed if word != "unsure"]
        raise ValueError(f"the answer to a {kind} of this study is {', '.join(words[:-1])} or {words[-1]}")


def _fed(answer: Entry) -> Entry:
    """An answer of a study as one that counts in the project too: an event of its own, stored with it or not at all."""
    said = answer.payload
    assert isinstance(said, dict)
    payload = {"kind": said["kind"], "items": said["items"], "value": said["value"], "shown": {"study": said["name"]}}
    return Entry("answer", payload, answer.annotator, f"{answer.key}/feed", answer.seconds)
