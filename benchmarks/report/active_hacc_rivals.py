"""Active-HACC beside the other algorithms of the thesis's Table 3.1, with right and with wrong answers."""

from __future__ import annotations

from statistics import fmean
from typing import Any

from benchmarks.papers.biswas2014_active.__main__ import NOISE
from benchmarks.papers.biswas2014_active.causes import PARTS, RIVALS as ASKED, TOLD
from benchmarks.report.claim import NOT_FOUND, Claim
from benchmarks.report.write import apart, count, listed, percent, score, table

NAME = "Active-HACC"
OURS = "Active-HACC, calibrated (our default)"
PURIFICATION = "kNN-graph purification"
RIVALS = (
    "Random + HACC",
    "Random + COP-KMeans",
    "CAC1",
    "Active-PCKMeans (Explore-Consolidate)",
    "NPU",
    "MinMax",
    PURIFICATION,
)
SETS = ("leaf-100", "leaf-250", "leaf-990", "faces-100", "faces-250", "scene-300", "iris")
AHEAD = "at or ahead of the other algorithms of Table 3.1, NPU and MinMax at every tenth of the questions"
Curve = dict[str, Any]
Runs = dict[str, dict[str, dict[str, list[float]]]]  # of causes.json: draw, asker, reader


def at(curve: Curve, answers: int) -> float | None:
    """The coefficient after so many answers; a curve that is over stays where it ended."""
    reached = [j for n, j in zip(curve["answers"], curve["jaccard"], strict=True) if n <= answers]
    return reached[-1] if reached else None


def behind(curves: dict[str, Curve], counts: range | list[int]) -> dict[str, list[tuple[int, float, float]]]:
    """Of every rival, where it is ahead: questions, its coefficient and ours."""
    found: dict[str, list[tuple[int, float, float]]] = {}
    for rival in (name for name in RIVALS if name in curves):
        found[rival] = []
        for n in counts:
            own, other = at(curves[OURS], n), at(curves[rival], n)
            if own is not None and other is not None and other > own:
                found[rival].append((n, other, own))
    return found


def claims(
    kept: dict[str, dict[str, Any]], wrong: dict[str, dict[str, Any]], causes: dict[str, Any], doubts: dict[str, Any]
) -> list[Claim]:
    """What the thesis says of every set, and of answers of people, who err."""
    found = []
    for name in SETS:
        runs = causes.get(f"{name}, 0 wrong")
        found.append(_claim(f"{name}: {AHEAD}", kept.get(name), _why(runs, doubts.get(name)) if runs else ""))
    for name, rate in NOISE.items():
        runs, told = (causes.get(f"{name}, {share:g} wrong") for share in (rate, 0.0))
        content = wrong.get(name)
        why = _why_wrong(content, rate, runs, told) if content and runs and told else ""
        found.append(_claim(f"{name} with {100 * rate:.1f} % wrong answers (§3.3.2): {AHEAD}", content, why))
    return found


def whole(causes: dict[str, Runs]) -> dict[str, Runs]:
    """The draws in which every asker was run, of the sets that have any."""
    done = {
        place: {d: by for d, by in runs.items() if {OURS, TOLD, *ASKED} <= set(by)} for place, runs in causes.items()
    }
    return {place: runs for place, runs in done.items() if runs}


def _claim(says: str, content: dict[str, Any] | None, reason: str) -> Claim:
    curves = content["results"]["curves"] if content else {}
    there = [rival for rival in RIVALS if rival in curves]
    if content is None or OURS not in curves or not there:
        return Claim(NAME, says)
    where = behind(curves, tenths(content))
    points = sum(map(len, where.values()))
    missing = [rival for rival in RIVALS if rival not in curves]
    measured = f"behind at {points} of {len(there) * PARTS} points" if points else f"at all {len(there) * PARTS} points"
    measured += f"; not run: {listed(missing)}" if missing else ""
    detail = listed(f"{rival} at {len(each)} of {PARTS}, {_widest(each)}" for rival, each in where.items() if each)
    return Claim(NAME, says, not points, measured, detail, partly=bool(missing), reason=reason if points else "")


