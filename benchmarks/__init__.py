"""Benchmarks: the papers' experiments, speed beside quality, peers; ``python -m benchmarks`` runs the short ones."""
