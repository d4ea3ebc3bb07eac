"""Importing the package loads nothing heavy: that is left to the first use."""

import subprocess
import sys

HEAVY = ["numba", "sklearn", "scipy", "pandas", "matplotlib", "PIL", "onnxruntime", "faiss", "torch"]


def test_import_loads_nothing_heavy():
    code = "import sys, likewise; print([m for m in sys.argv[1:] if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code, *HEAVY], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
