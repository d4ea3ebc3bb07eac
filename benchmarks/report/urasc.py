"""URASC beside the tables of its paper."""

from __future__ import annotations

from typing import Any

from benchmarks.papers.xiong2014_urasc.figures import PAPER
from benchmarks.report.claim import Claim, Panel, Section
from benchmarks.report.kept import Kept
from benchmarks.report.write import NOTHING, apart, compare, difference, half_width, listed, score, table, with_interval

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
WITHIN = 0.05
SEEDS = 20


PAPERS_READING = (
    "In the paper's reading: an exploration first, a Gaussian kernel (width: the median distance), 1 and −1 written for what was said, plain k-means, the published "
    "product of gradient and step. The Laplacian is normalised and exclusion is used: with D − W, as printed, wine is one cluster, and without exclusion the answers do not "
    "settle enough samples for the printed figures (*as printed* has neither). The same seeds for all methods."
)


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
    here.claims = [_beside(name, tables.get(name)) for name in PAPER] + [_ahead(tables), _unknown(tables, unknown)]
    read = {name: rows for name in SETS if (rows := kept.results(f"{FOLDER}/{name}-paper.json")) is not None}
    here.blocks += [PAPERS_READING, _paper_table(read)]
    here.claims += [_ablations(read), _learners(read)]
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
    says = "URASC (the better of +N and +P) at or above its ablations and all baselines at most counts"
    ahead, places, notes = 0, 0, []
    for name, rows in tables.items():
        for n in sorted({n for _, n in rows}):
            ours = max((rows[m, n]["jaccard"] for m in OURS if (m, n) in rows), default=None)
            others = {m: r["jaccard"] for (m, at), r in rows.items() if at == n and m not in OURS}
            if ours is None or not others:
                continue
            best = max(others, key=others.__getitem__)
            places += 1
            ahead += ours >= others[best]
            if ours < others[best]:
                notes.append(f"{name} at {n} ({apart(best, others[best], ours)})")
    if not places:
        return Claim(NAME, says)
    return Claim(NAME, says, 2 * ahead > places, f"at {ahead} of {places} counts", f"behind at {listed(notes)}")


def _paper_places(read: dict[str, Any], others: tuple[str, ...]) -> dict[tuple[str, int], str]:
    """At every set and count: "above", "level" or "below" the others, the better of +N and +P by its mean."""
    found = {}
    for name, rows in read.items():
        by = {(r["method"], r["constraints"]): r["jaccard_by_seed"] for r in rows}
        for n in sorted({n for _, n in by}):
            ours = max((by[m, n] for m in OURS if (m, n) in by), key=sum)
            verdicts = [compare(ours, by[m, n]) for m in others if (m, n) in by]
            found[name, n] = next((v for v in ("below", "level") if v in verdicts), "above")
    return found


def _paper_claim(says: str, read: dict[str, Any], others: tuple[str, ...]) -> Claim:
    places = _paper_places(read, others)
    if not places:
        return Claim(NAME, says)
    below = [f"{name} at {n}" for (name, n), verdict in places.items() if verdict == "below"]
    counts = [list(places.values()).count(verdict) for verdict in ("above", "level", "below")]
    measured = "above at {} of {} counts, level at {}, below at {}".format(counts[0], len(places), *counts[1:])
    return Claim(NAME, says, not below, measured, f"below at {listed(below)}", partly=len(read) < len(PAPER))


def _ablations(read: dict[str, Any]) -> Claim:
    says = (
        "in the paper's reading: the better of +N and +P at or above −NO, −PO, −GO and random pairs, or within the 95 % "
        "interval of the difference"
    )
    return _paper_claim(says, read, ("URASC-NO", "URASC-PO", "URASC-GO", "Random"))


def _learners(read: dict[str, Any]) -> Claim:
    says = (
        "in the paper's reading: the better of +N and +P at or above QUIRE and pKNN+AL, or within the 95 % interval of the difference "
        "(Fig. 5)"
    )
    return _paper_claim(says, read, ("QUIRE", "pKNN+AL"))


def _paper_table(read: dict[str, Any]) -> str:
    methods = list(dict.fromkeys(r["method"] for rows in read.values() for r in rows))
    out = []
    for name, rows in read.items():
        by = {(r["method"], r["constraints"]): r for r in rows}
        for n in sorted({n for _, n in by}):
            here = [by.get((m, n)) for m in methods]
            cells = [
                with_interval(r["jaccard"], half_width(r["jaccard_deviation"], r["seeds"])) if r else NOTHING
                for r in here
            ]
            out.append((name, str(n), *cells, str(max(r["seeds"] for r in here if r))))
    return table(["Jaccard, the paper's reading", "answers", *methods, "seeds"], out)


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
                half = half_width(row["jaccard_deviation"], row["seeds"])
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
            with_interval(r["jaccard"], half_width(r["jaccard_deviation"], r["seeds"]), r["seeds"]) if r else NOTHING
            for r in here
        ]
        out.append((method, *cells))
    return table(["Jaccard, faces-20, 2 % wrong answers", *(f"{n} answers" for n in counts)], out)
