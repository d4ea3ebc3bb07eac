"""The default asker beside peers and the package's other strategies."""

from __future__ import annotations

import math
from typing import Any

from benchmarks.askers.__main__ import DOUBTING, NEED_K, TOLD
from benchmarks.askers.peers import OF
from benchmarks.askers.report import OURS, mean_at
from benchmarks.askers.sets import SETS, TUNED_ON
from benchmarks.papers.seeds import mean_and_interval
from benchmarks.report import published
from benchmarks.report.claim import Claim, Section, at_least, at_most
from benchmarks.report.kept import Kept
from benchmarks.report.write import NOTHING, apart, count, duration, listed, score, table, with_interval

NAME = "Default asker"
CHECKPOINTS = (25, 50, 100, 200, 400, 800, 1600)
COBRAS = "peer: COBRAS"
OURS_TOLD = "auto, K known"
NOISE = 0.01
Runs = list[dict[str, Any]]
Sets = dict[str, dict[str, Runs]]


def section(kept: Kept) -> Section:
    """The part of the page."""
    right: Sets = {}
    wrong: Sets = {}
    for content in kept.all("askers/results").values():
        config = content["config"]
        sets = wrong if config["error_rate"] else right
        sets.setdefault(config["set"], {})[config["asker"]] = content["results"]
    here = Section(
        "askers",
        "Default asker",
        "Adjusted Rand index after so many answers, the number of classes not given, mean of the seeds (in brackets the best of the others that were run). "
        f"Constants were chosen on {listed(TUNED_ON)}. [Askers side by side](askers.md) has every asker and the curves.",
        "askers.md",
    )
    here.blocks = [_table(right)]
    rest = sorted({a for by in right.values() for a in by} - {OURS, DOUBTING, OURS_TOLD, "A3S", *OF})
    told = [name for name in rest if name in NEED_K or name in TOLD]
    untold = [name for name in rest if name not in told]
    here.claims = [
        _against(right, "A3S", ["A3S"], NOISE),
        _against(right, "COBRAS", [COBRAS], NOISE),
        _against(right, "NPU and MinMax of the peer", [name for name in OF if name != COBRAS], NOISE),
        _against(right, "the package's other strategies that need no number of classes", untold, NOISE),
        _against(right, "the package's strategies that are given the number of classes, which it is not", told, NOISE),
        _against(right, "these, when it is given the number too", told, NOISE, OURS_TOLD),
        _trials(right),
        _bar(right, "flowers-17", 400, 0.85),
        _bar(right, "flowers-17", 1200, 0.95),
        _bar(right, "digits", 150, 0.96),
        _faces(right),
        _third(right),
        _ends(right, kept.results("askers/ends.json") or {}),
        _against(wrong, "every peer with 2 % wrong answers, nothing asked again", ["A3S", *OF], 0.0),
        _against(wrong, "every peer with 2 % wrong answers, expecting some", ["A3S", *OF], 0.0, DOUBTING),
        _time(kept, 1500, 0.1),
        _time(kept, 10000, 1.0),
        _stop_rule(kept),
    ]
    return here


def _plain(name: str) -> str:
    return name.partition(":")[0]


def _against(sets: Sets, whom: str, others: list[str], slack: float, mine: str = OURS) -> Claim:
    says = f"at or above {whom} at every checkpoint on every set" + (
        f" (−{score(slack, 2)} for noise)" if slack else ""
    )
    behind, met = [], set()
    for name in (name for name in SETS if mine in sets.get(name, {})):
        for other in (other for other in others if other in sets[name]):
            for step in CHECKPOINTS:
                ours, theirs = mean_at(sets[name][mine], step), mean_at(sets[name][other], step)
                if math.isnan(ours) or math.isnan(theirs):
                    continue
                met.add((name, other))
                if theirs > ours + slack:
                    behind.append(
                        f"{other.removeprefix('peer: ')} on {_plain(name)} at {step} ({apart('', theirs, ours)})"
                    )
    if not met:
        return Claim(NAME, says)
    seen = {name for name, _ in met}
    missing = [_plain(name) for name in SETS if name not in seen]
    measured = f"behind at {len(behind)} points on {len(seen)} of {len(SETS)} sets"
    detail = f"behind: {listed(behind)}" + (f"; not run on {listed(missing)}" if missing else "")
    every = len(met) == len(SETS) * len(others)
    return Claim(NAME, says, not behind, measured, detail, partly=not every)


def _trials(sets: Sets) -> Claim:
    says = "at or above the best of four askers in the trials before it was built (−.01 for noise)"
    behind, seen = [], 0
    for name, floor in published.TRIALS.items():
        for step, value in floor.items():
            ours = mean_at(sets[name][OURS], step) if OURS in sets.get(name, {}) else math.nan
            if math.isnan(ours):
                continue
            seen += 1
            if ours < value - NOISE:
                behind.append(f"{name} at {step} ({score(ours)}, trial {score(value)})")
    if not seen:
        return Claim(NAME, says)
    every = seen == sum(map(len, published.TRIALS.values()))
    return Claim(NAME, says, not behind, f"at {seen - len(behind)} of {seen} points", listed(behind), partly=not every)


def _bar(sets: Sets, name: str, step: int, bar: float) -> Claim:
    says = f"{name}: ARI ≥ {score(bar, 2)} after {count(step)} answers"
    runs = sets.get(name, {}).get(OURS)
    ours = mean_at(runs, step) if runs else math.nan
    return at_least(NAME, says, None if math.isnan(ours) else ours, bar, score(ours))


