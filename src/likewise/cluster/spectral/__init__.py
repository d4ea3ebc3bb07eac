"""Spectral clustering under pairs (SpectralLearning, SpectralRegularized) and bags (BagSpectral)."""
