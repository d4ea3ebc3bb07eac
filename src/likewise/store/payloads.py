"""What an event says: one small class a form, checked before anything is written.

The first item of a list stands for the list (the picture shown largest, the medoid, …): where a person says
something of whole groups, the pair statements that follow name these. They are written into the payload, so
that an answer never depends on how a later version would derive it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from likewise.constraints import Statement
from likewise.store.edit_events import Edited
from likewise.store.fields import (
    ANSWERS,
    Form,
    Items,
    Judgement,
    Payload,
    as_items,
    check_form,
    check_text,
    plain_object,
)
from likewise.store.study_events import STUDY_KINDS

__all__ = [
    "ANSWERS",
    "KINDS",
    "Confirmed",
    "Edited",
    "Grid",
    "Listed",
    "Merged",
    "Moved",
    "Named",
    "Payload",
    "Ruled",
    "Said",
    "Split",
    "Tagged",
    "Withdrawn",
    "check_text",
    "plain_object",
    "read_payload",
    "tidy_tag",
]


@dataclass(frozen=True, kw_only=True)
class Said(Payload):
    """The answer to one question, and what else was on the screen (any JSON object).

    Of a grid, `chosen` are the items that do not belong; of a pick, the example of the group that was chosen.
    """

    kind: Form
    items: Items
    value: str
    chosen: Items = ()
    shown: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_form(self.kind, self.items)
        if self.value not in ANSWERS[self.kind]:
            possible = ", ".join(ANSWERS[self.kind])
            raise ValueError(f"the answer to a {self.kind} is one of {possible}, got {self.value!r}")
        if self.value not in ("marked", "chosen") and self.chosen:
            raise ValueError(f"chosen is empty for the answer {self.value!r}")
        if not set(self.chosen) <= set(self.items[1:]):
            raise ValueError("chosen holds an image that is not among those shown")
        if self.value == "chosen" and len(self.chosen) != 1:
            raise ValueError(f"of a pick one group is chosen, got {len(self.chosen)}")
        in_order = tuple(item for item in self.items if item in set(self.chosen))
        object.__setattr__(self, "chosen", in_order)  # two ways to list the same are one answer

    def data(self) -> dict[str, Any]:
        """The fields as they are written; pairs and triplets as they always were."""
        fields = super().data()
        if self.kind in ("pair", "triplet"):
            del fields["chosen"]
        return fields

    def images(self) -> Items:
        """The items of the question."""
        return self.items

    def judgements(self) -> list[Judgement]:
        """The answer itself."""
        return [(self.kind, self.items, self.value)]


@dataclass(frozen=True, kw_only=True)
class Ruled(Said):
    """The truth of a question, known or decided: of a pair or a triplet."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind not in ("pair", "triplet"):
            raise ValueError(f"what is decided is a pair or a triplet, got a {self.kind}")


@dataclass(frozen=True, kw_only=True)
class Listed(Payload):
    """Images that are left out, taken in again, taken out of their stacks, or no longer confirmed."""

    items: Items
    shown: dict[str, Any] = field(default_factory=dict)

    def images(self) -> Items:
        """The images."""
        return self.items


@dataclass(frozen=True, kw_only=True)
class Confirmed(Listed):
    """Images that are one group, by the word of a person.

    Written by versions before groups had numbers; read as a group of its own.
    """


@dataclass(frozen=True, kw_only=True)
class Named(Payload):
    """A name for the cluster of the anchor items; the empty name takes it away."""

    items: Items
    name: str

    def images(self) -> Items:
        """The anchors."""
        return self.items


@dataclass(frozen=True, kw_only=True)
class Withdrawn(Payload):
    """Events taken back: by undo, by redo (then they are withdrawals), or chosen one by one."""

    events: Items
    how: Literal["undo", "redo", "choice"] = "choice"

    def __post_init__(self) -> None:
        if self.how not in ("undo", "redo", "choice"):
            raise ValueError(f"events are withdrawn by undo, redo or choice, got {self.how!r}")


@dataclass(frozen=True, kw_only=True)
class Stating(Payload):
    """Base of the forms that are about groups: they carry statements, given or following from the form."""

    statements: tuple[Statement, ...] | None = None

    def __post_init__(self) -> None:
        if self.statements is None:
            object.__setattr__(self, "statements", tuple(self.following()))
            return
        mentioned = set(self.images())
        for i, j, _ in self.statements:
            if not {i, j} <= mentioned:
                raise ValueError(f"the statement about {i} and {j} is not about the images of the event")

    def following(self) -> Iterable[Statement]:
        """The statements of the form when none are given."""
        raise NotImplementedError

    def judgements(self) -> list[Judgement]:
        """The statements as answers to pairs."""
        return [("pair", (i, j), relation) for i, j, relation in self.statements or ()]


def _all_same(items: Items) -> list[Statement]:
    return [(items[0], each, "same") for each in items[1:]]


