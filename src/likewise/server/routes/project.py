"""Routes about the project as a whole: how far it is, settings, news, the map."""

from __future__ import annotations

import asyncio
import json
import queue
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool

from likewise.app.live import LiveProject
from likewise.app.map import map_json
from likewise.app.news import News, Stream
from likewise.app.people import Person
from likewise.app.progress import own_progress, progress_of
from likewise.app.settings import ASKERS
from likewise.formats.words import worded
from likewise.server.auth import Auth, current_person
from likewise.server.routes.browse import background_of
from likewise.server.routes.questions import live_of
from likewise.server.schemas.fields import Annotator
from likewise.server.schemas.project import (
    AskerView,
    IndexingView,
    MapView,
    OwnProgressView,
    ProgressView,
    ProjectView,
    SettingsForm,
    SettingsView,
)

router = APIRouter()
HEARTBEAT_SECONDS = 15
LINE_END = "\n"
CHECK_SECONDS = 3.0  # whether an invitation was taken back
NEWS_FOR_ANNOTATORS = ("indexing", "question")
SETTINGS_FOR_ANNOTATORS = ("kind", "keys", "single_keys", "prompt", "instruction", "examples")


@router.get("/project", response_model_exclude_unset=True)
def get_project(request: Request) -> ProjectView:
    """What is served, and how far the reading of pictures is; annotators do not see what others do."""
    live, shown, person = live_of(request), request.app.state.pictures, current_person.get()
    blind = person.is_annotator
    return ProjectView(
        name=live.project.name,
        folder=live.project.name if blind else shown.folder.name,
        n_images=live.project.n_regions if live.of_faces else live.project.n_images,
        n_ready=live.ready,
        answers=live.n_answers_of(person.name) if blind else live.n_answers,
        clusters_version=0 if blind else live.wall.version,
        indexing=IndexingView(**(shown.state | ({"rate": 0.0} if blind else {}))),
        settings=_settings_for(person, live),
        problem="" if blind else live.problem,
        too_large="" if blind else live.too_large,
        set_aside=0 if blind else live.events.n_set_aside,
        of_faces=live.of_faces,
    )


def _settings_for(person: Person, live: LiveProject) -> SettingsView:
    names = SETTINGS_FOR_ANNOTATORS if person.is_annotator else tuple(live.settings)
    return SettingsView(**{name: live.settings[name] for name in names if name in live.settings})


@router.get("/progress")
def get_progress(request: Request, annotator: Annotated[Annotator, Query()] = "me") -> ProgressView | OwnProgressView:
    """Answers, what is settled, how good it is, and whether one can stop; for annotators only their own part."""
    if (person := current_person.get()).is_annotator:
        return OwnProgressView(**own_progress(live_of(request), person.name))
    return ProgressView(**progress_of(live_of(request), annotator))


@router.get("/settings", response_model_exclude_unset=True)
def get_settings(request: Request) -> SettingsView:
    """All settings; for annotators the form of the questions and the keys."""
    return _settings_for(current_person.get(), live_of(request))


@router.put("/settings", response_model_exclude_unset=True)
def put_settings(form: SettingsForm, request: Request) -> SettingsView:
    """Change some settings."""
    changes = form.model_dump(exclude_unset=True)
    if changes.get("strategy") is not None:
        from likewise.query.registry import make_strategy  # imports the askers: a second that others need not wait

        make_strategy(changes["strategy"])
    if changes.get("clusterer") is not None:
        from likewise.cluster.registry import make_clusterer

        make_clusterer(changes["clusterer"])
    return SettingsView(**live_of(request).change_settings(changes))


@router.get("/stream", response_class=EventSourceResponse)
async def get_stream(request: Request) -> EventSourceResponse:
    """News as they come, as server-sent events."""
    events = _events(live_of(request).stream, request.app.state.auth, current_person.get())
    return EventSourceResponse(events, ping=HEARTBEAT_SECONDS, sep=LINE_END)


async def _events(stream: Stream, auth: Auth, person: Person) -> AsyncIterator[ServerSentEvent]:
    """News for a person until the stream is closed, or the person's invitation is taken back."""
    loop, awake = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(awake.set)

    names = NEWS_FOR_ANNOTATORS if person.is_annotator else None
    with stream.listen(names, wake) as mine:
        yield ServerSentEvent(comment="here", sep=LINE_END)
        checked = loop.time()
        while not stream.closed:
            with suppress(TimeoutError):
                await asyncio.wait_for(awake.wait(), CHECK_SECONDS)
            awake.clear()
            if loop.time() - checked >= CHECK_SECONDS:
                if not await run_in_threadpool(auth.still_in, person):
                    return
                checked = loop.time()
            with suppress(queue.Empty):
                while True:
                    news = mine.get_nowait()
                    data = _blind(news) if person.is_annotator else news.data
                    yield ServerSentEvent(json.dumps(data), event=news.name, sep=LINE_END)


def _blind(news: News) -> dict[str, Any]:
    """News without numbers of the project as a whole."""
    if news.name == "indexing":
        return {name: value if isinstance(value, str) else 0 for name, value in news.data.items()}
    return news.data


@router.get("/strategies")
def get_strategies() -> list[str]:
    """Names of the askers."""
    from likewise.query.registry import strategies

    return strategies()


@router.get("/clusterers")
def get_clusterers() -> list[str]:
    """Names of who can make the clusters instead of the asker, those of plug-ins among them."""
    from likewise.cluster.registry import clusterers

    return clusterers()


@router.get("/askers")
def get_askers(request: Request) -> list[AskerView]:
    """The askers that people choose from, each with when to choose it; all other names can be set too."""
    of_faces = live_of(request).of_faces
    return [AskerView(name=name, when=worded(when, of_faces)) for name, when in ASKERS.items()]


@router.get("/map", response_model=MapView)
def get_map(request: Request, unless: Annotated[int | None, Query(ge=0)] = None) -> Response:
    """The pictures in the plane, their clusters, and the pairs that were asked.

    They are laid out in the background: while it is `working`, ask again with the `layout` that is there as `unless`,
    and no pictures are sent until there is another.
    """
    text = map_json(live_of(request), background_of(request), unless)
    return Response(text, media_type="application/json")
