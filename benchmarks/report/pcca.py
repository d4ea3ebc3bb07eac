"""PCCA beside CA and PCKMeans."""

from __future__ import annotations

from typing import Any

from benchmarks.report.claim import Claim, Panel, Section
from benchmarks.report.kept import Kept
from benchmarks.report.write import apart, listed, score, table

NAME = "PCCA"
SETS = ("four-classes", "eight-uneven")
OURS = ("PCCA", "PCCA, number by answers", "PCCA, Mahalanobis")
METHODS = (*OURS, "CA", "CA, Mahalanobis", "PCKMeans")


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
        _ahead(name, found.get(name), _why(told) if told and name == "four-classes" else "")
        for name in dict.fromkeys([*SETS, *found])
    ]
    for name, content in found.items():
        rows = content["results"]
        methods = [m for m in _methods(rows) if all(m in row for row in rows)]
        lines = {m: [(row["constraints"], row[m]) for row in rows] for m in methods}
        here.panels.append(Panel(name, "constraints", "well categorised", lines))
    return here


def _methods(rows: list[dict[str, Any]]) -> list[str]:
    there = [key for key in rows[0] if key != "constraints" and not key.endswith((": clusters", ": interval_95"))]
    return sorted(there, key=lambda m: (METHODS.index(m) if m in METHODS else len(METHODS), m))


def _why(told: list[dict[str, Any]]) -> str:
    """What PCCA reaches when it is told the number of clusters and starts where PCKMeans ends."""
    by = {(row["method"], row["constraints"]): row["mean"] for row in told}
    counts = sorted({n for _, n in by})
    told_at = [max(v for (m, n), v in by.items() if n == count and m != "PCKMeans") for count in counts]
    shown = listed(f"{score(v)} and {score(by['PCKMeans', n])} at {n}" for v, n in zip(told_at, counts, strict=True))
    return (
        "fuzzy memberships add nothing here that a better search could find: told the number of clusters and started from PCKMeans, with the best of "
        f"three prices, PCCA and PCKMeans come to {shown} (10 seeds). The rest is the number, which PCKMeans is told and PCCA finds. The paper's set is "
        "another, and it does not say how PCKMeans was started."
    )


def _ahead(name: str, content: dict[str, Any] | None, reason: str = "") -> Claim:
    says = f"{name}: above CA and PCKMeans from 100 constraints on"
    if content is None:
        return Claim(NAME, says)
    behind, places = [], 0
    for row in content["results"]:
        if row["constraints"] < 100:
            continue
        ours = max(value for key, value in row.items() if key in OURS)
        others = {key: row[key] for key in ("CA", "CA, Mahalanobis", "PCKMeans") if key in row}
        places += 1
        best = max(others, key=others.__getitem__)
        if others[best] >= ours:
            behind.append(f"{row['constraints']} ({apart(best, others[best], ours)})")
    measured = f"at {places - len(behind)} of {places} counts (the best of PCCA's columns)"
    return Claim(NAME, says, places > 0 and not behind, measured, f"behind at {listed(behind)}", reason=reason)


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
                cells.append(score(row.get(m)) + shown)
            out.append((name, str(row["constraints"]), "none printed", *cells, str(content["config"]["seeds"])))
    return table(["set", "constraints", "paper", *methods, "seeds"], out) + "\n\nIn brackets the clusters found."
