"""Routes of the export: the formats, one of them as a file, folders on this machine."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from likewise.app.exporting import explain_write_errors, format_of, formats, live_snapshot, sweep_exports, zip_folder
from likewise.formats.names import safe_name
from likewise.formats.registry import export
from likewise.formats.words import worded
from likewise.server.auth import current_person
from likewise.server.routes.questions import live_of
from likewise.server.schemas.pictures import FoldersForm, FoldersResult, FormatView

router = APIRouter()
MEDIA_TYPES = {
    ".csv": "text/csv; charset=utf-8",
    ".jsonl": "application/x-ndjson; charset=utf-8",
    ".json": "application/json",
    ".html": "text/html; charset=utf-8",
    ".zip": "application/zip",
}
FILE_NAMES = {"csv": "clusters", "parquet": "clusters", "jsonl": "answers", "people": "people"}


@router.get("/export/formats")
def get_formats(request: Request) -> list[FormatView]:
    """What can be written of this project, with a line on what each is for."""
    of_faces = live_of(request).of_faces
    return [
        FormatView(
            name=each.name,
            title=worded(each.title, of_faces),
            about=worded(each.about, of_faces),
            suffix=each.suffix or ".zip",
            is_folder=each.is_folder,
            options=each.options,
        )
        for each in formats().values()
        if of_faces or not each.needs_faces
    ]


@router.get("/export", response_class=FileResponse)
def get_export(request: Request, format: str = "csv", pictures: bool = False) -> FileResponse:
    """One format as a file; those that are folders come as a zip."""
    exporter, live = format_of(format), live_of(request)
    options: dict[str, Any] = {"pictures": True} if pictures and "pictures" in exporter.options else {}
    if "mode" in exporter.options:
        options["mode"] = "symlink"  # nothing is copied twice: the zip takes what the links lead to
    home = Path(live.location.folder)
    sweep_exports(home)
    work = Path(tempfile.mkdtemp(dir=home, prefix=".export-"))
    try:
        snapshot = live_snapshot(live, request.app.state.pictures.folder, exporter)
        path = work / f"export{exporter.suffix}"
        with explain_write_errors(home):
            export(exporter, snapshot, path, **options)
            if exporter.is_folder:
                path = zip_folder(path, work / "export.zip")
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise
    name = f"{FILE_NAMES.get(format, safe_name(f'{live.project.name}-{format}'))}{path.suffix}"
    return FileResponse(
        path,
        media_type=MEDIA_TYPES.get(path.suffix, "application/octet-stream"),
        filename=name,
        headers={"Cache-Control": "no-store"},
        background=BackgroundTask(shutil.rmtree, work, ignore_errors=True),
    )


@router.post("/export/folders")
def post_folders(form: FoldersForm, request: Request) -> FoldersResult:
    """Write a folder for each cluster on this machine, with copies of or links to its pictures.

    It is for the person at the machine: who comes over the network gets the same as a zip.
    """
    if current_person.get().signed_in:
        raise HTTPException(403, "folders are written for the person at the machine: download the zip instead")
    try:
        target = Path(form.target).expanduser()
    except RuntimeError:  # ~ of somebody who is not there
        target = Path(form.target)
    if not target.is_absolute():
        raise ValueError("give the whole path of the folder to export to")
    exporter = format_of("folders")
    snapshot = live_snapshot(live_of(request), request.app.state.pictures.folder, exporter)
    with explain_write_errors(target):
        written = export(exporter, snapshot, target, mode=form.mode)
    return FoldersResult(target=str(target), pictures=written.count, skipped=len(written.skipped))
