"""The report: one HTML page with its plots, which needs no other file."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial
from html import escape
from pathlib import Path

from likewise.formats import plots
from likewise.formats.names import plain_text
from likewise.formats.rows import AnnotatorRow, ClusterRow, Snapshot
from likewise.formats.words import worded
from likewise.formats.writing import Written

__all__ = ["write_report"]

SHOWN_CLUSTERS = 200
BY_HAND = ("confirm", "edit")  # sources of what was said of groups: many statements at once, and no answers
SHOWN_PICTURES = 8
CURVE_POINTS = 200
# Keys of Snapshot.figures that are shown, in this order.
FIGURES = {
    "alpha": ("Krippendorff's α", "agreement of all annotators beyond chance: 1 is full, 0 is chance", False),
    "majority": ("The majority's accuracy", "against the truth, one decision for each question", True),
    "weighted": ("Weighted accuracy", "answers weighed by each annotator's reliability (Dawid–Skene)", True),
}
COLUMNS = (
    *("annotator", "answers", "unsure", "seconds", "known", "right", "accuracy", "agreement", "reliability"),
    "not counted",
)
STYLE = """
:root{color-scheme:light dark;--ink:#1d2126;--soft:#5c6670;--page:#fff;--box:#f5f6f8;--line:#dde1e6;--main:#2f6fb1}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#a2abb5;--page:#15181c;--box:#1e2227;--line:#343a42;
--main:#7fb2e8}}
*{box-sizing:border-box}body{margin:0 auto;max-width:1000px;padding:24px 20px 60px;background:var(--page);
color:var(--ink);font:16px/1.5 system-ui,sans-serif}h1{margin:0;font-size:1.7rem}h2{margin:40px 0 8px;font-size:1.2rem}
p,.quiet{color:var(--soft)}dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px}
dl div{padding:12px 16px;border-radius:10px;background:var(--box)}dt{color:var(--soft);font-size:.85rem}
dd{margin:0;font-size:1.6rem;font-variant-numeric:tabular-nums}dd small{display:block;font-size:.75rem;
line-height:1.3;color:var(--soft)}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}.wide{overflow-x:auto}
th,td{padding:6px 10px;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:8em}th{color:var(--soft);font-weight:600;
font-size:.85rem}td.left{text-align:left}
td img{height:44px;width:44px;object-fit:cover;border-radius:6px;margin:0 4px 0 0;vertical-align:middle}
svg{width:100%;height:auto;max-width:760px}svg text{fill:var(--soft);font-size:12px}.grid{stroke:var(--line)}
.line{fill:none;stroke:var(--main);stroke-width:2}.bar,.dot{fill:var(--main)}.dot{opacity:.65}
"""


def write_report(snapshot: Snapshot, path: Path) -> Written:
    """Write the report.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "report.html"
    >>> rows = [ClusterRow(0, "a.jpg", 3, "<b>oak</b>", "found")]
    >>> _ = write_report(Snapshot("leaves", clusters=rows), path)
    >>> "&lt;b&gt;oak&lt;/b&gt;" in path.read_text()
    True
    """
    title = escape(plain_text(snapshot.project))
    parts = [
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{title} – report</title>',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<style>{STYLE}</style></head><body><header><h1>{title}</h1>",
        f"<p>As of {snapshot.made_at:%Y-%m-%d %H:%M} UTC, by likewise.</p></header><main>",
        _numbers(snapshot),
        *_clusters(snapshot),
        *_questions(snapshot),
        *_annotators(snapshot),
        "</main></body></html>\n",
    ]
    path.write_text("\n".join(parts), encoding="utf-8")
    return Written(path, len(snapshot.answers), "answers")


def _numbers(snapshot: Snapshot) -> str:
    given = [row for row in snapshot.answers if row.source not in BY_HAND]
    asked = {tuple(sorted((row.a, row.b, row.c))) for row in given}
    boxes = [(label, f"{n:,}", "") for label, n in _counts(snapshot).items() if n]
    boxes.append(("Answers", f"{len(given):,}", f"to {len(asked):,} questions"))
    boxes.append(("Annotators", f"{len(snapshot.annotators):,}", ""))
    for name, (label, about, is_share) in FIGURES.items():
        value = snapshot.figures.get(name)
        if value is not None:
            boxes.append((label, _percent(value) if is_share else f"{value:.3f}", about))
    inside = "".join(_box(*box) for box in boxes)
    return f"<dl>{inside}</dl>"


def _counts(snapshot: Snapshot) -> dict[str, int]:
    """How many there are of what is asked about; of faces, of the photographs that they are in as well."""
    n_clusters = len({row.cluster for row in snapshot.clusters})
    if not snapshot.of_faces:
        return {"Pictures": len(snapshot.images), "Clusters": n_clusters}
    photographs = sum(row.image not in snapshot.faces for row in snapshot.images)
    return {"Photographs": photographs, "Faces": len(snapshot.clusters), "People": n_clusters}


def _box(label: str, value: str, about: str) -> str:
    small = f"<small>{escape(about)}</small>" if about else ""
    return f"<div><dt>{escape(label)}</dt><dd>{escape(value)}{small}</dd></div>"


def _clusters(snapshot: Snapshot) -> Iterable[str]:
    groups: dict[int, list[ClusterRow]] = {}
    for row in snapshot.clusters:
        groups.setdefault(row.cluster, []).append(row)
    if not groups:
        return
    ordered = sorted(groups.values(), key=lambda rows: (-len(rows), rows[0].cluster))
    said = partial(worded, of_faces=snapshot.of_faces)
    yield f"<section><h2>{said('Clusters')}</h2>"
    named = [(_cluster_name(rows, snapshot), float(len(rows))) for rows in ordered]
    axes = said("clusters, largest first"), said("pictures")
    yield plots.draw_bars(named[:SHOWN_CLUSTERS], axes, said("Size of each cluster"))
    body = "".join(_cluster_line(rows, snapshot) for rows in ordered[:SHOWN_CLUSTERS])
    yield (
        f'<div class="wide"><table><thead><tr><th scope="col">{said("cluster")}</th>'
        f'<th scope="col">{said("pictures")}</th>'
        '<th scope="col">suggested</th><th scope="col">state</th><td></td></tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )
    if len(ordered) > SHOWN_CLUSTERS:
        more = said("smaller clusters are not listed")
        yield f"<p>{len(ordered) - SHOWN_CLUSTERS:,} {more}.</p>"
    yield "</section>"


def _cluster_line(rows: list[ClusterRow], snapshot: Snapshot) -> str:
    waiting = sum(row.state == "suggested" for row in rows)
    state = "confirmed" if any(row.state == "confirmed" for row in rows) else "found"
    shown = [snapshot.thumbnails[row.image] for row in rows if row.image in snapshot.thumbnails]
    images = "".join(
        f'<img alt="" src="data:image/jpeg;base64,{base64.b64encode(each).decode()}">'
        for each in shown[:SHOWN_PICTURES]
    )
    return (
        f"<tr><td>{escape(_cluster_name(rows, snapshot))}</td><td>{len(rows) - waiting:,}</td><td>{waiting or ''}</td>"
        f'<td>{state}</td><td class="left">{images}</td></tr>'
    )


def _cluster_name(rows: Sequence[ClusterRow], snapshot: Snapshot) -> str:
    return plain_text(rows[0].name) or f"{snapshot.unnamed}-{rows[0].cluster}"


def _questions(snapshot: Snapshot) -> Iterable[str]:
    given = [
        row for row in snapshot.answers if row.source not in BY_HAND
    ]  # a confirmed group counts as many answers at once
    times = sorted(datetime.fromisoformat(row.at) for row in given if row.at)
    seconds = [row.seconds for row in given if row.seconds is not None]
    if len(times) > 1 and times[-1] > times[0]:
        yield "<section><h2>Questions over time</h2>"
        yield _curve(times)
        yield "</section>"
    if seconds:
        middle = sorted(seconds)[len(seconds) // 2]
        yield f"<section><h2>Seconds a question</h2><p>Half of the answers took {middle:.1f} seconds or less.</p>"
        yield plots.draw_histogram(seconds, ("seconds", "answers"), "How long answers took")
        yield "</section>"


def _curve(times: list[datetime]) -> str:
    start, span = times[0], (times[-1] - times[0]).total_seconds()
    step = max(1, len(times) // CURVE_POINTS)
    kept = sorted({*range(0, len(times), step), len(times) - 1})
    points = [((times[k] - start).total_seconds(), float(k + 1)) for k in kept]
    pattern = "%Y-%m-%d" if span > 3 * 86400 else "%m-%d %H:%M" if span > 7200 else "%H:%M:%S"
    names = [(share * span, f"{start + share * (times[-1] - start):{pattern}}") for share in (0.08, 0.5, 0.92)]
    return plots.draw_line(points, ("time, UTC", "answers"), "Answers given so far, over time", names)


def _annotators(snapshot: Snapshot) -> Iterable[str]:
    rows = snapshot.annotators
    if not rows:
        return
    yield "<section><h2>Annotators</h2>"
    known = [row for row in rows if row.accuracy is not None]
    if known:
        accuracies = sorted(row.accuracy or 0.0 for row in known)
        yield (
            f"<p>Accuracy against the truth from {_percent(accuracies[0])} to {_percent(accuracies[-1])}, "
            f"half of the annotators at {_percent(accuracies[len(accuracies) // 2])} or better.</p>"
        )
        if len(known) > 2:
            points = [(float(row.known), row.accuracy or 0.0, _dot_name(row)) for row in known]
            yield plots.draw_dots(
                points, ("answers of which the truth is known", "accuracy"), "Accuracy of each annotator", (0.0, 1.0)
            )
    yield _annotator_table(sorted(rows, key=lambda row: (-row.answers, row.annotator)))
    yield (
        "<p>Seconds: the median. Known, right, accuracy: against the truth, where it is known. Agreement: with the "
        "answers of others to the same questions. Reliability: the probability of a right answer, estimated from all "
        "answers without the truth. Not counted: what the answers look like, by what others said; they are kept, and "
        f"{worded('the clusters are made without them', snapshot.of_faces)}.</p></section>"
    )


def _annotator_table(rows: Sequence[AnnotatorRow]) -> str:
    """One line for each annotator, without columns that are empty."""
    lines = [
        [
            escape(_annotator_name(row)),
            f"{row.answers:,}",
            str(row.unsure or ""),
            "" if row.seconds is None else f"{row.seconds:.1f}",
            f"{row.known:,}" if row.known else "",
            f"{row.right:,}" if row.known else "",
            *(_percent(share) for share in (row.accuracy, row.agreement, row.reliability)),
            escape(row.suspicion),
        ]
        for row in rows
    ]
    kept = [k for k in range(len(COLUMNS)) if any(line[k] for line in lines)]
    head = "".join(f'<th scope="col">{COLUMNS[k]}</th>' for k in kept)
    body = "".join(f"<tr>{''.join(f'<td>{line[k]}</td>' for k in kept)}</tr>" for line in lines)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _annotator_name(row: AnnotatorRow) -> str:
    return row.annotator or "(no name)"


def _dot_name(row: AnnotatorRow) -> str:
    return f"{_annotator_name(row)}: {row.right} of {row.known} right"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"
