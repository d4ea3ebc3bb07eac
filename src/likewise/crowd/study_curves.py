"""How clusters improve with the answers of a study: of all people together, and form against form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from statistics import fmean, stdev
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likewise.crowd.study import FORMS, true_answer
from likewise.crowd.study_clusters import OWN, StudyClusters, StudyReader, in_order
from likewise.crowd.study_tables import StudyAnswer
from likewise.metrics import measure

Budget: TypeAlias = Literal["items", "seconds"]
COUNTED = ("answers", "right", "wrong", "unsure", "conflicts", "seconds")
MEASURED = ("jaccard", "v_measure", "ari", "nmi", "f_measure", "n_clusters")
TOLD = "two of three"  # triplets without those answered with "otherwise"


def study_curve(
    answers: Iterable[StudyAnswer],
    X: ArrayLike,
    names: Sequence[str],
    truth: Sequence[Any],
    *,
    by: Any = OWN,
    n_clusters: int | None = None,
    metric: Any = "euclidean",
    steps: int = 10,
    random_state: int = 0,
) -> list[dict[str, Any]]:
    """Measure the clusters under more and more answers of all people together, in the order they were given.

    Parameters
    ----------
    answers, X, names, by, n_clusters, metric, random_state
        As in :func:`cluster_study`.
    truth : sequence of length n
        Class of every item; items whose class is None are clustered, but not measured.
    steps : int
        Number of points of the curve besides the one without answers.

    Returns
    -------
    list of dict
        A row a point: ``answers``, how many of them are ``right`` and ``wrong`` by the truth, ``unsure`` and
        ``conflicts`` (answers that contradict others), the people's ``seconds``, then ``jaccard v_measure ari nmi
        f_measure n_clusters``.

    References
    ----------
    A. Biswas, *Semi-supervised and Active Image Clustering*, 2014, Figure 7 of ch. 3: there an asker chooses among
    answers that people gave to all pairs; here the questions are those of the study.

    Examples
    --------
    >>> said = [("same", ("a", "b")), ("different", ("b", "c"))]
    >>> answers = [StudyAnswer("s", "ann", "pair", value, None, 2.0, items) for value, items in said]
    >>> rows = study_curve(answers, [[0.0], [2.0], [3.0]], list("abc"), [0, 0, 1], by="hacc", n_clusters=2, steps=2)
    >>> [(row["answers"], row["right"], row["seconds"], row["jaccard"]) for row in rows]
    [(0, 0, 0.0, 0.0), (1, 1, 2.0, 1.0), (2, 2, 4.0, 1.0)]
    """
    given, counts = in_order(answers), _check_steps(steps)
    reader = StudyReader(X, names, by=by, n_clusters=n_clusters, metric=metric, random_state=random_state)
    scale = _Scale(reader, truth)
    cuts = sorted({0, *(round(k * len(given) / steps) for k in counts)})
    return [scale.row(given[:cut], found) for cut, found in zip(cuts, reader.read(given, cuts), strict=True)]


def compare_forms(
    answers: Iterable[StudyAnswer],
    X: ArrayLike,
    names: Sequence[str],
    truth: Sequence[Any],
    *,
    along: Budget = "items",
    by: Any = "discriminative",
    n_clusters: int | None = None,
    metric: Any = "euclidean",
    steps: int = 5,
    random_state: int = 0,
) -> list[dict[str, Any]]:
    """What pairs and triplets do for the clusters at the same cost, person by person, from the first answers on.

    Parameters
    ----------
    answers, X, names, truth, by, n_clusters, metric, random_state
        As in :func:`cluster_study` and :func:`study_curve`.
    along : "items" or "seconds"
        What is equal between the forms at each step: the number of items shown, or the time they took. A person's
        whole budget is what the form that they spent less on took.
    steps : int
        Equal parts of the budget.

    Returns
    -------
    list of dict
        A row a form and step: ``form`` ("pair", "triplet", and "two of three", the triplets without those answered
        with *otherwise*), ``share`` of the budget, ``people``, then means over people of what
        :func:`study_curve` gives, and ``interval_95``, half of the 95 % interval (Student's t) of ``f_measure`` over
        people; None for one person.

    References
    ----------
    Y. Pei, *Learning with Partial Supervision*, 2017, Figures 3.9 and 3.10. "The same amount of time" is read as shares
    of the shorter of a person's two times, and the same number of items likewise: with 195 pairs and 130 triplets
    these are the fifths of the thesis.

    Examples
    --------
    >>> said = [("pair", "same", ("a", "b")), ("pair", "same", ("a", "c")), ("triplet", "ab", ("a", "b", "c"))]
    >>> answers = [StudyAnswer("s", "ann", kind, value, None, 2.0, items) for kind, value, items in said]
    >>> options = {"by": "hacc", "n_clusters": 2, "steps": 1}
    >>> rows = compare_forms(answers, [[0.0], [2.0], [3.0]], list("abc"), [0, 0, 1], **options)
    >>> [(row["form"], row["answers"], row["right"], row["f_measure"]) for row in rows]
    [('pair', 1.0, 1.0, 1.0), ('triplet', 1.0, 1.0, 1.0), ('two of three', 1.0, 1.0, 1.0)]
    """
    given, counts = in_order(answers), _check_steps(steps)
    reader = StudyReader(X, names, by=by, n_clusters=n_clusters, metric=metric, random_state=random_state)
    scale = _Scale(reader, truth)
    rows: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for person in dict.fromkeys(answer.person for answer in given):
        own = [answer for answer in given if answer.person == person]
        for form, (some, cuts) in _shares(own, along, steps).items():
            for step, cut, found in zip(counts, cuts, reader.read(some, cuts), strict=True):
                rows.setdefault((form, step), []).append(scale.row(some[:cut], found))
    order = [(form, step) for form in (*FORMS, TOLD) for step in counts if (form, step) in rows]
    return [{"form": form, "share": step / steps, **_mean_row(rows[form, step])} for form, step in order]


def _check_steps(steps: int) -> range:
    if steps < 1:
        raise ValueError(f"steps must be at least 1, got {steps}")
    return range(1, steps + 1)


def _shares(
    answers: Sequence[StudyAnswer], along: Budget, steps: int
) -> dict[str, tuple[list[StudyAnswer], list[int]]]:
    """A person's answers of each form, and how many of them lie within each share of the budget."""
    by_form = {form: [answer for answer in answers if answer.kind == form] for form in FORMS}
    by_form = {form: some for form, some in by_form.items() if some}
    costs = {form: [_cost(answer, along) for answer in some] for form, some in by_form.items()}
    budget = min(sum(each) for each in costs.values())
    shares: dict[str, tuple[list[StudyAnswer], list[int]]] = {}
    for form, some in by_form.items():
        spent = list(accumulate(costs[form]))
        within = [step / steps * budget * (1 + 1e-12) for step in range(1, steps + 1)]
        shares[form] = some, [sum(cost <= most for cost in spent) for most in within]
    if "triplet" in shares:
        some, cuts = shares["triplet"]
        told = [answer for answer in some if answer.answer != "none"]
        shares[TOLD] = told, [sum(answer.answer != "none" for answer in some[:cut]) for cut in cuts]
    return shares


def _cost(answer: StudyAnswer, along: Budget) -> float:
    if along not in ("items", "seconds"):
        raise ValueError(f"along must be 'items' or 'seconds', got {along!r}")
    if along == "items":
        return FORMS["pair" if answer.kind == "pair" else "triplet"]
    if answer.seconds is None:
        raise ValueError(f"{answer.person} gave an answer without a time: along='seconds' needs them all")
    return answer.seconds


class _Scale:
    """Measures clusters and answers against the classes that are known."""

    def __init__(self, reader: StudyReader, truth: Sequence[Any]) -> None:
        classes = list(truth)
        if len(classes) != len(reader.place):
            raise ValueError(f"truth has {len(classes)} entries for {len(reader.place)} items")
        self.known = np.array([k for k, each in enumerate(classes) if each is not None], np.int64)
        if not len(self.known):
            raise ValueError("the class of no item is known")
        self.classes = [classes[k] for k in self.known.tolist()]
        self.class_of = dict(zip(reader.place, classes, strict=True))

    def row(self, answers: Sequence[StudyAnswer], found: StudyClusters) -> dict[str, Any]:
        """A point of a curve."""
        right, wrong = (sum(self._is_right(answer) is value for answer in answers) for value in (True, False))
        seconds = sum((answer.seconds or 0.0 for answer in answers), 0.0)
        counts = (len(answers), right, wrong, found.unsure, found.n_conflicting, seconds)
        labels = found.labels[self.known]
        n_clusters = len(np.unique(found.labels))
        return {
            **dict(zip(COUNTED, counts, strict=True)),
            **measure(self.classes, labels.tolist()),
            "n_clusters": n_clusters,
        }

    def _is_right(self, answer: StudyAnswer) -> bool | None:
        """Whether an answer is right; None where nothing was decided, or a class is not known."""
        classes = [self.class_of[name] for name in answer.items]
        if answer.answer == "unsure" or None in classes:
            return None
        return answer.answer == true_answer(answer.kind, classes)


def _mean_row(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    scores = [row["f_measure"] for row in rows]
    means = {key: fmean(row[key] for row in rows) for key in (*COUNTED, *MEASURED)}
    return {"people": len(rows), **means, "interval_95": _half_interval(scores)}


def _half_interval(values: Sequence[float]) -> float | None:
    """Half of the 95 % interval of a mean, by Student's t; None of one value."""
    if len(values) < 2:
        return None
    from scipy.stats import t

    return float(t.ppf(0.975, len(values) - 1) * stdev(values) / len(values) ** 0.5)
