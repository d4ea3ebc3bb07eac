"""Distances, neighbours and the programmes that learn distances."""
