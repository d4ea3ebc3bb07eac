"""Clusters as classes of a logistic model, discriminative and Bayesian; ConstrainedEM and SSSVaD, baselines."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
