"""What all tests share: compiling is not hypothesis's business, and an order of files that keeps all processes busy."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("likewise", deadline=None)
settings.load_profile("likewise")

# Files go to the processes in this order: first those that compile what the others need, then the long ones, so that
# at the end only short ones are left.
FIRST = ("kernels", "cluster", "query", "distances", "hierarchy")
LONG = ("browser", "server", "app", "test_docs.py", "test_examples.py", "cli")
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    def rank(item):
        room = item.path.relative_to(HERE).parts[0] if item.path.is_relative_to(HERE) else ""
        order = (*FIRST, *LONG)
        return order.index(room) if room in order else len(order)

    items.sort(key=rank)


@pytest.fixture(autouse=True)
def same_umask():
    """Commands that serve a project close what they write to others: not for the tests after them."""
    before = os.umask(0o022)
    os.umask(before)
    yield
    os.umask(before)
