"""Clusterers by name: those of the package that take pairs, and those that plug-ins add."""

from __future__ import annotations

from inspect import signature
from typing import Any

from likewise import cluster
from likewise.plugins import load_plugins

# name -> class in likewise.cluster, read only when it is asked for
_CLASS_OF = {
    "bag-spectral": "BagSpectral",
    "bayesian": "BayesianClustering",
    "constrained-em": "ConstrainedEM",
    "cop-kmeans": "COPKMeans",
    "discriminative": "DiscriminativeClustering",
    "hacc": "HACC",
    "hmrf": "HMRF",
    "kmedoids": "KMedoids",
    "mpckmeans": "MPCKMeans",
    "pcca": "PCCA",
    "pckmeans": "PCKMeans",
    "spectral-learning": "SpectralLearning",
    "spectral-regularized": "SpectralRegularized",
}


def clusterers() -> list[str]:
    """Names of clusterers that take must-links and cannot-links, those of plug-ins among them.

    Others add theirs under the entry point group ``likewise.clusterers``: a name, and a class or function that gives
    a scikit-learn estimator with ``fit_predict(X, must_link=…, cannot_link=…)`` when called without arguments.

    Examples
    --------
    >>> "hacc" in clusterers()
    True
    """
    return sorted({*_CLASS_OF, *load_plugins("clusterers")})


def make_clusterer(name: str) -> Any:
    """An estimator by name, with its defaults.

    Parameters
    ----------
    name : str
        One of :func:`clusterers`.

    Examples
    --------
    >>> make_clusterer("pckmeans")
    PCKMeans()
    """
    if name in _CLASS_OF:
        return getattr(cluster, _CLASS_OF[name])()
    plugins = load_plugins("clusterers")
    if name not in plugins:
        raise ValueError(f"there is no clusterer {name!r}: choose from {', '.join(clusterers())}")
    made = plugins[name].load()()
    missing = [each for each in ("fit_predict", "get_params", "set_params") if not callable(getattr(made, each, None))]
    if missing:
        raise ValueError(f"the plug-in {name!r} gives no clusterer: {made!r} has no {missing[0]}")
    return made


def takes(estimator: Any, what: str) -> bool:
    """Whether a clusterer takes this kind of side information; plug-ins may have `fit_predict` alone.

    Examples
    --------
    >>> takes(make_clusterer("discriminative"), "triplets"), takes(make_clusterer("hacc"), "triplets")
    (True, False)
    """
    return what in signature(getattr(estimator, "fit", estimator.fit_predict)).parameters
