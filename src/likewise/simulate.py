"""Simulated people, and the learning curve of a session that asks them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    from numpy.typing import ArrayLike

    from likewise.query.question import Question
    from likewise.session import Session


class SimulatedAnnotator:
    """A simulated person who knows the truth, with a rate of errors and a rate of *unsure*.

    The answer to a question depends on the seed and the question alone, so that askers can be compared on the same
    mistakes, and asking again gives the same answer.

    Parameters
    ----------
    truth : array-like of shape (n,)
        Class of every item.
    error_rate : float
        Share of wrong answers, drawn uniformly from the other possible answers.
    unsure_rate : float
        Share of the questions answered ``unsure``.
    random_state : int
        Seed of the mistakes.

    Examples
    --------
    >>> from likewise import Question
    >>> SimulatedAnnotator(["cat", "cat", "dog"]).answer(Question("pair", (0, 1)))
    'same'
    >>> SimulatedAnnotator(["cat", "cat", "dog"]).answer(Question("triplet", (0, 1, 2)))
    'ab'
    """

    def __init__(
        self, truth: ArrayLike, *, error_rate: float = 0.0, unsure_rate: float = 0.0, random_state: int = 0
    ) -> None:
        import numpy as np

        for name, rate in (("error_rate", error_rate), ("unsure_rate", unsure_rate)):
            if not 0 <= rate <= 1:
                raise ValueError(f"{name} must be between 0 and 1, got {rate}")
        self.truth = np.asarray(truth)
        self.error_rate = error_rate
        self.unsure_rate = unsure_rate
        self.seed = random_state

    def answer(self, question: Question) -> str:
        """The answer of this person."""
        import numpy as np

        right = self._right(question)
        if not self.error_rate and not self.unsure_rate:
            return right
        rng = np.random.default_rng([self.seed, *sorted(question.items)])
        if rng.random() < self.unsure_rate:
            return "unsure"
        if rng.random() >= self.error_rate:
            return right
        others = [value for value in question.answers if value not in (right, "unsure")]
        return others[int(rng.integers(len(others)))]

    def _right(self, question: Question) -> str:
        kinds = [self.truth[i] for i in question.items]
        if question.kind == "pair":
            return "same" if kinds[0] == kinds[1] else "different"
        a, b, c = kinds
        if len({a, b, c}) != 2:
            return "none"
        return "ab" if a == b else "ac" if a == c else "bc"


def simulate(
    session: Session,
    truth: ArrayLike,
    budget: int,
    *,
    error_rate: float = 0.0,
    unsure_rate: float = 0.0,
    random_state: int | None = None,
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
    error_rate, unsure_rate : float
        See :class:`SimulatedAnnotator`.
    random_state : int, optional
        Seed of the mistakes; the session's by default.
    every : int
        Number of answers between measurements, for slow clusterers; the last answer is always followed by one.
    progress : callable, optional
        Called with each row (a dict) as it is made.

    Returns
    -------
    DataFrame
        One row an answer (with `every`, fewer): ``answers jaccard v_measure ari nmi f_measure n_clusters
        seconds``, where seconds is the time it took to choose the question.

    Examples
    --------
    >>> from likewise import Session, simulate
    >>> s = Session([[0.0], [0.1], [5.0]], strategy="random", n_clusters=2, random_state=0)
    >>> simulate(s, [0, 0, 1], budget=2).jaccard.tolist()
    [1.0, 1.0]
    """
    import pandas as pd

    if len(truth) != session.n:  # type: ignore[arg-type]
        raise ValueError(f"truth has {len(truth)} entries for {session.n} items")  # type: ignore[arg-type]
    if budget < 0:
        raise ValueError(f"budget must not be negative, got {budget}")
    if every < 1:
        raise ValueError(f"every must be at least 1, got {every}")
    seed = session.seed if random_state is None else random_state
    person = SimulatedAnnotator(truth, error_rate=error_rate, unsure_rate=unsure_rate, random_state=seed)
    rows = []
    for row in _curve(session, person, budget, every):
        rows.append(row)
        if progress is not None:
            progress(row)
    return pd.DataFrame(rows, columns=CURVE_COLUMNS)


def _curve(session: Session, person: SimulatedAnnotator, budget: int, every: int) -> Iterator[dict[str, float]]:
    """Ask and answer; a row after every so many answers, and after the last."""
    from time import perf_counter

    seconds = 0.0
    for k in range(1, budget + 1):
        start = perf_counter()
        question = session.ask()
        if question is None:
            if (k - 1) % every:
                yield _row(session, person, seconds)
            return
        seconds = perf_counter() - start
        session.answer(question, person.answer(question))
        if k % every == 0 or k == budget:
            yield _row(session, person, seconds)


def _row(session: Session, person: SimulatedAnnotator, seconds: float) -> dict[str, float]:
    from likewise.metrics import measure

    return {
        "answers": len(session.history),
        **measure(person.truth, session.labels_),
        "n_clusters": session.n_clusters_,
        "seconds": seconds,
    }


CURVE_COLUMNS = ["answers", "jaccard", "v_measure", "ari", "nmi", "f_measure", "n_clusters", "seconds"]
