"""Sessions and questions as they show themselves in a notebook."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from likewise.query.base import Labels, State
    from likewise.query.question import Question

WORDS = {
    "pair": "same or different?",
    "triplet": "which two belong together?",
    "grid": "which of these do not belong?",
    "pick": "which of these is it?",
}


def table(title: str, rows: list[tuple[str, Any]]) -> str:
    """A table of two columns with a title; everything in it is text.

    Examples
    --------
    >>> table("a < b", [("items", 3)])
    '<table><caption>a &lt; b</caption><tr><th>items</th><td>3</td></tr></table>'
    """
    cells = "".join(f"<tr><th>{escape(str(name))}</th><td>{escape(str(value))}</td></tr>" for name, value in rows)
    return f"<table><caption>{escape(title)}</caption>{cells}</table>"


def show_question(question: Question) -> str:
    """A question: what is asked, of which items, why, and what may be answered."""
    rows: list[tuple[str, Any]] = [("items", ", ".join(map(str, question.items)))]
    if question.reason:
        rows.append(("why", question.reason))
    rows.append(("answers", ", ".join(question.answers)))
    return table(question.prompt or WORDS[question.kind], rows)


def show_session(state: State, asker: str, labels: Labels | None) -> str:
    """A session: items, answers and contradictions, and its clusters where they are known already."""
    said = Counter(answer.value for answer in state.history)
    answers = ", ".join(f"{count} {value}" for value, count in sorted(said.items())) or "none yet"
    rows: list[tuple[str, Any]] = [("items", state.n), ("asker", asker), ("answers", answers)]
    if conflicts := state.ledger.conflicts():
        rows.append(("contradictions", len(conflicts)))
    if labels is not None:
        sizes = np.sort(np.unique(labels, return_counts=True)[1])[::-1]
        largest = ", ".join(map(str, sizes[:8])) + (" …" if len(sizes) > 8 else "")
        rows += [("clusters", len(sizes)), ("their sizes", largest)]
    return table("likewise.Session", rows)
