"""How sure what people said is, for clusterers that take a weight for every pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from likewise.constraints import Pairs, as_pairs
from likewise.query.dendrogram.known_groups import KnownGroups
from likewise.query.dendrogram.recheck import WeighedStatements

if TYPE_CHECKING:
    from likewise.query.base import State

Floats = NDArray[np.float64]

LEAST, STEP = 0.1, 0.1  # weights are multiples of the step: each of them costs the clusterer time


class WeighedLinks(NamedTuple):
    """Pairs that are believed, each once, and their weights."""

    must_link: Pairs
    cannot_link: Pairs
    must_link_weights: Floats
    cannot_link_weights: Floats


def weighed_links(state: State) -> WeighedLinks:
    r"""The statements that stand, each with a weight of :math:`1 - 2 P(\text{wrong})`, in steps of a tenth.

    That is what is expected to be lost by going against it, where going against a right one costs 1 and following a
    wrong one too. P(wrong) is as in :class:`~likewise.query.dendrogram.recheck.Rechecks`, without the looks: by all
    that was said between the same two groups, or across the weakest place of the group that both items are in. What was
    given counts 1.
    """
    ledger = state.ledger
    said = WeighedStatements.of(state, KnownGroups.of(state.constraints))
    wrong = expit(-said.strength * said.nets())
    weights = np.round(np.maximum(1 - 2 * wrong, LEAST) / STEP) * STEP
    weights[list(ledger.given)] = 1.0
    found: dict[tuple[int, int, bool], float] = {}
    for place in np.flatnonzero(said.stands).tolist():
        i, j, relation = ledger.statements[place]
        key = min(i, j), max(i, j), relation == "same"
        found[key] = max(found.get(key, 0.0), float(weights[place]))
    must, cannot = ({key[:2]: weight for key, weight in found.items() if key[2] == same} for same in (True, False))
    pairs = as_pairs(list(must), state.n), as_pairs(list(cannot), state.n)
    return WeighedLinks(*pairs, np.array([*must.values()]), np.array([*cannot.values()]))
