"""The widget: a page in a notebook that asks a session's questions; needs anywidget."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from likewise.query.notebook.desk import NotebookDesk


class SessionWidget(anywidget.AnyWidget):  # type: ignore[misc]
    """Shows the question of a desk and hands it what was pressed."""

    _esm = Path(__file__).with_name("widget.js")
    _css = Path(__file__).with_name("widget.css")
    view = traitlets.Dict().tag(sync=True)
    message = traitlets.Unicode("").tag(sync=True)

    def __init__(self, desk: NotebookDesk, **options: Any) -> None:
        super().__init__(view=desk.view(), **options)
        self.desk = desk
        self.on_msg(self._hear)

    def _hear(self, _: Any, content: Any, buffers: Any) -> None:
        self.message = self.desk.take(content)
        self.view = self.desk.view()
