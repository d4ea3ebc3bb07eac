"""Known classes of pictures, and the right answers that follow from them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from likewise.formats.lists import read_list

__all__ = ["folder_truth", "match_truth", "read_truth", "right_answer"]


def read_truth(path: str | os.PathLike[str]) -> dict[str, str]:
    """Class of each picture from a list with a column for it: see :func:`~likewise.formats.read_list`."""
    lines, problems = read_list(path)
    if problems:
        raise ValueError(f"{os.fspath(path)!r}, {problems[0]}")
    return {line.path: line.label for line in lines if line.label}


def folder_truth(paths: Sequence[str]) -> dict[str, str]:
    """Class of each picture in a subfolder: the first folder of its path.

    Examples
    --------
    >>> folder_truth(["cat/1.jpg", "dog/old/1.jpg", "stray.jpg"])
    {'cat/1.jpg': 'cat', 'dog/old/1.jpg': 'dog'}
    """
    return {path: Path(path).parts[0] for path in paths if len(Path(path).parts) > 1}


def match_truth(truth: Mapping[str, str], paths: Iterable[str]) -> dict[str, str]:
    """Class of each path: by the whole path, or by its file name where that is unique.

    Examples
    --------
    >>> match_truth({"1.jpg": "cat", "x/2.jpg": "dog"}, ["old/1.jpg", "x/2.jpg", "3.jpg"])
    {'old/1.jpg': 'cat', 'x/2.jpg': 'dog'}
    """
    known = list(paths)
    files = Counter(path.rpartition("/")[2] for path in known)
    found = {}
    for path in known:
        name = path.rpartition("/")[2]
        label = truth.get(path) or (truth.get(name) if files[name] == 1 else None)
        if label:
            found[path] = label
    return found


def right_answer(classes: Sequence[str | None]) -> str:
    """Return the right answer to a question about items of these classes; empty where it is not known.

    Examples
    --------
    >>> right_answer(["cat", "cat"]), right_answer(["cat", None]), right_answer(["cat", "dog", "cat"])
    ('same', '', 'ac')
    """
    if any(each is None for each in classes):
        return ""
    if len(classes) == 2:
        return "same" if classes[0] == classes[1] else "different"
    a, b, c = classes
    alike = [name for name, same in (("ab", a == b), ("ac", a == c), ("bc", b == c)) if same]
    if len(alike) == 3:
        return ""  # any two would be right
    return alike[0] if alike else "none"
