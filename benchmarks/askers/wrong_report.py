"""What wrong answers do, for the page on askers, and a plot of how often what is doubted is wrong."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.askers.wrong_answers import EDGES, EVERY_DOUBTS, KEPT, RATES, SETS

SECTION = """## Wrong answers

One person who errs in so many of the answers and goes on being wrong about the same pair, evenly, or mostly about look-alikes (same and far apart,
different and close); the adjusted Rand index after twice as many answers as right ones need to .95 (*budget*), without and with `recheck=True`, a mean over the
seeds, and the lowest of these. The bars are .99, .98 and .97, for look-alikes .95, and never below *without* in any seed. *Asked again* are questions about what
follows from earlier answers (`python -m benchmarks.askers.wrong_answers`; sets and seeds that are not here were not run).

An answer that is wrong with probability ε tells at most 1 − H(ε) of a bit (C. E. Shannon, 1948): .86, .71 and .53 at 2, 5 and 10 %. *As many bits* is what right
answers reach after that share of the budget, between two places where the index was kept: what can be hoped for without asking better than with right answers. At 10 %
it is what 1.06 times the answers to .95 reach, so that the bar of .97 lies above it on most sets.
"""
TO_THE_END = """How many right answers it takes until nothing is left to ask:
"""
DOUBTS = """Of statements on which groups, or sides of a group of three or more, hang, how often they are wrong, by the probability of being wrong that they are given
(`Rechecks.of_statements`), every {every} answers of the runs above with `recheck=True` (but for digits and flowers-17, where it was not kept):

