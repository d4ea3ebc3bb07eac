"""Grids of pictures that may be in their group by mistake: answers *same* that no other confirms, many at a look."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from likewise.query.base import State
from likewise.query.dendrogram.estimate import ClusterEstimate
from likewise.query.dendrogram.geometry import Integers
from likewise.query.dendrogram.grids import FEWEST_SHOWN, FILL, MOST_SHOWN, Screen
from likewise.query.dendrogram.recheck import Rechecks
from likewise.query.dendrogram.representatives import representatives
from likewise.query.form_times import FormTime
from likewise.query.question import Pair, Question

LEAST_WRONG = 0.003  # answers that are wrong with a lower probability are not shown again
N_GROUPS = 3  # groups for which a grid is built
REASON = "earlier answers about some of these may be slips: which do not belong?"


def doubtful_grids(
    rechecks: Rechecks, estimate: ClusterEstimate, state: State, skip: Collection[Pair], time: FormTime
) -> list[Screen]:
    """Grids of the groups with the most doubtful answers *same*: an example, and items beyond such answers.

    - `rechecks`: Answers that no other confirms.
    - `estimate`, `state`: The clusters, and what is known.
    - `skip`: Pairs that this person has seen.
    - `time`: Seconds of a grid.
    """
    at = np.flatnonzero(rechecks.same & (rechecks.wrong >= LEAST_WRONG))
    if len(at) < FEWEST_SHOWN:
        return []
    at = at[np.argsort(-rechecks.wrong[at] * rechecks.pairs[at], kind="stable")]
    at = np.sort(at[np.unique(rechecks.near[at], return_index=True)[1]])  # of several doubts of an item, the worst
    head, worth = rechecks.groups.head[rechecks.near[at]], rechecks.wrong[at] * rechecks.pairs[at]
    total = np.bincount(head, worth)
    found = (_grid(rechecks, estimate, state, skip, time, at[head == group]) for group in np.argsort(-total)[:N_GROUPS])
    return [screen for screen in found if screen is not None]


def _grid(
    rechecks: Rechecks, estimate: ClusterEstimate, state: State, skip: Collection[Pair], time: FormTime, at: Integers
) -> Screen | None:
    """The grid of one group, with the example for which most can be shown."""
    if len(at) < FEWEST_SHOWN:
        return None
    items, heads = rechecks.near[at], rechecks.groups.head
    examples = representatives(estimate, int(estimate.labels[items[0]]), state)
    usable = [
        [k for k in at.tolist() if _may_show(rechecks, int(example), k, state, skip)]
        for example in examples.tolist()
        if heads[example] == heads[items[0]]
    ]
    here = [int(example) for example in examples if heads[example] == heads[items[0]]]
    if not usable or max(map(len, usable)) < FEWEST_SHOWN:
        return None
    best = max(range(len(usable)), key=lambda k: (len(usable[k]), -k))
    chosen = np.array(usable[best], np.int64)
    gain = rechecks.wrong[chosen] * rechecks.pairs[chosen]
    cost = time.shown + time.tap * rechecks.wrong[chosen]
    order = np.lexsort((chosen, -gain / cost))[:MOST_SHOWN]
    rates = np.cumsum(gain[order]) / (time.base + np.cumsum(cost[order]))
    n_shown = max(int((gain[order] / cost[order] >= FILL * rates.max()).sum()), FEWEST_SHOWN)
    shown = chosen[order[:n_shown]]
    value, seconds = float(gain[order[:n_shown]].sum()), time.base + float(cost[order[:n_shown]].sum())
    members = tuple(dict.fromkeys(rechecks.near[shown].tolist()))
    if len(members) < FEWEST_SHOWN:
        return None
    question = Question("grid", (here[best], *members), value, REASON, again=True)
    return Screen(question, value, seconds, float(rates[FEWEST_SHOWN - 1 :].max()))


def _may_show(rechecks: Rechecks, example: int, k: int, state: State, skip: Collection[Pair]) -> bool:
    """Whether the example lies on the other side of an answer, and this person has not seen the two."""
    item = int(rechecks.near[k])
    side = rechecks.groups.items(int(rechecks.first[k]), int(rechecks.count[k]))
    return state.may_ask(example, item, skip) and not bool((side == example).any())
