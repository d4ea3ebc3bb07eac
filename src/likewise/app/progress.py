"""How far along: what is settled, how good it seems, and whether one can stop."""

from __future__ import annotations

from itertools import islice
from typing import Any

from likewise.app.live import LiveProject
from likewise.app.pace import pace_of, time_left
from likewise.formats.words import worded
from likewise.query.answers.quality import Quality
from likewise.query.question import Answer

CURVE_POINTS = 60
RECENT = 30  # answers that the time a question takes is the mean of
GOOD = 0.95  # lower end of the estimated pairwise F from which on a stop is suggested
FEWEST = 8  # checks before a stop is suggested


def own_progress(live: LiveProject, annotator: str) -> dict[str, Any]:
    """How many answers one person gave and how long they took: nothing of anybody else."""
    mine = [event for event in live.log().standing() if event.annotator == annotator]
    times = [event.seconds for event in mine if event.seconds is not None][-RECENT:]
    return {
        "answers": live.n_answers_of(annotator),
        "seconds_per_answer": round(sum(times) / len(times), 2) if times else None,
    }


def progress_of(live: LiveProject, annotator: str = "") -> dict[str, Any]:
    """What the page shows on how far it is."""
    every = live.log().votes().answers()
    said = [answer for _, answer in every if answer.kind != "membership"]
    counts = live.events.settled_curve.of(live.project.n_images, [(event.seq, answer) for event, answer in every])
    curve, settled = _curve(counts, live.ready)
    times = _last_times(said)
    quality = live.clustering.quality
    conflicts = live.ledger.contradictions()
    return {
        "answers": live.n_answers,
        "by_annotator": live.events.n_answers_by_annotator(),
        "settled": settled,
        "clusters": len(live.wall.clusters),
        "estimate": list(quality.precision) if quality is not None and quality.n_checks else None,
        "estimate_recall": list(quality.recall) if quality is not None and quality.n_checks else None,
        "n_checks": 0 if quality is None else quality.n_checks,
        "seconds_per_answer": round(sum(times) / len(times), 2) if times else None,
        "agreeing": _agreeing(live, said),
        "conflicts": len(conflicts),
        "disputes": live.n_disputed(),
        "curve": curve,
        "stop": worded_reason(_stop(live, quality, len(conflicts)), live.of_faces),
        "forms": pace_of(live, annotator),
        "left": worded_reason(time_left(live), live.of_faces),
    }


def worded_reason(about: Any, of_faces: bool) -> Any:
    """The same with its reason in words about what is asked about; None stays."""
    return about and about | {"reason": worded(about["reason"], of_faces)}


def _curve(counts: list[int], ready: int) -> tuple[list[dict[str, Any]], float]:
    """Share of the pictures known to be the same as another, after so many answers; and the last share."""

    def share(count: int) -> float:
        return round(min(1.0, count / max(ready, 1)), 4)

    step, last = max(1, len(counts) // CURVE_POINTS), len(counts) - 1
    shown = [k for k in range(1, len(counts)) if k % step == 0 or k == last]
    return [{"answers": k, "settled": share(counts[k])} for k in shown], share(counts[-1])


def _last_times(said: list[Answer]) -> list[float]:
    """Seconds of the last answers that have them, the earliest first."""
    times = (answer.seconds for answer in reversed(said) if answer.seconds is not None)
    return list(islice(times, RECENT))[::-1]


def _agreeing(live: LiveProject, said: list[Answer]) -> int:
    """How many of the last answers in a row say what the clusters say already."""
    home = live.wall.cluster_of
    count = 0
    for answer in reversed(said):
        for i, j, relation in answer.statements():
            if i not in home or j not in home or (home[i] == home[j]) != (relation == "same"):
                return count
        count += 1
    return count


def _stop(live: LiveProject, quality: Quality | None, n_conflicts: int) -> dict[str, Any]:
    """Whether one can stop: by checks drawn at random alone, or when nothing is left; else how far it is.

    Answers that others contradict are allowed for where they are weighed; else they are to be looked at first.
    """
    if n_conflicts and not live.settings["recheck"]:
        return {"hint": False, "reason": "some answers contradict each other: look at the conflicts first"}
    one = n_conflicts == 1
    what = "1 answer that others contradict is" if one else f"{n_conflicts} answers that others contradict are"
    aside = f"; {what} set aside" if n_conflicts else ""
    if live.queue.finished:
        return {"hint": True, "reason": f"nothing is left to ask: every pair is known{aside}"}
    if quality is None or not quality.n_checks:
        return {"hint": False, "reason": f"no checks at random yet: they tell how good the clusters are{aside}"}
    low, _, high = quality.pairwise_f
    if quality.n_checks < FEWEST:
        return {"hint": False, "reason": f"{quality.n_checks} of at least {FEWEST} recent checks are answered{aside}"}
    if low >= GOOD:
        return {"hint": True, "reason": f"checks say that at least {low:.0%} of the pairs are right{aside}"}
    return {"hint": False, "reason": f"checks say {low:.0%} to {high:.0%} of the pairs; {GOOD:.0%} is the aim{aside}"}
