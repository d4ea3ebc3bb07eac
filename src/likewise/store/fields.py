"""The fields of events: what each holds, checked in one way whatever the form, and the base of the forms."""

from __future__ import annotations

import json
import operator
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from reprlib import repr as short
from typing import Any, ClassVar, Literal, Self, TypeAlias

from likewise.constraints import Relation, Statement
from likewise.query.question import ANSWERS, Form
from likewise.store.database import to_json

__all__ = [
    "ANSWERS",
    "CHECKS",
    "Form",
    "Items",
    "Judgement",
    "Mark",
    "Payload",
    "StudyQuestion",
    "as_items",
    "check_form",
    "check_size",
    "check_text",
    "plain_object",
]

Items: TypeAlias = tuple[int, ...]
Judgement: TypeAlias = tuple[Form, Items, str]
StudyQuestion: TypeAlias = tuple[Literal["pair", "triplet"], Items, bool]
Mark: TypeAlias = tuple[int, tuple[str, ...]]

NAME_LENGTH = 1000
MOST_SHOWN = 100  # pictures of one question
COMMENT_LENGTH = 10_000
WORD_LENGTH = 100
MAX_NUMBER = 2**31 - 1
MOST_DEPTH = 32  # objects and lists within each other
MOST_BYTES = 2**16  # of one free object, as JSON
LARGEST = sys.float_info.max  # of the numbers in it: what other programs read as a number at all


def check_text(value: Any, what: str, length: int = NAME_LENGTH) -> str:
    """Check a text that has to survive both databases: no NUL, no half characters, not too long."""
    if not isinstance(value, str):
        raise ValueError(f"{what} is a text, got {type(value).__name__}")
    if len(value) > length:
        raise ValueError(f"{what} has {len(value)} characters, at most {length} are kept")
    if "\0" in value or not (value.isascii() or all(c < "\ud800" or c > "\udfff" for c in value)):
        raise ValueError(f"{what} holds a character that is none: {value!r}")
    return value


def _number(value: Any, what: str) -> int:
    if type(value) is int and 0 <= value <= MAX_NUMBER:  # nearly all of them: the rest is NumPy's, or wrong
        return value
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if isinstance(value, bool) or not 0 <= number <= MAX_NUMBER:
        raise ValueError(f"{what} holds {short(value)}, which is no image or event number")
    return number


def _list(value: Any, what: str) -> list[Any] | tuple[Any, ...]:
    if isinstance(value, list | tuple):
        return value
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise ValueError(f"{what} is a list, got {type(value).__name__}")
    return list(value)


def _maybe_items(value: Any, what: str) -> Items:
    items = tuple([_number(each, what) for each in _list(value, what)])
    if len(set(items)) < len(items):
        raise ValueError(f"{what} names the same one twice")
    return items


def as_items(value: Any, what: str) -> Items:
    """Check numbers of images or events: at least one, none twice."""
    if not (items := _maybe_items(value, what)):
        raise ValueError(f"{what} is empty")
    return items


def check_form(kind: str, items: Items) -> None:
    """Check that a question of a form may have so many items."""
    if kind not in ANSWERS:
        raise ValueError(f"a question is one of {', '.join(ANSWERS)}, got {kind!r}")
    least, most = {"pair": (2, 2), "triplet": (3, 3)}.get(kind, (2, MOST_SHOWN))
    if not least <= len(items) <= most:
        raise ValueError(f"a {kind} has not {len(items)} items")


def _hits(value: Any, what: str) -> tuple[Items, ...]:
    return tuple([as_items(each, what) for each in _list(value, what)])


def _groups(value: Any, what: str) -> tuple[Items, ...]:
    groups = _hits(value, what)
    if len(groups) < 2:
        raise ValueError(f"{what} holds at least two groups, got {len(groups)}")
    as_items([i for group in groups for i in group], what)
    return groups


def _statements(value: Any, what: str) -> tuple[Statement, ...] | None:
    return None if value is None else tuple([_statement(each, what) for each in _list(value, what)])


def _statement(value: Any, what: str) -> Statement:
    parts = _list(value, what)
    if len(parts) != 3 or parts[2] not in ("same", "different"):
        raise ValueError(f"a statement is (i, j, 'same' or 'different'), got {short(value)}")
    i, j = as_items(parts[:2], what)
    relation: Relation = parts[2]
    return i, j, relation


def _comment(value: Any, what: str) -> str:
    return check_text(value, what, COMMENT_LENGTH)


def _questions(value: Any, what: str) -> tuple[StudyQuestion, ...]:
    return tuple([_question(each, what) for each in _list(value, what)])


