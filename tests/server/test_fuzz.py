"""The API against its own description, a little; the full size is a command, see fuzz.py."""

import pytest

from tests.server import fuzz

pytest.importorskip("schemathesis")


def test_no_check_of_schemathesis_fails(tmp_path):
    status, text = fuzz.run(2, str(tmp_path), phases="fuzzing")
    assert status == 0, text
    assert fuzz.cases(text) > 50
