"""A tree of tags from incomplete tags."""

from __future__ import annotations

from statistics import mean, stdev
from typing import Any

from benchmarks.report.claim import Claim, Panel, Section
from benchmarks.report.kept import Kept
from benchmarks.report.write import NOTHING, apart, compare, difference, half_width, listed, score, table, with_interval

NAME = "Label hierarchy"
FOLDER = "papers/pei2017_hierarchy/results"
SETS = ("newsgroups", "church-fun", "scenes")
MEASURES = ("f1_micro", "f1_macro")
ENOUGH, POINTS = 24, 30


def section(kept: Kept) -> Section:
    """The part of the page."""
    files = {name: kept.file(f"{FOLDER}/{name}.json") for name in SETS}
    found = {name: content["results"] for name, content in files.items() if content is not None}
    seeds = listed((f"{n}: {c['config']['seeds']}" for n, c in files.items() if c is not None), "none")
    here = Section(
        "hierarchy",
        "Label hierarchy (Pei 2017, ch. 5)",
        f"RF is the distance to the true tree, lower is better. Pei (2017) draws its figures (Fig. 5.3–5.5) and prints none. "
        f"Every method has, for each measure, the strength and the threshold that were best in it on other splits. Seeds: {seeds}.",
        "methods/hierarchy.md",
    )
    more = kept.results("papers/pei2017_hierarchy/known.json") or {}
    here.blocks = [_trees(found), _scores(found), _known_table(more), _annealed(kept)]
    here.claims = [_tree(found), _relevance(found), _known(found, more), _others(found)]
    for name, results in found.items():
        lines = {
            m: [(float(rate), rows[m]["f1_micro"][0]) for rate, rows in results.items() if m in rows]
            for m in ("learn", "GT", "BR", "FastTag")
        }
        here.panels.append(Panel(name, "missing tags", "F1 micro", lines))
    return here


def _standing(rows: dict[str, Any], ours: str, theirs: str, measure: str) -> str:
    """ "above", "level" or "below": by the interval of the difference where each seed was kept, else by the means."""
    key = f"{measure}_by_seed"
    if key in rows[ours]:
        return compare(rows[ours][key], rows[theirs][key])
    apart = rows[ours][measure][0] - rows[theirs][measure][0]
    return "level" if apart == 0 else "above" if apart > 0 else "below"


def _tree(found: dict[str, Any]) -> Claim:
    says = "RF at or below Chow–Liu at every missing rate on at least two of three sets"
    if len(found) < 2:
        return Claim(NAME, says)
    right, notes = 0, []
    for name, results in found.items():
        above = [rate for rate, rows in results.items() if rows["learn"]["rf"][0] > rows["Chow-Liu"]["rf"][0]]
        right += not above
        notes += [f"{name} at {rate}" for rate in above]
    return Claim(NAME, says, right >= 2, f"on {right} of {len(found)}", f"above at {listed(notes)}")


def _relevance(found: dict[str, Any]) -> Claim:
    says = "F1 micro and macro above binary relevance on all sets, at every missing rate"
    below, places = [], 0
    for name, results in found.items():
        for rate, rows in results.items():
            for measure in MEASURES:
                ours, theirs = rows["learn"][measure][0], rows["BR"][measure][0]
                places += 1
                if ours <= theirs:
                    below.append(f"{name} at {rate}, {measure} ({apart('BR', theirs, ours)})")
    if len(found) < len(SETS):
        return Claim(NAME, says)
    return Claim(NAME, says, not below, f"at {places - len(below)} of {places} points", f"not at {listed(below)}")