def _question(value: Any, what: str) -> StudyQuestion:
    parts = _list(value, what)
    if len(parts) != 3 or parts[0] not in ("pair", "triplet") or not isinstance(parts[2], bool):
        raise ValueError(f"a question is ('pair' or 'triplet', items, practice or not), got {short(value)}")
    items = as_items(parts[1], what)
    check_form(parts[0], items)
    return parts[0], items, parts[2]


def _marks(value: Any, what: str) -> tuple[Mark, ...]:
    marks = tuple([_mark(each, what) for each in _list(value, what)])
    as_items([item for item, _ in marks], what)
    return marks


def _mark(value: Any, what: str) -> Mark:
    parts = _list(value, what)
    if len(parts) != 2:
        raise ValueError(f"a mark is an image and its words, got {short(value)}")
    words = [check_text(word, what, WORD_LENGTH) for word in _list(parts[1], what)]
    return _number(parts[0], what), tuple(words)


def plain_object(value: Any, what: str) -> dict[str, Any]:
    """Check that a mapping can be kept as a JSON object, and give it as it will be read back."""
    if not isinstance(value, dict | Mapping):
        raise ValueError(f"{what} is an object, got {type(value).__name__}")
    if not value:
        return {}
    if type(value) is dict and _is_plain(value, what):  # as it is read from a database: nearly always
        return value
    try:
        plain: dict[str, Any] = json.loads(to_json(dict(value)))
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{what} cannot be written as JSON: {error}") from None
    if not _is_plain(plain, what):
        raise ValueError(f"{what} holds a number that is too large")
    return plain


def _is_plain(value: dict[str, Any], what: str) -> bool:
    """Whether it is what JSON gives; an error where it is nested so deep that who reads it goes down and never up."""
    level: list[Any] = [value]
    for _ in range(MOST_DEPTH):
        inner: list[Any] = []
        for each in level:
            if type(each) is dict:
                if not all(type(key) is str for key in each):
                    return False
                inner += each.values()
            else:
                inner += each
        level = []
        for each in inner:
            kind = type(each)
            if kind is dict or kind is list:
                level.append(each)
            elif not (kind is str or each is None or kind is bool or (kind in (int, float) and abs(each) <= LARGEST)):
                return False
        if not level:
            return True
    raise ValueError(f"{what} is nested more than {MOST_DEPTH} deep")


def check_size(value: Mapping[str, Any], what: str, most: int = MOST_BYTES) -> None:
    """Refuse a plain object that is too large to be kept."""
    if value and (size := len(to_json(value))) > most:
        raise ValueError(f"{what} takes {size:,} bytes as JSON, at most {most:,} are kept")


# A field of one name is checked in one way, whatever the form.
CHECKS: dict[str, Callable[[Any, str], Any]] = {
    "choices": plain_object,
    "chosen": _maybe_items,
    "comment": _comment,
    "events": as_items,
    "groups": _groups,
    "hit": _number,
    "hits": _hits,
    "how": check_text,
    "items": as_items,
    "kept": as_items,
    "kind": check_text,
    "marks": _marks,
    "name": check_text,
    "number": _number,
    "odd": _maybe_items,
    "overlap": _number,
    "plan": plain_object,
    "questions": _questions,
    "shown": plain_object,
    "source": _maybe_items,
    "statements": _statements,
    "taken": as_items,
    "target": as_items,
    "value": check_text,
}


@cache
def _required(form: type[Payload]) -> tuple[frozenset[str], frozenset[str]]:
    """Names of all fields of a form, and of those that have no default."""
    known = fields(form)
    required = [f.name for f in known if f.default is MISSING and f.default_factory is MISSING]
    return frozenset(f.name for f in known), frozenset(required)


@dataclass(frozen=True, kw_only=True)
class Payload:
    """Base of the forms: reads itself from JSON, and gives the answers to pairs and triplets that follow."""

    # Whether it is no part of the session (in a study, say): undo and redo of the session pass it over.
    outside_session: ClassVar[bool] = False

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """Check and take the fields; the order of fields and of keys does not matter."""
        known, required = _required(cls)  # type: ignore[arg-type]  # a class is hashable
        if not required <= data.keys() <= known:
            listed = f"(fields are: {', '.join(f.name for f in fields(cls))})"
            if unknown := sorted(str(key) for key in data if key not in known):
                raise ValueError(f"unknown field {unknown[0]!r} {listed}")
            raise ValueError(f"the field {min(required - data.keys())!r} is missing {listed}")
        return cls(**{name: CHECKS[name](value, name) for name, value in data.items()})

    def data(self) -> dict[str, Any]:
        """The fields as they are written to JSON."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def images(self) -> Items:
        """All images that are mentioned."""
        return ()

    def judgements(self) -> list[Judgement]:
        """Answers to pairs and triplets that follow: ``(form, items, value)``, in order."""
        return []
