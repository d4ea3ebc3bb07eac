"""The page on askers, from what was kept: ``python -m benchmarks.askers.report`` writes docs/askers.md and its plots."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from benchmarks.askers.__main__ import CHECKPOINTS, DOUBTING, HERE, NEED_K
from benchmarks.askers.forms_report import forms_section
from benchmarks.askers.large import large_section
from benchmarks.askers.peers import OF
from benchmarks.askers.sets import SETS, TUNED_ON
from benchmarks.askers.wrong_report import wrong_section
from benchmarks.report.write import wrap

DOCS = HERE.parents[1] / "docs"
OURS = "auto"
INTRO = """# Askers side by side

How good the clusters are after so many answers: the default asker (`auto`), the other strategies of the package and other programs, on the
same vectors, with the same simulated person (`python -m benchmarks.askers`; pictures through the default network, 64 principal components). Askers marked K are
given the number of classes, the others are not. The figure is the adjusted Rand index, a mean over the seeds; *–*: the run had ended, was stopped at its time
limit, or was too slow to get there. COBRAS is cobras-ts 0.1.3, MinMax and NPU with MPCKMeans are those of active-semi-supervised-clustering 0.0.1, each in an
environment of its own; A3S is written from its description (`benchmarks/askers/a3s.py`). *auto, recheck* is `Session(…, recheck=True)`, which expects wrong answers; the app asks that way.

