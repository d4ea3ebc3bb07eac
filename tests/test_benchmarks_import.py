"""The benchmarks import, without being run: what they take from the package is still there."""

import ast
import importlib
import pkgutil
from pathlib import Path

import pytest

pytest.importorskip("benchmarks.report")  # not in the source archive

import benchmarks

ROOT = Path(benchmarks.__file__).parents[1]
MODULES = sorted(module.name for module in pkgutil.walk_packages(benchmarks.__path__, "benchmarks."))
# Programs that run in an environment of their own, with the package they are named after and without ours.
PEERS = [name for name in MODULES if name.rpartition(".")[2] in ("peer", "peer_askers")]


def late_imports(tree):
    """The imports from our packages inside functions, as pairs of a module and a name."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] in ("likewise", "benchmarks"):
                    yield from ((node.module, alias.name) for alias in node.names)


@pytest.mark.parametrize("name", sorted(set(MODULES) - set(PEERS)))
def test_a_benchmark_imports(name):
    module = importlib.import_module(name)
    for source, wanted in late_imports(ast.parse(Path(module.__file__).read_text())):
        assert hasattr(importlib.import_module(source), wanted), f"{source} has no {wanted}"


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_runs_without_our_packages(name):
    tree = ast.parse((ROOT / name.replace(".", "/")).with_suffix(".py").read_text())
    nodes = list(ast.walk(tree))
    named = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    named |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    assert not {each for each in named if each.split(".")[0] in ("likewise", "benchmarks")}


def test_a_late_import_is_seen():
    source = "import os\ndef run():\n    from likewise.cluster import PCCA, HACC\n"
    assert list(late_imports(ast.parse(source))) == [("likewise.cluster", "PCCA"), ("likewise.cluster", "HACC")]
