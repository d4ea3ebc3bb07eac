"""Routes about the project as a whole: how far it is, settings, news, the map."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from likewise.app.live import LiveProject
from likewise.app.map import map_of
from likewise.app.progress import own_progress, progress_of
from likewise.server.auth import current_person
from likewise.server.routes.questions import live_of
from likewise.server.schemas import SettingsForm

router = APIRouter()
HEARTBEAT_SECONDS = 15.0
LOOK_SECONDS = 3.0
HEARD_BY_ANNOTATORS = ("indexing", "question")
FOR_ANNOTATORS = ("kind", "keys", "single_keys")


@router.get("/project")
def get_project(request: Request) -> dict[str, Any]:
    """What is served, and how far the reading of pictures is."""
    live, shown = live_of(request), request.app.state.pictures
    if (person := current_person.get()).is_annotator:
        return _project_for(person.name, live, shown)
    return {
        "name": live.project.name,
        "folder": shown.folder.name,
        "n_images": live.project.n_images,
        "n_ready": live.ready,
        "answers": live.n_answers,
        "clusters_version": live.wall.version,
        "indexing": shown.state,
        "settings": live.settings,
        "problem": live.problem,
    }


def settings_for(live: LiveProject) -> dict[str, Any]:
    """The settings that whoever is asking may see."""
    if not current_person.get().is_annotator:
        return live.settings
    return {name: live.settings[name] for name in FOR_ANNOTATORS if name in live.settings}


def _project_for(annotator: str, live: LiveProject, shown: Any) -> dict[str, Any]:
    """What is served, for somebody who is not to know what others do."""
    return {
        "name": live.project.name,
        "folder": live.project.name,
        "n_images": live.project.n_images,
        "n_ready": live.ready,
        "answers": live.n_answers_of(annotator),
        "clusters_version": 0,
        "indexing": shown.state,
        "settings": settings_for(live),
        "problem": "",
    }


@router.get("/progress")
def get_progress(request: Request) -> dict[str, Any]:
    """Answers, what is settled, how good it is, and whether one can stop; of oneself for who was invited."""
    if (person := current_person.get()).is_annotator:
        return own_progress(live_of(request), person.name)
    return progress_of(live_of(request))


@router.get("/settings")
def get_settings(request: Request) -> dict[str, Any]:
    """All settings; the form of the questions and the keys for who was invited."""
    return settings_for(live_of(request))


@router.put("/settings")
def put_settings(form: SettingsForm, request: Request) -> dict[str, Any]:
    """Change some settings."""
    from likewise.query.registry import make_strategy

    changes = form.model_dump(exclude_unset=True)
    if changes.get("strategy") is not None:
        make_strategy(changes["strategy"])
    return live_of(request).change_settings(changes)


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
def get_map(request: Request) -> dict[str, Any]:
    """The pictures in the plane, their clusters, and the pairs that were asked."""
    return map_of(live_of(request))
