"""What the engine prepares for the desk, and what it is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from likewise.query.question import Answer, Question


@dataclass(frozen=True)
class Prepared:
    """Questions about pictures, ready to be put.

    Attributes
    ----------
    version : int
        Number of the last event they take into account.
    questions : list of Question
        Best first; no answer of one follows from the others'. Items are picture ids.
    after : dict
        For each answer to the first question, the question that would come then, or None.
    finished : bool
        Whether every pair of pictures is known.
    kind : str
        The form that was asked for; where nothing fits a third picture, a pair stays one.
    """

    version: int
    questions: list[Question]
    after: dict[str, Question | None] = field(default_factory=dict)
    finished: bool = False
    kind: str = "pair"


@dataclass(frozen=True)
class Together:
    """Images that an annotator confirmed as one group."""

    items: tuple[int, ...]
    annotator: str = ""


Heard: TypeAlias = Answer | Together
