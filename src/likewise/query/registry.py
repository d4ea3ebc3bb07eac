"""Strategies by name: those of the package, and those that plug-ins add."""

from __future__ import annotations

from typing import Any

from likewise import query
from likewise.cluster.registry import make_clusterer
from likewise.plugins import load_plugins
from likewise.query.arguments import check_asker
from likewise.query.base import Strategy

# name -> class in likewise.query, read only when it is asked for
_CLASS_OF = {
    "active-hacc": "ActiveHACC",
    "active-subclustering": "ActiveSubclustering",
    "asc": "ASC",
    "auto": "DendrogramAsker",
    "bayesian": "BayesianActive",
    "cac1": "CAC1",
    "dendrogram": "DendrogramAsker",
    "explore-consolidate": "ExploreConsolidate",
    "ffqs": "ExploreConsolidate",
    "graph-purification": "GraphPurification",
    "minmax": "MinMax",
    "npu": "NPU",
    "pknn-al": "PKNNAL",
    "quire": "QUIRE",
    "random": "RandomPairs",
    "urasc": "URASC",
}


def strategies() -> list[str]:
    """Names that a session takes as its strategy, those of plug-ins among them.

    Examples
    --------
    >>> "random" in strategies()
    True
    """
    return sorted({*_CLASS_OF, *load_plugins("strategies")})


def make_strategy(strategy: str | Strategy, *, recheck: bool | None = None, **options: Any) -> Strategy:
    """A strategy by name with options, or the object itself.

    Parameters
    ----------
    strategy : str or Strategy
        One of :func:`strategies`, or an object with `ask` and `cluster`.
    recheck : bool, optional
        Whether doubtful answers are asked about again, for strategies given by name that can do so.
    **options
        Parameters of the strategy's class; a clusterer may be given by its name.

    Examples
    --------
    >>> make_strategy("random")
    RandomPairs()
    """
    if not isinstance(strategy, str):
        if options:
            raise ValueError(f"options ({', '.join(sorted(options))}) go with a strategy given by name")
        check_asker(strategy)
        return strategy
    cls = _find(strategy)
    known = set(cls().get_params(deep=False))
    if recheck is not None and "recheck" in known:
        options["recheck"] = recheck
    unknown = sorted(set(options) - known)
    if unknown:
        raise ValueError(f"strategy {strategy!r} has no option {', '.join(unknown)}")
    if isinstance(options.get("clusterer"), str):
        options["clusterer"] = make_clusterer(options["clusterer"])
    made: Strategy = cls(**options)
    return made


def _find(name: str) -> Any:
    if name in _CLASS_OF:
        return getattr(query, _CLASS_OF[name])
    plugins = load_plugins("strategies")
    if name not in plugins:
        raise ValueError(f"there is no strategy {name!r}: choose from {', '.join(strategies())}")
    return plugins[name].load()
