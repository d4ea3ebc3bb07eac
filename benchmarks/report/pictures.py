"""How well descriptors and embeddings tell classes apart."""

from __future__ import annotations

from typing import Any

from benchmarks.report.claim import Claim, Section, at_least
from benchmarks.report.kept import Kept
from benchmarks.report.write import score, table

NAME = "Pictures"
NETWORK = "efficientnet-lite0"
STACK_BARS = {"precision": 0.99, "recall": 0.95}
COLOUR = ("laplacian", "probability", "hsv")
WELL_AHEAD = 0.1


def section(kept: Kept) -> Section:
    """The part of the page."""
    rows = kept.results("images/results.json") or []
    by: dict[str, dict[str, float]] = {}
    for row in rows:
        by.setdefault(row["set"], {})[row["way"]] = row["one_nn"]
    here = Section(
        "pictures",
        "Descriptors and embeddings",
        "Share of pictures whose nearest other picture is of their class. [Embeddings](methods/embeddings.md) has every descriptor and the clusterings.",
        "methods/embeddings.md",
    )
    out = []
    for name, ways in by.items():
        best = _best_made(ways)
        out.append((name, score(ways.get(NETWORK)), f"{score(ways[best])} ({best})", score(ways.get("shape"))))
    here.blocks = [table(["1-NN", "default embedding", "best hand-made descriptor", "shape"], out)]
    here.blocks += _faces(kept.results("images/faces.json") or [])
    here.claims = [_ahead(name, by.get(name)) for name in ("flowers-17", "scene-300")]
    here.claims.append(_shape(by.get("leaf-99")))
    here.claims += _stacks(kept.results("images/stacks.json") or [])
    return here


def _best_made(ways: dict[str, float]) -> str:
    made = {way: value for way, value in ways.items() if not way.startswith((NETWORK, "faces"))}
    return max(made, key=made.__getitem__)


def _ahead(name: str, ways: dict[str, float] | None) -> Claim:
    says = f"{name}: the default embedding well ahead (≥ .10 in 1-NN) of every hand-made descriptor"
    if not ways:
        return Claim(NAME, says)
    best = _best_made(ways)
    measured = f"{score(ways[NETWORK])}, {best} {score(ways[best])}"
    return Claim(NAME, says, ways[NETWORK] >= ways[best] + WELL_AHEAD, measured)


def _shape(ways: dict[str, Any] | None) -> Claim:
    says = "leaf-99: the shape descriptor ahead of colour"
    if not ways:
        return Claim(NAME, says)
    best = max(COLOUR, key=ways.__getitem__)
    return Claim(NAME, says, ways["shape"] > ways[best], f"{score(ways['shape'])}, {best} {score(ways[best])}")


def _faces(rows: list[dict[str, Any]]) -> list[str]:
    """Faces found in made photographs, and how well people are grouped after so many answers."""
    found = next((row for row in rows if row["case"] == "detection"), None)
    if found is None:
        return []
    asked = [row for row in rows if "after" in row]
    counts = [each["answers"] for each in asked[0]["after"]] if asked else []
    lines = [(row["case"], *(score(each["ari"]) for each in row["after"])) for row in asked]
    heads = ["ORL faces in photographs: ARI of people", *(f"{n} answers" for n in counts)]
    recall, precision = score(found["recall"]), score(found["precision"])
    says = (
        f"Of {found['pasted']:,} faces pasted into photographs {recall} are found; {precision} of what is found is one."
    )
    return [says, table(heads, lines)]


def _stacks(rows: list[dict[str, Any]]) -> list[Claim]:
    """Of 60 bursts of ten altered copies among 1,000 pictures, the worst seed."""
    copies = [row for row in rows if row["case"] == "copies"]
    claims = []
    for figure, bar in STACK_BARS.items():
        says = f"60 bursts of ten altered copies among 1,000 pictures: pairwise {figure} of the stacks ≥ {score(bar)}"
        worst = min((row["stacks"][figure] for row in copies), default=None)
        claims.append(at_least(NAME, says, worst, bar, "" if worst is None else score(worst)))
    return claims
