"""Compiles the kernels of the default asker, once for all processes of the tests: ``python -m tools.compile``."""

from __future__ import annotations

from likewise.cli.warm import compile_kernels

if __name__ == "__main__":
    compile_kernels()
