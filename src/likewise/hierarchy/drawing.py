"""A tree of tags as a picture, and as a document that a page or a program can read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import ArrayLike

from likewise.hierarchy.trees import check_tree, children_of

ROW, INDENT, LETTER, MARGIN = 24, 26, 7.6, 12
UNPRINTABLE = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 65534, 65535, *range(55296, 57344)), "�")
"""Characters that no XML may hold."""


def tree_document(
    edges: ArrayLike, names: Sequence[str], *, counts: Sequence[int] | None = None, **more: Any
) -> dict[str, Any]:
    """Describe a tree of tags by what JSON can hold.

    Parameters
    ----------
    edges : array-like of shape (m, 2)
        (parent, child) pairs, -1 for the dummy root.
    names : sequence of str
        The name of each tag.
    counts : sequence of int or None, default=None
        How often each tag is there; children are listed most frequent first.
    **more
        Further entries.

    Returns
    -------
    dict
        ``tags``, from the top and every tag before its children: ``name``, ``index``, the index and the name of
        the ``parent`` (-1 and None under the dummy root), ``depth`` from 0, ``count``; ``edges``; and `more`.

    Examples
    --------
    >>> tree_document([(0, 1)], ["food", "ramen"])["tags"][1]
    {'name': 'ramen', 'index': 1, 'parent': 0, 'parent_name': 'food', 'depth': 1, 'count': None}
    """
    parents = check_tree(edges, len(names))
    children = children_of(parents)
    sizes = [0] * len(names) if counts is None else [int(count) for count in counts]
    depth = {-1: -1}
    listed: list[dict[str, Any]] = []
    waiting = [-1]
    while waiting:
        tag = waiting.pop()
        waiting.extend(sorted(children[tag], key=lambda c: (-sizes[c], c), reverse=True))
        if tag < 0:
            continue
        parent = int(parents[tag])
        depth[tag] = depth[parent] + 1
        listed.append(
            {
                "name": str(names[tag]),
                "index": tag,
                "parent": parent,
                "parent_name": str(names[parent]) if parent >= 0 else None,
                "depth": depth[tag],
                "count": None if counts is None else sizes[tag],
            }
        )
    return {"tags": listed, "edges": [[int(p), c] for c, p in enumerate(parents)], **more}


def draw_tree(document: dict[str, Any]) -> str:
    """Draw what :func:`tree_document` gives as SVG, in the colour of the text around it.

    One row a tag, children indented under their parent. Every row carries ``data-tag``, the index of its tag.

    Examples
    --------
    >>> picture = draw_tree(tree_document([(0, 1)], ["food", "ramen & co"]))
    >>> picture.startswith("<svg"), "ramen &amp; co" in picture
    (True, True)
    """
    tags = document["tags"]
    row = {tag["index"]: at for at, tag in enumerate(tags)}
    labels = [tag["name"] if tag["count"] is None else f"{tag['name']} ({tag['count']:,})" for tag in tags]
    width = max(INDENT * t["depth"] + LETTER * len(text) for t, text in zip(tags, labels, strict=True))
    width, height = int(np.ceil(width)) + 2 * MARGIN + 10, ROW * len(tags) + MARGIN
    lines, texts = [], []
    for at, (tag, text) in enumerate(zip(tags, labels, strict=True)):
        x, y = MARGIN + INDENT * tag["depth"], MARGIN + ROW * at + ROW // 2 - 4
        if tag["parent"] >= 0:
            top = MARGIN + ROW * row[tag["parent"]] + ROW // 2
            lines.append(f"M{x - INDENT + 3} {top}V{y}H{x - 2}")
        safe = escape(text.translate(UNPRINTABLE))
        texts.append(
            f'<g data-tag="{tag["index"]}"><circle cx="{x + 3}" cy="{y}" r="3.5"/>'
            f'<text x="{x + 12}" y="{y + 4}">{safe}</text></g>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-label="Tree of tags" font-family="system-ui, sans-serif" font-size="13" '
        f'fill="currentColor">\n<path d="{"".join(lines)}" fill="none" stroke="currentColor" stroke-opacity="0.45"/>\n'
        + "\n".join(texts)
        + "\n</svg>\n"
    )
