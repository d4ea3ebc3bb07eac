"""What all tests share: a first call compiles, so hypothesis must not mind how long a case takes; long files first."""

from pathlib import Path

from hypothesis import settings

settings.register_profile("likewise", deadline=None)
settings.load_profile("likewise")

LONG = (
    "browser",
    "server",
    "test_docs.py",
    "test_examples.py",
    "cli",
)  # begun first, they end with the others
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    def rank(item):
        first = item.path.relative_to(HERE).parts[0] if item.path.is_relative_to(HERE) else ""
        return LONG.index(first) if first in LONG else len(LONG)

    items.sort(key=rank)
