"""The web application: errors in one sentence, the page, and the routes of the API."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import ValidationError

from likewise import __version__
from likewise.app.background import Background
from likewise.app.crowd_pages import HitLists
from likewise.app.edits import BreaksError, NotThereError
from likewise.app.exporting import sweep_exports
from likewise.app.live import LiveProject
from likewise.app.pictures import Pictures
from likewise.app.queue import NotYoursError
from likewise.app.searching import PictureSearch
from likewise.app.studies import OutOfTurnError, Studies, UnknownWorkError
from likewise.formats.words import worded
from likewise.images.reading import UnreadableImage
from likewise.server.auth import Auth, current_person
from likewise.server.description import ERRORS, describe_api
from likewise.server.middleware import STORE_AWAY, AccessMiddleware, RefusedError
from likewise.server.page import safe_headers, serve_page
from likewise.server.routes.browse import router as browse
from likewise.server.routes.clusters import router as board
from likewise.server.routes.crowd import router as crowd
from likewise.server.routes.export import router as export
from likewise.server.routes.pictures import router as pictures
from likewise.server.routes.project import router as status
from likewise.server.routes.questions import router as ask
from likewise.server.routes.search import router as search
from likewise.server.routes.steps import router as steps
from likewise.server.routes.studies import router as study
from likewise.server.routes.tags import router as tags
from likewise.server.routes.team import router as team
from likewise.store import AbsentError, InvitedError, KeyReusedError, NothingToUndoError, StoreError, StoreFullError

FULL = (errno.ENOSPC, errno.EDQUOT)
STATUS_OF: list[tuple[type[Exception], int]] = [
    (BreaksError, 409),
    (NotYoursError, 409),
    (KeyReusedError, 409),
    (NothingToUndoError, 409),
    (OutOfTurnError, 409),
    (InvitedError, 409),
    (AbsentError, 404),
    (NotThereError, 404),
    (UnknownWorkError, 404),
    (IndexError, 404),
    (UnreadableImage, 410),
    (StoreFullError, 507),
    (StoreError, 503),
    (ValueError, 422),
]

# What people who were invited are told instead: nothing of paths, databases, or numbers of the project as a whole.
FOR_ANNOTATORS: list[tuple[type[Exception], str]] = [
    (StoreFullError, "no space is left: nothing was stored"),
    (StoreError, STORE_AWAY),
    (KeyReusedError, "this key is that of something else that was sent"),
    (AbsentError, "there is no such picture"),
]


def create_app(live: LiveProject, shown: Pictures, auth: Auth | None = None) -> FastAPI:
    """The application over one live project and its pictures; without `auth` no token is asked for."""
    auth = Auth(live.project) if auth is None else auth

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        sweep_exports(Path(live.location.folder), age=0)
        shown.start()
        try:
            yield
        finally:
            app.state.background.stop()
            shown.stop()
            live.stop()

    app = FastAPI(
        title="likewise",
        version=__version__,
        lifespan=lifespan,
        responses=ERRORS,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
    )
    app.state.auth = auth
    app.state.background = Background()
    app.state.live = live
    app.state.pictures = shown
    app.state.search = PictureSearch(live)
    app.state.studies = Studies(live.project)
    app.state.hits = HitLists(live.project)
    for router in (status, ask, board, steps, pictures, export, study, crowd, team, browse, tags, search):
        app.include_router(router, prefix="/api")
    for error, code in STATUS_OF:
        app.add_exception_handler(error, _answer_with(code))
    app.add_exception_handler(RequestValidationError, _say_what_is_wrong)
    app.add_exception_handler(ValidationError, _fail)
    for error in (OSError, sqlite3.Error):
        app.add_exception_handler(error, _say_that_it_is_full)
    app.add_exception_handler(RefusedError, _refuse)
    describe_api(app, auth)
    serve_page(app)
    app.add_middleware(AccessMiddleware, auth=auth)
    app.middleware("http")(safe_headers)
    return app


async def _fail(request: Request, error: Exception) -> Response:
    raise error  # a reply that is not as described is our mistake, though it is a ValueError


async def _say_that_it_is_full(request: Request, error: Exception) -> Response:
    """A disk that is full is nobody's mistake and passes; anything else that the system refuses is ours."""
    number = getattr(error, "errno", None)
    if number in FULL or getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
        return JSONResponse({"detail": "no space is left on the disk: nothing was written"}, status_code=507)
    raise error


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)
    return JSONResponse({"detail": str(error)}, error.status, error.headers)


def _answer_with(code: int) -> Any:
    async def handler(request: Request, error: Exception) -> Response:
        body: dict[str, Any] = {"detail": str(error.args[0]) if error.args else str(error)}
        if isinstance(error, UnreadableImage):  # without its path: nobody asked for it by one
            body["detail"] = f"this picture cannot be shown: {error.reason}"
        if isinstance(error, BreaksError):
            body["breaks"] = error.breaks
        if current_person.get().is_annotator:
            body["detail"] = next((text for kind, text in FOR_ANNOTATORS if isinstance(error, kind)), body["detail"])
        body["detail"] = worded(body["detail"], request.app.state.live.of_faces)
        return JSONResponse(body, status_code=code)

    return handler


async def _say_what_is_wrong(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "the request"
    return JSONResponse({"detail": f"{where}: {first['msg']}"}, status_code=422)
