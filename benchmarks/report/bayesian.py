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
        "because they would have closed a cycle. Chosen and random pairs are compared over more seeds than the table has, with those of `strengths.json`.",
        "methods/bayesian.md",
    )
    here.blocks = [_scores(tables), _dropped(found)]
    strengths = kept.results("papers/pei2015_bayesian/strengths.json") or {}
    here.claims = [_ahead(tables), *_of_most(found, strengths)]
    for name, rows in tables.items():
        lines = {m: [(n, r["pairwise_f"]) for (method, n), r in rows.items() if method == m] for m in CHOSEN}
        here.panels.append(Panel(name, "answers", "pairwise F", {m: line for m, line in lines.items() if line}))
    return here


def _of_most(found: dict[str, Any], strengths: dict[str, Any]) -> list[Claim]:
    """What the thesis says of most sets."""
    more = _with_seeds(found, strengths)
    random = "BC+tree, random pairs,"
    return [
        _most(more, "Info+BC", ("BC+tree",), random, _why(strengths, "Info+BC", "BC+tree")),
        _most(more, "Uncertain+BC", ("BC+tree",), random, _why(strengths, "Uncertain+BC", "BC+tree")),
        _most(more, "Info+BC", ("Uncertain+BC",), "Uncertain+BC", _why(strengths, "Info+BC", "Uncertain+BC")),
        _most(found, "BC+tree", PASSIVE, "ITML and MPCKMeans, with and without cycles, all with random pairs,"),
    ]


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


def _with_seeds(found: dict[str, Any], strengths: dict[str, Any]) -> dict[str, Any]:
    """The runs of every set, and those of strengths.json, which have other seeds, with the printed λ."""
    out = {}
    for name, results in found.items():
        more = strengths.get(name, {}).get(PRINTED, {})
        runs = {m: dict(by) for m, by in results["runs"].items()}
        for method, seeds in more.items():
            runs[method] = {s: {"f": f} for s, f in seeds.items()} | runs.get(method, {})
        out[name] = {"runs": runs}
    return out


def _most(found: dict[str, Any], mine: str, others: tuple[str, ...], words: str, reason: str = "") -> Claim:
    """What the thesis says of most sets: by the means, and beside it by the interval of the differences on the same seeds."""
    says = f"{mine} above {words} at {LAST} questions on at least three of four sets (Pei 2017: on most)"
    ahead, verdicts, notes, seeds = 0, [], [], SEEDS
    for name, results in found.items():
        by = {m: values for m in (mine, *others) if (values := _at_last(results["runs"], m))}
        if mine not in by or len(by) < 2:
            continue
        same = set.intersection(*map(set, by.values()))
        by = {m: {s: values[s] for s in sorted(same)} for m, values in by.items()}
        rivals = {m: fmean(values.values()) for m, values in by.items() if m != mine}
        best = max(rivals, key=rivals.__getitem__)
        ours = fmean(by[mine].values())
        ahead += ours > rivals[best]
        verdicts.append(compare(list(by[mine].values()), list(by[best].values())))
        seeds = min(seeds, len(same))
        notes.append(f"{name} {score(ours)} ({best} {score(rivals[best])})")
    if not notes:
        return Claim(NAME, says)
    measured = f"on {ahead} of {len(notes)} sets, {listed(notes)}; by the 95 % interval of the difference {tally(verdicts, 'sets')} (at least {seeds} seeds)"
    return Claim(NAME, says, ahead >= MOST, measured, partly=seeds < SEEDS, reason=reason)


def _why(strengths: dict[str, Any], mine: str, other: str) -> str:
    """Both with the printed λ and with another, on the same seeds: whether the lead grows by more than its interval."""
    notes, verdicts, seeds, ahead = [], [], set(), 0
    for name, by in strengths.items():
        sides = [{m: by.get(strength, {}).get(m, {}) for m in (mine, other)} for strength in (PRINTED, WEAKER)]
        same = sorted(set.intersection(*(set(runs) for side in sides for runs in side.values())))
        if not same:
            continue
        before, after = ([[side[m][s][str(LAST)] for s in same] for m in (mine, other)] for side in sides)
        verdicts.append(compare(*([a - b for a, b in zip(*side, strict=True)] for side in (after, before))))
        seeds.add(len(same))
        ahead += fmean(after[0]) > fmean(after[1])
        shown = (" and ".join(score(fmean(values)) for values in side) for side in (before, after))
        notes.append(f"{name} {next(shown)} with {PRINTED}, {next(shown)} with {WEAKER}")
    if not notes:
        return ""
    grows, falls = verdicts.count("above"), verdicts.count("below")
    said = f"the printed λ = {PRINTED} has a part in it on {grows} of {len(verdicts)} sets"
    part = said if grows > falls else NOT_FOUND
    many = " to ".join(map(str, sorted({min(seeds), max(seeds)})))
    return f"{part}: with λ = {WEAKER} in its place the lead grows or falls so: {tally(verdicts, 'sets')} by the interval, and by the means {mine} is ahead on {ahead}; {mine} and {other}, on the same {many} seeds, have {listed(notes)}."


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
