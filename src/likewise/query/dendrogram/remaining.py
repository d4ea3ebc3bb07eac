"""How many seconds of a person are left, to most of the clusters and to all of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from likewise.constraints import Constraints
from likewise.query.base import State
from likewise.query.dendrogram.candidates import MergeCandidates
from likewise.query.dendrogram.estimate import ClusterEstimate
from likewise.query.dendrogram.geometry import Floats
from likewise.query.dendrogram.grids import doubt_of
from likewise.query.dendrogram.screens import ScreenCandidates
from likewise.query.form_times import FormTime, seconds_of
from likewise.query.question import Form

MOST = 0.95  # share of the pairs to be right, at which most is done
ON_GRID, ON_PICK = 12, 6  # pictures, and groups, that usually share a screen
USUAL, TRUST = 1.3, 20.0  # seconds for what is counted at one second; seconds of experience that this counts for
LATER = 0.76  # seconds to the end for one second by experience, where there are grids: they get fuller (on eight sets)
SPREAD = 0.5  # of the logarithm of the seconds, for an interval of about 90 %
MORE_AT_FIRST = 0.6  # added to it as long as nothing was answered


@dataclass(frozen=True)
class SecondsLeft:
    """Seconds that are probably left, and the ends of an interval."""

    seconds: float
    low: float
    high: float


@dataclass(frozen=True)
class Remaining:
    """Seconds of a person that are left to most (95 % of the pairs right) and to the end; how it is known."""

    to_most: SecondsLeft
    to_end: SecondsLeft
    reason: str


NOTHING_LEFT = Remaining(SecondsLeft(0.0, 0.0, 0.0), SecondsLeft(0.0, 0.0, 0.0), "every pair is known")


class WorkLeft:
    """What is left to be said, with its seconds: joins of items with their clusters, and pairs of clusters.

    - `estimate`, `candidates`: The clusters, and what may be asked about them.
    - `forms`, `times`: The forms of questions, and the seconds that each takes.
    """

    def __init__(
        self,
        estimate: ClusterEstimate,
        candidates: ScreenCandidates,
        forms: Collection[Form],
        times: Mapping[Form, FormTime],
    ) -> None:
        pair, grid, pick = (times[form] for form in ("pair", "grid", "pick"))
        self.join = grid.seconds(ON_GRID) / ON_GRID if "grid" in forms else pair.seconds()
        self.part = pick.seconds(ON_PICK) / ON_PICK if "pick" in forms else pair.seconds()
        self.later = LATER if "grid" in forms else 1.0
        tap = grid.tap if "grid" in forms else 0.0
        home = pick.seconds(ON_PICK) if "pick" in forms else pair.seconds()  # for what does not belong where it was
        size = estimate.structure.tree.size[candidates.nodes]
        pairs = size * (estimate.sizes[candidates.owners] - size)
        doubt = doubt_of(candidates.part_value, pairs)
        merges = MergeCandidates.of(estimate).unique()
        total = np.bincount(merges.left, merges.probability, len(estimate.sizes))
        total += np.bincount(merges.right, merges.probability, len(estimate.sizes))
        stays = 1 / (1 + total)  # probability that a cluster is not one with another
        across = stays[merges.left] * stays[merges.right]
        between = estimate.sizes[merges.left] * estimate.sizes[merges.right]
        self.n_joins = int(size.sum()) + float((1 - stays[estimate.ids]).sum())
        self.n_apart = float(across.sum())
        self.value: Floats = np.concatenate([doubt * pairs, merges.probability * between])
        self.seconds: Floats = np.concatenate([self.join + doubt * (tap + home), np.maximum(across * self.part, 1e-9)])
        self._inside = float((estimate.sizes * (estimate.sizes - 1)).sum() / 2)

    def to_end(self) -> float:
        """Seconds for all of it, were nothing to turn out otherwise than expected."""
        return self.n_joins * self.join + self.n_apart * self.part

    def to_most(self) -> float:
        """Seconds until what is expected to be wrong is little, what settles most in a second first."""
        order = np.argsort(-self.value / self.seconds, kind="stable")
        left = self.value.sum() - np.cumsum(self.value[order])
        wanted = int(np.searchsorted(-left, -(1 - MOST) * max(self._inside, 1.0)))
        if self.value.sum() <= (1 - MOST) * max(self._inside, 1.0):
            return 0.0
        return float(self.seconds[order][: wanted + 1].sum())


def estimate_remaining(
    state: State, estimate: ClusterEstimate, work: WorkLeft, times: Mapping[Form, FormTime]
) -> Remaining:
    """Seconds left: those of what is left to be said, times how much longer it took than that so far.

    - `state`, `estimate`: What is known, and the clusters.
    - `work`: What is left.
    - `times`: Seconds of the person for a question of each form.
    """
    spent, done = _experience(state, estimate, work, times)
    factor = (spent + USUAL * TRUST) / (done + TRUST)
    end = work.to_end() * factor * work.later
    most = min(work.to_most(), end)
    share = spent / (spent + end) if spent + end > 0 else 1.0
    spread = SPREAD + MORE_AT_FIRST * (1 - share)
    reason = (
        f"about {work.n_joins:.0f} items are not known to belong to their cluster and {work.n_apart:.0f} pairs of "
        f"clusters not to differ; lately it took {factor:.1f} times as long as that alone, at this person's pace"
    )
    return Remaining(_with_ends(most, spread), _with_ends(end, spread), reason)


def _with_ends(seconds: float, spread: float) -> SecondsLeft:
    return SecondsLeft(seconds, seconds * float(np.exp(-spread)), seconds * float(np.exp(spread)))


def _experience(
    state: State, estimate: ClusterEstimate, work: WorkLeft, times: Mapping[Form, FormTime]
) -> tuple[float, float]:
    """Of the second half of the answers: the seconds they take, and those of what they said that was left to say."""
    history = [answer for answer in state.history if answer.kind != "membership"]
    half = len(history) // 2
    before = Constraints(state.n)
    for answer in history[:half]:
        for statement in answer.statements():
            before.add(*statement)
    joined = (_n_groups(before) - _n_groups(state.constraints)) * work.join
    apart = (_n_apart(state.constraints, estimate) - _n_apart(before, estimate)) * work.part
    return sum(seconds_of(answer, times) for answer in history[half:]), max(joined + apart, 0.0)


def _n_groups(constraints: Constraints) -> int:
    return int(constraints.labels().max(initial=-1)) + 1


def _n_apart(constraints: Constraints, estimate: ClusterEstimate) -> int:
    """Pairs of the present clusters that are known to differ."""
    _, first = np.unique(constraints.labels(), return_index=True)
    pairs = constraints.group_cannot_links()
    ends = np.sort(estimate.labels[first[pairs]].reshape(-1, 2), axis=1)
    return len(np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0))
