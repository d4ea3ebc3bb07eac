"""Bayesian active clustering."""

from __future__ import annotations

from statistics import fmean
from typing import Any

from benchmarks.papers.seeds import mean_and_interval
from benchmarks.report import published
from benchmarks.report.claim import NOT_FOUND, Claim, Panel, Section
from benchmarks.report.kept import Kept
from benchmarks.report.write import NOTHING, compare, listed, score, table, tally, with_interval

NAME = "Bayesian active clustering"
SETS = ("sonar", "balance-scale", "letters-IJ", "digits-389")
CHOSEN = ("Info+BC", "Uncertain+BC", "MinMax+MPCKMeans", "MinMax+ITML", "NPU+MPCKMeans", "NPU+ITML")
RANDOM = ("BC+tree", "ITML", "MPCKMeans")
PASSIVE = ("ITML", "ITML+tree", "MPCKMeans", "MPCKMeans+tree")
MOST = 3  # of four sets
PRINTED, WEAKER = "10", "1"  # λ of strengths.json
LAST = 60
SEEDS = 20


def section(kept: Kept) -> Section:
    """The part of the page."""
    found = kept.sets("papers/pei2015_bayesian/results", SETS)
    tables = {name: _rows(results) for name, results in found.items()}
    here = Section(
        "bayesian",
        "Bayesian active clustering (Pei 2017, ch. 4)",
        "Pairwise F after 60 answers. Pei (2017) draws its curves (Fig. 4.1, 4.2; 30 runs) and prints Table 4.2: how many pairs had more information than the one asked and were dropped "
        "because they would have closed a cycle.",
        "methods/bayesian.md",
    )
    here.blocks = [_scores(tables), _dropped(found)]
    strengths = kept.results("papers/pei2015_bayesian/strengths.json") or {}
    pairs = (("Info+BC", "BC+tree"), ("Uncertain+BC", "BC+tree"), ("Info+BC", "Uncertain+BC"))
    here.claims = [
        _ahead(tables),
        *(
            _most(
                found,
                mine,
                (other,),
                f"{other}, random pairs," * (other in RANDOM) or other,
                _why(strengths, mine, other),
            )
            for mine, other in pairs
        ),
        _most(found, "BC+tree", PASSIVE, "ITML and MPCKMeans, with and without cycles, all with random pairs,"),
    ]
    for name, rows in tables.items():
        lines = {m: [(n, r["pairwise_f"]) for (method, n), r in rows.items() if method == m] for m in CHOSEN}
        here.panels.append(Panel(name, "answers", "pairwise F", {m: line for m, line in lines.items() if line}))
    return here


def _rows(results: dict[str, Any]) -> dict[tuple[str, int], dict[str, Any]]:
    """Every method and count, with the interval over its seeds."""
    rows = {(r["method"], r["answers"]): dict(r) for r in results["table"]}
    for (method, count), row in rows.items():
        values = [run["f"][str(count)] for run in results["runs"][method].values() if str(count) in run["f"]]
        row["interval_95"] = mean_and_interval(values)[1]
    return rows


def _ahead(tables: dict[str, Any]) -> Claim:
    says = "Info+BC above MinMax and NPU, with MPCKMeans and with ITML, at 60 questions on at least three of four sets"
    ahead, notes = 0, []
    for name, rows in tables.items():
        ours = rows.get(("Info+BC", LAST))
        others = {m: rows[m, LAST] for m in CHOSEN[2:] if (m, LAST) in rows}
        if ours is None or not others:
            continue
        best = max(others, key=lambda m: others[m]["pairwise_f"])
        ahead += ours["pairwise_f"] > others[best]["pairwise_f"]
        notes.append(f"{name} {score(ours['pairwise_f'])} ({best} {score(others[best]['pairwise_f'])})")
    if not notes:
        return Claim(NAME, says)
    seeds = min(row["seeds"] for rows in tables.values() for row in rows.values())
    measured = f"{ahead} of {len(notes)} sets ({seeds} seed{'s' if seeds > 1 else ''})"
    return Claim(NAME, says, ahead >= 3, measured, listed(notes), partly=seeds < SEEDS)


def _at_last(runs: dict[str, Any], method: str) -> dict[str, float]:
    """F after the last answer by seed."""
    return {seed: run["f"][str(LAST)] for seed, run in runs.get(method, {}).items() if str(LAST) in run["f"]}


