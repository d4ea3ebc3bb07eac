"""The served project that these tests are about."""

from tests.app.page import location, page

__all__ = ["location", "page"]
