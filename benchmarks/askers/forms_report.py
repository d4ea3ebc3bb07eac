"""The part of docs/askers.md on seconds instead of questions, from what benchmarks.askers.forms kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.askers.forms import KEPT
from benchmarks.askers.forms_floor import PATH as FLOOR

PLOT = Path("assets", "askers", "forms.svg")
ENDS = ("0.90", "0.95", "0.99", "end")
INTRO = """## Seconds instead of questions

The default asker until nothing is left to ask (`python -m benchmarks.askers.forms`): pairs only, and `Session(forms="auto")`, which asks
pairs, grids and picks, whatever settles most in a second. Seconds are those of a simulated person: a pair takes 2.1 s, a pick 1.5 s and 0.3 s a
group, a grid 1.5 s, 0.25 s a picture and 0.7 s a tap. Only the first is measured (Y. Pei's thesis, Table 3.6), the others are assumptions.
Means over the seeds of the seconds to an adjusted Rand index of .90, .95 and .99 and to the end; in brackets the share of what pairs take. *–*: not
every run got there. With pairs, the trees of
digits, diabetes and orl-faces were built along 32 neighbours, now 64: how much such a choice matters by chance is seen on scene-300, where 24, 32, 40 and 64 neighbours
took 190, 264, 191 and 250 seconds to .95. The constants of the choice of forms (how far a screen is filled, how far what is small counts as a piece of
something larger) were chosen on iris, wine, sonar, digits, scene-300, orl-faces and flowers-17.

![seconds](assets/askers/forms.svg)
"""
SLOWER = """The same when grids and picks take twice, half or eight times as long, with all forms (the asker fits its times to the person's):
in brackets the share of what pairs take, and the share of pairs among the questions.
"""
WRONG = """With 2 % of pairs and picks wrong, 5 % of the odd pictures on grids overlooked, and `recheck=True`; the index at the end is that of
the clusters when nothing was left to ask:
"""
LEFT = """What `Session.remaining()` said after 10, 20, … 90 % of the seconds, by what was really left: the median of the ratio over these places and
runs, how often the interval covered it, and the ratio in the middle (at 40, 50 and 60 %).
"""


KNOWING = """How near that is to what can be reached: an asker that knows the truth, shows nothing but what is wrong and confirms nothing
(`python -m benchmarks.askers.forms_floor`), would take so many seconds from the clusters that are there before any question; in brackets
the share of what pairs take. Where that is a fifth to a third, as on iris, wine, orl-faces and digits, an asker that has to find
what is wrong cannot be expected to take a third of the seconds of pairs to .95: there the pairs are few and well chosen already.
"""


def seconds_to(runs: list[dict], end: str) -> float:
    """Mean seconds to an end; nan when not every run got there."""
    ended = [one["seconds"] if one["ended"] else np.nan for one in runs]
    return float(np.mean(ended if end == "end" else [one["seconds_to"].get(end, np.nan) for one in runs]))


def share(part: float, whole: float) -> str:
    return "" if np.isnan(part) or np.isnan(whole) else f" ({part / whole:.0%})"


def number(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:,.0f}"


def right_table(sets: dict[str, Any]) -> list[str]:
    """Pairs and all forms side by side."""
    lines = ["| set | runs | forms | .90 | .95 | .99 | end | questions | ms a question |", "|" + "---|" * 9]
    for name, found in sets.items():
        for forms, runs in found.items():
            values = [seconds_to(runs, end) for end in ENDS]
            pairs = [seconds_to(found["pairs"], end) for end in ENDS] if forms == "auto" else [np.nan] * 4
            row = [number(v) + share(v, p) for v, p in zip(values, pairs, strict=True)]
            asked = np.mean([sum(one["questions"].values()) for one in runs])
            slow = 1000 * np.median([one["median_seconds_to_choose"] for one in runs])
            label = name.partition(":")[0]
            lines.append(f"| {label} | {len(runs)} | {forms} | {' | '.join(row)} | {asked:.0f} | {slow:.0f} |")
    cut = [
        f"{name.partition(':')[0]} with {'pairs' if forms == 'pairs' else 'all forms'} after {number(one['seconds'])} seconds at {one['ari']:.3f}"
        for name, found in sets.items()
        for forms, runs in found.items()
        for one in runs
        if not one["ended"]
    ]
    return [*lines, "", *([f"Runs that were cut by their time limit: {'; '.join(cut)}.", ""] if cut else [])]


def floor_table(sets: dict[str, Any]) -> list[str]:
    """What an asker would take that knows the truth."""
    known = json.loads(FLOOR.read_text())["results"] if FLOOR.exists() else {}
    if not known:
        return []
    lines = [KNOWING, "| set | .90 | .95 | .99 |", "|" + "---|" * 4]
    for name in (each for each in sets if each in known):
        means = [float(np.mean([one[end] for one in known[name]])) for end in ENDS[:3]]
        pairs = [seconds_to(sets[name]["pairs"], end) for end in ENDS[:3]]
        row = [number(v) + share(v, p) for v, p in zip(means, pairs, strict=True)]
        lines.append(f"| {name.partition(':')[0]} | {' | '.join(row)} |")
    return [*lines, ""]


def slower_table(results: dict[str, Any]) -> list[str]:
    """All forms with other times."""
    cases = {case: sets for case, sets in results.items() if case.startswith("slower")}
    if not cases:
        return []
    lines = [SLOWER, "| set | grids and picks | .95 | end | pairs among the questions |", "|" + "---|" * 5]
    for name in next(iter(cases.values())):
        for case, sets in sorted(cases.items(), key=lambda each: float(each[0].split()[-1])):
            if name not in sets or name not in results["right"]:
                continue
            runs, pairs = sets[name]["auto"], results["right"][name]["pairs"]
            row = [number(v := seconds_to(runs, end)) + share(v, seconds_to(pairs, end)) for end in ("0.95", "end")]
            asked = [one["questions"].get("pair", 0) / sum(one["questions"].values()) for one in runs]
            factor, label = case.split()[-1], name.partition(":")[0]
            lines.append(f"| {label} | × {factor} | {' | '.join(row)} | {np.mean(asked):.0%} |")
    return [*lines, ""]


def wrong_table(sets: dict[str, Any]) -> list[str]:
    """With wrong answers."""
    if not sets:
        return []
    lines = [WRONG, "| set | runs | forms | .95 | end | index at the end |", "|" + "---|" * 6]
    for name, found in sets.items():
        for forms, runs in found.items():
            pairs = found["pairs"] if forms == "auto" else []
            row = [
                number(v := seconds_to(runs, e)) + (share(v, seconds_to(pairs, e)) if pairs else "") for e in ENDS[1::2]
            ]
            index = ", ".join(f"{one['ari']:.3f}" + ("" if one["ended"] else " (cut)") for one in runs)
            lines.append(f"| {name.partition(':')[0]} | {len(runs)} | {forms} | {' | '.join(row)} | {index} |")
    return [*lines, ""]


def left_table(sets: dict[str, Any]) -> list[str]:
    """How well the seconds left were told."""
    lines = [LEFT, "| set | to .95 | covered | to the end | in the middle | covered |", "|" + "---|" * 6]
    for name, found in sets.items():
        cells = []
        for end in ("0.95", "end"):
            every = [one["guessed"][end] for one in found["auto"]]
            rows = [row for each in every for row in each if row[3] > 0]
            middle = [row for each in every for row in each[3:6] if row[3] > 0]
            cells.append(f"{np.median([row[0] / row[3] for row in rows]):.2f}" if rows else "–")
            if end == "end":
                cells.append(f"{np.median([row[0] / row[3] for row in middle]):.2f}" if middle else "–")
            covered = [row[1] <= row[3] <= row[2] for row in rows]
            cells.append(f"{np.mean(covered):.0%}" if rows else "–")
        lines.append(f"| {name.partition(':')[0]} | {' | '.join(cells)} |")
    return [*lines, ""]


def draw(sets: dict[str, Any], docs: Path, plt: Any) -> None:
    """The shares of the seconds of pairs, a set a group of bars."""
    figure, axes = plt.subplots(figsize=(8, 3.5), layout="constrained")
    for k, end in enumerate(ENDS):
        shares = [seconds_to(f["auto"], end) / seconds_to(f["pairs"], end) for f in sets.values()]
        axes.bar(np.arange(len(shares)) + 0.2 * (k - 1.5), np.nan_to_num(shares), 0.19, label=f"to {end.lstrip('0')}")
    axes.set_xticks(range(len(sets)), [name.partition(":")[0] for name in sets], rotation=20)
    axes.axhline(1 / 3, color="grey", lw=0.7)
    axes.axhline(1 / 4, color="grey", lw=0.7, ls="--")
    axes.set(ylabel="seconds, by those of pairs only", title="All forms against pairs (lines: a third, a quarter)")
    axes.legend(frameon=False, ncols=4)
    figure.savefig(docs / PLOT, metadata={"Date": None})
    plt.close(figure)


def forms_section(docs: Path, plt: Any) -> list[str]:
    """Everything on seconds; nothing when nothing was kept."""
    if not KEPT.exists():
        return []
    results = json.loads(KEPT.read_text())["results"]
    both = {name: found for name, found in results["right"].items() if {"pairs", "auto"} <= set(found)}
    draw(both, docs, plt)
    wrong = {name: found for name, found in results.get("wrong", {}).items() if "auto" in found}
    return [
        INTRO,
        *right_table(both),
        *floor_table(both),
        *slower_table(results),
        *wrong_table(wrong),
        *left_table(both),
    ]