def _most(found: dict[str, Any], mine: str, others: tuple[str, ...], words: str, reason: str = "") -> Claim:
    """What the thesis says of most sets: by the means, and beside it by the interval of the differences on the same seeds."""
    says = f"{mine} above {words} at {LAST} questions on at least three of four sets (Pei 2017: on most)"
    ahead, verdicts, notes, seeds = 0, [], [], SEEDS
    for name, results in found.items():
        by = {m: values for m in (mine, *others) if (values := _at_last(results["runs"], m))}
        if mine not in by or len(by) < 2:
            continue
        rivals = {m: fmean(values.values()) for m, values in by.items() if m != mine}
        best = max(rivals, key=rivals.__getitem__)
        ours = fmean(by[mine].values())
        ahead += ours > rivals[best]
        same = [seed for seed in by[mine] if seed in by[best]]
        verdicts.append(compare([by[mine][s] for s in same], [by[best][s] for s in same]))
        seeds = min(seeds, *map(len, by.values()))
        notes.append(f"{name} {score(ours)} ({best} {score(rivals[best])})")
    if not notes:
        return Claim(NAME, says)
    measured = f"on {ahead} of {len(notes)} sets, {listed(notes)}; by the 95 % interval of the difference {tally(verdicts, 'sets')} (at least {seeds} seeds)"
    return Claim(NAME, says, ahead >= MOST, measured, partly=seeds < SEEDS, reason=reason)


def _why(strengths: dict[str, Any], mine: str, other: str) -> str:
    """Both with the printed λ and with another, on the same seeds."""
    notes, gains, seeds = [], [], set()
    for name, by in strengths.items():
        sides = [{m: by.get(strength, {}).get(m, {}) for m in (mine, other)} for strength in (PRINTED, WEAKER)]
        same = set.intersection(*(set(runs) for side in sides for runs in side.values()))
        if not same:
            continue
        means = [[fmean(side[m][s][str(LAST)] for s in same) for m in (mine, other)] for side in sides]
        gains.append((means[1][0] - means[1][1]) - (means[0][0] - means[0][1]))
        seeds.add(len(same))
        (before, after) = (f"{score(ours)} and {score(theirs)}" for ours, theirs in means)
        notes.append(f"{name} {before} with {PRINTED}, {after} with {WEAKER}")
    if not notes:
        return ""
    better = sum(gain > 0 for gain in gains)
    part = f"the printed λ = {PRINTED} has a part in it on {better} of {len(gains)} sets" if better else NOT_FOUND
    many = " to ".join(map(str, sorted({min(seeds), max(seeds)})))
    return f"{part}: {mine} and {other}, on the same {many} seeds, have {listed(notes)}."


def _scores(tables: dict[str, Any]) -> str:
    methods = [m for m in (*CHOSEN, *RANDOM) if any((m, LAST) in rows for rows in tables.values())]
    out = []
    for name, rows in tables.items():
        cells = []
        for m in methods:
            row = rows.get((m, LAST))
            cells.append(with_interval(row["pairwise_f"], row["interval_95"], row["seeds"]) if row else NOTHING)
        out.append((name, "none printed", *cells))
    named = [f"{m}, random pairs" if m in RANDOM else m for m in methods]
    return table(["pairwise F at 60", "Pei (2017)", *named], out)


def _dropped(found: dict[str, Any]) -> str:
    out = []
    for name, printed in published.DROPPED_PAIRS.items():
        for method, value in zip(("Info+BC", "Uncertain+BC"), printed, strict=True):
            runs = found.get(name, {}).get("runs", {}).get(method, {})
            ours = [run["dropped"][str(LAST)] for run in runs.values() if str(LAST) in run.get("dropped", {})]
            mean = sum(ours) / len(ours) if ours else None
            out.append(
                (
                    f"dropped pairs at question {LAST}, {name}, {method.partition('+')[0]}",
                    f"{value:.1f} ({published.DROPPED_PAIRS_PLACE})",
                    f"{mean:.1f} ({len(ours)})" if mean is not None else "not run",
                    f"{mean - value:+.1f}".replace("-", "−") if mean is not None else NOTHING,
                )
            )
    return table(["what", "Pei (2017)", "ours (seeds)", "difference"], out)
