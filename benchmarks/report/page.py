"""The whole page."""

from __future__ import annotations

from pathlib import Path

from benchmarks.report import (
    active_hacc,
    askers,
    bags,
    bayesian,
    distlqp,
    hierarchy,
    pcca,
    pictures,
    semicrowd,
    speed,
    subclustering,
    unified,
    urasc,
)
from benchmarks.report.claim import Claim, Section
from benchmarks.report.kept import Kept
from benchmarks.report.tested import TESTED
from benchmarks.report.write import table, wrap

ROOT = Path(__file__).parents[2]
PARTS = (
    askers,
    active_hacc,
    distlqp,
    subclustering,
    pcca,
    urasc,
    bags,
    unified,
    bayesian,
    hierarchy,
    semicrowd,
    pictures,
    speed,
)
OLD_CODE = "**Code.** Every result carries a hash of the modules that it was made with. When this page was written:"
INTRO = """# Benchmarks

What was measured, compared with what the papers print, and where it falls short. This page is made from the kept results by
`python -m benchmarks.report`, and a test fails when it is out of date. `make bench` runs the short benchmarks,
`make bench-full` all of them; `python -m benchmarks --list` lists them with their minutes.

± is half of the 95 % interval over the seeds, by Student's t; it is left out where there was one seed or no interval was kept. Where a claim says
so, two methods are judged by the 95 % interval of their difference: by the differences of the same seeds where every seed was kept, by Welch's
interval otherwise, and not at all with one seed. With few seeds the interval is wide, and "level" says little. Any other claim is judged by its
means alone: small differences may be chance. Sets that replace those of a paper are named in its
section; a difference to a figure on another set means little by itself.
"""


def sections(kept: Kept) -> list[Section]:
    """All parts."""
    return [part.section(kept) for part in PARTS]


def plot_of(section: Section) -> str:
    """Where the plot of a part lies, from the page."""
    return f"assets/benchmarks/{section.key}.svg"


def render(parts: list[Section], kept: Kept, root: Path = ROOT) -> str:
    """The page as text."""
    claims = [claim for part in parts for claim in part.claims]
    lines = [
        INTRO,
        "## What holds and what does not\n",
        _counts(claims),
        "",
        _areas(claims),
        "",
        _summary(claims),
        "",
        _short(parts),
    ]
    for part in parts:
        more = "" if f"({part.page})" in part.text else f" [More]({part.page})."
        lines += [f"## {part.title}\n", f"{part.text}{more}\n"]
        if part.panels:
            lines.append(f"![Curves: {part.title}]({plot_of(part)})\n")
        for block in part.blocks:
            lines += [block, ""]
    lines += ["## What the tests show\n", "Properties without a figure, checked in every run of the tests.\n"]
    rows = (
        (says, f"`{path}`" if (root / path).exists() else f"`{path}` is not there") for says, path in TESTED.items()
    )
    lines += [table(["what", "test"], rows), ""]
    if kept.read:
        lines += ["## The results\n", _provenance(kept), "", f"{OLD_CODE} {kept.old_code()}", ""]
    return wrap("\n".join(lines))


def without_code(page: str) -> str:
    """The page without its last paragraph, which turns old with every change of the code."""
    return page.partition("\n**Code.** ")[0]


def _provenance(kept: Kept) -> str:
    text = (
        f"{len(kept.read)} files below `benchmarks`, each with its config, seeds, versions, machine and date: {min(kept.dates)} to "
        f"{max(kept.dates)}, on {'; '.join(sorted(kept.machines))}."
    )
    unread = kept.unread()
    return f"{text} Kept and not on this page: {', '.join(f'`{path}`' for path in unread)}." if unread else text


def _row(claim: Claim) -> tuple[str, str, str]:
    return claim.says, claim.measured or "–", claim.verdict


def _counts(claims: list[Claim]) -> str:
    holds = sum(claim.holds is True for claim in claims)
    partly = sum(claim.holds is True and claim.partly for claim in claims)
    fails = sum(claim.holds is False for claim in claims)
    open_ = sum(claim.holds is None for claim in claims)
    some = f" ({partly} of them as far as they were run)" if partly else ""
    shown = sum(claim.holds is False and claim.is_explained for claim in claims)
    why = f" (for {shown} of them an experiment shows why)" if shown else ""
    return f"Of {len(claims)} claims {holds} hold{some}, {fails} do not{why}, {open_} were not run."


def _areas(claims: list[Claim]) -> str:
    rows = []
    for area in dict.fromkeys(claim.about for claim in claims):
        mine = [claim.holds for claim in claims if claim.about == area]
        rows.append((area, *(str(mine.count(verdict) or "–") for verdict in (True, False, None))))
    return table(["", "hold", "do not", "not run"], rows)


def _summary(claims: list[Claim]) -> str:
    """Every claim, but of the bars of speed that are met only their number."""
    met = [claim for claim in claims if claim.about == speed.ABOUT and claim.holds]
    rows = [(claim.about, *_row(claim)) for claim in claims if claim not in met]
    bars = sum(claim.about == speed.ABOUT for claim in claims)
    if met:
        rows.append(
            (
                speed.ABOUT,
                "bars of time and memory, and peers: [each of them](#speed)",
                f"{len(met)} of {bars}",
                "holds",
            )
        )
    return table(["", "claim", "measured", ""], rows)


def _short(parts: list[Section]) -> str:
    lines = ["## Where we fall short\n"]
    for part in parts:
        failed = [claim for claim in part.claims if claim.holds is False]
        if not failed:
            continue
        lines.append(f"**{part.title}** ([more]({part.page}))\n")
        for claim in failed:
            detail = f": {claim.detail}" if claim.detail else ""
            why = f" *Why:* {claim.reason}" if claim.reason else ""
            lines.append(f"- {_sentence(claim.says)} Measured: {claim.measured}{detail}.{why}")
        lines.append("")
    open_ = [f"- {claim.about}: {claim.says}" for part in parts for claim in part.claims if claim.holds is None]
    if open_:
        lines += ["**Not run**\n", *open_, ""]
    return "\n".join(lines)


def _sentence(text: str) -> str:
    return f"*{text[0].upper()}{text[1:]}.*"
