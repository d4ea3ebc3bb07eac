"""Askers on a spectral clustering: URASC, and the baselines ASC, pKNN+AL and QUIRE."""
