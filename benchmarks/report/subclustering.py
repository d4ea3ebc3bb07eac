"""Subclustering, passive and active."""

from __future__ import annotations

from statistics import fmean
from typing import Any

from benchmarks.interval import half_width_kept, worst
from benchmarks.report import published
from benchmarks.report.claim import Claim, Panel, Section
from benchmarks.report.kept import Kept
from benchmarks.report.write import (
    NOTHING,
    apart,
    compare,
    count,
    difference,
    duration,
    listed,
    score,
    table,
    tally,
    with_interval,
)

NAME = "Subclustering"
FOLDER = "papers/biswas2014_subclustering"
SETS = ("leaf-99", "flowers-17", "digits")
SWEPT = ("digits", "flowers-17")
HEADS = {
    "restricted": "SJC and time by candidates for each cluster (Fig. 5a)",
    "size": "SJC by size of the subclusters (Fig. 5b–f)",
}


def section(kept: Kept) -> Section:
    """The part of the page."""
    files = {name: kept.file(f"{FOLDER}/results/{name}.json") for name in SETS}
    found = {name: content for name, content in files.items() if content is not None}
    active = kept.results(f"{FOLDER}/active.json")
    here = Section(
        "subclustering",
        "Subclustering (Biswas 2014, ch. 4)",
        "SJC, higher is better. Biswas (2014) prints one table, of Leaf-27 (1,535 leaves, 27 classes); ours are other leaves, so compare the lead. "
        "Our P is from shared neighbours and was chosen on these three sets; *as published* has that of Biswas (2014).",
        "methods/subclustering.md",
    )
    swept = {name: kept.results(f"{FOLDER}/sweeps-{name}.json") or [] for name in SWEPT}
    here.blocks = [_printed(found, active), _all(found), *(_sweep(swept, what) for what in HEADS)]
    here.claims = [*(_beats(name, found.get(name)) for name in ("flowers-17", "leaf-99")), _active(active)]
    here.claims.append(_whatever_size(swept))
    if active:
        curve = [(row["questions"], row["sjc"]) for row in active["curve"]]
        here.panels = [Panel("51,418 items, 200 classes", "questions", "SJC", {"active subclustering": curve})]
    return here


def _by_method(content: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["method"]: row for row in content["results"]}


def _beats(name: str, content: dict[str, Any] | None) -> Claim:
    says = f"SJC above every baseline on {name}"
    if content is None:
        return Claim(NAME, says)
    rows = _by_method(content)
    ours = rows[NAME]["sjc"]
    others = {m: r["sjc"] for m, r in rows.items() if not m.startswith(NAME)}
    best = max(others, key=others.__getitem__)
    measured = (
        f"{score(ours)}; {best} {score(others[best])}; as published {score(rows['Subclustering, as published']['sjc'])}"
    )
    return Claim(NAME, says, ours > others[best], measured)


def _whatever_size(swept: dict[str, list[dict[str, Any]]]) -> Claim:
    others = ("BBC-S", "K-medoids", "normalised cut")
    says = (
        "SJC above BBC-S, K-medoids and normalised cut, by the 95 % interval of the difference, with subclusters of 5 to 25 items on digits and flowers-17 "
        "(Fig. 5b–f, which leaves Fast-PAM out)"
    )
    if not all(swept.values()):
        return Claim(NAME, says)
    verdicts, published_ones, missed, beaten = [], [], [], []
    for name, rows in swept.items():
        by = {(row["value"], row["method"]): row["sjc_by_seed"] for row in rows if row["what"] == "size"}
        for size in sorted({size for size, _ in by}):
            ours, stand = by[size, NAME], {m: compare(by[size, NAME], by[size, m]) for m in others}
            verdicts.append(worst(stand.values()))
            published_ones.append(worst(compare(by[size, f"{NAME}, as published"], by[size, m]) for m in others))
            missed += [
                f"{name} at {size} ({apart(m, fmean(by[size, m]), fmean(ours))})" for m in others if stand[m] != "above"
            ]
            if compare(ours, by[size, "Fast-PAM"]) == "below":
                beaten.append(f"{name} at {size} ({apart('Fast-PAM', fmean(by[size, 'Fast-PAM']), fmean(ours))})")
    measured = f"{tally(verdicts, 'points')}; as published {tally(published_ones, 'points')}; below Fast-PAM on {listed(beaten)}"
    return Claim(NAME, says, not missed, measured, f"not above for {listed(missed)}")