def _faces(sets: Sets) -> Claim:
    says = "orl-faces: exact before 800 answers"
    runs = sets.get("orl-faces", {}).get(OURS)
    if not runs:
        return Claim(NAME, says)
    reached = [run["questions_to"]["1.00"] for run in runs]
    last = max((n for n in reached if n is not None), default=None)
    holds = None not in reached and last is not None and last < 800
    return Claim(NAME, says, holds, f"at the latest after {last}" if None not in reached else "not in every run")


def _third(sets: Sets) -> Claim:
    says = "answers to ARI .95 at most a third of COBRAS's, wherever COBRAS gets there"
    notes, good = [], []
    for name in (name for name in SETS if {OURS, COBRAS} <= set(sets.get(name, {}))):
        reached = [run["questions_to"]["0.95"] for run in sets[name][COBRAS]]
        mine = [run["questions_to"]["0.95"] for run in sets[name][OURS]]
        if None in reached:
            continue
        theirs = sum(reached) / len(reached)
        ours = math.inf if None in mine else sum(mine) / len(mine)
        good.append(3 * ours <= theirs)
        notes.append(f"{_plain(name)} {ours:.0f} ({theirs:.0f})")
    if not notes:
        return Claim(NAME, says)
    seen = sum(COBRAS in by for by in sets.values())
    measured = f"on {sum(good)} of {len(good)} sets"
    return Claim(NAME, says, all(good), measured, f"ours (COBRAS): {listed(notes)}", partly=seen < len(SETS))


def _ends(sets: Sets, whole: dict[str, Any]) -> Claim:
    says = "it ends with exactly the truth on every set, and says that nothing is left to ask"
    there = [name for name in SETS if OURS in sets.get(name, {})]
    if not there:
        return Claim(NAME, says)
    open_, later, unfinished = [], [], []
    for name in there:
        end = whole.get(name)  # a run without a bound on the answers
        if end is not None and end["nothing_left"] and end["ari"] == 1:
            later.append(f"{_plain(name)} after {count(end['answers'])} answers, {count(end['least'])} at the least")
            continue
        runs = sets[name][OURS]
        ends = [(run["nothing_left"], list(run["ari"].items())[-1]) for run in runs]
        wrong = [last for said, last in ends if said and last[1] < 1]
        if wrong:
            step, value = wrong[0]
            open_.append(
                f"{_plain(name)} ({len(wrong)} of {len(runs)} runs; said so at ARI {score(value)} after {count(int(step))})"
            )
        elif not all(said for said, _ in ends):
            unfinished.append(_plain(name))
    n_run = len(there) - len(unfinished)
    measured = f"on {n_run - len(open_)} of {n_run} sets run to the end" + (f" ({listed(later)})" if later else "")
    missing = unfinished + [_plain(name) for name in SETS if name not in there]
    detail = [f"not on {listed(open_)}"] * bool(open_) + [f"not run to the end on {listed(missing)}"] * bool(missing)
    return Claim(NAME, says, not open_, measured, "; ".join(detail), partly=bool(missing))


def _time(kept: Kept, n: int, bar: float) -> Claim:
    says = f"choosing a question takes at most {duration(bar)} at N = {count(n)}"
    found = next((each for each in kept.results("speed/auto.json") or [] if each["n"] == n), None)
    if found is None:
        return Claim(NAME, says)
    measured = f"{duration(found['median_seconds'])}; 95 % within {duration(found['p95_seconds'])}, longest {duration(found['longest_seconds'])}, the first {duration(found['first_seconds'])}"
    return at_most(NAME, says, found["median_seconds"], bar, measured)


def _stop_rule(kept: Kept) -> Claim:
    says = "the stop rule's 95 % intervals cover in 93–97 % of simulated runs, over sets and moments, with 0, 2 and 10 % wrong answers"
    results = kept.results("askers/stop_rule.json")
    rows = [(name, row) for name, found in (results or {}).items() for row in found["coverage"]]
    if not rows:
        return Claim(NAME, says)
    by_rate: dict[str, list[tuple[float, int]]] = {}
    detail, shares = [], []
    for measure in ("precision", "recall"):
        cells = []
        for name, row in rows:
            share, (what, _, rate) = row[f"{measure}_covered"], name.partition(", ")
            shares.append(share)
            by_rate.setdefault(rate, []).append((share, row["runs"]))
            cells.append(f"{_plain(what)} {rate} at {row['answers']} {score(share)}")
        detail.append(f"{measure}: {listed(cells)}")
    means = {rate: sum(share * n for share, n in some) / sum(n for _, n in some) for rate, some in by_rate.items()}
    fewest = min(row["runs"] for _, row in rows)
    together = listed(f"{score(mean)} with {rate}" for rate, mean in means.items())
    measured = (
        f"{together}; {score(min(shares))} to {score(max(shares))} by set and moment, at least {fewest} runs each"
    )
    holds = all(0.93 <= mean <= 0.97 for mean in means.values())
    return Claim(NAME, says, holds, measured, "; ".join(detail), partly=fewest < 200 or len(means) < 3)


def _table(sets: Sets) -> str:
    out = []
    for name in (name for name in SETS if OURS in sets.get(name, {})):
        runs, cells = sets[name][OURS], []
        for step in CHECKPOINTS:
            ours = mean_at(runs, step)
            if math.isnan(ours):
                cells.append(NOTHING)
                continue
            _, half = mean_and_interval([mean_at([run], step) for run in runs])
            others = [mean_at(by, step) for asker, by in sets[name].items() if asker != OURS]
            best = max((value for value in others if not math.isnan(value)), default=None)
            cells.append(f"{with_interval(ours, half)} ({score(best, 2)})")
        out.append((_plain(name), str(len(runs)), listed(_names(sets[name])), *cells))
    return table(["ARI", "seeds", "others run", *map(str, CHECKPOINTS)], out)


def _names(by: dict[str, Runs]) -> list[str]:
    return sorted(asker.removeprefix("peer: ") for asker in by if asker != OURS)
