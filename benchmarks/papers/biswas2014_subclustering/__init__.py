"""Subclustering and active subclustering beside their baselines."""
