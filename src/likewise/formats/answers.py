"""Tables of answers to pairs and triplets, with the usual names of columns and answers."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from likewise.formats.table_reading import Problem, find_columns, open_table

__all__ = ["ANSWER_COLUMNS", "AnswerLine", "Problem", "read_answers", "read_value"]

ANSWER_COLUMNS: dict[str, tuple[str, ...]] = {
    "a": ("a", "left", "image_a", "image1", "image_1", "item_a", "item1", "item_1", "id1", "first", "i"),
    "b": ("b", "right", "image_b", "image2", "image_2", "item_b", "item2", "item_2", "id2", "second", "j"),
    "c": ("c", "image_c", "image3", "image_3", "item_c", "item3", "item_3", "id3", "third", "k"),
    "annotator": ("annotator", "worker", "worker_id", "annotator_id", "user", "rater", "coder", "person"),
    "answer": ("answer", "value", "response", "judgment", "judgement", "label", "said"),
    "seconds": ("seconds", "duration", "lead_time", "time_seconds", "seconds_taken"),
    "milliseconds": ("milliseconds", "ms", "rt", "rt_ms"),
    "truth": ("truth", "gold", "expected", "ground_truth"),
    "at": ("at", "timestamp", "created_at", "answered_at"),
}
_WORDS = {
    "same": ("same", "s", "yes", "y", "true", "1", "match", "must_link", "ml"),
    "different": ("different", "diff", "d", "no", "n", "false", "0", "-1", "non_match", "cannot_link", "cl"),
    "unsure": ("unsure", "u", "?", "not_sure", "dont_know", "don't_know", "unknown", "maybe", "skip"),
}
_PAIR_WORDS = {word: value for value, words in _WORDS.items() for word in words}
_TRIPLET_WORDS = {
    **dict.fromkeys(_WORDS["unsure"], "unsure"),
    **dict.fromkeys(("ab", "ba", "1_2", "12"), "ab"),
    **dict.fromkeys(("ac", "ca", "1_3", "13"), "ac"),
    **dict.fromkeys(("bc", "cb", "2_3", "23"), "bc"),
    **dict.fromkeys(("none", "none_of_these", "neither"), "none"),
}
NAME_LENGTH = 200


@dataclass(frozen=True)
class AnswerLine:
    """One answer of a file.

    Attributes
    ----------
    line : int
        Number of the line in the file.
    items : tuple of str
        Two or three pictures, as the file names them.
    annotator : str
        Name of the annotator.
    value : str
        ``same`` ``different`` ``unsure``; for triplets ``ab`` ``ac`` ``bc`` ``none`` ``unsure``.
    seconds : float or None
        Time that the answer took, None where it is not known.
    truth : str
        The right answer, or empty.
    at : datetime or None
        Time of the answer, None where it is not known.
    """

    line: int
    items: tuple[str, ...]
    annotator: str
    value: str
    seconds: float | None = None
    truth: str = ""
    at: datetime | None = None

    @property
    def kind(self) -> str:
        """``pair`` or ``triplet``."""
        return "pair" if len(self.items) == 2 else "triplet"


def read_answers(path: str | os.PathLike[str]) -> tuple[list[AnswerLine], list[Problem]]:
    """Read a table of answers.

    Parameters
    ----------
    path : path-like
        CSV, JSON Lines, JSON or Parquet with the columns ``a``, ``b``, (``c``,) ``annotator``, ``answer`` and perhaps
        ``seconds``, ``truth`` and ``at``, under these or other common names. A line whose ``c`` is empty is a pair.

    Returns
    -------
    answers, problems : list of AnswerLine, list of Problem
        The lines that can be read, and the problems of the others.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("left,right,worker,answer\\na.jpg,b.jpg,w1,yes\\na.jpg,c.jpg,w1,perhaps\\n")
    ...     file.flush()
    ...     answers, problems = read_answers(file.name)
    >>> answers[0].items, answers[0].value
    (('a.jpg', 'b.jpg'), 'same')
    >>> print(problems[0])
    line 3, column answer: 'perhaps' is not an answer to a pair (same, different, unsure)
    """
    columns, rows, problems = open_table(path)
    found = find_columns(columns, ANSWER_COLUMNS, ("a", "b", "annotator", "answer"), os.fspath(path))
    answers = []
    for line, row in rows:
        try:
            answers.append(_read(line, row, found))
        except _CellError as error:
            problems.append(Problem(line, error.column, error.text))
    return answers, sorted(problems, key=lambda each: each.line)


def read_value(value: Any, kind: str) -> str | None:
    """Return the answer that a word means for a kind of question, or None where it means none.

    Examples
    --------
    >>> read_value(True, "pair"), read_value("Must-link", "pair"), read_value("BA", "triplet")
    ('same', 'same', 'ab')
    >>> read_value("ab", "pair")
    """
    word = str(value).strip().lower().replace(" ", "_").replace("-", "_", 1 if str(value)[:1] != "-" else 0)
    if isinstance(value, float) and value.is_integer():
        word = str(int(value))
    return (_PAIR_WORDS if kind == "pair" else _TRIPLET_WORDS).get(word)


class _CellError(Exception):
    def __init__(self, column: str, text: str) -> None:
        super().__init__(text)
        self.column, self.text = column, text


def _read(line: int, row: Mapping[str, Any], found: Mapping[str, str]) -> AnswerLine:
    names = [found[each] for each in ("a", "b", "c") if each in found]
    items = [_text(row.get(name)) for name in names]
    if len(items) == 3 and not items[2]:
        items.pop()
    for name, item in zip(names, items, strict=False):
        if not item:
            raise _CellError(name, "the picture is missing")
    if len(set(items)) < len(items):
        raise _CellError(names[items.index(items[-1])], f"{items[-1]!r} is named twice")
    kind = "pair" if len(items) == 2 else "triplet"
    value = _value(row, found["answer"], kind)
    truth = _value(row, found["truth"], kind) if "truth" in found and _text(row.get(found["truth"])) else ""
    annotator = _text(row.get(found["annotator"]))
    if len(annotator) > NAME_LENGTH or "\0" in annotator:
        raise _CellError(found["annotator"], "this is not a valid name")
    return AnswerLine(line, tuple(items), annotator, value, _seconds(row, found), truth, _at(row, found))


def _value(row: Mapping[str, Any], column: str, kind: str) -> str:
    value = read_value(row.get(column), kind)
    if value is None:
        known = "same, different, unsure" if kind == "pair" else "ab, ac, bc, none, unsure"
        raise _CellError(column, f"{row.get(column)!r} is not an answer to a {kind} ({known})")
    return value


def _text(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()


def _seconds(row: Mapping[str, Any], found: Mapping[str, str]) -> float | None:
    for meaning, unit in (("seconds", 1.0), ("milliseconds", 1000.0)):
        if meaning in found and (text := _text(row.get(found[meaning]))):
            try:
                seconds = float(text) / unit
            except ValueError:
                seconds = math.nan
            if not math.isfinite(seconds) or seconds < 0:
                raise _CellError(found[meaning], f"{text!r} is not a number of seconds")
            return seconds
    return None


def _at(row: Mapping[str, Any], found: Mapping[str, str]) -> datetime | None:
    value = row.get(found["at"]) if "at" in found else None
    if isinstance(value, datetime):
        moment = value
    elif text := _text(value):
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            raise _CellError(found["at"], f"{text!r} is not a time such as 2024-05-01T12:00:00Z") from None
    else:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
