"""COBRAS beside our default asker, on the sets of benchmarks.askers."""
