"""Askers that compare items with neighbourhoods: Explore-Consolidate, MinMax, NPU, CAC1, graph purification."""
