"""Clusters as classes of a logistic model: discriminative and Bayesian clustering."""
