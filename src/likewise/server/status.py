"""Routes about the project as a whole: how far it is, settings, news, the map, what goes out."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse

from likewise.formats import write_folders
from likewise.server.ask import live_of
from likewise.server.export import cluster_rows, clusters_csv, events_jsonl
from likewise.server.forms import FoldersForm, SettingsForm
from likewise.server.plane import map_of
from likewise.server.progress import progress_of

router = APIRouter()
HEARTBEAT_SECONDS = 15.0


@router.get("/project")
def get_project(request: Request) -> dict[str, Any]:
    """What is served, and how far the reading of pictures is."""
    live, shown = live_of(request), request.app.state.pictures
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


@router.get("/progress")
def get_progress(request: Request) -> dict[str, Any]:
    """Answers, what is settled, how good it is, and whether one can stop."""
    return progress_of(live_of(request))


@router.get("/settings")
def get_settings(request: Request) -> dict[str, Any]:
    """All settings."""
    return live_of(request).settings


@router.put("/settings")
def put_settings(form: SettingsForm, request: Request) -> dict[str, Any]:
    """Change some settings."""
    from likewise.query.registry import make_strategy

    changes = form.model_dump(exclude_unset=True)
    if changes.get("strategy") is not None:
        make_strategy(changes["strategy"])
    return live_of(request).change_settings(changes)


@router.get("/stream")
async def get_stream(request: Request) -> StreamingResponse:
    """News as it comes, as server-sent events."""
    live = live_of(request)

    async def news() -> AsyncIterator[str]:
        with live.stream.listen() as mine:
            yield ": here\n\n"
            quiet = 0.0
            while not live.stream.closed and not await request.is_disconnected():
                try:
                    yield mine.get_nowait()
                    quiet = 0.0
                except queue.Empty:
                    await asyncio.sleep(0.1)
                    quiet += 0.1
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


@router.post("/export/folders")
def post_folders(form: FoldersForm, request: Request) -> dict[str, Any]:
    """Write a folder for each cluster, with copies of or links to its pictures."""
    target = Path(form.target).expanduser()
    if not target.is_absolute():
        raise ValueError("give the whole path of the folder to export to")
    pictures = request.app.state.pictures.folder
    return {
        "target": str(target),
        "pictures": write_folders(cluster_rows(live_of(request)), pictures, target, form.mode),
    }


@router.get("/export")
def get_export(request: Request, format: Literal["csv", "jsonl"] = "csv") -> Response:
    """The clusters as a table, or everything people said."""
    live = live_of(request)
    text = clusters_csv(live) if format == "csv" else events_jsonl(live)
    name = f"{'clusters' if format == 'csv' else 'answers'}.{format}"
    kind = "text/csv" if format == "csv" else "application/x-ndjson"
    return Response(
        text,
        media_type=f"{kind}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
