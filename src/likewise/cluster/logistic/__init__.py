"""Clusters as classes of a logistic model, discriminative and Bayesian; ConstrainedEM and SSSVaD, baselines."""
