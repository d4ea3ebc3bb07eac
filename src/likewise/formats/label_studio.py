"""Label Studio: tasks with confirmed clusters as annotations and all others as predictions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from likewise.formats.names import class_names, plain_text
from likewise.formats.rows import ClusterRow, Snapshot
from likewise.formats.writing import Written

__all__ = ["write_label_studio"]

LOCAL_FILES = "/data/local-files/?d="


def write_label_studio(snapshot: Snapshot, path: Path) -> Written:
    """Write a JSON list of tasks for a project with ``<Image name="image"/>`` and ``<Choices name="choice"/>``.

    A picture of a confirmed cluster has an annotation; any other has a prediction, for people to accept or change.
    Pictures are named as files of a local storage (``/data/local-files/?d=PATH``) whose root is the folder of pictures.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "tasks.json"
    >>> _ = write_label_studio(Snapshot("leaves", clusters=[ClusterRow(0, "a.jpg", 3, "oak", "confirmed")]), path)
    >>> json.loads(path.read_text())[0]["annotations"][0]["result"][0]["value"]
    {'choices': ['oak']}
    """
    classes = class_names(snapshot.clusters, snapshot.unnamed)
    made = snapshot.made_at.isoformat()
    tasks = [_task(row, snapshot.file_of(row), classes[row.cluster], made) for row in snapshot.clusters]
    path.write_text(json.dumps(tasks, ensure_ascii=False, indent=1), encoding="utf-8")
    return Written(path, len(tasks), "pictures")


def _task(row: ClusterRow, file: str, name: str, made: str) -> dict[str, Any]:
    result = {
        "id": f"likewise-{row.image}",
        "from_name": "choice",
        "to_name": "image",
        "type": "choices",
        "value": {"choices": [name]},
    }
    task: dict[str, Any] = {
        "id": row.image + 1,
        "data": {
            "image": LOCAL_FILES + quote(file.encode("utf-8", "surrogateescape")),
            "path": plain_text(row.path),
            "cluster": row.cluster,
            "state": row.state,
        },
        "annotations": [],
        "predictions": [],
    }
    if row.state == "confirmed":
        task["annotations"] = [{"result": [result], "was_cancelled": False, "ground_truth": False, "created_at": made}]
    else:
        task["predictions"] = [{"model_version": "likewise", "result": [result]}]
    return task
