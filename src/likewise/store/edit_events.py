"""What people do to groups by hand, as events: one form for all of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from likewise.query.question import Membership
from likewise.store.fields import CHECKS, MAX_NUMBER, Items, Payload, _list, _maybe_items, _number, as_items, check_text

What: TypeAlias = Literal[
    "name", "confirm", "unconfirm", "split", "group", "move", "merge", "reject", "open", "check"
]  # fmt: skip
MembershipOf: TypeAlias = tuple[int, Membership, Items]  # group, what is said, items
SeenIn: TypeAlias = tuple[int, Items]  # group, all items that it was shown with
FIRST_OLD_GROUP = 2**30  # groups of events that carry no number have this and the number of their event


@dataclass(frozen=True, kw_only=True)
class Edited(Payload):
    """Something done to a group by hand.

    - `what`: What was done.
    - `group`: Number of the group; a cluster gets one for good when it is first touched.
    - `items`: The items it was done to.
    - `memberships`: All that it says of items and groups.
    - `seen`: The groups it was about, with all items that they were left with on the page. It says nothing of them:
      they stay where they were seen until there is a reason to move them.
    - `name`: The name of the group from now on; only a name and a merge change it.
    - `merged`: Numbers of the groups that are one with it from now on.
    """

    what: str
    group: int
    items: Items
    memberships: tuple[MembershipOf, ...] = ()
    seen: tuple[SeenIn, ...] = ()
    name: str = ""
    merged: Items = ()

    def __post_init__(self) -> None:
        if self.what not in get_args(What):
            raise ValueError(f"an edit is one of {', '.join(get_args(What))}, got {self.what!r}")
        if self.merged and self.what != "merge":
            raise ValueError(f"a {self.what} merges no groups")
        if self.group in self.merged:
            raise ValueError(f"group {self.group} cannot be merged with itself")

    def numbers(self) -> set[int]:
        """The groups it is about that a person touched since groups have numbers."""
        said, seen = (group for group, _, _ in self.memberships), (group for group, _ in self.seen)
        named = {self.group, *self.merged, *said, *seen}
        return {number for number in named if number < FIRST_OLD_GROUP}

    def images(self) -> Items:
        """All items it mentions."""
        said = (item for _, _, items in self.memberships for item in items)
        seen = (item for _, items in self.seen for item in items)
        return tuple(dict.fromkeys([*self.items, *said, *seen]))


def _memberships(value: Any, what: str) -> tuple[MembershipOf, ...]:
    return tuple([_membership(each, what) for each in _list(value, what)])


def _membership(value: Any, what: str) -> MembershipOf:
    parts = _list(value, what)
    if len(parts) != 3 or parts[1] not in get_args(Membership):
        raise ValueError(f"a membership is (group, one of {', '.join(get_args(Membership))}, items)")
    return _number(parts[0], what), parts[1], as_items(parts[2], what)


def _seen(value: Any, what: str) -> tuple[SeenIn, ...]:
    found = []
    for each in _list(value, what):
        parts = _list(each, what)
        if len(parts) != 2:
            raise ValueError(f"what was {what} is a group and its items, got {len(parts)} values")
        found.append((_number(parts[0], what), _maybe_items(parts[1], what)))
    return tuple(found)


CHECKS.update(group=_number, memberships=_memberships, merged=_maybe_items, seen=_seen, what=check_text)
assert FIRST_OLD_GROUP < MAX_NUMBER