The rows *auto* with right answers are of the present asker; on digits, diabetes, flowers-17, leaf-99 and leaf-99-features its tree was built
along 15 neighbours, now 64. Those with wrong answers and *auto, recheck* were measured before the cut of the tree
was made to change slowly (see the end of this page), and before the asker did without a matrix of distances ([how close both
are](methods/dendrogram.md#without-a-matrix-of-distances)); *right work* and the figures on when to stop before the latter.
"""
RIGHT_WORK = """## Right work

After {start} answers, up to {steps} right statements of mixed kinds (pairs, grids, belongs, does not belong, confirm, split, move, merge;
`python -m benchmarks.askers.right_work`), and the adjusted Rand index after each. It should never fall by more than .02: on some runs it
does.

![curves](assets/askers/right-work.svg)
"""

BY_HAND = """## Edits by hand

Up to 200 right edits (split off, move, merge, confirm, name, check on a grid, yes and no to suggestions) at the wall of the app, by a simulated
person, with no answer before or with 60 (`python -m benchmarks.askers.by_hand`): the adjusted Rand index of what is shown after each. The bar is a fall
of at most .02 between two edits. A run ends early where nothing is left to edit.

![curves](assets/askers/by-hand.svg)
"""
STOP_HINT = """## When the app says that one can stop

Simulated runs of up to {answers} answers, a quarter of them checks, on {sets}: the share of runs in which the app said that one can stop, and the share in which
it said so while fewer pairs were right than it promised (`python -m benchmarks.askers.stop_hint`). The bar is 5 %.
"""


def load_kept() -> list[dict]:
    """Everything in the results folder."""
    return [json.loads(path.read_text()) for path in sorted((HERE / "results").glob("*.json"))]


def ours_among(kept: list[dict]) -> str:
    """The asker that is ours: where answers are wrong, the one that expects that."""
    names = [one["config"]["asker"] for one in kept if one["config"]["error_rate"]]
    return DOUBTING if DOUBTING in names else OURS


def mean_at(runs: list[dict], step: int, score: str = "ari") -> float:
    """Mean score after so many answers; a run with nothing left to ask stays where it ended."""
    values = []
    for run in runs:
        curve = run[score]
        if not curve:
            return np.nan
        last = max(int(s) for s in curve)
        if str(step) in curve:
            values.append(curve[str(step)])
        elif last < step and (run["nothing_left"] or curve[str(last)] == 1.0):
            values.append(curve[str(last)])
        else:
            return np.nan
    return float(np.mean(values))


def area(runs: list[dict], until: int) -> float:
    """Mean score over the answers from 25 to `until`."""
    steps = range(25, until + 1, 25)
    return float(np.mean([mean_at(runs, step) for step in steps]))


def questions_to(runs: list[dict], goal: str) -> str:
    """Mean number of answers to a goal, to the next 25; in brackets how many runs got there when not all did."""
    reached = [run["questions_to"][goal] for run in runs if run["questions_to"][goal] is not None]
    if not reached:
        return "–"
    some = "" if len(reached) == len(runs) else f" ({len(reached)} of {len(runs)})"
    return f"{np.mean(reached):.0f}{some}"


def cell(value: float) -> str:
    if np.isnan(value):
        return "–"
    return "1" if value >= 0.9995 else f"{value:.3f}".lstrip("0") if value >= 0 else f"{value:.2f}"


def table(kept: list[dict]) -> list[str]:
    """One row an asker, ours first, the others by their area."""
    mine = ours_among(kept)
    steps = [s for s in CHECKPOINTS if s != 1200]
    lines = [
        "| asker | runs | " + " | ".join(map(str, steps)) + " | to .90 | to .95 | to 1 | ms a question |",
        "|" + "---|" * (len(steps) + 6),
    ]
    kept = sorted(kept, key=lambda one: (one["config"]["asker"] != mine, -_first_area(one)))
    for one in kept:
        runs, name = one["results"], one["config"]["asker"]
        row = [cell(mean_at(runs, step)) for step in steps]
        row += [questions_to(runs, goal) for goal in ("0.90", "0.95", "1.00")]
        times = [run["median_seconds"] for run in runs if run["median_seconds"] is not None]
        row.append(f"{1000 * np.median(times):.0f}" if times else "–")
        given = name in NEED_K or (name in OF and OF[name][2])
        shown = f"**{name}**" if name == mine else f"{name} (K)" if given else name
        lines.append(f"| {shown} | {len(runs)} | " + " | ".join(row) + " |")
    return lines


def _first_area(one: dict) -> float:
    scores = [mean_at(one["results"], step) for step in (25, 50, 100, 200)]
    return float(np.nanmean(scores)) if not np.isnan(scores).all() else -1.0


def pyplot() -> Any:
    """Matplotlib, drawing the same file for the same data."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot as plt

    plt.rcParams["svg.hashsalt"] = "likewise"
    return plt


def draw(name: str, kept: list[dict]) -> str:
    """A plot of all curves of a set; the path, from the page."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(7, 4))
    for one in sorted(kept, key=lambda one: one["config"]["asker"] == OURS):
        asker, runs = one["config"]["asker"], one["results"]
        steps = sorted({int(s) for run in runs for s in run["ari"]})
        points = [(s, mean_at(runs, s)) for s in steps]
        points = [(s, v) for s, v in points if not np.isnan(v)]
        if points:
            style = {"lw": 2.5, "color": "black"} if asker == OURS else {"lw": 1}
            axes.plot(*zip(*points, strict=True), label=asker, **style)
    axes.set(xscale="log", xlabel="answers", ylabel="adjusted Rand index", ylim=(-0.02, 1.02), title=name)
    axes.legend(fontsize=6, ncols=2)
    path = DOCS / "assets" / "askers" / f"{name.partition(':')[0]}.svg"
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    return str(path.relative_to(DOCS))


def beaten(kept: list[dict]) -> list[str]:
    """Where another asker is more than .01 above ours, plainly."""
    ours = next((one for one in kept if one["config"]["asker"] == ours_among(kept)), None)
    lines = []
    others = [one for one in kept if not one["config"]["asker"].startswith(OURS)]
    for one in others if ours else ():
        steps = (s for s in CHECKPOINTS if s != 1200)
        above = [
            f"{s} ({cell(theirs)}, ours {cell(own)})"
            for s in steps
            if (theirs := mean_at(one["results"], s)) > (own := mean_at(ours["results"], s)) + 0.01
        ]
        if above:
            lines.append(f"- {one['config']['asker']} is ahead at {', '.join(above)}.")
    return lines


def right_work() -> list[str]:
    """What right statements of mixed kinds did to the clusters, from what was kept."""
    path = HERE / "right_work.json"
    if not path.exists():
        return []
    kept = json.loads(path.read_text())
    lines = [RIGHT_WORK.format(**kept["config"]), "| set | runs | start | end | steps | falls above .02 | worst step |"]
    lines.append("|---|---|---|---|---|---|---|")
    for name, runs in kept["results"].items():
        start, end = (np.mean([one[key] for one in runs]) for key in ("start", "end"))
        steps = sum(len(one["curve"]) - 1 for one in runs)
        falls, worst = sum(len(one["falls"]) for one in runs), min(one["worst"] for one in runs)
        lines.append(f"| {name} | {len(runs)} | {cell(start)} | {cell(end)} | {steps} | {falls} | {worst:.3f} |")
    return [*lines, ""]


def by_hand() -> list[str]:
    """What right edits at the wall did to what is shown, from what was kept."""
    kept = json.loads((HERE / "by_hand.json").read_text())
    lines = [
        BY_HAND,
        "| set | answers before | runs | start | end | edits | largest fall |",
        "|---|---|---|---|---|---|---|",
    ]
    figure, axes = pyplot().subplots(1, len(kept), figsize=(9, 3), sharey=True, layout="constrained")
    for axis, (name, runs) in zip(axes, kept.items(), strict=True):
        for answers in sorted({one["answers"] for one in runs}):
            some = [one for one in runs if one["answers"] == answers]
            start, end = (cell(np.mean([one[key] for one in some])) for key in ("start", "end"))
            edits, fall = sum(one["edits"] for one in some), max(one["largest fall"] for one in some)
            lines.append(f"| {name} | {answers} | {len(some)} | {start} | {end} | {edits} | {abs(max(fall, 0)):.3f} |")
            for k, one in enumerate(some):
                label = None if k else f"after {answers} answers"
                axis.plot(one["curve"], color="C0" if answers else "C1", label=label)
        axis.set(title=name, xlabel="edits")
    axes[0].set_ylabel("adjusted Rand index")
    axes[-1].legend(frameon=False)
    figure.savefig(DOCS / "assets" / "askers" / "by-hand.svg", metadata={"Date": None})
    return [*lines, ""]


def stop_hint() -> list[str]:
    """How often the app said that one can stop, and how often too early, from what was kept."""
    kept = json.loads((HERE / "stop_hint.json").read_text())
    config = kept["config"]
    lines = [STOP_HINT.format(answers=config["answers"], sets=", ".join(config["items"]))]
    lines += ["| wrong answers | runs | said so | too early |", "|---|---|---|---|"]
    for rate, found in kept["results"].items():
        lines.append(f"| {float(rate):.0%} | {found['runs']} | {found['hinted']} | {found['early']} |")
    return [*lines, ""]


def main() -> None:
    every = load_kept()
    lines = [INTRO]
    for title, wanted in (
        ("Sets nothing was chosen on", [s for s in SETS if s not in TUNED_ON]),
        ("Sets the constants were chosen on", TUNED_ON),
    ):
        lines.append(f"## {title}\n")
        for name in wanted:
            here = [one for one in every if one["config"]["set"] == name]
            clean = [one for one in here if not one["config"]["error_rate"]]
            wrong = [one for one in here if one["config"]["error_rate"]]
            if not clean:
                continue
            config = clean[0]["config"]
            lines.append(f"### {name.partition(':')[0]}\n\n{config['n']} items, {config['classes']} classes.\n")
            lines.append(f"![curves]({draw(name, clean)})\n")
            lines += [*table(clean), ""]
            lines += [*beaten(clean), ""]
            if wrong:
                lines += [f"With {wrong[0]['config']['error_rate']:.0%} of the answers wrong:\n", *table(wrong), ""]
                lines += [*beaten(wrong), ""]
    lines += forms_section(DOCS, pyplot()) + large_section() + wrong_section(DOCS, pyplot())
    lines += right_work() + by_hand() + stop_hint()
    (DOCS / "askers.md").write_text(wrap("\n".join(lines)))
    print(f"written: docs/askers.md, {len(every)} kept runs")


if __name__ == "__main__":
    main()
