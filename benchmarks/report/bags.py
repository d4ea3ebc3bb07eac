"""Bag constraints on the letters of two poems."""

from __future__ import annotations

from typing import Any

from benchmarks.report.claim import Claim, Panel, Section
from benchmarks.report.kept import Kept
from benchmarks.report.write import apart, half_width, listed, percent, table, with_interval

NAME = "Bag constraints"
POEMS = ("carroll", "frost")
AFFINITIES = ("10 nearest", "all pairs")
OTHERS = ("SP", "SpLearn", "SpReg")


def section(kept: Kept) -> Section:
    """The part of the page."""
    rows = kept.results("papers/pei2014_bags/results.json") or []
    here = Section(
        "bags",
        "Bag constraints (Pei 2017, ch. 2)",
        "NMI, K = C. Pei (2017) only draws its curves (Fig. 2.2, 2.3): CSP above SP, SpLearn and SpReg on both letter sets. It writes an affinity for every pair and counts "
        "the cost of a sparse graph, so both are run.",
        "methods/bags.md",
    )
    equal = {poem: min((r["n_clusters"] for r in rows if r["poem"] == poem), default=0) for poem in POEMS}
    rows = [row for row in rows if row["n_clusters"] == equal.get(row["poem"])]
    here.blocks = [_table(rows)]
    here.claims = [_ahead(rows, affinity) for affinity in AFFINITIES]
    for poem in POEMS:
        mine = [r for r in rows if r["poem"] == poem and r["affinity"] == "10 nearest"]
        lines = {m: [(r["share"], r["nmi"]) for r in mine if r["method"] == m] for m in _methods(mine)}
        if lines:
            here.panels.append(Panel(f"{poem}, 10 nearest", "share of labelled bags", "NMI", lines))
    return here


def _methods(rows: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(row["method"] for row in rows))


def _ahead(rows: list[dict[str, Any]], affinity: str) -> Claim:
    says = f"CSP above SP, SpLearn and SpReg on both letter sets from 40 % labelled bags on; affinities: {affinity}"
    nmi = {(r["poem"], r["share"], r["method"]): r["nmi"] for r in rows if r["affinity"] == affinity}
    places = [(poem, share) for poem, share, method in nmi if method == "CSP" and share >= 0.4]
    if {poem for poem, _ in places} != set(POEMS):
        return Claim(NAME, says)
    behind = []
    for poem, share in places:
        others = {m: nmi[poem, share, m] for m in OTHERS if (poem, share, m) in nmi}
        best = max(others, key=others.__getitem__)
        if others[best] >= nmi[poem, share, "CSP"]:
            behind.append(f"{poem} {percent(share)} ({apart(best, others[best], nmi[poem, share, 'CSP'])})")
    measured = f"at {len(places) - len(behind)} of {len(places)} points"
    return Claim(NAME, says, not behind, measured, f"not at {listed(behind)}")


def _table(rows: list[dict[str, Any]]) -> str:
    methods = _methods(rows)
    by = {(r["poem"], r["affinity"], r["share"], r["method"]): r for r in rows}
    places = list(dict.fromkeys((r["poem"], r["affinity"], r["share"]) for r in rows))
    out = []
    for place in places:
        cells = []
        for m in methods:
            row = by.get((*place, m))
            half = half_width(row["nmi_deviation"], row["seeds"]) if row else None
            cells.append(with_interval(row["nmi"] if row else None, half))
        seeds = {by[(*place, m)]["seeds"] for m in methods if (*place, m) in by}
        poem, affinity, share = place
        out.append((poem, affinity, percent(share), "none printed", *cells, listed(map(str, sorted(seeds)))))
    return table(["poem", "affinities", "labelled", "Pei (2017)", *methods, "seeds"], out)
