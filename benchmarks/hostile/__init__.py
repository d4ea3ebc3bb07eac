"""Attacks on a served project, each a module with ``main(quick) -> dict`` of figures: ``python -m benchmarks.hostile``."""
