"""DistLQP: constraints that change distances."""

from __future__ import annotations

from typing import Any

from benchmarks.report import published
from benchmarks.report.claim import NOT_FOUND, Claim, Panel, Section
from benchmarks.report.kept import Kept
from benchmarks.report.write import NOTHING, apart, count, difference, duration, listed, score, table

NAME = "DistLQP"
PLAIN, LEARNED = "COP-KMeans", "COP-KMeans + DistLQP"
SETS = ("leaf-990", "faces-400")


def section(kept: Kept) -> Section:
    """The part of the page."""
    content = kept.file("papers/biswas2014_distlqp/results.json")
    rows = content["results"] if content else []
    config = content["config"] if content else {}
    run = f"{config.get('sets of constraints')} sets of constraints × {config.get('starts')} starts" if content else ""
    here = Section(
        "distlqp",
        "DistLQP (Biswas 2014, ch. 2)",
        f"Leaves and ORL faces stand in for Leafsnap and PubFig{f'; {run}' if run else ''}. The sets differ, so it is the gain that compares.",
        "methods/distlqp.md",
    )
    here.blocks = [_printed(kept, rows), _all(rows)]
    vectors = kept.results("papers/biswas2014_distlqp/vectors.json") or []
    here.blocks += [_vectors(vectors)] if vectors else []
    here.claims = [
        _gain(rows),
        *(_ahead_of_all(name, rows, _why(name, vectors)) for name in SETS),
        _tracks(rows, vectors),
    ]
    for name in SETS:
        mine = [row for row in rows if row["set"] == name and row["constraints"] != "tracks"]
        lines = {m: [(r["constraints"], r["jaccard"][m]) for r in mine] for m in (mine[0]["jaccard"] if mine else ())}
        if lines:
            here.panels.append(Panel(name, "constraints", "Jaccard", lines))
    return here


def _gain(rows: list[dict[str, Any]]) -> Claim:
    says = "COP-KMeans + DistLQP above COP-KMeans at every number of constraints on leaves and faces"
    numbered = [row for row in rows if row["constraints"] != "tracks"]
    if {row["set"] for row in numbered} != set(SETS):
        return Claim(NAME, says)
    gains = [
        (row["jaccard"][LEARNED] - row["jaccard"][PLAIN], f"{row['set']} at {count(row['constraints'])}")
        for row in numbered
    ]
    behind = [where for gain, where in gains if gain <= 0]
    measured = f"+{score(min(gains)[0])} to +{score(max(gains)[0])}" if not behind else f"not at {listed(behind)}"
    return Claim(NAME, says, not behind, measured)


def _behind(rows: list[dict[str, Any]]) -> list[str]:
    """Where another method is ahead of COP-KMeans + DistLQP: K-medoids on the same distances is one of them."""
    out = []
    for row in rows:
        others = {m: v for m, v in row["jaccard"].items() if m != LEARNED}
        best = max(others, key=others.__getitem__)
        if others[best] >= row["jaccard"][LEARNED]:
            where = f"{row['set']} at {_number(row['constraints'])}"
            out.append(f"{where} ({apart(best, others[best], row['jaccard'][LEARNED])})")
    return out


def _ahead_of_all(name: str, rows: list[dict[str, Any]], reason: str) -> Claim:
    says = f"{name}: COP-KMeans + DistLQP ahead of every other method at every number of constraints (Fig. 3: outperforms all)"
    return _all_of(says, [row for row in rows if row["set"] == name and row["constraints"] != "tracks"], reason)


def _tracks(rows: list[dict[str, Any]], vectors: list[dict[str, Any]]) -> Claim:
    says = "constraints of tracks: COP-KMeans + DistLQP ahead of every other method on at least one of two sets (Table 2.2)"
    mine = [row for row in rows if row["constraints"] == "tracks"]
    if len(mine) < len(SETS):
        return Claim(NAME, says)
    behind = _behind(mine)
    measured = f"on {len(mine) - len(behind)} of {len(mine)}"
    means = listed(
        f"{row['set']} {score(row['jaccard'][f'{PLAIN} + MDS']['mean'])}"
        for row in vectors
        if row["constraints"] == "tracks"
    )
    also = f"; both are behind COP-KMeans by means of vectors ({means})" if vectors else ""
    reason = f"{NOT_FOUND} for NPKL's being ahead with these and far behind with few random ones{also}."
    return Claim(NAME, says, len(behind) < len(mine), measured, f"behind on {listed(behind)}", reason=reason)


