"""Clusters: lists of them, one of them, and changes."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictBool
from typing_extensions import TypeAliasType

from likewise.server.schemas.fields import UNIQUE, Chosen, Form, Id, Ids, Name, Seq, Stored, View
from likewise.server.schemas.questions import ConflictView

Seqs = Annotated[list[Seq], Field(max_length=10_000)]


class NameForm(Form):
    """A name for a cluster; the empty one takes it away."""

    cluster: Id
    name: Name


class ClusterForm(Form):
    """A cluster that is no longer confirmed."""

    cluster: Id


class ChangeForm(Form):
    """A change of clusters that takes the answers in `withdraw` back; with `preview` nothing is stored.

    With `twice`, one person may be twice in a photograph.
    """

    preview: StrictBool = False
    withdraw: Seqs = Field(default_factory=list)
    twice: StrictBool = False


class MergeForm(ChangeForm):
    """Clusters that are one."""

    clusters: Annotated[list[Id], Field(min_length=2, max_length=1000)]
    name: Name | None = None


class ConfirmForm(ChangeForm):
    """A cluster whose pictures are the same."""

    cluster: Id


class PicturesForm(ChangeForm):
    """Pictures, and the cluster that something is said of them about."""

    cluster: Id
    items: Chosen


class SplitForm(PicturesForm):
    """Pictures that do not belong to their cluster; with `as_group` they are one of their own."""

    as_group: StrictBool = False


class MoveForm(ChangeForm):
    """Pictures that belong to another cluster."""

    items: Chosen
    to: Id


class StackForm(Form):
    """Pictures that are taken out of their stacks."""

    items: Ids


class WithdrawForm(Form):
    """Answers taken back to end a contradiction; of one grid or pick, only the pair that was wrong."""

    withdraw: Annotated[list[Seq], Field(min_length=1, max_length=10_000)]
    pair: Annotated[list[Id], Field(min_length=2, max_length=2, json_schema_extra=UNIQUE)] | None = None


class ClusterView(View):
    """A cluster in a list; `cover` are its most central pictures, `n_settled` how many are known to belong to it.

    Of a stack one picture is in the cover; `cover_stacks` says how many it stands for. Where a filter is given, the
    cover is of what it lets through, and `n_wanted` how many these are; else all.
    """

    id: int
    name: str
    size: int
    touched: bool
    confirmed: bool
    n_settled: int
    doubt: float
    cover: list[int]
    cover_stacks: list[int]
    n_suggested: int
    n_wanted: int


class ClusterListView(View):
    """Some of the clusters, and how many there are."""

    version: int
    total: int
    n_images: int
    clusters: list[ClusterView]


class MemberView(View):
    """A picture of a cluster, how doubtful it is, whether it is known to belong there, and was put there by hand.

    `stack` are the pictures that it stands for, itself among them: copies, and others of one moment. It is empty for a
    picture that is alone.
    """

    id: int
    doubt: float
    settled: bool
    placed: bool
    stack: list[int]


class ClusterPageView(ClusterView):
    """A cluster with some of its pictures, and those suggested for it; of a stack one, so that `n_shown` are shown."""

    members: list[MemberView]
    n_shown: int
    suggested: list[int]


class ChangePreview(View):
    """What a change would contradict, and how many pictures it would move."""

    breaks: list[ConflictView]
    moves: int


class ChangeResult(Stored):
    """A change that was stored, and its group; both are left out where it had been stored before."""

    moves: int = 0
    cluster: int | None = None


class NamedView(Stored):
    """A name that was stored, and the other clusters that have it."""

    same_name: list[int]


class NameView(View):
    """A name that is used, its clusters, and how many pictures they have."""

    name: str
    clusters: list[int]
    size: int


ChangeView = TypeAliasType("ChangeView", ChangePreview | ChangeResult)
