"""URASC beside the tables of its paper."""

from __future__ import annotations

from typing import Any

from benchmarks.interval import half_width_kept, sample_kept, standing, welch, worst
from benchmarks.papers.xiong2014_urasc.figures import PAPER
from benchmarks.report import urasc_protocol
from benchmarks.report.claim import NOT_FOUND, Claim, Panel, Section
from benchmarks.report.kept import Kept
from benchmarks.report.write import NOTHING, apart, compare, difference, listed, score, table, tally, with_interval

NAME = "URASC"
FOLDER = "papers/xiong2014_urasc/results"
SETS = (
    "wine",
    "sonar",
    "bupa",
    "diabetes",
    "balance-scale",
    "cho-yeast",
    "faces-20",
    "faces-40",
    "leaf-99",
    "flowers-17",
)
OURS = ("URASC+N", "URASC+P")
LEARNERS = ("QUIRE", "pKNN+AL")
WITHIN = 0.05
SEEDS = 20
ENOUGH, OF = 18, 21  # counts at which it ought to be at or above the others
FEW = 5


def section(kept: Kept) -> Section:
    """The part of the page."""
    found = kept.sets(FOLDER, SETS)
    tables = {name: {(r["method"], r["constraints"]): r for r in rows} for name, rows in found.items()}
    unknown = kept.results(f"{FOLDER}/faces-20-unknown.json")
    missing = [name for name in SETS if name not in tables]
    here = Section(
        "urasc",
        "URASC (Xiong et al. 2014)",
        "Jaccard coefficient / V-measure after so many answers, beside the tables of Fig. 4 and 5; baselines as printed where they are."
        + (f" In the benchmark's list and not run: {listed(missing)}." if missing else ""),
        "methods/urasc.md",
    )
    noisy = kept.results(f"{FOLDER}/faces-20-noise.json")
    here.blocks = [_printed(tables), _others(tables), _noise(noisy)]
    here.claims = [_beside(name, tables.get(name)) for name in PAPER] + [
        _ahead(tables),
        _unknown(tables, unknown),
        _wrong(noisy),
        *urasc_protocol.claims(kept),
    ]
    here.blocks += urasc_protocol.blocks(kept)
    for name in PAPER:
        rows = tables.get(name, {})
        lines = {m: [(n, r["jaccard"]) for (method, n), r in rows.items() if method == m] for m in OURS}
        lines |= {f"{m}, paper": [(n, by[m][0]) for n, by in PAPER[name].items() if m in by] for m in OURS}
        if rows:
            here.panels.append(Panel(name, "answers", "Jaccard", lines))
    return here


def _beside(name: str, rows: dict[Any, Any] | None) -> Claim:
    says = f"{name}: Jaccard and V-measure of +N and +P within .05 of the paper or above, {SEEDS} seeds"
    if not rows:
        return Claim(NAME, says)
    below, places, seeds = [], 0, SEEDS
    for n, printed in PAPER[name].items():
        for method in OURS:
            row = rows.get((method, n))
            if row is None:
                continue
            seeds = min(seeds, row["seeds"])
            for what, value, theirs in zip(
                ("Jaccard", "V"), (row["jaccard"], row["v_measure"]), printed[method], strict=True
            ):
                places += 1
                if value < theirs - WITHIN:
                    below.append(f"{method} at {n}, {what} ({apart('paper', theirs, value)})")
    measured = f"at {places - len(below)} of {places} points, {seeds} seeds"
    return Claim(NAME, says, places > 0 and not below, measured, _why(below, seeds), partly=seeds < SEEDS)


def _why(below: list[str], seeds: int) -> str:
    notes = [f"below at {listed(below)}"] if below else []
    if seeds < SEEDS:
        notes.append(f"{seeds} of {SEEDS} seeds were run")
    return "; ".join(notes)


def _ahead(tables: dict[str, Any]) -> Claim:
    """By the interval of the difference; beside it, as it was judged before, by the means alone."""
    says = (
        "with our own reading of the answers, which the baselines are given too: URASC (the better of +N and +P) at or above its ablations and all baselines, or within "
        f"the 95 % interval of the difference, at no less than {ENOUGH} of {OF} counts"
    )
    verdicts, each, ahead, notes, few, learners = [], [], 0, [], 0, 0
    lost: dict[tuple[str, int], list[str]] = {}
    for name, rows in tables.items():
        for n in sorted({n for _, n in rows}):
            mine = [rows[m, n] for m in OURS if (m, n) in rows]
            others = {m: r for (m, at), r in rows.items() if at == n and m not in OURS}
            if not mine or not others:
                continue
            ours = max(mine, key=lambda row: row["jaccard"])
            found = {m: _stand(ours, row) for m, row in others.items()}
            verdicts.append(worst(found.values()))
            each += found.values()
            ahead += all(ours["jaccard"] >= row["jaccard"] for row in others.values())
            few += min(row["seeds"] for row in (ours, *others.values())) < FEW
            below = {m: others[m]["jaccard"] for m, verdict in found.items() if verdict == "below"}
            learners += bool(below) and set(below) <= set(LEARNERS)
            if below:
                lost[name, n] = list(below)
                best = max(below, key=below.__getitem__)
                notes.append(
                    f"{name} at {n} ({apart(best, below[best], ours['jaccard'])}; {_seeds(ours, others[best])})"
                )
    if not verdicts:
        return Claim(NAME, says)
    measured = (
        f"{tally(verdicts, 'counts')}; by the means alone at or above all at {ahead}; "
        f"{few} of the counts have a method with fewer than {FEW} seeds; {urasc_protocol.by_chance(each)}"
    )
    holds = len(verdicts) >= OF and verdicts.count("above") + verdicts.count("level") >= ENOUGH
    detail = f"below at {listed(notes)}. {learners} of these are behind {' and '.join(LEARNERS)} alone"
    return Claim(NAME, says, holds, measured, detail, partly=few > 0, reason=_as_printed(lost) if lost else "")


