"""Pictures: examples of every class, files that were passed over, formats to export."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from likewise.server.schemas.fields import EXACT, View

DAY = r"^(\d{4}-\d{2}-\d{2})?$"


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


class FaceView(View):
    """Where a face is in its photograph: left, top, width and height as shares; `flaws` make it hard to recognise."""

    photograph: str
    width: int
    height: int
    box: list[float]
    flaws: list[str]
    others: list[int]


class SkippedView(View):
    """A file that was passed over, with the reason."""

    path: str
    reason: str


class FactsView(View):
    """What a picture carries, and the cluster that it is in.

    `taken` is by the clock of the camera; `can_reveal` says whether its folder can be opened in a file manager.
    """

    id: int
    path: str
    full_path: str
    taken: str | None
    camera: str
    width: int
    height: int
    bytes: int
    cluster: int | None
    name: str
    can_reveal: bool


class RevealedView(View):
    """The picture whose folder was opened in the file manager."""

    path: str


class CountView(View):
    """Something to filter by, and how many pictures have it."""

    name: str
    n: int


class ChoicesView(View):
    """What there is to filter by."""

    folders: list[CountView]
    cameras: list[CountView]
    tags: list[CountView]
    names: list[CountView]
    first_day: str | None
    last_day: str | None


class FoundPicture(View):
    """A picture that was found; `stack` is how many it stands for."""

    id: int
    path: str
    cluster: int | None
    name: str
    stack: int


class FoundView(View):
    """Some of the pictures that were found: `total` in all, `n_shown` of them shown, one of each stack."""

    total: int
    n_shown: int
    pictures: list[FoundPicture]


class FilterForm(BaseModel):
    """Which pictures are wanted; an empty field wants all. Days are YYYY-MM-DD by the clock of the camera."""

    model_config = EXACT

    q: Annotated[str, StringConstraints(max_length=200)] = ""
    folder: Annotated[str, StringConstraints(max_length=4000)] = ""
    camera: Annotated[str, StringConstraints(max_length=200)] = ""
    name: Annotated[str, StringConstraints(max_length=200)] = ""
    tag: Annotated[str, StringConstraints(max_length=100)] = ""
    state: Literal["", "open", "settled", "named", "unnamed", "bad"] = ""
    since: Annotated[str, StringConstraints(pattern=DAY)] = ""
    until: Annotated[str, StringConstraints(pattern=DAY)] = ""


class LikeFileForm(BaseModel):
    """A picture in base64 that others are to look like; it is kept nowhere."""

    model_config = EXACT

    picture: Annotated[str, StringConstraints(min_length=1, max_length=4_000_000)]
    wanted: FilterForm = Field(default_factory=FilterForm)
    limit: Annotated[int, Field(ge=1, le=1000)] = 200


class WordsView(View):
    """Whether pictures can be looked for by words."""

    words: bool


class FocusForm(BaseModel):
    """The only pictures to ask about; without a filter all."""

    model_config = EXACT

    wanted: FilterForm = Field(default_factory=FilterForm)


class FocusView(View):
    """The only pictures that are asked about: the filter, empty for all, and how many it lets through."""

    wanted: FilterForm
    total: int
