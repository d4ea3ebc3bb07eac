"""How often answers are wrong: by what contradicts and confirms them, and by the looks of what they are about."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from likewise.query.base import State
from likewise.query.calibration import SameCurve
from likewise.query.dendrogram.answered_distances import AnsweredDistances
from likewise.query.dendrogram.geometry import Floats, Integers
from likewise.query.dendrogram.known_groups import KnownGroups

OTHERS, ON_GRID = 0, 1  # kinds of statements: a grid on which an odd picture may have been overlooked says *same*
PRIOR_TESTED = 20.0  # answers of either kind that the prior counts for
PRIOR_WRONG = np.array([0.5, 1.25])  # how many of these are wrong: a slip, a picture overlooked
MOST_WRONG = 0.3
MAX_ROUNDS, SETTLED = 30, 0.001  # rounds end when the rates change by less than this share


@dataclass(frozen=True)
class SlipCounts:
    """What tells by kind how many statements are wrong, (2,) each: those set aside, those that others say too.

    - `aside`: Number of statements that are set aside.
    - `repeated`: Number of those that follow from others.
    """

    aside: Floats
    repeated: Floats

    @classmethod
    def of(
        cls,
        state: State,
        known: KnownGroups,
        kinds: Integers,
        pairs: Integers,
        same: NDArray[np.bool_],
        stands: NDArray[np.bool_],
    ) -> SlipCounts:
        """Those of all statements of a state; what was given, and people who are not counted, tell nothing."""
        asked = np.ones(len(pairs), bool)
        asked[[*state.ledger.given, *state.ledger.not_counted]] = False
        aside = np.bincount(kinds[asked & ~stands], minlength=2).astype(np.float64)
        standing = np.bincount(kinds[asked & stands], minlength=2)
        return cls(aside, _n_repeated(pairs, same, stands, known) * standing / max(1, standing.sum()))

    @property
    def rates(self) -> Floats:
        """Share of wrong ones by kind; one that follows from others tests these as well as itself."""
        return (PRIOR_WRONG + self.aside) / (PRIOR_TESTED + self.aside + 2 * self.repeated)


@dataclass(frozen=True)
class Noise:
    r"""How often answers are wrong, and what the looks say of each.

    An answer about two sets at distance d says *same* with probability :math:`\varepsilon + (1 - 2 \varepsilon)
    \sigma(\eta(d))`, where η is the curve of the truth (:class:`~likewise.query.calibration.SameCurve`) and ε the share
    of wrong answers, which has a prior of one in forty. Both are found in turn (EM): with L the weight by which all
    statements together speak for what one says, this one is wrong with the log-odds :math:`-L \log((1 - \varepsilon) /
    \varepsilon) \mp \eta`. So ε is seen before anything was asked twice: from *same* about what lies far apart, and
    *different* about what lies close together.

    - `looks` (m,): η of what each statement that stands is about.
    - `rates` (2,): ε by kind of statement.

    References
    ----------
    Logistic regression under labels of which some are flipped: J. Bootkrajang, A. Kabán, *Label-Noise Robust Logistic
    Regression and Its Applications*, ECML PKDD 2012, §2; here with one ε for both kinds of slips.
    """

    looks: Floats
    rates: Floats

    @classmethod
    def read(
        cls, curve: SameCurve, answered: AnsweredDistances, kinds: Integers, held: Floats, counts: SlipCounts
    ) -> Noise:
        """From the statements that stand.

        - `curve`: Fitted as if all were right; it stays as it is.
        - `answered`: Their distances.
        - `kinds` (m,): The kind of each.
        - `held` (m,): The net weight for what it says; infinite where that follows from others.
        - `counts`: What else tells how many are wrong.
        """
        rates, curve = counts.rates, copy(curve)
        distances, sizes, weights = (np.array(each) for each in (answered.distances, answered.pairs, answered.weights))
        sign = np.where(answered.same, 1.0, -1.0)
        tested = PRIOR_TESTED + counts.aside + counts.repeated + np.bincount(kinds, minlength=2)
        for _ in range(MAX_ROUNDS if len(held) else 0):
            right = held * -logit(rates)[kinds] * sign
            same = expit(curve.logit(distances, sizes) + right)
            wrong = np.where(sign > 0, 1 - same, same)
            before, n_wrong = rates, PRIOR_WRONG + counts.aside + np.bincount(kinds, wrong, 2)
            rates = np.minimum(n_wrong / tested, MOST_WRONG)
            curve.fit(distances, same, sizes, weights, start=curve.coef_, max_steps=1)
            if (np.abs(rates - before) < SETTLED * before).all():
                break
        return cls(curve.logit(distances, sizes), rates)


def statement_kinds(state: State) -> Integers:
    """The kind of every statement of the ledger."""
    ledger, history = state.ledger, state.history
    kinds = np.full(len(ledger.statements), OTHERS)
    for place, source in enumerate(state.taken.sources):
        if source >= 0 and history[source].kind == "grid" and ledger.statements[place][2] == "same":
            kinds[place] = ON_GRID
    return kinds


def _n_repeated(pairs: Integers, same: NDArray[np.bool_], stands: NDArray[np.bool_], known: KnownGroups) -> int:
    """Number of statements that follow from others."""
    groups = known.group_of[pairs[stands & ~same]]
    n_different = len(np.unique(np.sort(groups, axis=1), axis=0))
    n_needed = len(known.items) - len(known.sizes) + n_different
    return int(stands.sum()) - n_needed
