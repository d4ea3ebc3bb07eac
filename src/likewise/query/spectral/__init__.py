"""Askers on a spectral clustering: URASC and the ones it is compared with."""
