"""Imports go one way between the rooms of the package, and the house keeps its limits."""

import ast
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import likewise
from tools.rooms import PICTURE, draw, imported_rooms, read_imports, room_of

PACKAGE = Path(likewise.__file__).parent
TESTS = Path(__file__).parent
WEB = {"fastapi", "starlette", "uvicorn"}

# kernels ← constraints, metrics ← images, distances ← cluster ← query ← session ← simulate … ← app ← server ← cli
FLOOR = {
    "kernels": 0,
    "plugins": 0,
    "machines": 0,
    "cells": 0,
    "pairs": 0,
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
    "plot": 6,
    "app": 7,
    "server": 8,
    "cli": 9,
}


def violations(tree, room):
    found = []
    for other, line in imported_rooms(tree):
        if other in FLOOR and other != room and FLOOR[other] >= FLOOR[room]:
            found.append((other, line))
    return found


MODULES = sorted(p for p in PACKAGE.rglob("*.py") if p != PACKAGE / "__init__.py")
APP = [path for path in MODULES if room_of(path, PACKAGE) == "app"]


@cache
def tree_of(path):
    return ast.parse(path.read_text())


def name_of(path):
    return str(path.relative_to(PACKAGE))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_go_one_way(path):
    assert room_of(path, PACKAGE) in FLOOR, "a new room needs its floor"
    assert violations(tree_of(path), room_of(path, PACKAGE)) == []


def test_a_wrong_import_is_seen():
    assert violations(ast.parse("from likewise.session import Session"), "query") == [("session", 1)]
    assert violations(ast.parse("def f():\n    import likewise.cluster.hacc"), "kernels") == [("cluster", 2)]
    assert violations(ast.parse("from likewise import images"), "distances") == [("images", 1)]
    assert violations(ast.parse("from likewise.kernels.graphs import kruskal"), "cluster") == []


def test_the_picture_of_the_rooms_is_current():
    graph = read_imports(PACKAGE)
    assert graph.keys() == FLOOR.keys()
    assert "session" in graph["store"]
    assert PICTURE.read_text() == draw(graph), "python -m tools.rooms draws it again"


def imported_packages(tree):
    """The packages that any import statement names, wherever it is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.split(".")[0]


@pytest.mark.parametrize("path", APP, ids=name_of)
def test_the_app_names_no_web_framework(path):
    assert not WEB & set(imported_packages(tree_of(path)))


def test_the_app_loads_no_web_framework():
    modules = [".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in APP]
    modules = [name.removesuffix(".__init__") for name in modules]
    code = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, *modules], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert loaded >= set(modules)
    assert not WEB & loaded


def test_no_file_is_above_400_lines():
    long = {name_of(path): len(path.read_text().splitlines()) for path in MODULES}
    assert {name: lines for name, lines in long.items() if lines > 400} == {}


def test_no_function_is_above_60_lines():
    functions = [
        (f"{name_of(path)}: {node.name}", node.end_lineno - node.lineno + 1)
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert {name: lines for name, lines in functions if lines > 60} == {}


def test_no_two_classes_have_the_same_name():
    classes = [
        (node.name, name_of(path))
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef)
    ]
    often = Counter(name for name, _ in classes)
    assert [(name, path) for name, path in sorted(classes) if often[name] > 1] == []


def reads_a_state(tree):
    return [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "_state"]


def test_only_sessions_and_strategies_read_the_state_of_a_session():
    paths = [path for path in MODULES if room_of(path, PACKAGE) not in ("session", "query")]
    paths += sorted(TESTS.rglob("*.py"))
    found = {str(path): lines for path in paths if (lines := reads_a_state(tree_of(path)))}
    assert found == {}
    assert reads_a_state(ast.parse("session._state.ledger")) == [1]


def test_no_test_changes_where_modules_are_found():
    for path in TESTS.rglob("*.py"):
        found = {ast.unparse(node) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Attribute)}
        assert "sys.path" not in found, path


def test_public_names_are_sorted():
    lazy = [name for name in likewise.__all__ if name != "__version__"]
    assert lazy == sorted(lazy)
    assert all(hasattr(likewise, name) for name in lazy)