def _as_printed(lost: dict[tuple[str, int], list[str]]) -> str:
    """Where every method that is ahead is printed ahead, too; of the other places nothing is known."""
    same = []
    for (name, n), methods in lost.items():
        printed = PAPER.get(name, {}).get(n, {})
        ours = max((printed[m][0] for m in OURS if m in printed), default=1.0)
        if all(m in printed and printed[m][0] > ours for m in methods):
            same.append(f"{name} at {n} ({listed(apart(m, printed[m][0], ours) for m in methods)})")
    if len(same) == len(lost):
        return f"it is printed so: {listed(same)}."
    return f"{NOT_FOUND}{f' but for what is printed so: {listed(same)}' if same else ''}."


def _seeds(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    return f"{ours['seeds']} and {theirs['seeds']} seeds"


def _stand(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    """By the differences on the seeds that both have where these were kept, else by Welch's interval of the deviations."""
    if "jaccard_by_seed" in ours and "jaccard_by_seed" in theirs:
        pairs = list(zip(ours["jaccard_by_seed"], theirs["jaccard_by_seed"], strict=False))
        return compare([a for a, _ in pairs], [b for _, b in pairs])
    left, right = (sample_kept(row["jaccard"], row["jaccard_deviation"], row["seeds"]) for row in (ours, theirs))
    return standing(welch(left, right))


def _unknown(tables: dict[str, Any], unknown: list[dict[str, Any]] | None) -> Claim:
    says = (
        "faces-20: with the number of clusters unknown it comes to the known one (−.01) within 400 answers (Fig. 8: the results "
        "eventually become indistinguishable)"
    )
    if not unknown or "faces-20" not in tables:
        return Claim(NAME, says)
    last = max(unknown, key=lambda r: r["constraints"])
    known = {n: r["jaccard"] for (m, n), r in tables["faces-20"].items() if m == last["method"]}
    if not known:
        return Claim(NAME, says)
    goal = known[max(known)]
    along = [(r["constraints"], r["jaccard"], known.get(r["constraints"], goal)) for r in unknown]
    steps = listed(f"{score(v)} against {score(k)} at {n}" for n, v, k in along)
    return Claim(NAME, says, last["jaccard"] >= goal - 0.01, steps)


def _wrong(rows: list[dict[str, Any]] | None) -> Claim:
    says = "faces-20 with 2 % wrong answers: the better of +N and +P ahead of the others at every count (Fig. 7: a significant overall advantage)"
    if not rows:
        return Claim(NAME, says)
    ahead, verdicts, counts = 0, [], sorted({row["constraints"] for row in rows})
    for n in counts:
        there = {row["method"]: row for row in rows if row["constraints"] == n}
        ours = max((there[m] for m in OURS if m in there), key=lambda row: row["jaccard"])
        others = [row for m, row in there.items() if m not in OURS]
        ahead += all(ours["jaccard"] > row["jaccard"] for row in others)
        verdicts.append(worst(_stand(ours, row) for row in others))
    seeds = min(row["seeds"] for row in rows)
    others = listed(dict.fromkeys(row["method"] for row in rows if row["method"] not in OURS))
    measured = f"at {ahead} of {len(counts)} counts beside {others}; by the 95 % interval of the difference {tally(verdicts, 'counts')} (at least {seeds} seeds)"
    return Claim(NAME, says, ahead == len(counts), measured, partly=seeds < FEW)


def _printed(tables: dict[str, Any]) -> str:
    out = []
    for name, counts in PAPER.items():
        for n, printed in counts.items():
            for method, (jaccard, v_measure) in printed.items():
                row = tables.get(name, {}).get((method, n))
                if row is None and method not in OURS:
                    continue
                paper = f"{score(jaccard)} / {score(v_measure)}"
                if row is None:
                    out.append((f"{name}, {n}, {method}", paper, "not run", NOTHING))
                    continue
                half = half_width_kept(row["jaccard_deviation"], row["seeds"])
                ours = f"{with_interval(row['jaccard'], half)} / {score(row['v_measure'])} ({row['seeds']})"
                less = f"{difference(row['jaccard'], jaccard)} / {difference(row['v_measure'], v_measure)}"
                out.append((f"{name}, {n}, {method}", paper, ours, less))
    return table(["set, answers, method", "paper", "ours (seeds)", "difference"], out)


def _others(tables: dict[str, Any]) -> str:
    methods = list(dict.fromkeys(m for rows in tables.values() for m, _ in rows))
    out = []
    for name, rows in tables.items():
        for n in sorted({n for _, n in rows}):
            cells = [score(rows[m, n]["jaccard"]) if (m, n) in rows else NOTHING for m in methods]
            out.append((name, str(n), *cells))
    return table(["Jaccard", "answers", *methods], out)


def _noise(rows: list[dict[str, Any]] | None) -> str:
    if not rows:
        return "With 2 % wrong answers: not run."
    by = {(r["method"], r["constraints"]): r for r in rows}
    counts = sorted({n for _, n in by})
    out = []
    for method in dict.fromkeys(m for m, _ in by):
        here = [by.get((method, n)) for n in counts]
        cells = [
            with_interval(r["jaccard"], half_width_kept(r["jaccard_deviation"], r["seeds"]), r["seeds"])
            if r
            else NOTHING
            for r in here
        ]
        out.append((method, *cells))
    return table(["Jaccard, faces-20, 2 % wrong answers", *(f"{n} answers" for n in counts)], out)
