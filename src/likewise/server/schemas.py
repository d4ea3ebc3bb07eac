"""What the page sends: checked before anything is done with it."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StringConstraints,
    model_validator,
)

from likewise.server.auth import current_person

Key = Annotated[str, StringConstraints(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_.:/-]+$")]
Annotator = Annotated[str, StringConstraints(max_length=100)]


def _no_text(value: Any) -> Any:
    """Numbers are numbers: no text that looks like one, no true or false; 1.0 is 1, as JSON has it."""
    if isinstance(value, str | bool):
        raise ValueError("a number is wanted")
    return value


WHOLE = BeforeValidator(_no_text)
Id = Annotated[int, Field(ge=0, lt=2**31), WHOLE]
UNIQUE: dict[str, Any] = {"uniqueItems": True}  # checked where it is read, said here for the description
Ids = Annotated[list[Id], Field(min_length=1, max_length=100_000, json_schema_extra=UNIQUE)]
Chosen = Annotated[list[Id], Field(min_length=1, max_length=100_000)]
Asked = Annotated[list[Id], Field(min_length=2, max_length=3, json_schema_extra=UNIQUE)]
Value = Literal["same", "different", "unsure", "ab", "ac", "bc", "none"]
# a pair has two pictures and its own answers, a triplet three
FITTING: dict[str, Any] = {
    "oneOf": [
        {
            "properties": {
                "kind": {"const": "pair"},
                "items": {"maxItems": 2},
                "value": {"enum": ["same", "different", "unsure"]},
            }
        },
        {
            "properties": {
                "kind": {"const": "triplet"},
                "items": {"minItems": 3},
                "value": {"enum": ["ab", "ac", "bc", "none", "unsure"]},
            },
            "required": ["kind"],
        },
    ]
}
Seq = Annotated[int, Field(ge=1, lt=2**31), WHOLE]
Seqs = Annotated[list[Seq], Field(max_length=10_000)]
Seconds = Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False, strict=True)]
Name = Annotated[str, StringConstraints(max_length=200)]
EXACT = ConfigDict(extra="forbid")
MOST_SHOWN = 20_000
Short = Annotated[str, StringConstraints(max_length=30)]


def _small(shown: dict[str, Any]) -> dict[str, Any]:
    try:
        size = len(json.dumps(shown))
    except RecursionError:
        size = MOST_SHOWN + 1
    if size > MOST_SHOWN:
        raise ValueError(
            f"what else was shown takes more than {MOST_SHOWN} characters, or is nested too deep"
        )
    return shown


Shown = Annotated[dict[str, Any], AfterValidator(_small)]


class Form(BaseModel):
    """Who writes, and the key that makes sending it twice harmless."""

    model_config = EXACT

    key: Key
    annotator: Annotator = "me"

    @model_validator(mode="after")
    def _sign(self) -> Self:
        """Who was invited writes under their own name, whatever the form says."""
        if current_person.get().is_annotator:
            self.annotator = current_person.get().name
        return self


class AnswerForm(Form):
    """The answer to a question."""

    model_config = ConfigDict(extra="forbid", json_schema_extra=FITTING)

    kind: Literal["pair", "triplet"] = "pair"
    items: Asked
    value: Value
    seconds: Seconds | None = None
    shown: Shown = Field(default_factory=dict)


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

    preview: StrictBool = False
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
    items: Chosen


class MoveForm(ChangeForm):
    """Pictures that belong to another cluster."""

    items: Chosen
    to: Id


class WithdrawForm(Form):
    """Answers taken back to end a contradiction."""

    withdraw: Annotated[list[Seq], Field(min_length=1, max_length=10_000)]


def _strategies(schema: dict[str, Any]) -> None:
    from likewise.query.registry import strategies

    schema["enum"] = strategies()


class SettingsForm(BaseModel):
    """Settings to change; what is left out stays as it is."""

    model_config = EXACT

    strategy: Annotated[str, Field(max_length=100, json_schema_extra=_strategies)] = "auto"
    n_clusters: Annotated[int, Field(ge=1, le=1_000_000), WHOLE] | None = None
    kind: Literal["pair", "triplet"] = "pair"
    check_rate: Annotated[float, Field(ge=0, le=0.5, strict=True)] = 0.05
    recheck: StrictBool = True
    overlap: Annotated[int, Field(ge=1, le=20), WHOLE] = 1
    gold_rate: Annotated[float, Field(ge=0, le=0.5, strict=True)] = 0.1
    lease_minutes: Annotated[float, Field(ge=0.5, le=1440, strict=True)] = 5.0
    keys: Annotated[dict[Short, Annotated[str, StringConstraints(max_length=20)]], Field(max_length=50)] = (
        Field(default_factory=dict)
    )
    single_keys: StrictBool = True


class FoldersForm(BaseModel):
    """Where to write class folders, and how."""

    model_config = ConfigDict(extra="forbid")

    target: Annotated[str, StringConstraints(min_length=1, max_length=4000)]
    mode: Literal["copy", "hardlink", "symlink"] = "copy"
