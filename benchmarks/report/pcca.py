"""PCCA beside CA and PCKMeans."""

from __future__ import annotations

from statistics import fmean
from typing import Any

from benchmarks.report.claim import Claim, Panel, Section
from benchmarks.report.kept import Kept
from benchmarks.report.write import apart, compare, listed, score, table, tally, with_interval

NAME = "PCCA"
UNEVEN = "eight-uneven"
SETS = ("four-classes", UNEVEN)
BY_ANSWERS = "PCCA, number by answers"
OURS = ("PCCA", BY_ANSWERS, "PCCA, Mahalanobis")
METHODS = (*OURS, "CA", "CA, Mahalanobis", "PCKMeans")
ENOUGH, PLACES = 5, 6
PURE = "purity by_seed"


def section(kept: Kept) -> Section:
    """The part of the page."""
    there = kept.all("papers/grira2005_pcca/results")
    found = {name: there[name] for name in dict.fromkeys([*SETS, *there]) if name in there}
    here = Section(
        "pcca",
        "PCCA (Grira et al. 2005)",
        "Share of well-categorised pictures. The paper only draws its curves (Fig. 3, 4): PCCA, it says, is considerably better than CA and PCKMeans. Ours are species of "
        "flowers-17; PCKMeans is given the number of classes, the others find it.",
        "methods/pcca.md",
    )
    here.blocks = [_table(found)]
    told = kept.results("papers/grira2005_pcca/told.json")
    here.claims = [
        _of_six(found, _why(told, found.get("four-classes")) if told else ""),
        *(
            _ahead(name, found.get(name), _why(told, found.get(name)) if told and name == "four-classes" else "")
            for name in dict.fromkeys([*SETS, *found])
        ),
    ]
    here.claims.append(_by_purity(found.get(UNEVEN), kept.results("papers/grira2005_pcca/same_number.json")))
    for name, content in found.items():
        rows = content["results"]
        methods = [m for m in _methods(rows) if all(m in row for row in rows)]
        lines = {m: [(row["constraints"], row[m]) for row in rows] for m in methods}
        here.panels.append(Panel(name, "constraints", "well categorised", lines))
    return here


def _methods(rows: list[dict[str, Any]]) -> list[str]:
    there = [key for key in rows[0] if key != "constraints" and ": " not in key]
    return sorted(there, key=lambda m: (METHODS.index(m) if m in METHODS else len(METHODS), m))


def _why(told: list[dict[str, Any]], content: dict[str, Any] | None) -> str:
    """What PCCA reaches when it is told the number of clusters and starts where PCKMeans ends, and how near it comes by itself."""
    by = {(row["method"], row["constraints"]): row["mean"] for row in told}
    counts = sorted({n for _, n in by})
    told_at = [max(v for (m, n), v in by.items() if n == count and m != "PCKMeans") for count in counts]
    shown = listed(f"{score(v)} and {score(by['PCKMeans', n])} at {n}" for v, n in zip(told_at, counts, strict=True))
    rows = [row for row in content["results"] if row["constraints"] >= 100] if content else []
    numbers = listed(f"{row[f'{BY_ANSWERS}: clusters']:.2g}" for row in rows)
    return (
        "fuzzy memberships add little here that a better search could find: told the number of clusters and started from PCKMeans, with the best of "
        f"three prices, PCCA and PCKMeans come to {shown} (10 seeds). PCKMeans is told the number, PCCA finds it from the answers ({numbers} clusters on "
        f"average), and with it is {_standings(rows)} PCKMeans by the 95 % interval of the difference. The paper's set is "
        "another, and it does not say how PCKMeans was started."
    )


def _standings(rows: list[dict[str, Any]]) -> str:
    """How often PCCA with the number by answers is above, level with and below PCKMeans, seed by seed."""
    key = "{}: by_seed"
    found = [
        compare(row[key.format(BY_ANSWERS)], row[key.format("PCKMeans")])
        for row in rows
        if key.format(BY_ANSWERS) in row and key.format("PCKMeans") in row
    ]
    return f"above at {found.count('above')}, level at {found.count('level')} and below at {found.count('below')} of {len(found)} counts with"


def _places(content: dict[str, Any] | None, ours: tuple[str, ...]) -> tuple[int, list[str]]:
    """At how many counts from 100 on one of ours is above CA and PCKMeans, and where not."""
    ahead, behind = 0, []
    for row in content["results"] if content else []:
        if row["constraints"] < 100:
            continue
        best_of_ours = max(value for key, value in row.items() if key in ours)
        others = {key: row[key] for key in ("CA", "CA, Mahalanobis", "PCKMeans") if key in row}
        best = max(others, key=others.__getitem__)
        if others[best] >= best_of_ours:
            behind.append(f"{row['constraints']} ({apart(best, others[best], best_of_ours)})")
        else:
            ahead += 1
    return ahead, behind


