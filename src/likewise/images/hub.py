"""Fetching a known network from the Hugging Face hub: once, checked, and kept in the cache."""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from likewise.images.cache import cache_folder, lock_file
from likewise.images.known_models import KNOWN, HubFile, KnownModel

__all__ = ["NotFetchedError", "fetch", "is_kept", "kept_path"]

ENDPOINT = "https://huggingface.co"
PROXIES = ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")
PATIENCE = 5.0  # seconds for a first connection; the hub's own client would try for half a minute
LONGEST_WAIT = 3600.0  # for another process that fetches the same

Download = Callable[..., Any]


class NotFetchedError(OSError):
    """A known network that is not kept and cannot be fetched, or that is not what it should be."""


def kept_path(name: str, file: HubFile) -> Path:
    """Where a file of a known network is kept."""
    return cache_folder() / "models" / name / file.path.rsplit("/", 1)[-1]


def is_kept(name: str) -> bool:
    """Whether all files of a known network are in the cache.

    Examples
    --------
    >>> isinstance(is_kept("dinov2-small"), bool)
    True
    """
    return all(kept_path(name, file).is_file() for file in KNOWN[name].files)


def fetch(name: str, *, download: Download | None = None) -> dict[str, Path]:
    """Give the files of a known network, fetched when they are not kept yet and checked every time.

    A bar on standard error shows how far it is. What is fetched is checked before it is kept: half a file, or another
    one, never is.

    - `name`: One of :data:`likewise.images.known_models.KNOWN`.
    - `download`: What fetches a file, with the arguments of ``huggingface_hub.hf_hub_download``, which it is by
      default.
    - Returns dict of str to Path: ``picture``, and ``text`` and ``tokenizer`` where it knows words.

    Raises
    ------
    NotFetchedError
        When there is no network, or a file is not the one that the table names.
    ImportError
        When something has to be fetched and ``huggingface_hub`` is not installed.
    """
    known = KNOWN[name]
    missing = [file for file in known.files if not kept_path(name, file).is_file()]
    if missing:
        folder = kept_path(name, missing[0]).parent
        folder.mkdir(parents=True, exist_ok=True)
        with lock_file(folder / "lock", f"fetching {name}", LONGEST_WAIT):
            for file in missing:
                if not kept_path(name, file).is_file():
                    _fetch_file(name, known, file, folder, download or _hub_download(name, known))
    for file in known.files:
        if file not in missing:
            _require(name, file, kept_path(name, file))
    parts = {"picture": known.picture, "text": known.text, "tokenizer": known.tokenizer}
    return {part: kept_path(name, file) for part, file in parts.items() if file is not None}


def _fetch_file(name: str, known: KnownModel, file: HubFile, folder: Path, download: Download) -> None:
    unfinished = folder / "unfinished"
    try:
        found = download(
            repo_id=known.repository, filename=file.path, revision=known.revision, local_dir=os.fspath(unfinished)
        )
    except Exception as error:  # of the hub's client, of its HTTP library, of the system: all say that it did not come
        reason = " ".join(str(error).split())[:160] or type(error).__name__
        raise NotFetchedError(f"{name} could not be fetched: {reason}. Nothing was changed; try again.") from None
    _require(name, file, Path(found))
    os.replace(found, kept_path(name, file))
    shutil.rmtree(unfinished, ignore_errors=True)


def _require(name: str, file: HubFile, path: Path) -> None:
    """Refuse a file that is not the one of the table, and forget it, so that the next start fetches it anew."""
    size = path.stat().st_size
    with open(path, "rb") as content:
        is_right = size == file.n_bytes and hashlib.file_digest(content, "sha256").hexdigest() == file.sha256
    if not is_right:
        path.unlink()
        raise NotFetchedError(
            f"{file.path} of {name} is not the file it should be ({size:,} bytes of {file.n_bytes:,}, or another"
            " checksum): it was removed; start again to fetch it anew"
        )


def _hub_download(name: str, known: KnownModel) -> Download:
    """The hub's own client, after a word on what is fetched; a sentence where that cannot work."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    try:
        import huggingface_hub
    except ImportError:
        raise ImportError(
            f"{name} has to be fetched from the Hugging Face hub once, by huggingface_hub: install likewise[hub]"
        ) from None
    address = urlsplit(os.environ.get("HF_ENDPOINT") or ENDPOINT)
    if not any(os.environ.get(each) for each in PROXIES):
        try:
            socket.create_connection((address.hostname or "", address.port or 443), PATIENCE).close()
        except OSError:
            raise NotFetchedError(
                f"{name} is not kept on this machine yet and {address.hostname} cannot be reached: connect once, or"
                f" give --model an .onnx file ({name} is {known.n_bytes / 1e6:,.0f} MB)"
            ) from None
    print(
        f"Fetching {name} once, {known.n_bytes / 1e6:,.0f} MB ({known.licence}) from {address.hostname}",
        file=sys.stderr,
        flush=True,
    )
    huggingface_hub.logging.set_verbosity_error()
    download: Download = huggingface_hub.hf_hub_download
    return download
