"""Routes of the pictures: by id, sized, with caching headers."""

from __future__ import annotations

import mimetypes
import os
from typing import Annotated, BinaryIO, Literal

from fastapi import APIRouter, Path as InPath, Request
from fastapi.responses import FileResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from likewise.app.pictures import Pictures
from likewise.server.schemas.pictures import SkippedView

router = APIRouter()
Number = Annotated[int, InPath(ge=0, lt=2**31)]
PIECE = 256 * 1024
FOREVER = "private, max-age=31536000, immutable"  # the address of a copy changes with its content


class OpenFileResponse(Response):
    """Sends a file that is open already, and closes it: nothing can be put in its place meanwhile.

    - `file`: Open for reading.
    - `media_type`, `headers`: As of any response.
    """

    def __init__(self, file: BinaryIO, *, media_type: str, headers: dict[str, str]) -> None:
        self._file = file
        self._left = os.fstat(file.fileno()).st_size
        super().__init__(None, media_type=media_type, headers=headers | {"Content-Length": str(self._left)})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it piece by piece."""
        with self._file as file:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            while self._left:
                piece = await run_in_threadpool(file.read, min(self._left, PIECE))
                if not piece:  # it became shorter: the connection is closed, and nobody takes it for the whole
                    return
                self._left -= len(piece)
                await send({"type": "http.response.body", "body": piece, "more_body": self._left > 0})


@router.get("/images/{image}", response_class=FileResponse)
def get_image(image: Number, request: Request, size: Literal["thumb", "preview", "full"] = "thumb") -> Response:
    """A picture by its id: never by path."""
    shown: Pictures = request.app.state.pictures
    file, name = shown.open(image, size), f"{size}.jpg"
    if size == "full" and not shown.is_thing(image):
        name = shown.live.project.item(image).path
    caching = "private, no-cache" if size == "full" else FOREVER
    media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return OpenFileResponse(file, media_type=media_type, headers={"Cache-Control": caching})


@router.get("/skipped")
def get_skipped(request: Request) -> list[SkippedView]:
    """Files that were passed over, with the reason."""
    shown: Pictures = request.app.state.pictures
    return [SkippedView(**each) for each in shown.skipped()]
