"""Field types that several requests and replies use, and the bases of both."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from likewise.query.question import ANSWERS, GridAnswer, PairAnswer, PickAnswer, TripletAnswer
from likewise.server.auth import current_person

Value: TypeAlias = Literal[PairAnswer, TripletAnswer]
AnyValue: TypeAlias = Literal[PairAnswer, TripletAnswer, GridAnswer, PickAnswer]

MAX_SHOWN_LENGTH = 20_000
EXACT = ConfigDict(extra="forbid")
UNIQUE: dict[str, Any] = {"uniqueItems": True}  # the store checks it; this is for the description of the API


def _number(value: Any) -> Any:
    """Refuse texts that look like numbers, and true and false; 1.0 is 1, as in JSON."""
    if isinstance(value, str | bool):
        raise ValueError("a number is wanted")
    return value


def _short(shown: dict[str, Any]) -> dict[str, Any]:
    try:
        size = len(json.dumps(shown))
    except RecursionError:
        size = MAX_SHOWN_LENGTH + 1
    if size > MAX_SHOWN_LENGTH:
        raise ValueError(f"what else was shown takes more than {MAX_SHOWN_LENGTH} characters, or is nested too deep")
    return shown


def _hide(count: Any) -> Any:
    """Keep a number from people who were invited: it would tell them how much others do."""
    return 0 if current_person.get().is_annotator else count


WHOLE = BeforeValidator(_number)
OfProject = Annotated[int, AfterValidator(_hide)]  # in replies: a number of the project as a whole, 0 for annotators
Id = Annotated[int, Field(ge=0, lt=2**31), WHOLE]
Ids = Annotated[list[Id], Field(min_length=1, max_length=100_000, json_schema_extra=UNIQUE)]
Chosen = Annotated[list[Id], Field(min_length=1, max_length=100_000)]
QuestionItems = Annotated[list[Id], Field(min_length=2, max_length=3, json_schema_extra=UNIQUE)]
AnyItems = Annotated[list[Id], Field(min_length=2, max_length=100, json_schema_extra=UNIQUE)]
Marked = Annotated[list[Id], Field(max_length=100, json_schema_extra=UNIQUE)]
Seq = Annotated[int, Field(ge=1, lt=2**31), WHOLE]
Seconds = Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False, strict=True)]
Key = Annotated[str, StringConstraints(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_.:/-]+$")]
Annotator = Annotated[str, StringConstraints(max_length=100)]
Name = Annotated[str, StringConstraints(max_length=200)]
Shown = Annotated[dict[str, Any], AfterValidator(_short)]
Kind: TypeAlias = Literal["pair", "triplet"]
AnyKind: TypeAlias = Literal["pair", "triplet", "grid", "pick"]
FormSetting: TypeAlias = Literal["auto", "pair", "triplet"]
Relation: TypeAlias = Literal["same", "different"]
Interval: TypeAlias = tuple[float, float, float]


def _fits(kind: str, least: int, most: int, values: Sequence[str], chosen: tuple[int, int] = (0, 0)) -> dict[str, Any]:
    """The fields of an answer to a question of one form, for the description of the API."""
    return {
        "properties": {
            "kind": {"const": kind},
            "items": {"minItems": least, "maxItems": most},
            "value": {"enum": list(values)},
            "chosen": {"minItems": chosen[0], "maxItems": chosen[1]},
        },
        "required": [*([] if kind == "pair" else ["kind"]), *(["chosen"] if chosen[0] else [])],
    }


def _without_chosen(fits: dict[str, Any]) -> dict[str, Any]:
    return fits | {"properties": {name: each for name, each in fits["properties"].items() if name != "chosen"}}


# a pair has two pictures and its own answers, a triplet three; on a grid some are marked, of a pick one is chosen
PAIR, TRIPLET = _fits("pair", 2, 2, ANSWERS["pair"]), _fits("triplet", 3, 3, ANSWERS["triplet"])
FITTING_ANY: dict[str, Any] = {
    "oneOf": [
        PAIR,
        TRIPLET,
        _fits("grid", 2, 100, ["marked"], (0, 99)),
        _fits("grid", 2, 100, ["unsure"]),
        _fits("pick", 2, 100, ["chosen"], (1, 1)),
        _fits("pick", 2, 100, ["none", "unsure"]),
    ]
}
FITTING: dict[str, Any] = {"oneOf": [_without_chosen(PAIR), _without_chosen(TRIPLET)]}


class Form(BaseModel):
    """A write: its author, and a key under which it is stored only once, however often it is sent."""

    model_config = EXACT

    key: Key
    annotator: Annotator = "me"

    @model_validator(mode="after")
    def _sign(self) -> Self:
        """Somebody who was invited writes under their own name, whatever the form says."""
        if current_person.get().is_annotator:
            self.annotator = current_person.get().name
        return self


class View(BaseModel):
    """Base of the replies; a field that is not declared is an error, not left out."""

    model_config = EXACT


class Stored(View):
    """A write that was stored, by the number of its event; people who were invited get 0."""

    seq: OfProject


class StoredWithRest(Stored):
    """A decision that was stored, and how many are left to make."""

    left: int