def _all_of(says: str, rows: list[dict[str, Any]], reason: str) -> Claim:
    if not rows:
        return Claim(NAME, says)
    behind = _behind(rows)
    measured = f"at {len(rows) - len(behind)} of {len(rows)} numbers"
    return Claim(NAME, says, not behind, measured, f"behind on {listed(behind)}", reason=reason)


def _why(name: str, vectors: list[dict[str, Any]]) -> str:
    """What k-means on vectors has without hearing a constraint, and COP-KMeans with them."""
    row = next((row for row in vectors if row["set"] == name and row["constraints"] != "tracks"), None)
    if row is None:
        return ""
    at = {method: score(found["mean"]) for method, found in row["jaccard"].items()}
    return (
        f"HMRF has means of vectors, DistLQP distances and so medoids, and the distances of this set are all but those of vectors (correlation {score(row['correlation'])} with those after scaling; "
        f"of its own the thesis says that scaling was often inaccurate). With {count(row['constraints'])} constraints k-means on these vectors that hears none of them has {at['k-means + MDS, no constraint']}, HMRF {at['HMRF-com + MDS']}: little of it is what HMRF makes of the constraints. "
        f"COP-KMeans has {at[f'{PLAIN} + MDS']} on the vectors and {at[PLAIN]} by medoids; DistLQP raises the latter to {at[LEARNED]}, and where vectors are to be had it does not replace them (COP-KMeans on vectors of the learned distances: "
        f"{at[f'{LEARNED} + MDS']}; {len(row['jaccard'][PLAIN]['by set'])} sets of constraints)."
    )


def _vectors(rows: list[dict[str, Any]]) -> str:
    methods = list(rows[0]["jaccard"])
    out = [
        (row["set"], _number(row["constraints"]), *(score(row["jaccard"][m]["mean"]) for m in methods)) for row in rows
    ]
    return table(["Jaccard, medoids and means of vectors", "constraints", *methods], out)


def _printed(kept: Kept, rows: list[dict[str, Any]]) -> str:
    out = []
    for name, (printed, second) in published.DISTLQP.items():
        mine = [row for row in rows if row["set"] == name and row["constraints"] != "tracks"]
        ours = mine[-1]["jaccard"] if mine else None
        gain = ours[LEARNED] - ours[PLAIN] if ours else None
        what = f"{name}, {count(mine[-1]['constraints'])} constraints" if mine else name
        out.append(
            (
                f"gain in Jaccard, {what}",
                f"{score(second)} → {score(printed.value)} ({printed.source})",
                f"{score(ours[PLAIN])} → {score(ours[LEARNED])}" if ours else "not run",
                f"gain {difference(gain, 0)} against {difference(printed.value, second)}" if ours else NOTHING,
            )
        )
    tracks = [(row["set"], row["jaccard"]) for row in rows if row["constraints"] == "tracks"]
    for (video, (plain, printed)), (name, ours) in zip(published.TRACKS.items(), tracks, strict=False):
        out.append(
            (
                f"gain, constraints of tracks: {video}; ours {name}",
                f"{score(plain)} → {score(printed.value)} ({printed.source}, accuracy)",
                f"{score(ours[PLAIN])} → {score(ours[LEARNED])} (Jaccard)",
                f"gain {difference(ours[LEARNED], ours[PLAIN])} against {difference(printed.value, plain)}",
            )
        )
    speed = kept.results("speed/distlqp.json")
    seconds = max((one["ours, tol=5e-05"]["seconds"] for one in speed["solvers"]), default=None) if speed else None
    large = speed["large"]["seconds"] if speed else None
    for what, printed, ours in (
        ("1,042 items, 5,000 constraints", published.DISTLQP_SECONDS, seconds),
        ("10,000 items, 25,000 constraints", published.DISTLQP_LARGE_SECONDS, large),
    ):
        less = f"÷ {printed.value / ours:,.0f}" if ours else NOTHING
        out.append((f"time to learn, {what}", f"{duration(printed.value)} ({printed.source})", duration(ours), less))
    return table(["what", "Biswas (2014)", "ours", "difference"], out)


def _all(rows: list[dict[str, Any]]) -> str:
    methods = list(rows[0]["jaccard"]) if rows else []
    out = [
        (row["set"], _number(row["constraints"]), *(score(row["jaccard"].get(method)) for method in methods))
        for row in rows
    ]
    return table(["Jaccard", "constraints", *methods], out)


def _number(constraints: int | str) -> str:
    return constraints if isinstance(constraints, str) else count(constraints)
