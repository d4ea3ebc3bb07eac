"""How long people take for a question of each form: priors, fitted to everybody's answers and to each person's own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from math import exp, log
from statistics import median
from typing import TypeAlias

from likewise.query.question import ANSWERS, Answer, Form

TRUST = 5.0  # answers that what is known beforehand counts for
MOST_OFF = 4.0  # factor that fewer answers than these cannot go beyond: somebody went away, or pressed a key twice
RECENT = 2000  # answers that are looked at


@dataclass(frozen=True)
class FormTime:
    """Seconds for a question of one form: those it always takes, those for each thing shown, those for each tap.

    - `base`, `shown`, `tap`: Seconds.
    - `n_answers`: Answers of this person that they were fitted to.

    Examples
    --------
    >>> PRIORS["grid"].seconds(30, 2)
    10.4
    """

    base: float
    shown: float = 0.0
    tap: float = 0.0
    n_answers: int = 0

    def seconds(self, n_shown: int = 0, n_taps: float = 0.0) -> float:
        """Seconds with so many things shown, beside the first, and so many taps."""
        return self.base + self.shown * n_shown + self.tap * n_taps

    def times(self, factor: float, n_answers: int) -> FormTime:
        """The same for somebody who takes longer by a factor."""
        return FormTime(self.base * factor, self.shown * factor, self.tap * factor, n_answers)


# to begin with: pairs and triplets as Y. Pei's thesis measured them (Table 3.6), the others are assumptions
PRIORS: dict[Form, FormTime] = {
    "pair": FormTime(2.1),
    "triplet": FormTime(4.1),
    "grid": FormTime(1.5, 0.25, 0.7),
    "pick": FormTime(1.5, 0.3),
}
# by form: base, for each thing shown, for each tap; the last ones may be left out
Seconds: TypeAlias = tuple[float] | tuple[float, float] | tuple[float, float, float]
Times: TypeAlias = Mapping[Form, FormTime | Seconds]


def all_times(some: Times | None = None) -> dict[Form, FormTime]:
    """The times of every form: those given, else the priors.

    Examples
    --------
    >>> all_times({"pick": (3.0, 0.6)})["pick"].seconds(8)
    7.8
    """
    found = dict(PRIORS)
    for form, time in (some or {}).items():
        if form not in ANSWERS:
            raise ValueError(f"the forms of questions are {', '.join(ANSWERS)}, got {form!r}")
        found[form] = time if isinstance(time, FormTime) else FormTime(*time)
        numbers = found[form]
        if min(numbers.base, numbers.shown, numbers.tap) < 0 or numbers.base + numbers.shown <= 0:
            raise ValueError(f"a {form} takes time, got {time!r}")
    return found


def seconds_of(answer: Answer, times: Mapping[Form, FormTime]) -> float:
    """Seconds that an answer to a question is expected to take.

    Examples
    --------
    >>> seconds_of(Answer("grid", (0, 1, 2, 3), "marked", chosen=(2,)), PRIORS)
    2.95
    """
    if answer.kind == "membership":
        return 0.0
    return times[answer.kind].seconds(len(answer.items) - 1, len(answer.chosen))


def fit_times(history: Iterable[Answer], annotator: str = "") -> dict[Form, FormTime]:
    r"""Times of each form for one person: the priors times a factor :math:`e^m`.

    With x the logarithms of the seconds of answers over those of the prior, m of everybody's answers is
    :math:`n\,\mathrm{median}(x) / (n + 5)`, and m of a person's is
    :math:`(n\,\mathrm{median}(x) + 5\,m_\mathrm{all}) / (n + 5)`, each over the n answers of this form. With fewer
    than five, a median beyond four times the prior, or below a quarter of it, counts as just that. Only the last
    2,000 answers are looked at.

    - `history`, iterable of Answer: All answers, oldest first.
    - `annotator`: Whose times.

    Examples
    --------
    >>> slow = [Answer("pair", (0, 1), "same", "ann", seconds=4.2)] * 15
    >>> round(fit_times(slow, "ann")["pair"].base, 2), round(fit_times(slow, "bob")["pair"].base, 2)
    (4.02, 3.53)
    """
    ratios: dict[tuple[Form, bool], list[float]] = defaultdict(list)
    listed = list(history)
    for answer in islice(reversed(listed), RECENT):
        if answer.kind == "membership" or answer.seconds is None or answer.value == "unsure" or answer.seconds <= 0:
            continue
        ratio = log(answer.seconds / seconds_of(answer, PRIORS))
        ratios[answer.kind, True].append(ratio)
        if answer.annotator == annotator:
            ratios[answer.kind, False].append(ratio)
    found = {}
    for form, prior in PRIORS.items():
        everybody = _shrink(ratios[form, True], 0.0)
        own = ratios[form, False]
        found[form] = prior.times(exp(_shrink(own, everybody)), len(own))
    return found


def _shrink(ratios: list[float], towards: float) -> float:
    if not ratios:
        return towards
    middle = median(ratios)
    if len(ratios) < TRUST:
        middle = min(max(middle, -log(MOST_OFF)), log(MOST_OFF))
    return (len(ratios) * middle + TRUST * towards) / (len(ratios) + TRUST)