@dataclass(frozen=True, kw_only=True)
class Grid(Stating):
    """One cluster on a grid with the odd ones tapped: those left belong together, the odd ones do not."""

    items: Items
    odd: Items
    shown: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not set(self.odd) <= set(self.items):
            raise ValueError("odd holds an image that is not among the items")
        super().__post_init__()

    def images(self) -> Items:
        """The images of the grid."""
        return self.items

    def following(self) -> Iterable[Statement]:
        """The first that is left is the same as the others left and different from every odd one."""
        left = tuple(i for i in self.items if i not in set(self.odd))
        if not left:
            return []
        different: list[Statement] = [(left[0], each, "different") for each in self.odd]
        return _all_same(left) + different


@dataclass(frozen=True, kw_only=True)
class Merged(Stating):
    """Groups that are one: the first of each is the same as the first of the first."""

    groups: tuple[Items, ...]

    def images(self) -> Items:
        """All members."""
        return tuple(i for group in self.groups for i in group)

    def following(self) -> Iterable[Statement]:
        """One must-link a group."""
        return _all_same(tuple(group[0] for group in self.groups))


@dataclass(frozen=True, kw_only=True)
class Split(Stating):
    """Items taken out of a group: they are one of their own, and not what was kept."""

    kept: Items
    taken: Items

    def __post_init__(self) -> None:
        as_items(self.images(), "kept and taken")
        super().__post_init__()

    def images(self) -> Items:
        """Kept and taken."""
        return self.kept + self.taken

    def following(self) -> Iterable[Statement]:
        """The taken ones are the same, and different from the first that was kept."""
        return [*_all_same(self.taken), (self.taken[0], self.kept[0], "different")]


@dataclass(frozen=True, kw_only=True)
class Moved(Stating):
    """Items moved from one group to another; `source` is what stays behind and may be empty."""

    taken: Items
    target: Items
    source: Items = ()

    def __post_init__(self) -> None:
        as_items(self.images(), "taken, source and target")
        super().__post_init__()

    def images(self) -> Items:
        """Moved, left and joined."""
        return self.taken + self.source + self.target

    def following(self) -> Iterable[Statement]:
        """Every moved one is the same as the first of the target, which is not the first of the source."""
        joined: list[Statement] = [(each, self.target[0], "same") for each in self.taken]
        different: list[Statement] = [(self.taken[0], each, "different") for each in self.source[:1]]
        return joined + different


@dataclass(frozen=True, kw_only=True)
class Tagged(Payload):
    """A tag of images: it is right (``yes``), wrong (``no``), or open again (``open``)."""

    items: Items
    name: str
    value: str = "yes"

    def __post_init__(self) -> None:
        if self.value not in ("yes", "no", "open"):
            raise ValueError(f"a tag is yes, no or open, got {self.value!r}")
        if self.name != tidy_tag(self.name):
            raise ValueError(f"a tag has no white space around it, got {self.name!r}")

    def images(self) -> Items:
        """The images."""
        return self.items


def tidy_tag(name: str) -> str:
    """A tag with one space for any white space within and none around; an error when nothing is left."""
    if not (tidy := " ".join(name.split())):
        raise ValueError("a tag is not empty")
    return tidy


# A new kind needs a migration, also where the tables stay as they are: older versions must refuse.
KINDS: dict[str, type[Payload]] = {
    "adjudicate": Ruled,
    "answer": Said,
    "bad": Listed,
    "confirm": Confirmed,
    "edit": Edited,
    "gold": Ruled,
    "grid": Grid,
    "merge": Merged,
    "move": Moved,
    "name": Named,
    "restore": Listed,
    "split": Split,
    "tag": Tagged,
    "unconfirm": Listed,
    "unstack": Listed,
    "withdraw": Withdrawn,
    **STUDY_KINDS,
}


def read_payload(kind: str, payload: Payload | Mapping[str, Any]) -> Payload:
    """Check what an event of a kind says.

    - `kind`: One of the kinds of events.
    - `payload`, mapping or Payload: Its fields, or the payload itself.

    Examples
    --------
    >>> read_payload("merge", {"groups": [[4, 5], [9, 8]]}).judgements()
    [('pair', (4, 9), 'same')]
    >>> read_payload("answer", {"kind": "pair", "items": [4, 4], "value": "same"})
    Traceback (most recent call last):
    ...
    ValueError: answer: items names the same one twice
    """
    if kind not in KINDS:
        raise ValueError(f"there is no event of the kind {kind!r} (kinds are: {', '.join(KINDS)})")
    form = KINDS[kind]
    if isinstance(payload, Payload):
        if type(payload) is not form:
            raise ValueError(f"{kind}: a payload of the form {form.__name__}, got {type(payload).__name__}")
        payload = payload.data()
    if not isinstance(payload, Mapping):
        raise ValueError(f"{kind}: a payload is an object, got {type(payload).__name__}")
    try:
        return form.read(payload)
    except ValueError as error:
        raise ValueError(f"{kind}: {error}") from None
