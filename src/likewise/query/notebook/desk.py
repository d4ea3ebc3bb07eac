"""What a page in a notebook shows and says, without the page: a question as data, and messages that answer it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from likewise.query.shown import WORDS


class NotebookDesk:
    """Puts a session's questions before one person and takes what they press.

    - `session`: The :class:`~likewise.Session` that asks.
    - `show`, callable: HTML of an item by its index.
    - `annotator`: Who answers.
    """

    def __init__(self, session: Any, show: Callable[[int], str], annotator: str = "") -> None:
        self.session, self.annotator = session, annotator
        self._show = show
        self._number = 0
        self._question = session.ask(annotator=annotator)

    def view(self) -> dict[str, Any]:
        """What the page shows: the question with its number, or that nothing is left, and the number of answers."""
        answers = len(self.session.history)
        question = self._question
        if question is None:
            return {"number": self._number, "kind": "none", "answers": answers}
        return {
            "number": self._number,
            "kind": question.kind,
            "words": question.prompt or WORDS[question.kind],
            "reason": question.reason,
            "items": [{"item": int(item), "html": self._show(int(item))} for item in question.items],
            "answers": answers,
        }

    def take(self, message: Any) -> str:
        """Take a message of the page; what to say of it, or nothing. One for an earlier question is left alone.

        - `message`: ``{"type": "answer", "number": …, "value": …, "seconds": …}`` or ``{"type": "undo"}``.
        """
        kind = message.get("type") if isinstance(message, dict) else None
        if kind == "undo":
            return self._undo()
        if kind != "answer" or message.get("number") != self._number or self._question is None:
            return ""
        try:
            conflict = self.session.answer(
                self._question, message.get("value"), annotator=self.annotator, seconds=message.get("seconds")
            )
        except (TypeError, ValueError) as error:
            return str(error)
        self._next()
        return "" if conflict is None else "this contradicts earlier answers"

    def _undo(self) -> str:
        if not self.session.history:
            return "nothing to undo"
        self.session.undo()
        self._next()
        return ""

    def _next(self) -> None:
        self._number += 1
        self._question = self.session.ask(annotator=self.annotator)
