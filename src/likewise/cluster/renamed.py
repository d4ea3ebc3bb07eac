"""Names of before: arguments and fitted attributes that are called otherwise now still work, with a warning."""

from __future__ import annotations

import warnings
from typing import Any

UNSET = "deprecated"
"""Default of an argument under its name of before, so that it is known whether somebody gave one; None is as good."""


def renamed_argument(estimator: Any, old: str, new: str) -> Any:
    """What an argument is, by its name of before where somebody still uses that.

    Examples
    --------
    >>> from likewise.cluster import PCKMeans
    >>> renamed_argument(PCKMeans(weight=2.0), "w", "weight")
    2.0
    """
    given = getattr(estimator, old)
    if given is None or (isinstance(given, str) and given == UNSET):
        return getattr(estimator, new)
    warnings.warn(f"{type(estimator).__name__}: {old} is called {new} now", FutureWarning, stacklevel=2)
    return given


def renamed_attribute(old: str, new: str) -> Any:
    """A property that gives a fitted attribute under its name of before."""

    def read(self: Any) -> Any:
        value = getattr(self, new)
        warnings.warn(f"{type(self).__name__}: {old} is called {new} now", FutureWarning, stacklevel=2)
        return value

    read.__doc__ = f"Name of before of `{new}`."
    return property(read)
