"""Routes of the pictures: by id, sized, with caching headers."""

from __future__ import annotations

import mimetypes
import os
from typing import Annotated, BinaryIO

from fastapi import APIRouter, HTTPException, Path as InPath, Request
from fastapi.responses import FileResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from likewise.app.face_items import like_left_out
from likewise.app.face_pictures import face_in_photograph
from likewise.app.pictures import Pictures, Size
from likewise.server.auth import current_person
from likewise.server.routes.questions import live_of
from likewise.server.schemas.pictures import FaceView, SkippedView

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
def get_image(image: Number, request: Request, size: Size = "thumb") -> Response:
    """A picture by its id, never by path; of a face, also the photograph that it is in."""
    if size == "photograph" and current_person.get().is_annotator:
        raise HTTPException(403, "whole photographs are for the manager")
    shown: Pictures = request.app.state.pictures
    file, name = shown.open(image, size), f"{size}.jpg"
    if size == "full" and shown.is_original(image):
        name = shown.live.project.item(image).path
    caching = "private, no-cache" if size == "full" else FOREVER
    media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return OpenFileResponse(file, media_type=media_type, headers={"Cache-Control": caching})


@router.get("/images/{image}/face")
def get_face(image: Number, request: Request) -> FaceView:
    """Where a face is in its photograph, what makes it hard to recognise, and who else is there."""
    return FaceView(**vars(face_in_photograph(live_of(request), image)))


@router.get("/faces/doubtful")
def get_doubtful_faces(request: Request) -> list[int]:
    """Faces that may be none, because they look like those that were left out; none where pictures are asked about."""
    live = live_of(request)
    left_out, shown = live.events.left_out(), live.wall.cluster_of
    return like_left_out(live.project, live.location.model, left_out, shown) if live.of_faces else []


@router.get("/skipped")
def get_skipped(request: Request) -> list[SkippedView]:
    """Files that were passed over, with the reason."""
    shown: Pictures = request.app.state.pictures
    return [SkippedView(**each) for each in shown.skipped()]
