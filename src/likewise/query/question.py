"""A question to a person, and its answer. Light to import, for whoever only passes them on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar, get_args

T = TypeVar("T")
Pair: TypeAlias = tuple[int, int]
Form: TypeAlias = Literal["pair", "triplet", "grid", "pick"]
PairAnswer: TypeAlias = Literal["same", "different", "unsure"]
TripletAnswer: TypeAlias = Literal["ab", "ac", "bc", "none", "unsure"]
GridAnswer: TypeAlias = Literal["marked", "unsure"]  # the marked items do not belong
PickAnswer: TypeAlias = Literal["chosen", "none", "unsure"]
Membership: TypeAlias = Literal["belongs", "does_not_belong", "open"]  # what a person says of items and a group
GroupName: TypeAlias = int | str

# The answers that a question of each form may get: the one place where they are listed.
ANSWERS: dict[Form, tuple[str, ...]] = {
    "pair": get_args(PairAnswer),
    "triplet": get_args(TripletAnswer),
    "grid": get_args(GridAnswer),
    "pick": get_args(PickAnswer),
}


@dataclass(frozen=True)
class Question:
    """One question to a person.

    Attributes
    ----------
    kind : "pair", "triplet", "grid" or "pick"
        *Same or different?*, *which two belong together?*, *which of these do not belong?* or *which of these is it?*
    items : tuple of int
        Two or three indices. Of a grid, the example of the group, then the items shown. Of a pick, the item, then an
        example of each group shown.
    score : float
        What the asker expects of it, in the asker's own unit.
    reason : str
        Why it is asked, in plain words.
    check : float
        Above 0 when it was drawn at random, to tell how good the clusters are: how probable *same* is taken to be.
    again : bool
        Whether the answer follows from earlier ones, and it is asked because one of these may be wrong.
    prompt : str
        What is meant by *same*, in the owner's words; empty for the usual ones.

    Examples
    --------
    >>> Question("pair", (0, 7)).answers
    ('same', 'different', 'unsure')
    """

    kind: Form
    items: tuple[int, ...]
    score: float = field(default=float("nan"), compare=False)
    reason: str = field(default="", compare=False)
    check: float = field(default=0.0, compare=False)
    again: bool = field(default=False, compare=False)
    prompt: str = field(default="", compare=False)

    @property
    def answers(self) -> tuple[str, ...]:
        """The values an answer may take."""
        return ANSWERS[self.kind]

    def _repr_html_(self) -> str:
        from likewise.query.shown import show_question

        return show_question(self)


@dataclass(frozen=True)
class Answer:
    """The answer of one annotator to one question, or what somebody said of items and a group without being asked.

    Attributes
    ----------
    kind : "pair", "triplet", "grid", "pick" or "membership"
        The form of the question.
    items : tuple of int
        Its items.
    value : str
        ``same`` ``different`` ``unsure``; for triplets ``ab`` ``ac`` ``bc`` ``none`` ``unsure``; for grids ``marked``
        ``unsure``; for picks ``chosen`` ``none`` ``unsure``; for memberships ``belongs`` ``does_not_belong`` or
        ``open`` (nothing is said any more).
    annotator : str
        Who answered.
    seconds : float or None
        How long it took.
    check : float
        As of its question: above 0 when that was drawn at random.
    group : int, str or None
        The group that a membership is about; None with ``open``: every group.
    chosen : tuple of int
        Of a grid, the items that do not belong, in the order of its items; of a pick, the example that was chosen.

    Examples
    --------
    >>> Answer("grid", (4, 5, 9), "marked", chosen=(9,)).statements()
    [(4, 5, 'same'), (4, 9, 'different')]
    >>> Answer("pick", (4, 5, 9), "chosen", chosen=(9,)).statements()
    [(4, 9, 'same'), (4, 5, 'different')]
    >>> Answer("triplet", (4, 5, 9), "ab").statements()
    [(4, 5, 'same'), (4, 9, 'different'), (5, 9, 'different')]
    """

    kind: Form | Literal["membership"]
    items: tuple[int, ...]
    value: str
    annotator: str = ""
    seconds: float | None = None
    check: float = field(default=0.0, repr=False)
    group: GroupName | None = field(default=None, repr=False)
    chosen: tuple[int, ...] = field(default=(), repr=False)

    def statements(self) -> list[tuple[int, int, Literal["same", "different"]]]:
        """What follows for pairs.

        What a membership says depends on the others (:class:`~likewise.query.answers.memberships.Memberships`).
        Nothing follows from ``unsure``, nor from a triplet's ``none``: all three may be
        the same or all different (Y. Pei's thesis, Table 3.2). A grid says of every item shown whether it is the same
        as the example, and nothing among those that do not belong. A pick says that the item differs from all groups
        shown but the chosen one.
        """
        if self.value == "unsure" or self.kind == "membership":
            return []
        if self.kind in ("grid", "pick"):
            return self._statements_of_screen()
        if self.kind == "pair":
            i, j = self.items
            if self.value == "same":
                return [(i, j, "same")]
            return [(i, j, "different")] if self.value == "different" else []
        if self.value == "none":
            return []
        a, b, c = self.items
        first, second, third = {"ab": (a, b, c), "ac": (a, c, b), "bc": (b, c, a)}[self.value]
        return [(first, second, "same"), (first, third, "different"), (second, third, "different")]

    def _statements_of_screen(self) -> list[tuple[int, int, Literal["same", "different"]]]:
        first, *shown = self.items
        if self.kind == "grid":
            return [(first, item, "different" if item in self.chosen else "same") for item in shown]
        others = [item for item in shown if item not in self.chosen]
        return [(first, item, "same") for item in self.chosen] + [(first, item, "different") for item in others]


def reorder(items: tuple[T, ...], value: str, order: tuple[T, ...] | None = None) -> tuple[tuple[T, ...], str]:
    """A question and its answer with the items in another order, sorted by default; it says the same.

    Examples
    --------
    >>> reorder((9, 4, 7), "ab")
    ((4, 7, 9), 'ac')
    """
    ordered = tuple(sorted(items)) if order is None else order  # type: ignore[type-var]
    if len(items) == 3 and value in ("ab", "ac", "bc"):
        chosen = {items["abc".index(letter)] for letter in value}
        value = "".join(letter for letter, item in zip("abc", ordered, strict=True) if item in chosen)
    return ordered, value
