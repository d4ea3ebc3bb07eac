"""The sets of the experiment, or what stands in for them here: vectors, complete tags and the true tree."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.record import data_folder

CHURCH_TOP, CHURCH_LEAST = "10", 50
SCENES = {
    "inside": ["home", "work"],
    "home": ["bedroom", "kitchen", "livingroom"],
    "work": ["industrial", "office", "store"],
    "nature": ["coast", "forest", "mountain", "opencountry"],
    "town": ["highway", "insidecity", "street", "suburb", "tallbuilding"],
}


class Set(NamedTuple):
    """Vectors (n, d), complete tags (n, k), the parent of every tag (-1 under the dummy root), their names."""

    name: str
    X: np.ndarray
    Y: np.ndarray
    parents: np.ndarray
    tags: list[str]


def load(name: str) -> Set | None:
    """``newsgroups``, ``church-fun`` or ``scenes``; None when it is not there."""
    return {"newsgroups": _newsgroups, "church-fun": _church, "scenes": _scenes}[name]()


def from_paths(name: str, X: np.ndarray, paths: list[Sequence[str]], sep: str, least: int = 1) -> Set:
    """Tags of paths like a.b.c and all above them; one of two that are always together is left out."""
    rows = []
    for each in paths:
        parts = [path.split(sep) for path in each]
        rows.append({sep.join(p[:i]) for p in parts for i in range(1, len(p) + 1)})
    tags = sorted(set.union(*rows))
    Y = np.array([[tag in row for tag in tags] for row in rows])
    count = Y.sum(axis=0)
    kept = []
    for i, tag in enumerate(tags):
        below = [j for j, other in enumerate(tags) if other.startswith(tag + sep) and count[j] == count[i]]
        if least <= count[i] < len(X) and not below:
            kept.append(i)
    tags, Y = [tags[i] for i in kept], Y[:, kept]
    parents = []
    for tag in tags:
        above = [j for j, other in enumerate(tags) if tag.startswith(other + sep)]
        parents.append(max(above, key=lambda j: len(tags[j])) if above else -1)
    return Set(name, X, Y, np.array(parents), tags)


def _newsgroups() -> Set | None:
    """TF-IDF of the posts, the first 100 principal components."""
    from sklearn.decomposition import PCA
    from sklearn.feature_extraction.text import TfidfVectorizer

    path = data_folder("multilabel", "newsgroups-2000.jsonl.gz")
    if path is None:
        return None
    with gzip.open(path, "rt") as lines:
        posts = [json.loads(line) for line in lines]
    words = TfidfVectorizer(sublinear_tf=True, stop_words="english", min_df=3, max_features=10_000)
    table = words.fit_transform([post["text"] for post in posts]).toarray()
    X = PCA(100, random_state=0).fit_transform(table)
    return from_paths("newsgroups", _one_scale(X), [[post["group"]] for post in posts], ".")


def _church() -> Set | None:
    """The genes of one branch of FunCat (cell cycle), its tags with at least 50 of them."""
    from sklearn.preprocessing import StandardScaler

    folder = data_folder("multilabel", "church-fun")
    if folder is None:
        return None
    rows: list[list[str]] = []
    for part in ("train", "valid", "test"):
        text = Path(folder, f"church_FUN.{part}.arff").read_text()
        rows += [line.split(",") for line in text.split("@DATA")[1].splitlines() if line.strip()]
    rows = [row for row in rows if any(path.split("/")[0] == CHURCH_TOP for path in row[-1].split("@"))]
    paths = [[p for p in row[-1].split("@") if p.split("/")[0] == CHURCH_TOP] for row in rows]
    numbers = np.array([[np.nan if v == "?" else float(v) for v in row[1:-1]] for row in rows])
    numbers = np.where(np.isnan(numbers), np.nanmedian(numbers, axis=0), numbers)
    chips = np.array([[row[0] == chip for chip in "ABCD"] for row in rows], float)
    X = np.column_stack([np.sign(numbers) * np.log1p(np.abs(numbers)), chips])
    X = StandardScaler().fit_transform(X)
    return from_paths("church-fun", X, paths, "/", CHURCH_LEAST)


def _scenes() -> Set | None:
    """Embedded scenes, the first 50 principal components; two upper levels are added to the classes."""
    from sklearn.decomposition import PCA

    from likewise.images import embed

    folder = data_folder("images", "scene-300")
    if folder is None:
        return None
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in (".jpg", ".png"))
    X = PCA(50, random_state=0).fit_transform(embed(files, model="efficientnet-lite0"))
    above = {child: parent for parent, children in SCENES.items() for child in children}
    paths = []
    for file in files:
        chain = [file.parent.name]
        while chain[0] in above:
            chain.insert(0, above[chain[0]])
        paths.append(["/".join(chain)])
    return from_paths("scenes", _one_scale(X), paths, "/")


def _one_scale(X: np.ndarray) -> np.ndarray:
    """Centred, with a mean variance of 1; the components keep their proportions."""
    centred = X - X.mean(axis=0)
    return centred / np.sqrt(centred.var(axis=0).mean())
