"""What a session shows in a notebook: its numbers, and a page that asks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from likewise.query.base import Labels, State
from likewise.query.notebook.desk import NotebookDesk
from likewise.query.notebook.pictures import check_shown, show_item
from likewise.query.shown import show_session

NEEDS = "asking in a notebook needs anywidget: pip install 'likewise[notebook]'"


class ShownInNotebook:
    """A session's pages in a notebook."""

    _state: State
    _labels: Labels | None
    strategy: Any

    def widget(
        self,
        images: Sequence[Any] | None = None,
        *,
        texts: Sequence[str] | None = None,
        html: Sequence[str] | None = None,
        annotator: str = "",
    ) -> Any:
        """A page that asks in a notebook (Jupyter, VS Code, Colab); what is pressed there is an answer of this session.

        It shows questions of every form. Keys of a pair are ``s``, ``d`` and space, those of a triplet ``1``, ``2``,
        ``3``, ``0`` and space, once the page was clicked on. Needs anywidget (``pip install 'likewise[notebook]'``).

        Parameters
        ----------
        images : sequence of n pictures, optional
            Paths, arrays (h, w) or (h, w, 3) of bytes or of numbers from 0 to 1, or Pillow images; read when they are
            shown.
        texts : sequence of n str, optional
            Texts, shown as they are.
        html : sequence of n str, optional
            HTML of your own, shown as such: only what you trust.
        annotator : str
            Who answers.

        Returns
        -------
        anywidget.AnyWidget
        """
        check_shown(self._state.n, images=images, texts=texts, html=html)
        try:
            from likewise.query.notebook.widget import SessionWidget
        except ImportError:
            raise ImportError(NEEDS) from None
        session: Any = self
        show = partial(show_item, images=images, texts=texts, html=html)
        return SessionWidget(NotebookDesk(session, show, annotator))

    def _repr_html_(self) -> str:
        return show_session(self._state, type(self.strategy).__name__, self._labels)
