"""Pairs against triplets of the same people, who are simulated."""

from __future__ import annotations

from statistics import fmean
from typing import Any

from benchmarks.report.claim import Claim
from benchmarks.report.write import apart, compare, listed, score, table, tally

BUDGETS = {"items": "with the same items", "seconds": "in the same time"}
Row = dict[str, Any]


def claim_of(about: str, rows: list[Row]) -> Claim:
    """What Fig. 3.9 shows of the thesis' people."""
    says = (
        "answers of people (simulated by the times and confusions of Tables 3.6 and 3.9, flowers-7): triplets above pairs, by the 95 % interval of the difference, with the "
        "same items and in the same time (Fig. 3.9)"
    )
    if not rows:
        return Claim(about, says)
    by = {(row["vectors"], row["along"], row["share"], row["form"]): row["f_by_person"] for row in rows}
    places = [place[:3] for place in by if place[3] == "pair"]
    found = {place: compare(by[*place, "triplet"], by[*place, "pair"]) for place in places}
    told = tally((compare(by[*place, "two of three"], by[*place, "pair"]) for place in places), "points")
    below = [
        f"{vectors} {BUDGETS[along]} at {share:g} ({apart('pairs', *_means(by, vectors, along, share))})"
        for (vectors, along, share), verdict in found.items()
        if verdict == "below"
    ]
    people = len(rows[0]["f_by_person"])
    measured = f"{tally(found.values(), 'points')}; two of three {told} ({people} people)"
    return Claim(about, says, set(found.values()) == {"above"}, measured, f"below for {listed(below)}")


def table_of(rows: list[Row]) -> str:
    """Mean F by fifths, and how many answers there were and how many of them were right (Fig. 3.10)."""
    shares = sorted({row["share"] for row in rows})
    by = {(row["vectors"], row["along"], row["form"], row["share"]): row for row in rows}
    out = []
    for vectors, along, form in dict.fromkeys(place[:3] for place in by):
        mine = [by[vectors, along, form, share] for share in shares]
        last = mine[-1]
        counts = f"{fmean(last['answers_by_person']):.0f}, {fmean(last['right_by_person']):.0f} right"
        out.append((vectors, BUDGETS[along], form, *(score(fmean(row["f_by_person"])) for row in mine), counts))
    head = [f"{share:g} of the budget" for share in shares]
    return table(["pairwise F, simulated people", "", "form", *head, "answers in all"], out)


def _means(by: dict[Any, list[float]], *place: Any) -> tuple[float, float]:
    return fmean(by[*place, "pair"]), fmean(by[*place, "triplet"])
