"""Simulated people who give keywords, as noisy as those of the papers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike


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
    """Hits in which every item gets keywords: some of its class, some that fit many classes.

    A person has a habit: each class has several words, and a person uses mostly one of them. Words that fit anything
    ("outdoor", "close-up") make items of different classes alike, as real keywords do.

    Parameters
    ----------
    truth : array-like of shape (n,)
        Class of every item.
    items : array-like, optional
        Which items are annotated; by default all.
    hits_per_item : int
        People who see an item.
    items_per_hit : int
        Items a person sees.
    keywords : int
        Words an item gets from one person.
    synonyms : int
        Words that a class has.
    general : int
        Words that fit all classes.
    noise : float
        Probability that a word is a general one.
    random_state : int or None
        Seed.

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
    chosen = np.arange(len(classes)) if items is None else np.asarray(items)
    rows, hit = [], 0
    for _ in range(hits_per_item):
        order = rng.permutation(chosen)
        for start in range(0, len(order), items_per_hit):
            favourite = rng.integers(synonyms, size=classes.max() + 1)
            for item in order[start : start + items_per_hit].tolist():
                words = set()
                for _ in range(keywords):
                    if rng.random() < noise:
                        words.add(f"general-{rng.integers(general)}")
                    else:
                        own = favourite[classes[item]] if rng.random() < 0.8 else rng.integers(synonyms)
                        words.add(f"class-{classes[item]}-{own}")
                rows += [(hit, item, word) for word in sorted(words)]
            hit += 1
    return rows
