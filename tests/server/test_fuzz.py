"""The API against its own description, a little; the full size is a command, see fuzz.py."""

import importlib.util
from pathlib import Path

import pytest

pytest.importorskip("schemathesis")
spec = importlib.util.spec_from_file_location("fuzz", Path(__file__).with_name("fuzz.py"))
fuzz = importlib.util.module_from_spec(spec)
spec.loader.exec_module(fuzz)


def test_no_check_of_schemathesis_fails(tmp_path):
    status, text = fuzz.run(2, str(tmp_path), phases="fuzzing")
    assert status == 0, text
    assert fuzz.cases(text) > 50
