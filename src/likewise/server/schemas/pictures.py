"""Pictures: examples of every class, files that were passed over, formats to export."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, StringConstraints

from likewise.server.schemas.fields import EXACT, View


class FoldersForm(BaseModel):
    """Where to write class folders, and how."""

    model_config = EXACT

    target: Annotated[str, StringConstraints(min_length=1, max_length=4000)]
    mode: Literal["copy", "hardlink", "symlink"] = "copy"


class FoldersResult(View):
    """Class folders that were written."""

    target: str
    pictures: int
    skipped: int


class FormatView(View):
    """A format to export, with a line on what it is for."""

    name: str
    title: str
    about: str
    suffix: str
    is_folder: bool
    options: list[str]


class BrowseRow(View):
    """Examples of a class, and the cluster that most of them are in."""

    items: list[int]
    cluster: int | None
    name: str
    size: int


class BrowseView(View):
    """Rows of examples; `working` while new ones are being found."""

    working: bool
    rows: list[BrowseRow]
    problem: str


class SkippedView(View):
    """A file that was passed over, with the reason."""

    path: str
    reason: str
