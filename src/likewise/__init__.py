"""likewise: group pictures, or anything with a distance, by asking people same or different."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

# Not lazy: the module and the function share a name, and the name means the function.
from likewise.simulate import simulate

if TYPE_CHECKING:
    from likewise import cluster, crowd, datasets, distances, hierarchy, images, metrics, plot, query
    from likewise.constraints import Conflict, ConflictError, Constraints
    from likewise.query.question import Answer, Question
    from likewise.session import Session

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Conflict",
    "ConflictError",
    "Constraints",
    "Question",
    "Session",
    "cluster",
    "crowd",
    "datasets",
    "distances",
    "hierarchy",
    "images",
    "metrics",
    "plot",
    "query",
    "simulate",
]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submodules=["cluster", "crowd", "datasets", "distances", "hierarchy", "images", "metrics", "plot", "query"],
    submod_attrs={
        "constraints": ["Conflict", "ConflictError", "Constraints"],
        "query.question": ["Answer", "Question"],
        "session": ["Session"],
    },
)
