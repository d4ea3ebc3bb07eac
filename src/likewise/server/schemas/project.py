"""The project as a whole: how far it is, its settings, the map."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StringConstraints
from typing_extensions import TypeAliasType

from likewise.server.schemas.fields import EXACT, WHOLE, AnyKind, FormSetting, Id, Interval, OfProject, Relation, View

KeyNames = dict[Annotated[str, StringConstraints(max_length=30)], Annotated[str, StringConstraints(max_length=20)]]


def _strategies(schema: dict[str, Any]) -> None:
    from likewise.query.registry import strategies

    schema["enum"] = strategies()


def _clusterers(schema: dict[str, Any]) -> None:
    from likewise.cluster.registry import clusterers

    schema["enum"] = clusterers()


class ExamplePair(View):
    """Two pictures that are the same, or different, by the owner's word: to show what is meant."""

    items: Annotated[list[Id], Field(min_length=2, max_length=2)]
    value: Relation


Examples = Annotated[list[ExamplePair], Field(max_length=20)]
Prompt = Annotated[str, StringConstraints(max_length=100, strip_whitespace=True)]
Instruction = Annotated[str, StringConstraints(max_length=500, strip_whitespace=True)]


class SettingsForm(BaseModel):
    """Settings to change; what is left out stays as it is."""

    model_config = EXACT

    strategy: Annotated[str, Field(max_length=100, json_schema_extra=_strategies)] = "auto"
    clusterer: Annotated[str, Field(max_length=100, json_schema_extra=_clusterers)] | None = None
    n_clusters: Annotated[int, Field(ge=1, le=1_000_000), WHOLE] | None = None
    kind: FormSetting = "auto"
    check_rate: Annotated[float, Field(ge=0, le=0.5, strict=True)] = 0.05
    recheck: StrictBool = True
    stacks: StrictBool = True
    overlap: Annotated[int, Field(ge=1, le=20), WHOLE] = 1
    gold_rate: Annotated[float, Field(ge=0, le=0.5, strict=True)] = 0.1
    lease_minutes: Annotated[float, Field(ge=0.5, le=1440, strict=True)] = 5.0
    keys: Annotated[KeyNames, Field(max_length=50)] = Field(default_factory=dict)
    single_keys: StrictBool = True
    prompt: Prompt = ""
    instruction: Instruction = ""
    examples: Examples = Field(default_factory=list)


class SettingsView(View):
    """Settings, those that whoever asks may see; what older versions kept besides is left out."""

    model_config = ConfigDict(extra="ignore")

    kind: FormSetting
    strategy: str = "auto"
    clusterer: str | None = None
    n_clusters: int | None = None
    seed: int = 0
    check_rate: float = 0.05
    recheck: bool = True
    stacks: bool = True
    overlap: int = 1
    gold_rate: float = 0.1
    lease_minutes: float = 5.0
    keys: dict[str, str] = Field(default_factory=dict)
    single_keys: bool = True
    prompt: str = ""
    instruction: str = ""
    examples: list[ExamplePair] = Field(default_factory=list)


class AskerView(View):
    """An asker that people choose from, and when to choose it."""

    name: str
    when: str


class IndexingView(View):
    """How far the reading of pictures is; `rate` is pictures a second."""

    state: Literal["reading", "done"]
    done: OfProject
    total: OfProject
    rate: float


class ProjectView(View):
    """What is served, and how far the reading of pictures is; people who were invited get 0 for what is of all.

    `too_large` says why not all pictures are asked about; empty when they are. `of_faces` is whether faces in pictures
    are asked about instead of pictures.
    """

    name: str
    folder: str
    n_images: OfProject
    n_ready: OfProject
    answers: int
    clusters_version: OfProject
    indexing: IndexingView
    settings: SettingsView
    problem: str
    too_large: str = ""
    set_aside: int = 0
    of_faces: bool = False


class OwnProgressView(View):
    """How many answers one person gave, and how long they took."""

    answers: int
    seconds_per_answer: float | None


class CurvePoint(View):
    """Share of the pictures that are settled after so many answers."""

    answers: int
    settled: float


class StopView(View):
    """Whether one can stop, and why."""

    hint: bool
    reason: str


class FormPaceView(View):
    """How one person does with questions of one form.

    Seconds are fitted to their answers: `base` for each question, `shown` for each picture or group shown, `tap` for
    each one marked. Of `statements` about pairs, `set_aside` are contradicted by others.
    """

    form: AnyKind
    answers: int
    statements: int
    set_aside: int
    base: float
    shown: float
    tap: float


class TimeLeftView(View):
    """Seconds of a person that are left, to 95 % of the pairs and to all: low, probable, high; and how it is known."""

    to_most: Interval
    to_end: Interval
    reason: str


class ProgressView(OwnProgressView):
    """Answers, what is settled, how good it is, and whether one can stop."""

    by_annotator: dict[str, int]
    settled: float
    clusters: int
    estimate: Interval | None
    estimate_recall: Interval | None
    n_checks: int
    agreeing: int
    conflicts: int
    disputes: int
    curve: list[CurvePoint]
    stop: StopView
    forms: list[FormPaceView]
    left: TimeLeftView | None


# by a name: schemathesis takes tuples within a reply for a mistake (it reads them as of an older draft of JSON Schema)
MapEdge = TypeAliasType("MapEdge", tuple[int, int, Relation])


class MapView(View):
    """Pictures in the plane, between 0 and 1, with their clusters; `edges` are the last pairs that were asked.

    `layout` is 0 for the two main axes, then one more whenever the pictures were laid out again; `working` while they
    are.
    """

    version: int
    layout: int
    working: bool
    images: list[int]
    x: list[float]
    y: list[float]
    cluster: list[int]
    edges: list[MapEdge]
