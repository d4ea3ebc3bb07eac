"""Routes of the pictures: by id, sized, with caching headers."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path as InPath, Request
from fastapi.responses import FileResponse, Response

from likewise.app.pictures import Pictures
from likewise.server.schemas.pictures import SkippedView

router = APIRouter()
Number = Annotated[int, InPath(ge=0, lt=2**31)]
FOREVER = "private, max-age=31536000, immutable"  # the address of a copy changes with its content


@router.get("/images/{image}", response_class=FileResponse)
def get_image(image: Number, request: Request, size: Literal["thumb", "preview", "full"] = "thumb") -> Response:
    """A picture by its id: never by path."""
    shown: Pictures = request.app.state.pictures
    path = shown.copy(image, size)
    caching = "private, no-cache" if size == "full" else FOREVER
    return FileResponse(path, headers={"Cache-Control": caching})


@router.get("/skipped")
def get_skipped(request: Request) -> list[SkippedView]:
    """Files that were passed over, with the reason."""
    shown: Pictures = request.app.state.pictures
    return [SkippedView(**each) for each in shown.skipped()]
