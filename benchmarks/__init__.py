"""Benchmarks: the papers' experiments, speed beside quality, and peers. ``python -m benchmarks`` runs the short ones."""
