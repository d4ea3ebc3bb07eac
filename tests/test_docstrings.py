"""The examples in docstrings run and give what they say."""

import doctest
import importlib
import pkgutil

import pytest

import likewise

NOT_HERE = ("likewise.store.migrations", "likewise.images.worker")  # run by alembic, run as a program
NEEDS = {"likewise.query.notebook.widget": "anywidget"}  # not among what tools/check-versions installs
MODULES = [
    module.name
    for module in pkgutil.walk_packages(likewise.__path__, "likewise.")
    if not module.name.startswith(NOT_HERE)
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert result.failed == 0
