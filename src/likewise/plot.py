"""Pictures of learning curves, of a tree with the answers, and of how clusters match groups known; needs matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    import pandas as pd

    from likewise.session import Session

__all__ = ["confusion", "dendrogram", "learning_curves"]

NEEDS = "drawing needs matplotlib: pip install 'likewise[plot]'"
MEASURES = {"ari": "ARI", "jaccard": "Jaccard", "v_measure": "V-measure", "nmi": "NMI", "f_measure": "F-measure"}
MOST_LEAVES = 2000
SAME, DIFFERENT = "tab:green", "tab:red"


def learning_curves(
    curves: pd.DataFrame | Mapping[str, pd.DataFrame],
    *,
    measure: str | None = None,
    against: str = "answers",
    axes: Any = None,
) -> Any:
    """Draw how clusters improve with the answers.

    Parameters
    ----------
    curves : DataFrame, or mapping of names to DataFrames
        What :func:`~likewise.simulate.simulate` returns; several are drawn in one picture, by their names.
    measure : str, optional
        The column to draw: "ari", "jaccard", "v_measure", "nmi" or "f_measure". By default ARI; of a single curve the
        first three.
    against : "answers" or "person_seconds"
        What the curve is drawn over.
    axes : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from likewise import Session, simulate
    >>> s = Session([[0.0], [0.1], [5.0], [5.2]], random_state=0)
    >>> learning_curves(simulate(s, [0, 0, 1, 1], 3)).get_xlabel()
    'answers'
    """
    lines = _lines(curves, measure)
    axes = _axes(axes)
    for label, curve, column in lines:
        axes.plot(curve[against], curve[column], label=label)
    axes.set(xlabel=against.replace("_", " "), ylabel="agreement with the truth", ylim=(0, 1.02))
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    return axes


def dendrogram(session: Session, *, axes: Any = None) -> Any:
    """Draw the tree of average linkage over a session's items, coloured by cluster, and the answers below it.

    Arcs join items that were called the same (green) and different (red, dashed).

    Parameters
    ----------
    session : Session
        At most 2,000 items.
    axes : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from likewise import Session
    >>> s = Session([[0.0], [0.1], [5.0], [5.2]], random_state=0)
    >>> s.answer((1, 2), "different")
    >>> len(dendrogram(s).lines)
    4
    """
    if session.n > MOST_LEAVES:
        raise ValueError(f"a tree of {session.n:,} items cannot be read: at most {MOST_LEAVES:,} are drawn")
    axes = _axes(axes)
    tree = _average_linkage(session)
    place = np.empty(session.n)
    place[tree["leaves"]] = 10.0 * np.arange(session.n) + 5.0
    for xs, ys in zip(tree["icoord"], tree["dcoord"], strict=True):
        axes.plot(xs, ys, color="0.4", linewidth=0.8)
    axes.scatter(place, np.zeros(session.n), c=session.labels_, cmap="tab20", s=18, zorder=3)
    highest = max((max(ys) for ys in tree["dcoord"]), default=1.0) or 1.0
    for pairs, colour, style in ((session.must_link, SAME, "-"), (session.cannot_link, DIFFERENT, "--")):
        for i, j in pairs:
            _arc(axes, place[i], place[j], highest, color=colour, linestyle=style)
    axes.set(ylabel="distance", xticks=place[tree["leaves"]] if session.n <= 40 else [])
    if session.n <= 40:
        axes.set_xticklabels([str(i) for i in tree["leaves"]])
    return axes


def confusion(truth: ArrayLike, labels: ArrayLike, *, axes: Any = None) -> Any:
    """Draw how many items of each known group are in each cluster, the clusters in the order that fits best.

    Parameters
    ----------
    truth, labels : array-like of shape (n,)
        Group and cluster of every item.
    axes : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> axes = confusion(["a", "a", "b"], [1, 1, 0])
    >>> [text.get_text() for text in axes.texts]
    ['2', '1']
    """
    groups, clusters, counts = match_groups(truth, labels)
    axes = _axes(axes)
    axes.imshow(counts, cmap="Blues", aspect="auto")
    for row, column in np.argwhere(counts):
        colour = "white" if 2 * counts[row, column] > counts.max() else "black"
        axes.text(column, row, str(counts[row, column]), ha="center", va="center", color=colour)
    axes.set(xlabel="cluster", ylabel="group", xticks=range(len(clusters)), yticks=range(len(groups)))
    axes.set_xticklabels([str(cluster) for cluster in clusters])
    axes.set_yticklabels([str(group) for group in groups])
    return axes


def match_groups(truth: ArrayLike, labels: ArrayLike) -> tuple[Any, Any, Any]:
    """Groups, clusters and the items of each in each, (g, c); clusters in the order with most items on the diagonal."""
    from scipy.optimize import linear_sum_assignment

    groups, rows = np.unique(np.asarray(truth), return_inverse=True)
    clusters, columns = np.unique(np.asarray(labels), return_inverse=True)
    if rows.shape != columns.shape or rows.ndim != 1:
        raise ValueError(f"truth and labels must be of one length, got shapes {rows.shape} and {columns.shape}")
    counts = np.zeros((len(groups), len(clusters)), np.int64)
    np.add.at(counts, (rows, columns), 1)
    matched = linear_sum_assignment(-counts)[1]
    order = np.concatenate([matched, np.setdiff1d(np.arange(len(clusters)), matched)])
    return groups, clusters[order], counts[:, order]


def _lines(curves: Any, measure: str | None) -> list[tuple[str, Any, str]]:
    if not isinstance(curves, Mapping):
        chosen = ("ari", "jaccard", "v_measure") if measure is None else (measure,)
        return [(MEASURES.get(column, column), curves, column) for column in chosen]
    return [(name, curve, measure or "ari") for name, curve in curves.items()]


def _average_linkage(session: Session) -> dict[str, Any]:
    from scipy.cluster import hierarchy
    from scipy.spatial.distance import squareform

    if session.n < 2:
        return {"leaves": [0] * session.n, "icoord": [], "dcoord": []}
    merges = hierarchy.linkage(squareform(session.state.distances, checks=False), "average")
    return dict(hierarchy.dendrogram(merges, no_plot=True))


def _arc(axes: Any, left: float, right: float, height: float, **style: Any) -> None:
    """Half an ellipse below the leaves; the farther apart, the deeper."""
    angle = np.linspace(0.0, np.pi, 30)
    depth = 0.05 * height + 0.25 * height * abs(right - left) / max(axes.get_xlim()[1], abs(right - left))
    xs = (left + right) / 2 + (right - left) / 2 * np.cos(angle)
    axes.plot(xs, -depth * np.sin(angle), linewidth=1.0, **style)


def _axes(axes: Any) -> Any:
    if axes is not None:
        return axes
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError(NEEDS) from None
    return Figure(figsize=(7, 4), layout="constrained").add_subplot()
