"""Simulated people, and the learning curve of a session that asks them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    from numpy.typing import ArrayLike

    from likewise.query.form_times import Times
    from likewise.query.question import Question
    from likewise.session import Session


class SimulatedAnnotator:
    """A simulated person who knows the truth, takes time, errs and is sometimes *unsure*.

    The answer to a question depends on the seed and the question alone, so that askers can be compared on the same
    mistakes, and asking again gives the same answer.

    Parameters
    ----------
    truth : array-like of shape (n,)
        Class of every item.
    error_rate : float
        Share of wrong answers to pairs, triplets and picks, drawn uniformly from the other possible answers.
    overlook_rate : float, optional
        Share of the pictures on grids that do not belong and are not tapped; two and a half times the error rate by
        default. None that belongs is tapped.
    unsure_rate : float
        Share of the questions answered ``unsure``.
    random_state : int
        Seed of the mistakes.
    times : dict, optional
        Seconds by form: ``(base, for each thing shown, for each tap)``; those of
        :data:`likewise.query.form_times.PRIORS` where there are none.

    Examples
    --------
    >>> from likewise import Question
    >>> SimulatedAnnotator(["cat", "cat", "dog"]).answer(Question("grid", (0, 1, 2)))
    [2]
    >>> SimulatedAnnotator(["cat", "cat", "dog"]).answer(Question("pick", (0, 1, 2)))
    1
    >>> SimulatedAnnotator(["cat", "cat", "dog"]).answer(Question("pair", (0, 1)))
    'same'
    >>> SimulatedAnnotator(["cat", "cat", "dog"]).answer(Question("triplet", (0, 1, 2)))
    'ab'
    """

    def __init__(
        self,
        truth: ArrayLike,
        *,
        error_rate: float = 0.0,
        unsure_rate: float = 0.0,
        overlook_rate: float | None = None,
        random_state: int = 0,
        times: Times | None = None,
    ) -> None:
        import numpy as np

        from likewise.query.form_times import all_times

        overlook = min(1.0, OVERLOOKED * error_rate) if overlook_rate is None else overlook_rate
        for name, rate in (("error_rate", error_rate), ("unsure_rate", unsure_rate), ("overlook_rate", overlook)):
            if not 0 <= rate <= 1:
                raise ValueError(f"{name} must be between 0 and 1, got {rate}")
        self.truth = np.asarray(truth)
        self.error_rate = error_rate
        self.unsure_rate = unsure_rate
        self.overlook_rate = overlook
        self.seed = random_state
        self.times = all_times(times)

    def answer(self, question: Question) -> Any:
        """The answer of this person, as :meth:`likewise.Session.answer` takes it."""
        import numpy as np

        right = self._right(question)
        if not self.error_rate and not self.unsure_rate and not self.overlook_rate:
            return right
        rng = np.random.default_rng([self.seed, *sorted(question.items)])
        if rng.random() < self.unsure_rate:
            return "unsure"
        if question.kind == "grid":
            return [item for item in right if rng.random() >= self.overlook_rate]
        if rng.random() >= self.error_rate:
            return right
        possible = (*question.items[1:], "none") if question.kind == "pick" else question.answers
        others = [value for value in possible if value not in (right, "unsure")]
        return others[int(rng.integers(len(others)))]

    def seconds(self, question: Question, given: Any) -> float:
        """How long this person takes for an answer.

        Examples
        --------
        >>> from likewise import Question
        >>> SimulatedAnnotator("aab").seconds(Question("grid", (0, 1, 2)), [2])
        2.7
        """
        taps = len(given) if question.kind == "grid" and not isinstance(given, str) else 0
        return self.times[question.kind].seconds(len(question.items) - 1, taps)

    def _right(self, question: Question) -> Any:
        first, *others = [self.truth[i] for i in question.items]
        if question.kind in ("grid", "pick"):
            shown = list(zip(question.items[1:], others, strict=True))
            if question.kind == "grid":
                return [item for item, kind in shown if kind != first]
            return next((item for item, kind in shown if kind == first), "none")
        if question.kind == "pair":
            return "same" if first == others[0] else "different"
        a, b, c = first, *others
        if len({a, b, c}) != 2:
            return "none"
        return "ab" if a == b else "ac" if a == c else "bc"


class SimulatedWorkers:
    """Simulated people who err as paid workers did: many hardly ever, some nearly always, each in one direction.

    Everybody takes what is the same for different, and the other way, with rates of their own, drawn from the
    distributions of 176 workers who compared products. Some pairs are hard for all, above all among those
    that are the same. The answer to a pair depends on the seed, the person and the pair alone: whoever errs errs again.

    Parameters
    ----------
    truth : array-like of shape (n,)
        Class of every item.
    n_people : int
        How many there are; their :attr:`names` are ``worker-0``, ``worker-1`` and so on.
    random_state : int
        Seed of people and mistakes.

    Examples
    --------
    >>> from likewise import Question
    >>> workers = SimulatedWorkers(["cat", "cat", "dog"], 3, random_state=1)
    >>> workers.names
    ('worker-0', 'worker-1', 'worker-2')
    >>> {workers.answer(Question("pair", (0, 1)), name) for name in workers.names} <= {"same", "different"}
    True
    """

    def __init__(self, truth: ArrayLike, n_people: int, *, random_state: int = 0) -> None:
        import numpy as np
        from scipy.stats import beta, norm

        if n_people < 1:
            raise ValueError(f"n_people must be at least 1, got {n_people}")
        self.truth = np.asarray(truth)
        self.seed = random_state
        self.names = tuple(f"worker-{k}" for k in range(n_people))
        normal = np.random.default_rng([self.seed, n_people]).multivariate_normal(
            [0, 0], [[1, WORKERS_GO_TOGETHER], [WORKERS_GO_TOGETHER, 1]], n_people
        )
        # by person: share of what is the same and called different, and the other way
        self.rates = beta.ppf(norm.cdf(normal), *np.array(WORKERS_WRONG).T)

    def answer(self, question: Question, annotator: str) -> str:
        """What somebody says of a pair."""
        import numpy as np
        from scipy.stats import norm

        if question.kind != "pair":
            raise ValueError(f"simulated workers answer pairs only, got a {question.kind}")
        who, (i, j) = self.names.index(annotator), sorted(question.items)
        different = bool(self.truth[i] != self.truth[j])
        rate, alike = self.rates[who, int(different)], WORKERS_ALIKE[int(different)]
        of_pair, own = (np.random.default_rng([self.seed, i, j, *more]).normal() for more in ((), (1, who)))
        wrong = bool(norm.cdf(np.sqrt(alike) * of_pair + np.sqrt(1 - alike) * own) < rate)
        return "different" if different != wrong else "same"


def simulate(
    session: Session,
    truth: ArrayLike,
    budget: int,
    *,
    error_rate: float = 0.0,
    unsure_rate: float = 0.0,
    overlook_rate: float | None = None,
    random_state: int | None = None,
    times: Times | None = None,
    budget_seconds: float | None = None,
    every: int = 1,
    progress: Any = None,
) -> pd.DataFrame:
    """Let a simulated person answer up to `budget` questions and measure the clusters after each.

    Parameters
    ----------
    session : Session
        Asks and clusters; answers are added to it.
    truth : array-like of shape (n,)
        Class of every item.
    budget : int
        Maximum number of questions; fewer when nothing is left to ask.
    error_rate, unsure_rate, overlook_rate, times
        See :class:`SimulatedAnnotator`.
    random_state : int, optional
        Seed of the mistakes; the session's by default.
    budget_seconds : float, optional
        Seconds of the person after which nothing more is asked.
    every : int
        Number of answers between measurements, for slow clusterers; the last answer is always followed by one.
    progress : callable, optional
        Called with each row (a dict) as it is made.

    Returns
    -------
    DataFrame
        One row an answer (with `every`, fewer): ``answers jaccard v_measure ari nmi f_measure n_clusters seconds
        person_seconds``: the time it took to choose the question, and the person's for all answers so far.

    Examples
    --------
    >>> from likewise import Session, simulate
    >>> s = Session([[0.0], [0.1], [5.0]], strategy="random", n_clusters=2, random_state=0)
    >>> simulate(s, [0, 0, 1], budget=2).jaccard.tolist()
    [1.0, 1.0]
    """
    import pandas as pd

    _check(session, truth, budget, every)
    seed = session.seed if random_state is None else random_state
    rates: Any = {"error_rate": error_rate, "unsure_rate": unsure_rate, "overlook_rate": overlook_rate}
    person = SimulatedAnnotator(truth, random_state=seed, times=times, **rates)
    rows = []
    for row in _curve(session, person, budget, every, budget_seconds):
        rows.append(row)
        if progress is not None:
            progress(row)
    return pd.DataFrame(rows, columns=CURVE_COLUMNS)


def _check(session: Session, truth: Any, budget: int, every: int) -> None:
    if len(truth) != session.n:
        raise ValueError(f"truth has {len(truth)} entries for {session.n} items")
    if budget < 0:
        raise ValueError(f"budget must not be negative, got {budget}")
    if every < 1:
        raise ValueError(f"every must be at least 1, got {every}")


def _curve(
    session: Session, person: SimulatedAnnotator, budget: int, every: int, budget_seconds: float | None
) -> Iterator[dict[str, float]]:
    """Ask and answer; a row after every so many answers, and after the last."""
    from time import perf_counter

    seconds = taken = 0.0
    for k in range(1, budget + 1):
        start = perf_counter()
        question = session.ask() if budget_seconds is None or taken < budget_seconds else None
        if question is None:
            if (k - 1) % every:
                yield _row(session, person, seconds, taken)
            return
        seconds = perf_counter() - start
        given = person.answer(question)
        took = person.seconds(question, given)
        taken += took
        session.answer(question, given, seconds=took)
        if k % every == 0 or k == budget:
            yield _row(session, person, seconds, taken)


def _row(session: Session, person: SimulatedAnnotator, seconds: float, taken: float) -> dict[str, float]:
    from likewise.metrics import measure

    return {
        "answers": len(session.history),
        **measure(person.truth, session.labels_),
        "n_clusters": session.n_clusters_,
        "seconds": seconds,
        "person_seconds": taken,
    }


MEASURES = ["jaccard", "v_measure", "ari", "nmi", "f_measure"]
CURVE_COLUMNS = ["answers", *MEASURES, "n_clusters", "seconds", "person_seconds"]
OVERLOOKED = 2.5  # pictures overlooked on grids, by wrong answers to pairs
# benchmarks/crowd/fitted_workers.py, of what is the same and of what is different: the Beta distribution of people's
# shares of wrong answers, and how far two people err about the same pairs; and how a person's two shares go together
WORKERS_WRONG = ((0.806, 1.465), (0.239, 0.866))
WORKERS_ALIKE = (0.21, 0.03)
WORKERS_GO_TOGETHER = -0.46
