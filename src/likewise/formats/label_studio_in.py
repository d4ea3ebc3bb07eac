"""Exports of Label Studio: answers to pairs and triplets, labels and tags of pictures."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from likewise.formats.answers import AnswerLine, read_value
from likewise.formats.lists import PictureLine
from likewise.formats.table_reading import Problem

__all__ = ["is_label_studio", "read_label_studio"]

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp", ".gif", ".heic")
SINGLE = {"choices", "taxonomy", "labels"}


def is_label_studio(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a Label Studio export: a JSON list of tasks with ``data``."""
    if Path(path).suffix.lower() != ".json":
        return False
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    return isinstance(content, list) and bool(content) and _is_task(content[0])


def read_label_studio(path: str | os.PathLike[str]) -> tuple[list[AnswerLine], list[PictureLine], list[Problem]]:
    """Read an export in Label Studio's JSON format.

    A task that shows two or three pictures and has Choices gives answers, if the choices are words such as *same* and
    *different*. A task of one picture gives a label where one choice was made, and tags where several were. Label
    Studio's Pairwise tells which of two is better, which does not answer *same or different*: it is a problem.
    Cancelled annotations and predictions are left out.

    - `path`, path-like: The file; a "line" is the number of a task in it, from 1.
    """
    content = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    answers: list[AnswerLine] = []
    pictures: list[PictureLine] = []
    problems: list[Problem] = []
    for number, each in enumerate(content, 1):
        if not _is_task(each):
            problems.append(Problem(number, "", "this is not a task with data"))
            continue
        names = list(_pictures(each["data"]))
        for annotation in each.get("annotations") or []:
            if not isinstance(annotation, Mapping) or annotation.get("was_cancelled"):
                continue
            for result in annotation.get("result") or []:
                if isinstance(result, Mapping):
                    _add_result(number, names, annotation, result, answers, pictures, problems)
    return answers, pictures, problems


def _add_result(
    number: int,
    names: list[str],
    annotation: Mapping[str, Any],
    result: Mapping[str, Any],
    answers: list[AnswerLine],
    pictures: list[PictureLine],
    problems: list[Problem],
) -> None:
    kind = str(result.get("type"))
    value = result.get("value")
    if kind == "pairwise":
        problems.append(Problem(number, "pairwise", "which of two is preferred does not answer same or different"))
        return
    if kind not in SINGLE or not isinstance(value, Mapping):
        problems.append(Problem(number, kind, "only choices and taxonomies can be read"))
        return
    words = [str(each[-1] if isinstance(each, list) and each else each) for each in value.get(kind) or []]
    if not words:
        return
    if len(names) == 1:
        label, tags = (words[0], ()) if len(words) == 1 else ("", tuple(words))
        pictures.append(PictureLine(number, names[0], label, tags))
        return
    answer = read_value(words[0], "pair" if len(names) == 2 else "triplet")
    if len(names) not in (2, 3) or len(set(names)) < len(names) or len(words) > 1 or answer is None:
        problems.append(Problem(number, str(result.get("from_name")), f"{words} is not an answer about {names}"))
        return
    seconds = annotation.get("lead_time")
    seconds = float(seconds) if isinstance(seconds, int | float) and 0 <= seconds < 1e7 else None
    answers.append(AnswerLine(number, tuple(names), _annotator(annotation.get("completed_by")), answer, seconds))


def _is_task(each: Any) -> bool:
    return isinstance(each, Mapping) and isinstance(each.get("data"), Mapping)


def _annotator(value: Any) -> str:
    if isinstance(value, Mapping):
        value = value.get("email") or value.get("username") or value.get("id")
    return "" if value is None else str(value)[:200]


def _pictures(data: Mapping[str, Any]) -> Iterator[str]:
    """Names of the pictures that a task shows: all of its data that is the address of a picture."""
    seen: set[str] = set()
    for value in data.values():
        for each in value if isinstance(value, list) else [value]:
            name = _name(each) if isinstance(each, str) else ""
            if name.lower().endswith(PICTURES) and name not in seen:
                seen.add(name)
                yield name


def _name(address: str) -> str:
    """The path of a picture in a local storage, the name it had when it was uploaded, or the path of its address."""
    parts = urlsplit(address)
    if parts.path.endswith("/local-files/"):
        return parse_qs(parts.query).get("d", [""])[0]
    if not parts.scheme and not parts.path.startswith("/data/"):
        return address
    name = unquote(parts.path)
    if "/data/upload/" in name:
        return name.rsplit("/", 1)[-1].partition("-")[2] or name.rsplit("/", 1)[-1]
    return name.rsplit("/", 1)[-1]
