"""Edits by hand are exact, at the page and in the export, and undone exactly; the long form is `by_hand`'s own."""

import pytest

from tests.browser.by_hand import KINDS, run, served
from tests.browser.conftest import why_not


@pytest.mark.parametrize(("size", "killed"), [("390", True)])
def test_every_edit_is_exact_and_undone_exactly(open_page, tmp_path, size, killed):
    if reason := why_not():
        pytest.skip(reason)
    with served(tmp_path, 8) as server:
        done = run(open_page, server, size, each=1, killed=killed)
    assert set(done) == set(KINDS)
