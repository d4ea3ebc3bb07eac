"""Routes about the project as a whole: how far it is, settings, news, the map."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import AsyncIterator

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from likewise.app.live import LiveProject
from likewise.app.map import map_of
from likewise.app.people import Person
from likewise.app.progress import own_progress, progress_of
from likewise.server.auth import current_person
from likewise.server.routes.questions import live_of
from likewise.server.schemas.project import (
    IndexingView,
    MapView,
    OwnProgressView,
    ProgressView,
    ProjectView,
    SettingsForm,
    SettingsView,
)

router = APIRouter()
HEARTBEAT_SECONDS = 15.0
LOOK_SECONDS = 3.0
HEARD_BY_ANNOTATORS = ("indexing", "question")
FOR_ANNOTATORS = ("kind", "keys", "single_keys")


@router.get("/project", response_model_exclude_unset=True)
def get_project(request: Request) -> ProjectView:
    """What is served, and how far the reading of pictures is; annotators do not see what others do."""
    live, shown, person = live_of(request), request.app.state.pictures, current_person.get()
    blind = person.is_annotator
    return ProjectView(
        name=live.project.name,
        folder=live.project.name if blind else shown.folder.name,
        n_images=live.project.n_images,
        n_ready=live.ready,
        answers=live.n_answers_of(person.name) if blind else live.n_answers,
        clusters_version=0 if blind else live.wall.version,
        indexing=IndexingView(**shown.state),
        settings=_settings_for(person, live),
        problem="" if blind else live.problem,
    )


def _settings_for(person: Person, live: LiveProject) -> SettingsView:
    names = FOR_ANNOTATORS if person.is_annotator else tuple(live.settings)
    return SettingsView(**{name: live.settings[name] for name in names if name in live.settings})


@router.get("/progress")
def get_progress(request: Request) -> ProgressView | OwnProgressView:
    """Answers, what is settled, how good it is, and whether one can stop; for annotators only their own part."""
    if (person := current_person.get()).is_annotator:
        return OwnProgressView(**own_progress(live_of(request), person.name))
    return ProgressView(**progress_of(live_of(request)))


@router.get("/settings", response_model_exclude_unset=True)
def get_settings(request: Request) -> SettingsView:
    """All settings; for annotators the form of the questions and the keys."""
    return _settings_for(current_person.get(), live_of(request))


@router.put("/settings", response_model_exclude_unset=True)
def put_settings(form: SettingsForm, request: Request) -> SettingsView:
    """Change some settings."""
    from likewise.query.registry import make_strategy

    changes = form.model_dump(exclude_unset=True)
    if changes.get("strategy") is not None:
        make_strategy(changes["strategy"])
    return SettingsView(**live_of(request).change_settings(changes))


@router.get("/stream", response_class=StreamingResponse)
async def get_stream(request: Request) -> StreamingResponse:
    """News as it comes, as server-sent events."""
    live, person = live_of(request), current_person.get()
    heard = HEARD_BY_ANNOTATORS if person.is_annotator else None

    async def news() -> AsyncIterator[str]:
        with live.stream.listen(heard) as mine:
            yield ": here\n\n"
            quiet = looked = 0.0
            while not live.stream.closed and not await request.is_disconnected():
                try:
                    yield mine.get_nowait()
                    quiet = 0.0
                except queue.Empty:
                    await asyncio.sleep(0.1)
                    quiet, looked = quiet + 0.1, looked + 0.1
                    if looked >= LOOK_SECONDS:  # an invitation that was taken back ends this too
                        looked = 0.0
                        if not await run_in_threadpool(request.app.state.auth.still_in, person):
                            return
                    if quiet >= HEARTBEAT_SECONDS:
                        yield ": still here\n\n"
                        quiet = 0.0

    return StreamingResponse(news(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


@router.get("/strategies")
def get_strategies() -> list[str]:
    """Names of the askers."""
    from likewise.query.registry import strategies

    return strategies()


@router.get("/map")
def get_map(request: Request) -> MapView:
    """The pictures in the plane, their clusters, and the pairs that were asked."""
    return MapView(**map_of(live_of(request)))
