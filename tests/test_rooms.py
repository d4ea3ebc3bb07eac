"""Imports go one way between the rooms of the package."""

import ast
from pathlib import Path

import pytest

import likewise

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


def room_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(tree):
    """Rooms that any import statement of a module names, wherever it stands."""
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the whole path"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "likewise" and len(parts) > 1:
                yield parts[1], node.lineno


def violations(source, room):
    found = []
    for other, line in imported_rooms(ast.parse(source)):
        if other in FLOOR and other != room and FLOOR[other] >= FLOOR[room]:
            found.append((other, line))
    return found


MODULES = sorted(p for p in PACKAGE.rglob("*.py") if p != PACKAGE / "__init__.py")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_one_way(path):
    assert room_of(path) in FLOOR, "a new room needs its floor"
    assert violations(path.read_text(), room_of(path)) == []


def test_a_wrong_import_is_seen():
    assert violations("from likewise.session import Session", "query") == [("session", 1)]
    assert violations("def f():\n    import likewise.cluster.hacc", "kernels") == [("cluster", 2)]
    assert violations("from likewise import images", "distances") == [("images", 1)]
    assert violations("from likewise.kernels import kruskal", "cluster") == []


def test_public_names_are_sorted():
    lazy = [name for name in likewise.__all__ if name != "__version__"]
    assert lazy == sorted(lazy)
    assert all(hasattr(likewise, name) for name in lazy)
