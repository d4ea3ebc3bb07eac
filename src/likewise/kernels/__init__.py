"""Compiled kernels: arrays in, arrays out, no classes; the only copy of each primitive."""
