"""Bayesian active clustering (Pei, Liu, Fern 2015; 002 ch. 4)."""
