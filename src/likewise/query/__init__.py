"""Who asks: one file a strategy, found by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.query.base import Answer, Question, State, Strategy
    from likewise.query.random_pairs import RandomPairs
    from likewise.query.registry import make_strategy, strategies

__all__ = ["Answer", "Question", "RandomPairs", "State", "Strategy", "make_strategy", "strategies"]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "base": ["Answer", "Question", "State", "Strategy"],
        "random_pairs": ["RandomPairs"],
        "registry": ["make_strategy", "strategies"],
    },
)