def _known(found: dict[str, Any], more: dict[str, Any]) -> Claim:
    """By the seeds that were added where there are any, and beside it by those of the whole comparison."""
    says = "the known tree at or above the learned one in F1, or within the 95 % interval of the difference"
    first, below, places, seeds = 0, [], 0, set()
    for name, results in found.items():
        for rate, rows in results.items():
            added = more.get(name, {}).get(rate, {})
            by = {m: [run[m] for run in added.values()] for m in ("GT", "learn")}
            seeds.add(len(added) or len(rows["GT"].get("f1_micro_by_seed", ())))
            for measure in MEASURES:
                places += 1
                verdict = _standing(rows, "GT", "learn", measure)
                first += verdict == "below"
                known, learned = rows["GT"][measure][0], rows["learn"][measure][0]
                if added:
                    ours, theirs = ([run[measure] for run in by[m]] for m in ("GT", "learn"))
                    verdict, known, learned = compare(ours, theirs), mean(ours), mean(theirs)
                if verdict == "below":
                    below.append((learned - known, f"{name} at {rate}, {measure} ({apart('known', known, learned)})"))
    if not places:
        return Claim(NAME, says)
    measured = f"at {places - len(below)} of {places} points"
    if below:
        measured += f"; by up to {score(max(below)[0])} below"
    if more:
        of = f"{min(seeds)} to {max(seeds)}" if len(seeds) > 1 else str(max(seeds))
        measured += f" ({of} seeds; at {places - first} by the seeds of the tables)"
    return Claim(NAME, says, not below, measured, f"not at {listed(text for _, text in below)}")


def _known_table(more: dict[str, Any]) -> str:
    out = []
    for name, results in more.items():
        for rate, runs in results.items():
            cells = []
            for measure in MEASURES:
                apart = [run["GT"][measure] - run["learn"][measure] for run in runs.values()]
                half = half_width(stdev(apart), len(apart)) if len(apart) > 1 else None
                cells.append(f"{difference(mean(apart), 0.0)}" + ("" if half is None else f" ± {score(half)}"))
            same = sum(run["learn"]["rf"] == 0 for run in runs.values())
            out.append((name, rate, *cells, str(same), str(len(runs))))
    heads = ["known tree less learned", "missing", "F1 micro", "F1 macro", "runs that find the known tree", "seeds"]
    return table(heads, out)


def _others(found: dict[str, Any]) -> Claim:
    says = (
        "F1 micro and macro at or above FastTag and the same model without a tree (Pei (2017): competitive), or within the 95 % interval "
        f"of the difference, at no less than {ENOUGH} of {POINTS} points"
    )
    below, places = [], 0
    for name, results in found.items():
        for rate, rows in results.items():
            for measure in MEASURES:
                others = {m: rows[m][measure][0] for m in ("FastTag", "no tree") if m in rows}
                best = max(others, key=others.__getitem__)
                ours = rows["learn"][measure][0]
                places += 1
                if any(_standing(rows, "learn", m, measure) == "below" for m in others):
                    below.append(f"{name} at {rate}, {measure} ({apart(best, others[best], ours)})")
    if places < POINTS:
        return Claim(NAME, says)
    measured = f"at {places - len(below)} of {places} points"
    return Claim(NAME, says, places - len(below) >= ENOUGH, measured, f"below at {listed(below)}")


def _trees(found: dict[str, Any]) -> str:
    out = []
    for name, results in found.items():
        for rate, rows in results.items():
            cells = [f"{rows[m]['rf'][0]:.1f} ± {rows[m]['rf'][1]:.1f}" for m in ("learn", "Chow-Liu")]
            alpha = rows["learn"].get("alpha")
            out.append((name, rate, "none printed", *cells, with_interval(*alpha) if alpha else NOTHING))
    return table(["set", "missing", "Pei (2017)", "RF, ours", "RF, Chow–Liu", "missing rate, estimated"], out)


def _scores(found: dict[str, Any]) -> str:
    methods = {
        "learn": "ours",
        "GT": "known tree",
        "no tree": "no tree",
        "BR": "binary relevance",
        "FastTag": "FastTag",
    }
    out = []
    for name, results in found.items():
        for rate, rows in results.items():
            cells = []
            for m in methods:
                pair = [with_interval(*rows[m][measure]) for measure in MEASURES] if m in rows else [NOTHING]
                cells.append(" / ".join(pair))
            out.append((name, rate, *cells))
    return table(["F1 micro / macro", "missing", *methods.values()], out)


def _annealed(kept: Kept) -> str:
    found = kept.sets(FOLDER, [f"{name}-epsilon-0.05" for name in SETS])
    out = []
    for name, results in found.items():
        for rate, rows in results.items():
            learned = rows["learn"]
            pair = " / ".join(with_interval(*learned[measure]) for measure in MEASURES)
            out.append(
                (name.removesuffix("-epsilon-0.05"), rate, f"{learned['rf'][0]:.1f} ± {learned['rf'][1]:.1f}", pair)
            )
    return table(["ε from .05 as in Pei (2017)", "missing", "RF, ours", "F1 micro / macro"], out)
