"""Clusters as classes of a logistic model, discriminative and Bayesian; ConstrainedEM and SSSVaD, baselines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.cluster.logistic.bayesian import BayesianClustering
    from likewise.cluster.logistic.constrained_em import ConstrainedEM
    from likewise.cluster.logistic.discriminative import DiscriminativeClustering
    from likewise.cluster.logistic.sssvad import SSSVaD

__all__ = ["BayesianClustering", "ConstrainedEM", "DiscriminativeClustering", "SSSVaD"]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "bayesian": ["BayesianClustering"],
        "constrained_em": ["ConstrainedEM"],
        "discriminative": ["DiscriminativeClustering"],
        "sssvad": ["SSSVaD"],
    },
)
