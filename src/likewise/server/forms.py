"""What the page sends: checked before anything is done with it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Key = Annotated[str, StringConstraints(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_.:/-]+$")]
Annotator = Annotated[str, StringConstraints(max_length=100)]
Id = Annotated[int, Field(ge=0, lt=2**31)]
Ids = Annotated[list[Id], Field(min_length=1, max_length=100_000)]
Seqs = Annotated[list[Annotated[int, Field(ge=1, lt=2**31)]], Field(max_length=10_000)]
Seconds = Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)]
Name = Annotated[str, StringConstraints(max_length=200)]
Short = Annotated[str, StringConstraints(max_length=30)]


class Form(BaseModel):
    """Who writes, and the key that makes sending it twice harmless."""

    model_config = ConfigDict(extra="forbid")

    key: Key
    annotator: Annotator = "me"


class AnswerForm(Form):
    """The answer to a question."""

    kind: Literal["pair", "triplet"] = "pair"
    items: Annotated[list[Id], Field(min_length=2, max_length=3)]
    value: Literal["same", "different", "unsure", "ab", "ac", "bc", "none"]
    seconds: Seconds | None = None
    shown: dict[str, Any] = Field(default_factory=dict)


class BadForm(Form):
    """A picture that is no use, or is of use again."""

    item: Id


class GridForm(Form):
    """A cluster on a grid, with the odd ones tapped."""

    items: Ids
    odd: list[Id] = Field(default_factory=list, max_length=100_000)
    seconds: Seconds | None = None


class NameForm(Form):
    """A name for a cluster; the empty one takes it away."""

    cluster: Id
    name: Name


class ClusterForm(Form):
    """A cluster that is no longer confirmed."""

    cluster: Id


class ChangeForm(Form):
    """A change of clusters; with `preview` it is only said what it would contradict."""

    preview: bool = False
    withdraw: Seqs = Field(default_factory=list)


class MergeForm(ChangeForm):
    """Clusters that are one."""

    clusters: Annotated[list[Id], Field(min_length=2, max_length=1000)]
    name: Name | None = None


class ConfirmForm(ChangeForm):
    """A cluster whose pictures are the same."""

    cluster: Id


class SplitForm(ChangeForm):
    """Pictures that are a cluster of their own."""

    cluster: Id
    items: Ids


class MoveForm(ChangeForm):
    """Pictures that belong to another cluster."""

    items: Ids
    to: Id


class WithdrawForm(Form):
    """Answers taken back to end a contradiction."""

    withdraw: Annotated[list[Annotated[int, Field(ge=1, lt=2**31)]], Field(min_length=1, max_length=10_000)]


class SettingsForm(BaseModel):
    """Settings to change."""

    model_config = ConfigDict(extra="forbid")

    strategy: Annotated[str, StringConstraints(max_length=100)] | None = None
    n_clusters: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    kind: Literal["pair", "triplet"] | None = None
    check_rate: Annotated[float, Field(ge=0, le=0.5)] | None = None
    keys: (
        dict[
            Annotated[str, StringConstraints(max_length=30)], Annotated[str, StringConstraints(max_length=20)]
        ]
        | None
    ) = None
    single_keys: bool | None = None


class FoldersForm(BaseModel):
    """Where to write class folders, and how."""

    model_config = ConfigDict(extra="forbid")

    target: Annotated[str, StringConstraints(min_length=1, max_length=4000)]
    mode: Literal["copy", "hardlink", "symlink"] = "copy"