def _sweep(swept: dict[str, list[dict[str, Any]]], what: str) -> str:
    """Scores of every method and set along what is changed."""
    values = sorted({row["value"] for rows in swept.values() for row in rows if row["what"] == what})
    out = []
    for name, rows in swept.items():
        by = {(row["method"], row["value"]): row for row in rows if row["what"] == what}
        for method in dict.fromkeys(m for m, _ in by):
            cells = []
            for value in values:
                row = by[method, value]
                time = f", {duration(row['seconds'])}" if "seconds" in row else ""
                cells.append(score(fmean(row["sjc_by_seed"])) + time)
            out.append((name, method, *cells))
    return table([HEADS[what], "", *map(str, values)], out)


def _reached(active: dict[str, Any]) -> int | None:
    level = published.ACTIVE_SUBCLUSTERING[0].value
    return next((row["questions"] for row in active["curve"] if row["sjc"] >= level), None)


def _active(active: dict[str, Any] | None) -> Claim:
    says = "active, 51,418 generated items in 200 classes: SJC ≥ .92 within 143,000 questions"
    if active is None:
        return Claim(NAME, says)
    after, last = _reached(active), active["curve"][-1]
    measured = f"{score(last['sjc'])} after {count(last['questions'])}" + (
        f"; .92 after {count(after)}" if after else ""
    )
    return Claim(NAME, says, after is not None and after <= published.ACTIVE_SUBCLUSTERING[1], measured)


def _printed(found: dict[str, Any], active: dict[str, Any] | None) -> str:
    leaves = _by_method(found["leaf-99"]) if "leaf-99" in found else {}
    seconds = published.SUBCLUSTERING_SECONDS
    out = []
    for method, printed in published.SUBCLUSTERING.items():
        row = leaves.get(method)
        ours = row["sjc"] if row else None
        time = f", {duration(seconds[method])}" if method in seconds else ""
        out.append(
            (
                f"SJC of leaves: {method}",
                f"{score(printed.value)}{time} ({printed.source})",
                f"{score(ours)}, {duration(row['seconds'])}" if row else "not run",
                difference(ours, printed.value),
            )
        )
    lead = published.SUBCLUSTERING[NAME].value - published.SUBCLUSTERING["Fast-PAM"].value
    mine = leaves[NAME]["sjc"] - leaves["Fast-PAM"]["sjc"] if leaves else None
    out.append(
        ("lead over Fast-PAM", f"+{score(lead)}", difference(mine, 0) if leaves else "not run", difference(mine, lead))
    )
    printed, questions = published.ACTIVE_SUBCLUSTERING
    after = _reached(active) if active else None
    out.append(
        (
            "questions to SJC .92, 51,418 items (ours: generated)",
            f"{count(questions)} ({printed.source})",
            count(after) if after else "not reached" if active else "not run",
            f"÷ {questions / after:.0f}" if after else NOTHING,
        )
    )
    return table(["what", "Biswas (2014)", "ours", "difference"], out)


def _all(found: dict[str, Any]) -> str:
    methods = list(dict.fromkeys(m for content in found.values() for m in _by_method(content)))
    out = []
    for method in methods:
        cells = []
        for content in found.values():
            row, runs = _by_method(content).get(method), content["config"]["runs"]
            cells.append(with_interval(row["sjc"], half_width_kept(row["deviation"], runs), runs) if row else NOTHING)
        out.append((method, *cells))
    return table(["SJC", *found], out) if found else listed([], "Not run.")
