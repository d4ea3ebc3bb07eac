"""Questions about three items: a pair with a third beside it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from likewise.query.base import Labels, State
from likewise.query.question import Question

REASON = "two of these look alike, and a third stands beside them"


def add_third(state: State, labels: Labels, question: Question) -> Question:
    """A triplet of a pair and the closest item of another cluster of which something is open.

    The pair stays a pair where there is no such item, and where it is asked again.

    Examples
    --------
    >>> state = State(np.array([[0.0], [1.0], [3.0], [9.0]]), "euclidean", None, 0)
    >>> add_third(state, np.array([0, 0, 1, 1]), Question("pair", (0, 1))).items
    (0, 1, 2)
    """
    if question.again:
        return question
    i, j = question.items
    others = state.not_closed(np.flatnonzero((labels != labels[i]) & (labels != labels[j])))
    if not len(others):
        return question
    closeness = state.distances_between([i, j], others).min(axis=0)
    known = state.constraints.known
    for k in others[np.argsort(closeness, kind="stable")].tolist():
        if known(i, k) is None and known(j, k) is None:
            return replace(question, kind="triplet", items=(i, j, k), reason=REASON)
    return question
