"""The web application: errors in one sentence, the page, and the routes of the API."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles

from likewise import __version__
from likewise.images.reading import UnreadableImage
from likewise.server.ask import router as ask
from likewise.server.board import router as board
from likewise.server.live import BreaksError, LiveProject, NotThereError
from likewise.server.pictures import Pictures
from likewise.server.pictures import router as pictures
from likewise.server.status import router as status
from likewise.store import KeyReusedError, NothingToUndoError, StoreError, StoreFullError

PAGE = Path(str(files("likewise.server"))) / "static"
POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
STATUS_OF: list[tuple[type[Exception], int]] = [
    (BreaksError, 409),
    (KeyReusedError, 409),
    (NothingToUndoError, 409),
    (NotThereError, 404),
    (IndexError, 404),
    (UnreadableImage, 410),
    (StoreFullError, 507),
    (StoreError, 503),
    (ValueError, 422),
]


def create_app(live: LiveProject, shown: Pictures) -> FastAPI:
    """The application over one live project and its pictures."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        live.start()
        shown.start()
        try:
            yield
        finally:
            shown.stop()
            live.stop()

    app = FastAPI(title="likewise", version=__version__, lifespan=lifespan)
    app.state.live = live
    app.state.pictures = shown
    for router in (status, ask, board, pictures):
        app.include_router(router, prefix="/api")
    for error, code in STATUS_OF:
        app.add_exception_handler(error, _answer_with(code))
    app.add_exception_handler(RequestValidationError, _say_what_is_wrong)
    app.middleware("http")(_safe_headers)
    _serve_page(app)
    return app


def _answer_with(code: int) -> Any:
    async def handler(request: Request, error: Exception) -> Response:
        body: dict[str, Any] = {"detail": str(error.args[0]) if error.args else str(error)}
        if isinstance(error, UnreadableImage):  # without its path: nobody asked for it by one
            body["detail"] = f"this picture cannot be shown: {error.reason}"
        if isinstance(error, BreaksError):
            body["breaks"] = error.breaks
        return JSONResponse(body, status_code=code)

    return handler


async def _say_what_is_wrong(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "the request"
    return JSONResponse({"detail": f"{where}: {first['msg']}"}, status_code=422)


async def _safe_headers(request: Request, call_next: Any) -> Response:
    start = time.perf_counter()
    response: Response = await call_next(request)
    spent = 1000 * (time.perf_counter() - start)
    response.headers.setdefault("Server-Timing", f"app;dur={spent:.1f}")
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    if not request.url.path.startswith(("/docs", "/openapi")):  # the API description brings its own scripts
        response.headers.setdefault("Content-Security-Policy", POLICY)
    return response


def _serve_page(app: FastAPI) -> None:
    """The built page, for every address that is not the API's; a clear word where it was not built."""
    if not (PAGE / "index.html").exists():

        @app.get("/", include_in_schema=False)
        def not_built() -> Response:
            return Response("The page was not built: run 'make page'.\n", 503, media_type="text/plain")

        return
    app.mount("/assets", StaticFiles(directory=PAGE / "assets"), name="assets")

    @app.get("/{path:path}", include_in_schema=False)
    def page(path: str) -> Response:
        if path.startswith("api/"):
            return JSONResponse({"detail": f"there is nothing at /{path}"}, status_code=404)
        return FileResponse(PAGE / "index.html", headers={"Cache-Control": "no-cache"})
