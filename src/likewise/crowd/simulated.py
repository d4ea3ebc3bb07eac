"""Simulated annotators who give keywords, as noisy as those of the papers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FAITHFUL = 0.8  # probability that a person uses their own word for a class


def keyword_hits(
    truth: ArrayLike,
    items: ArrayLike | None = None,
    *,
    hits_per_item: int = 5,
    items_per_hit: int = 20,
    keywords: int = 3,
    synonyms: int = 3,
    general: int = 4,
    noise: float = 0.3,
    random_state: Any = None,
) -> list[tuple[int, int, str]]:
    """Simulate hits in which every item gets keywords, some of its class and some that fit all classes.

    Each class has several words, of which a person mostly uses one. Words that fit all classes ("outdoor",
    "close-up") make items of different classes similar, as real keywords do.

    Parameters
    ----------
    truth : array-like of shape (n,)
        Class of every item.
    items : array-like, optional
        Items to annotate; all by default.
    hits_per_item : int
        Number of hits that contain an item.
    items_per_hit : int
        Number of items of a hit.
    keywords : int
        Number of words an item gets from one person.
    synonyms : int
        Number of words of a class.
    general : int
        Number of words that fit all classes.
    noise : float
        Probability that a word is a general one.
    random_state : int or None
        Seed of all draws.

    Returns
    -------
    list of (hit, item, keyword)

    Examples
    --------
    >>> hits = keyword_hits([0, 0, 1, 1], hits_per_item=2, items_per_hit=4, random_state=0)
    >>> len({hit for hit, _, _ in hits}), len({item for _, item, _ in hits})
    (2, 4)
    """
    rng = np.random.default_rng(random_state)
    classes = np.unique(np.asarray(truth), return_inverse=True)[1].reshape(-1)
    chosen, rows, hit = np.arange(len(classes)) if items is None else np.asarray(items), [], 0
    for _ in range(hits_per_item):
        order = rng.permutation(chosen)
        for start in range(0, len(order), items_per_hit):
            favourite = rng.integers(synonyms, size=classes.max() + 1)
            for item in order[start : start + items_per_hit].tolist():
                words = set(_draw_words(keywords, classes[item], favourite, (synonyms, general), noise, rng))
                rows += [(hit, item, word) for word in sorted(words)]
            hit += 1
    return rows


def _draw_words(
    count: int, label: int, favourite: NDArray[np.int64], sizes: tuple[int, int], noise: float, rng: np.random.Generator
) -> Iterator[str]:
    """Words that one person gives an item of a class; sizes: words of a class, and words that fit all."""
    for _ in range(count):
        if rng.random() < noise:
            yield f"general-{rng.integers(sizes[1])}"
        else:
            own = favourite[label] if rng.random() < FAITHFUL else rng.integers(sizes[0])
            yield f"class-{label}-{own}"
