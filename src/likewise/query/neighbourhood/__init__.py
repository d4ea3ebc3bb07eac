"""Askers that grow neighbourhoods: Explore-Consolidate, MinMax, NPU, CAC1, graph purification."""
