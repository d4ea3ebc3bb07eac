"""The built page, for every address that is nothing else; and the headers that keep it safe."""

from __future__ import annotations

import re
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

PAGE = Path(str(files("likewise.server"))) / "static"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


async def safe_headers(request: Request, call_next: Any) -> Response:
    """Add to every reply what keeps other sites from using it, and how long it took."""
    start = time.perf_counter()
    response: Response = await call_next(request)
    spent = 1000 * (time.perf_counter() - start)
    response.headers.setdefault("Server-Timing", f"app;dur={spent:.1f}")
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.url.path.startswith("/api/"):
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def serve_page(app: FastAPI) -> None:
    """The page for whatever is nothing else and is only looked at; a clear word where it was not built."""
    built = PAGE / "index.html"
    if built.exists():
        app.mount("/assets", StaticFiles(directory=PAGE / "assets"), name="assets")

    async def otherwise(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        path, looked_at = request.url.path, request.method in ("GET", "HEAD")
        if error.status_code != 404 or path.startswith(("/api/", "/assets/")) or not looked_at:
            detail = f"there is nothing at {path}" if error.detail == "Not Found" else str(error.detail)
            headers = dict(error.headers or {})
            if error.status_code == 405 and (methods := _methods(app, path)):
                headers["Allow"] = ", ".join(sorted(methods))  # of all routes at this address, not of the first
            return JSONResponse({"detail": detail}, error.status_code, headers)
        if not built.exists():
            return Response("The page was not built: run 'make page'.\n", 503, media_type="text/plain")
        return FileResponse(built, headers={"Cache-Control": "no-cache"})

    app.add_exception_handler(HTTPException, otherwise)


def _methods(app: FastAPI, path: str) -> set[str]:
    """What may be done at an address of the API."""
    paths, found = app.openapi()["paths"], set()
    for template, operations in [(path, paths[path])] if path in paths else paths.items():
        if re.fullmatch(re.sub(r"\{[^}]*\}", "[^/]+", template), path):
            found |= {method.upper() for method in operations}
    return found