def _of_six(found: dict[str, Any], reason: str) -> Claim:
    says = (
        f"PCCA above CA and PCKMeans from 100 constraints on, at no less than {ENOUGH} of {PLACES} counts on two sets"
    )
    each = {name: _places(found.get(name), OURS) for name in SETS}
    ahead = sum(places for places, _ in each.values())
    if ahead + sum(len(behind) for _, behind in each.values()) < PLACES:
        return Claim(NAME, says)
    alone = sum(_places(found[name], (BY_ANSWERS,))[0] for name in SETS)
    rows = [row for name in SETS for row in found[name]["results"] if row["constraints"] >= 100]
    measured = (
        f"at {ahead} of {PLACES} (the best of PCCA's columns), with the number by answers alone at {alone}; by the 95 % interval of the difference "
        f"this is {_standings(rows)} PCKMeans"
    )
    notes = [f"{name} at {where}" for name, (_, behind) in each.items() for where in behind]
    return Claim(NAME, says, ahead >= ENOUGH, measured, f"behind on {listed(notes)}", reason=reason)


def _ahead(name: str, content: dict[str, Any] | None, reason: str = "") -> Claim:
    says = f"{name}: above CA and PCKMeans from 100 constraints on"
    ahead, behind = _places(content, OURS)
    places = ahead + len(behind)
    if not places:
        return Claim(NAME, says)
    measured = f"at {ahead} of {places} counts (the best of PCCA's columns)"
    return Claim(NAME, says, not behind, measured, f"behind at {listed(behind)}", reason=reason)


def _by_purity(content: dict[str, Any] | None, same_number: list[dict[str, Any]] | None) -> Claim:
    """The paper does not define "well categorised": a cluster may count for the class of most of its items."""
    says = f"{UNEVEN}, by purity: above CA and PCKMeans from 100 constraints on"
    ahead, behind, verdicts = 0, [], []
    for row in content["results"] if content else []:
        by = {m: row[f"{m}: {PURE}"] for m in METHODS if f"{m}: {PURE}" in row}
        if row["constraints"] < 100 or BY_ANSWERS not in by:
            continue
        means = {m: fmean(values) for m, values in by.items()}
        ours, theirs = (max((m for m in means if (m in OURS) is own), key=means.__getitem__) for own in (True, False))
        verdicts.append(compare(by[ours], by[theirs]))
        ahead += means[ours] > means[theirs]
        if means[ours] <= means[theirs]:
            behind.append(f"{row['constraints']} ({apart(theirs, means[theirs], means[ours])})")
    if not verdicts:
        return Claim(NAME, says)
    measured = (
        f"at {ahead} of {len(verdicts)} counts; by the 95 % interval of the difference {tally(verdicts, 'counts')}"
    )
    reason = _why_pure(content, same_number) if content and same_number else ""
    return Claim(NAME, says, not behind, measured, f"behind at {listed(behind)}", reason=reason)


def _why_pure(content: dict[str, Any], same_number: list[dict[str, Any]]) -> str:
    """PCKMeans with the number that PCCA found."""
    rows = {row["constraints"]: row for row in content["results"]}
    shown, verdicts = [], []
    for row in same_number:
        ours = rows[row["constraints"]][f"{BY_ANSWERS}: {PURE}"]
        shown.append(f"{score(fmean(ours))} and {score(row['mean'])} at {row['constraints']}")
        verdicts.append(compare(ours, row["by_seed"]))
    found = listed(f"{rows[row['constraints']][f'{BY_ANSWERS}: clusters']:.2g}" for row in same_number)
    return (
        f"purity rises with the number of clusters, PCKMeans is told eight, and PCCA finds {found} of classes of 60 to 5 pictures. With the number that PCCA found, PCCA with the number by "
        f"answers and PCKMeans have {listed(shown)}: {tally(verdicts, 'counts')}{'; where it is below no cause was found' * ('below' in verdicts)}."
    )


def _table(found: dict[str, Any]) -> str:
    if not found:
        return "Not run."
    methods = list(dict.fromkeys(m for content in found.values() for m in _methods(content["results"])))
    out = []
    for name, content in found.items():
        for row in content["results"]:
            cells = []
            for m in methods:
                clusters = row.get(f"{m}: clusters")
                shown = f" [{clusters:.3g}]" if clusters is not None and m != "PCKMeans" else ""
                cells.append(_cell(row, m, content["config"]["seeds"]) + shown)
            out.append((name, str(row["constraints"]), "none printed", *cells, str(content["config"]["seeds"])))
    return (
        table(["set", "constraints", "paper", *methods, "seeds"], out)
        + "\n\nIn brackets the clusters found, in round ones the seeds where they are fewer."
    )


def _cell(row: dict[str, Any], method: str, usual: int) -> str:
    """Mean and interval, with the number of seeds where it is another than usual."""
    seeds = row.get(f"{method}: seeds", usual)
    half = row.get(f"{method}: interval_95")
    return with_interval(row.get(method), half, None if seeds == usual else seeds)
