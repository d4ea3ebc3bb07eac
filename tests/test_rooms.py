"""Imports go one way between the rooms of the package."""

import ast
from pathlib import Path

import pytest

import likewise
from tools.rooms import PICTURE, draw, imported_rooms, read_imports, room_of

PACKAGE = Path(likewise.__file__).parent

# kernels ← constraints, metrics ← images, distances ← cluster ← query ← session ← simulate … ← server, cli
FLOOR = {
    "kernels": 0,
    "plugins": 0,
    "constraints": 1,
    "metrics": 1,
    "images": 2,
    "distances": 2,
    "cluster": 3,
    "datasets": 3,
    "hierarchy": 3,
    "query": 4,
    "session": 5,
    "simulate": 6,
    "crowd": 6,
    "store": 6,
    "formats": 6,
    "client": 6,
    "server": 7,
    "cli": 8,
}


def violations(source, room):
    found = []
    for other, line in imported_rooms(ast.parse(source)):
        if other in FLOOR and other != room and FLOOR[other] >= FLOOR[room]:
            found.append((other, line))
    return found


MODULES = sorted(p for p in PACKAGE.rglob("*.py") if p != PACKAGE / "__init__.py")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_one_way(path):
    assert room_of(path, PACKAGE) in FLOOR, "a new room needs its floor"
    assert violations(path.read_text(), room_of(path, PACKAGE)) == []


def test_a_wrong_import_is_seen():
    assert violations("from likewise.session import Session", "query") == [("session", 1)]
    assert violations("def f():\n    import likewise.cluster.hacc", "kernels") == [("cluster", 2)]
    assert violations("from likewise import images", "distances") == [("images", 1)]
    assert violations("from likewise.kernels.graphs import kruskal", "cluster") == []


def test_the_picture_of_the_rooms_is_current():
    graph = read_imports(PACKAGE)
    assert graph.keys() == FLOOR.keys()
    assert "session" in graph["store"]
    assert PICTURE.read_text() == draw(graph), "python -m tools.rooms draws it again"


def test_public_names_are_sorted():
    lazy = [name for name in likewise.__all__ if name != "__version__"]
    assert lazy == sorted(lazy)
    assert all(hasattr(likewise, name) for name in lazy)