![doubts](assets/askers/doubts.svg)
"""
LONG = """On to 3,000 answers with `recheck=True` (it should not fall by more than .01 from its best, and end by itself):
"""
PEOPLE = """People who take turns, 2 % wrong, until the honest gave 240 answers; *liar* says the opposite (found within 40 answers, nobody else, and the
index within .01 of that of ann and bob alone):
"""
BARS = {0.02: 0.99, 0.05: 0.98, 0.1: 0.97}
ALIKE = 0.02  # by so much the bar is lower where errors are among look-alikes


def wrong_section(docs: Path, plt: Any) -> list[str]:
    """What is kept; nothing where nothing is."""
    if not KEPT.exists():
        return []
    results = json.loads(KEPT.read_text())["results"]
    lines = [
        SECTION,
        "| set | wrong | seeds | budget | without | with | lowest | as many bits | bar | met | asked again |",
    ]
    lines.append("|---|---|---|---|---|---|---|---|---|---|---|")
    kinds = [*(("even", rate, BARS[rate]) for rate in RATES), ("alike", 0.1, BARS[0.1] - ALIKE)]
    for name in SETS:
        for kind, rate, bar in kinds:
            at = [key for key in results if key.startswith(f"{kind} {rate}/{name}/") and len(results[key]) == 2]
            if at:
                lines.append(_row(name, kind, rate, bar, results, at))
    lines += ["", TO_THE_END, "| set | seeds | without | with |", "|---|---|---|---|"]
    for name in SETS:
        right = [one for key, one in results.items() if key.startswith(f"right/{name}/") and len(one) == 2]
        if right:
            means = (f"{np.mean([one[key]['answers'] for one in right]):.0f}" for key in ("False", "True"))
            lines.append(f"| {name.partition(':')[0]} | {len(right)} | {' | '.join(means)} |")
    return [*lines, "", *_long(results), *_people(results), *_doubts(docs, plt, results)]


def _row(name: str, kind: str, rate: float, bar: float, results: dict[str, Any], at: list[str]) -> str:
    found, seeds = [results[key] for key in at], [key.rpartition("/")[2] for key in at]
    without, doubting = (np.array([one[key]["end"] for one in found]) for key in ("False", "True"))
    budgets = [2 * results[f"right/{name}/{seed}"]["False"]["to_95"] for seed in seeds]
    n_below = int((doubting < without).sum())
    cells = [
        name.partition(":")[0],
        f"{rate:.0%}" + (", look-alikes" if kind == "alike" else ""),
        ", ".join(seeds),
        f"{np.mean(budgets):.0f}",
        *(f"{value:.3f}" for value in (without.mean(), doubting.mean(), doubting.min())),
        f"{np.mean([_right_after(results, name, seed, rate) for seed in seeds]):.3f}",
        f"{bar:.3f}",
        ("yes" if doubting.mean() >= bar else "no") + (f"; {n_below} below *without*" if n_below else ""),
        f"{np.mean([one['True']['again'] for one in found]):.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def _right_after(results: dict[str, Any], name: str, seed: str, rate: float) -> float:
    """What right answers reach after as many as tell what the budget tells with some of them wrong."""
    right = results[f"right/{name}/{seed}"]["False"]
    told = 1 + rate * np.log2(rate) + (1 - rate) * np.log2(1 - rate)
    places = {int(n): value for n, value in right["curve"].items()} | {right["to_95"]: 0.95}
    at = sorted(places)
    return float(np.interp(2 * right["to_95"] * told, at, [places[n] for n in at]))


def _long(results: dict[str, Any]) -> list[str]:
    """Up to 3,000 answers: does it end, and does it fall from its best?"""
    at = sorted(key for key in results if key.startswith("long "))
    if not at:
        return []
    lines = [LONG, "| set | wrong | seed | answers | ended by itself | best | at the end | set aside (rightly) |"]
    lines.append("|---|---|---|---|---|---|---|---|")
    for key in at:
        kind, name, seed = key.split("/")
        one = results[key]
        figures = f"{one['best']:.3f} | {one['end']:.3f} | {one['aside']} ({one['rightly_aside']})"
        ended = "yes" if one["ended"] else "no"
        lines.append(f"| {name} | {float(kind.split()[1]):.0%} | {seed} | {one['answers']} | {ended} | {figures} |")
    return [*lines, ""]


def _people(results: dict[str, Any]) -> list[str]:
    """Three people, one of whom says the opposite."""
    at = sorted(key for key in results if key.startswith("people "))
    if not at:
        return []
    lines = [
        PEOPLE,
        "| set | seed | people | suspected, after so many of their answers | index |",
        "|---|---|---|---|---|",
    ]
    for key in at:
        kind, name, seed = key.split("/")
        one = results[key]
        found = ", ".join(f"{who} {n}" for who, n in one["suspected_after"].items()) or "nobody"
        lines.append(
            f"| {name} | {seed} | {kind.removeprefix('people ').replace('+', ', ')} | {found} | {one['end']:.3f} |"
        )
    return [*lines, ""]


def _doubts(docs: Path, plt: Any, results: dict[str, Any]) -> list[str]:
    """The plot of probabilities against shares, a line for each kind of errors, and the counts."""
    bins = [f"{low:g} to {high:g}" for low, high in pairwise(EDGES)]
    lines = ["| wrong answers | " + " | ".join(bins) + " |", "|---|" + "---|" * len(bins)]
    figure, axes = plt.subplots(figsize=(5, 4), layout="constrained")
    for kind in (*(f"even {rate}" for rate in RATES), "alike 0.1"):
        runs = [one["True"] for key, one in results.items() if key.startswith(f"{kind}/") and "True" in one]
        tallies = [one["doubts"] for one in runs if one["doubts"] is not None]
        if not tallies:
            continue
        count, probability, wrong = np.sum(tallies, axis=0)
        some = count > 0
        word, _, rate = kind.partition(" ")
        label = f"{float(rate):.0%}" + (", look-alikes" if word == "alike" else "")
        axes.plot(probability[some] / count[some], np.maximum(wrong[some] / count[some], 1e-4), marker="o", label=label)
        shares = (f"{w:.0f} of {n:.0f}" for w, n in zip(wrong, count, strict=True))
        lines.append(f"| {label} | {' | '.join(shares)} |")
    axes.plot([1e-4, 1], [1e-4, 1], color="grey", lw=1)
    axes.set(xscale="log", yscale="log", xlabel="probability of being wrong, as said", ylabel="share that is wrong")
    axes.legend(title="answers wrong", frameon=False)
    figure.savefig(docs / "assets" / "askers" / "doubts.svg", metadata={"Date": None})
    plt.close(figure)
    return [DOUBTS.format(every=EVERY_DOUBTS), *lines, ""]
