"""Processes beside the server: new interpreters, or copies of one that has imported everything."""

from __future__ import annotations

import multiprocessing
import os
from typing import Any

# what an engine and an indexer spend their first seconds on
BEFOREHAND = (
    "likewise.app.engine_worker",
    "likewise.query.dendrogram.dendrogram",
    "likewise.images.indexing",
)


def process_context() -> Any:
    """How processes are started: never by copying this one, which has threads.

    Where the system can, an interpreter without threads imports the engine once and is copied, so that an engine
    that died is back at once; elsewhere every process imports for itself.
    """
    # one core at most: the others are for the server and for reading pictures
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(BEFOREHAND))
    return context