def tenths(content: dict[str, Any]) -> list[int]:
    """Every tenth of the questions of a kept file."""
    return [content["config"]["budget"] * part // PARTS for part in range(1, PARTS + 1)]


def _widest(places: list[tuple[int, float, float]]) -> str:
    n, theirs, ours = max(places, key=lambda place: place[1] - place[2])
    return f"most after {n} ({apart('', theirs, ours)})"


def not_behind(runs: Runs, asker: str, reader: str = "own") -> tuple[int, int]:
    """At how many points one of our askers is not behind another, whose answers are read so; and of how many."""
    pairs = [
        (mine, other)
        for by in runs.values()
        for rival in ASKED
        for mine, other in zip(by[asker]["own"], by[rival][reader], strict=True)
    ]
    return sum(mine >= other for mine, other in pairs), len(pairs)


def _mean(runs: Runs, asker: str, reader: str = "own") -> float:
    return fmean(value for by in runs.values() for value in by[asker][reader])


def _why(runs: Runs, doubt: dict[str, Any] | None) -> str:
    """What is left of the shortfall with P of the truth, and with the answers of the others read by HACC."""
    (own, points), (told, _), (read, _) = (
        not_behind(runs, OURS),
        not_behind(runs, TOLD),
        not_behind(runs, OURS, "HACC"),
    )
    unknown = f"{NOT_FOUND}. " if max(told, read) <= own else ""
    return (
        f"{unknown}{_doubted(doubt)}Beside {listed(ASKED)} ({points} points) it is not behind at {own}; with P of the truth, which knows the answer to come, as no P that is learned does, at {told} (mean {score(_mean(runs, TOLD))} "
        f"in the place of {score(_mean(runs, OURS))}); and beside the same answers of the others, read by HACC, at {read}: {_verdict(own, told, read, points)}{_read_otherwise(runs)}"
    )


def _read_otherwise(runs: Runs) -> str:
    """Our own answers read by PCKMeans, where that is better."""
    ours, other = _mean(runs, OURS), _mean(runs, OURS, "PCKMeans")
    return f" Its own answers have a mean of {score(other)} when PCKMeans reads them." if other > ours else ""


def why_purification(runs: Runs) -> str:
    """What kNN-graph purification owes to its clusterer, on the faces that are the first of these."""
    own, read = (_mean(runs, PURIFICATION, reader) for reader in ("own", "HACC"))
    return (
        f"kNN-graph purification has another clusterer: over the tenths of the questions about the first 250 of the faces its mean is {score(own)}, of the same answers read by HACC {score(read)}, and ours "
        f"{score(_mean(runs, OURS))}."
    )


def _doubted(doubt: dict[str, Any] | None) -> str:
    """What P says where the clusters are wrong."""
    if not doubt or not doubt["pairs"]:
        return ""
    pairs = f"after {doubt['questions']} questions the clusters have {count(doubt['pairs'])} pairs wrong"
    if 2 * doubt["unlikely"] > doubt["pairs"]:
        return (
            f"P, learned from clusterings that know no answer, is sure of what is wrong: {pairs}, and at {count(doubt['unlikely'])} of them P gives less than .1 to the right answer "
            f"({score(doubt['mean P'])} on average over all of them); what it is sure of is asked last. "
        )
    return f"P does suspect what is wrong: {pairs}, to the right answer of which it gives {score(doubt['mean P'])} on average. "


def _why_wrong(content: dict[str, Any], rate: float, runs: Runs, right: Runs) -> str:
    """How far the thesis ran, how many mistakes there are, and what P of the truth becomes with them."""
    curves = content["results"]["curves"]
    ours = curves[OURS]
    best = max(ours["jaccard"])
    last = ours["answers"][ours["jaccard"].index(best)]
    before = [n for n in tenths(content) if n <= last]
    early = sum(map(len, behind(curves, before).values()))
    ends = sorted(curves[rival]["answers"][-1] for rival in ASKED if rival in curves)
    until = (
        f"there it is behind at {early} of {len(before) * len(RIVALS)} points" if before else "no tenth comes before it"
    )
    return (
        f"the thesis ran until its own algorithm stopped improving; ours is highest after {last} ({score(best)}), and {until}. After it every wrong answer is one more that HACC takes for right: about "
        f"{rate * ours['answers'][-1]:.0f} of {ours['answers'][-1]}, where {listed(ASKED)} have nothing left to ask after {ends[0]} to {ends[-1]}. And the criterion asks where an answer changes "
        f"most, so that a wrong one does the most harm: with P of the truth, which has a mean of {score(_mean(right, TOLD))} with right answers, it is {score(_mean(runs, TOLD))} with wrong ones, with its own P "
        f"{score(_mean(right, OURS))} and {score(_mean(runs, OURS))} ({len(runs)} draw{'s' * (len(runs) > 1)} of the mistakes)."
    )


def _verdict(own: int, told: int, read: int, points: int) -> str:
    """Which of the two takes more of the shortfall away."""
    if told == points:
        return "with that P nothing of the shortfall is left; it is not the criterion that holds it back."
    if max(told, read) <= own:
        return "neither takes any of the shortfall away."
    what = "a better P" if told >= read else "HACC, which reads the answers,"
    part = percent((max(told, read) - own) / (points - own))
    return f"{what} takes {part} of these points away; for the rest no cause was found."


def causes_table(causes: dict[str, Any]) -> str:
    """Mean coefficient over the tenths of the questions, by asker and reader."""
    out = []
    for place, runs in causes.items():
        for asker in next(iter(runs.values())):
            readers = next(iter(runs.values()))[asker]
            out.append((place, asker, *(score(_mean(runs, asker, reader)) for reader in readers), str(len(runs))))
    heads = ["mean Jaccard over the tenths of the questions: set, share of answers", "asker", "as in Table 3.1"]
    return table([*heads, "read by HACC", "read by PCKMeans", "draws"], out)
