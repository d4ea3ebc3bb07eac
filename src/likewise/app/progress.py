"""How far along: what is settled, how good it seems, and whether one can stop."""

from __future__ import annotations

from collections import Counter
from typing import Any, cast

from likewise.app.live import LiveProject
from likewise.constraints import Constraints
from likewise.query.answers.memberships import Memberships
from likewise.query.answers.quality import Quality
from likewise.query.question import Answer, Membership
from likewise.store import Event, Log

CURVE_POINTS = 60
RECENT = 30  # answers that the time a question takes is the mean of
GOOD = 0.95  # lower end of the estimated pairwise F from which on a stop is suggested
FEWEST = 20  # checks before a stop is suggested


def own_progress(live: LiveProject, annotator: str) -> dict[str, Any]:
    """How many answers one person gave and how long they took: nothing of anybody else."""
    mine = [event for event in live.log().standing() if event.annotator == annotator]
    times = [event.seconds for event in mine if event.seconds is not None][-RECENT:]
    return {
        "answers": live.n_answers_of(annotator),
        "seconds_per_answer": round(sum(times) / len(times), 2) if times else None,
    }


def progress_of(live: LiveProject) -> dict[str, Any]:
    """What the page shows on how far it is."""
    log, n = live.log(), max(live.project.n_images, 1)
    every = list(log.said())
    said = [(event, answer) for event, answer in every if answer.kind != "membership"]
    times = [answer.seconds for _, answer in said if answer.seconds is not None][-RECENT:]
    curve, settled = _curve(n, every, live.ready)
    quality = live.clustering.quality
    agreeing = _agreeing(live, said)
    return {
        "answers": live.n_answers,
        "by_annotator": _by_annotator(log),
        "settled": settled,
        "clusters": len(live.wall.clusters),
        "estimate": list(quality.precision) if quality is not None and quality.n_checks else None,
        "estimate_recall": list(quality.recall) if quality is not None and quality.n_checks else None,
        "n_checks": 0 if quality is None else quality.n_checks,
        "seconds_per_answer": round(sum(times) / len(times), 2) if times else None,
        "agreeing": agreeing,
        "conflicts": len(live.ledger.contradictions()),
        "disputes": live.n_disputed(),
        "curve": curve,
        "stop": _stop(live, quality),
    }


def _curve(n: int, said: list[tuple[Event, Answer]], ready: int) -> tuple[list[dict[str, Any]], float]:
    """Share of the pictures known to be the same as another, after so many answers."""
    constraints, memberships = Constraints(n), Memberships()
    grouped: set[int] = set()
    placed: set[int] = set()
    shares = [0.0]  # by the number of answers; what is said of groups settles pictures and is none
    for event, answer in said:
        for i, j, relation in answer.statements():
            if constraints.add(i, j, relation) is None and relation == "same":
                grouped.update((i, j))
        if answer.kind == "membership":
            memberships.put(answer.items, cast(Membership, answer.value), answer.group, event.seq)
            placed = {item for items in memberships.groups().values() if len(items) > 1 for item in items}
        else:
            shares.append(0.0)
        shares[-1] = round(min(1.0, len(grouped | placed) / max(ready, 1)), 4)
    step, last = max(1, len(shares) // CURVE_POINTS), len(shares) - 1
    shown = [k for k in range(1, len(shares)) if k % step == 0 or k == last]
    return [{"answers": k, "settled": shares[k]} for k in shown], shares[-1]


def _by_annotator(log: Log) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for event in log.standing():
        if event.kind != "gold" and (said := len(event.payload.judgements())):
            counts[event.annotator] += said
    return dict(counts)


def _agreeing(live: LiveProject, said: list[Any]) -> int:
    """How many of the last answers in a row say what the clusters say already."""
    home = live.wall.cluster_of
    count = 0
    for _, answer in reversed(said):
        for i, j, relation in answer.statements():
            if i not in home or j not in home or (home[i] == home[j]) != (relation == "same"):
                return count
        count += 1
    return count


def _stop(live: LiveProject, quality: Quality | None) -> dict[str, Any]:
    """Whether one can stop: by checks drawn at random alone, or when nothing is left; else how far it is."""
    if live.ledger.contradictions():
        return {"hint": False, "reason": "some answers contradict each other: look at the conflicts first"}
    if live.queue.finished:
        return {"hint": True, "reason": "nothing is left to ask: every pair is known"}
    if quality is None or not quality.n_checks:
        return {"hint": False, "reason": "no checks at random yet: they tell how good the clusters are"}
    low, _, high = quality.pairwise_f
    if quality.n_checks < FEWEST:
        return {"hint": False, "reason": f"{quality.n_checks} of at least {FEWEST} recent checks are answered"}
    if low >= GOOD:
        return {"hint": True, "reason": f"checks say that at least {low:.0%} of the pairs are right"}
    return {"hint": False, "reason": f"checks say {low:.0%} to {high:.0%} of the pairs; {GOOD:.0%} is the aim"}
