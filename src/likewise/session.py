"""The loop: ask, answer. No input or output; whoever collects answers goes through these two verbs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Self, overload

import numpy as np
from numpy.typing import ArrayLike

from likewise.constraints import Conflict
from likewise.distances.named import plain_name
from likewise.query.answers.checking import Given, check_answer, given_in
from likewise.query.arguments import as_group, as_items, check_count, check_data, check_forms, check_more, check_seed
from likewise.query.base import Labels, State, Strategy, ask_without_closed
from likewise.query.notebook.session_pages import ShownInNotebook
from likewise.query.pending import PendingQuestions
from likewise.query.question import Answer, Form, GroupName, Membership, Pair, Question
from likewise.query.registry import make_strategy
from likewise.query.session_file import SavedAsFile
from likewise.query.told import ToldSoFar
from likewise.query.triplets import add_third

if TYPE_CHECKING:
    from likewise.query.answers.quality import Quality
    from likewise.query.dendrogram.remaining import Remaining


class Session(ToldSoFar, SavedAsFile, ShownInNotebook):
    """Items, an asker, and all answers.

    Parameters
    ----------
    X : array-like of shape (n, d), or (n, n) with ``metric="precomputed"``
        Vectors, or distances between all items. Numbers of float64 are not copied: leave the array as it is.
    strategy : str or Strategy
        Who asks: a name (see :func:`likewise.query.strategies`) or an object.
    n_clusters : int, optional
        Number of clusters, when it is known.
    metric : "euclidean", "precomputed", another name of :func:`likewise.distances.pairwise`, or callable
        How far two vectors are from each other.
    random_state : int, optional
        Same seed and same answers give the same questions. Without one a seed is drawn and kept in `seed`.
    forms : "auto", or sequence of "pair", "triplet", "grid" and "pick"
        The forms that questions may take; "auto" is pair, grid and pick. With grid or pick among them, an asker that
        can (the default one) takes the form that settles most in the time it takes; others ask pairs. With "triplet"
        first, a pair is asked with the closest item of another cluster beside it. Where nothing else fits, the
        question is a pair.
    given : iterable of groups of items
        Groups known beforehand: their items are the same. They are no answers, so that the asker learns nothing from
        how far apart their items are.
    apart : iterable of groups of items
        Groups no two items of which are the same, as the faces in one photograph. They are no answers either; an
        answer that contradicts them is set aside, and only :meth:`belongs` goes before them.
    recheck : bool, optional
        Whether answers may be wrong. Then outvoted answers are set aside and, where the strategy can, doubtful ones
        are asked about again. By default as the strategy says; where it expects none, votes of several people count.
    prompt : str
        What is meant by *same*, in your words; every question carries it.
    **options
        Passed to the strategy when it is given by name; ``clusterer=``, a clusterer or the name of one
        (:func:`likewise.cluster.clusterers`), decides who makes the clusters.

    Examples
    --------
    >>> s = Session([[0.0], [0.2], [5.0], [5.1]], strategy="random", n_clusters=2, random_state=0)
    >>> question = s.ask()
    >>> s.answer((0, 1), "same")
    >>> s.answer((1, 2), "different")
    >>> s.labels_.tolist()
    [0, 0, 1, 1]
    >>> s.undo().value
    'different'
    >>> s = Session([[0.0], [1.0], [9.0]], given=[(0, 2)], apart=[(0, 1)], random_state=0)
    >>> s.known(0, 2), s.known(1, 2)
    ('same', 'different')
    """

    def __init__(
        self,
        X: ArrayLike,
        *,
        strategy: str | Strategy = "auto",
        n_clusters: int | None = None,
        metric: Any = "euclidean",
        random_state: int | None = None,
        forms: Sequence[Form] | Literal["auto"] = ("pair",),
        given: Iterable[Iterable[int]] = (),
        apart: Iterable[Iterable[int]] = (),
        recheck: bool | None = None,
        prompt: str = "",
        **options: Any,
    ) -> None:
        metric = plain_name(metric)
        checked = check_data(X, metric)
        self.forms = check_forms(forms)
        self.prompt = prompt
        self.seed = check_seed(random_state)
        self.strategy = make_strategy(strategy, recheck=recheck, **options)
        # an object of another package may have `ask` and `cluster` alone
        outvote = recheck if recheck is not None else getattr(self.strategy, "outvotes", False) or None
        groups, differing = ([as_items(group, len(checked)) for group in some] for some in (given, apart))
        count = check_count(n_clusters, len(checked))
        self._state = State(checked, metric, count, self.seed, outvote, groups, differing)
        self._labels: Labels | None = None
        self._pending = PendingQuestions()

    @property
    def labels_(self) -> Labels:
        """Clusters under all answers so far, (n,)."""
        if self._labels is None:
            self._labels = self.strategy.cluster(self._state)
        return self._labels.copy()

    @property
    def n_clusters_(self) -> int:
        """Number of clusters in :attr:`labels_`."""
        return len(np.unique(self.labels_))

    @overload
    def ask(
        self, n: None = None, *, annotator: str = "", skip: Collection[Pair] = (), without: Collection[int] = ()
    ) -> Question | None: ...
    @overload
    def ask(
        self, n: int, *, annotator: str = "", skip: Collection[Pair] = (), without: Collection[int] = ()
    ) -> list[Question]: ...
    def ask(
        self, n: int | None = None, *, annotator: str = "", skip: Collection[Pair] = (), without: Collection[int] = ()
    ) -> Question | list[Question] | None:
        """The next question, or a batch of n questions that tell different things.

        Nothing is asked that follows from earlier answers (but for questions that are marked `again`, where the
        strategy doubts answers), nor what this annotator was already asked, nor what another annotator, asked by name,
        has before them: a question stays theirs until they answer it, ask again, or :meth:`release` is called.

        Parameters
        ----------
        n : int, optional
            Number of questions. Without it one question is returned, or None when nothing is left to ask, or only what
            others have before them.
        annotator : str
            Whom the question is for.
        skip : collection of pairs
            Pairs ``(i, j)`` with i < j to leave out.
        without : collection of int
            Items to ask nothing about.

        Returns
        -------
        Question, None, or list of Question
        """
        if n is not None and n < 1:
            raise ValueError(f"a batch has at least one question, got {n}")
        questions: list[Question] = []
        if not self.finished or getattr(self.strategy, "recheck", False):
            wanted = 1 if n is None else n
            seen = self._asked(annotator).union(skip, self._pending.of_others(annotator))
            with self._state.closing(without):
                questions = self._tests(annotator, seen)
                if len(questions) < wanted:
                    ask = partial(self._questions, annotator)
                    further = ask_without_closed(self._state, ask, wanted - len(questions), seen)
                    questions += [question for question in further if question not in questions]
                if self.forms[0] == "triplet":
                    questions = [add_third(self._state, self.labels_, question) for question in questions]
        self._pending.hand(annotator, questions)
        return self._one_or_all(questions, n)

    def answer(
        self, question: Question | Iterable[int], value: Given, *, annotator: str = "", seconds: float | None = None
    ) -> Conflict | None:
        """Take an answer.

        An answer is kept whatever it says. One that contradicts earlier answers is set aside, listed in
        :attr:`conflicts` and returned as a :class:`~likewise.constraints.Conflict`; clusters follow the
        earlier ones. With `recheck`, or where several people answer, an earlier answer that is outvoted is set aside
        instead.

        Parameters
        ----------
        question : Question, or two or three indices
            What was asked.
        value : str, int or iterable of int
            ``same`` ``different`` ``unsure``; for a triplet ``ab`` ``ac`` ``bc`` ``none`` ``unsure``; for a grid the
            items that do not belong (an empty list: all belong), or ``unsure``; for a pick the example that was
            chosen, ``none`` or ``unsure``. A screen is one answer, whatever it says.
        annotator : str
            Who answered.
        seconds : float, optional
            How long it took.
        """
        answer = check_answer(question, value, self.n, annotator=annotator, seconds=seconds)
        self._pending.settle(annotator, answer.items)
        return self._take(answer)

    def release(self, annotator: str) -> None:
        """Let others be asked what this annotator was asked and has not answered: they left, say."""
        self._pending.release(annotator)

    def belongs(self, items: int | Iterable[int], group: GroupName, *, annotator: str = "") -> Conflict | None:
        """Take that items belong to a group: they are the same as all that belong to it.

        A group has the name or the number that a person gave it, and is there from the first word about it on. An item
        belongs to one group: the one it was put into last. What a person says of items and groups stays until it is
        taken back: an answer that contradicts it is set aside, however many there are.

        Parameters
        ----------
        items : int or iterable of int
            The items.
        group : int or str
            The group.
        annotator : str
            Who says so.

        Returns
        -------
        Conflict or None
            One of the earlier answers that this contradicts; all are listed in :attr:`conflicts`.

        Examples
        --------
        >>> s = Session([[0.0], [0.2], [5.0], [5.1]], random_state=0)
        >>> s.belongs([0, 1], "roses")
        >>> s.does_not_belong(2, "roses")
        >>> s.known(0, 1), s.known(1, 2), s.groups
        ('same', 'different', {'roses': [0, 1]})
        """
        return self._put(items, "belongs", group, annotator)

    def does_not_belong(self, items: int | Iterable[int], group: GroupName, *, annotator: str = "") -> Conflict | None:
        """Take that items do not belong to a group: each differs from all that do; nothing is said among them.

        Parameters are those of :meth:`belongs`.
        """
        return self._put(items, "does_not_belong", group, annotator)

    @overload
    def check(self, n: None = None, *, annotator: str = "", skip: Collection[Pair] = ()) -> Question | None: ...
    @overload
    def check(self, n: int, *, annotator: str = "", skip: Collection[Pair] = ()) -> list[Question]: ...
    def check(
        self, n: int | None = None, *, annotator: str = "", skip: Collection[Pair] = ()
    ) -> Question | list[Question] | None:
        """A check question, or n of them: a pair drawn at random, whose answer tells how good the clusters are.

        Mix some in, and read :meth:`quality`.

        Parameters
        ----------
        n : int, optional
            Number of check questions. Without it one is returned, or None when nothing is open that could be drawn.
        annotator : str
            Whom the question is for.
        skip : collection of pairs
            Pairs ``(i, j)`` with i < j to leave out.
        """
        from likewise.query.answers.quality import draw_check

        rng = np.random.default_rng([self.seed, len(self._state.history), 1])
        expected = self.strategy.expect_missed_pairs(self._state)
        left_out = self._asked(annotator).union(skip)
        drawn: list[Question] = []
        for _ in range(1 if n is None else n):
            found = draw_check(self.labels_, self._state.constraints, rng, left_out, expected)
            if found is None:
                break
            drawn.append(found)
            left_out.add((found.items[0], found.items[1]))
        return self._one_or_all(drawn, n)

    def quality(self) -> Quality:
        """Pairwise precision and recall of the clusters, with 95 % intervals, from the checks answered so far."""
        from likewise.query.answers.quality import Check, estimate_quality

        history = self._state.history
        checks = [
            Check(before, answer.value == "same", answer.check, (answer.items[0], answer.items[1]))
            for before, answer in enumerate(history)
            if answer.check and answer.value != "unsure"
        ]
        return estimate_quality(
            self.labels_,
            self._state.constraints,
            checks,
            self.strategy.expect_missed_pairs(self._state),
            n_answers=len(history),
            random_state=self.seed,
        )

    def extend(self, X: ArrayLike) -> range:
        """Add items; they are the last ones from then on, and everything said so far stays.

        The default asker puts them into its tree and graph as they are, and builds both anew when there are twice as
        many items as it was last built of; other askers begin anew.

        Parameters
        ----------
        X : array-like of shape (m, d)
            Vectors of the new items.

        Returns
        -------
        range
            Their indices.

        Examples
        --------
        >>> s = Session([[0.0], [0.2], [5.0], [5.1]], random_state=0)
        >>> s.answer((1, 2), "different")
        >>> list(s.extend([[0.1], [5.2]]))
        [4, 5]
        >>> s.labels_.tolist()
        [0, 0, 1, 1, 0, 1]
        """
        first = self.n
        self._state.extend(check_more(X, self._state.X, self._state.metric))
        self._labels = None
        return range(first, self.n)

    def predict(self, X: ArrayLike) -> Labels:
        """Clusters of other items, which are not added: of each, that which most of its nearest items are in.

        Parameters
        ----------
        X : array-like of shape (m, d)
            Vectors.

        Returns
        -------
        ndarray of shape (m,)
            Labels as in :attr:`labels_`.

        Examples
        --------
        >>> s = Session([[0.0], [0.2], [5.0], [5.1]], random_state=0)
        >>> s.answer((1, 2), "different")
        >>> s.predict([[4.0], [-1.0]]).tolist()
        [1, 0]
        """
        from likewise.query.prediction import predict_labels

        more = check_more(X, self._state.X, self._state.metric)
        return predict_labels(self._state.X, self.labels_, more, self._state.metric)

    def remaining(self, annotator: str = "") -> Remaining | None:
        """Seconds of a person that are left, to 95 % and to the end, with intervals; None if the asker cannot tell."""
        tell = getattr(self.strategy, "remaining", None)
        return None if tell is None else tell(self._state, self.forms, self.form_times(annotator))

    def undo(self) -> Answer:
        """Take the last answer back and return it; without limit."""
        if not self._state.history:
            raise IndexError("nothing to undo")
        self._labels = None
        return self._state.take_back()

    def replay(self, history: Iterable[Answer]) -> Self:
        """Take the answers of another session, in order; returns this session."""
        for answer in history:
            if answer.kind == "membership":
                self._take(replace(answer, items=as_items(answer.items, self.n)))
                continue
            question = Question(answer.kind, answer.items, check=answer.check)
            self.answer(question, given_in(answer), annotator=answer.annotator, seconds=answer.seconds)
        return self

    def _tests(self, annotator: str, seen: set[Pair]) -> list[Question]:
        """A question that others answered, where somebody's answers are still to be tested."""
        found = self._state.taken.control_question(annotator, lambda pair: self._state.may_ask(*pair, seen))
        return [] if found is None else [found]

    def _questions(self, annotator: str, n: int, left_out: set[Pair]) -> list[Question]:
        ask_forms = getattr(self.strategy, "ask_forms", None)
        if ask_forms is None or not {"grid", "pick"} & {*self.forms}:
            return self.strategy.ask(self._state, n, left_out)
        return list(ask_forms(self._state, n, left_out, self.forms, self.form_times(annotator)))

    def _one_or_all(self, questions: list[Question], n: int | None) -> Question | list[Question] | None:
        """The questions with the owner's words; the first of them, or None, where no number was wanted."""
        worded = [replace(question, prompt=self.prompt) if self.prompt else question for question in questions]
        return worded if n is not None else next(iter(worded), None)

    def _asked(self, annotator: str) -> set[Pair]:
        """Pairs that this person has answered, those of a screen among them."""
        return set(self._state.taken.controls.asked(annotator))

    def _put(self, items: int | Iterable[int], value: Membership, group: GroupName, annotator: str) -> Conflict | None:
        listed = items if isinstance(items, Iterable) else (items,)
        found = tuple(dict.fromkeys(as_items(listed, self.n)))
        if not found:
            raise ValueError("no item was named")
        return self._take(Answer("membership", found, value, annotator, group=as_group(group)))

    def _take(self, answer: Answer) -> Conflict | None:
        self._labels = None
        return self._state.take(answer)
