"""Lists of hits: which images go together on one page, so that many pairs are seen by somebody."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import ceil, comb

import numpy as np


def deal_hits(
    images: Sequence[int], per_hit: int = 20, rounds: int = 5, random_state: int = 0
) -> list[tuple[int, ...]]:
    """Deal images onto pages: in every round each image is on exactly one, beside others than before as chance has it.

    Parameters
    ----------
    images : sequence of int
        What is to be annotated.
    per_hit : int
        Largest number of images on a page; pages of a round differ in size by one at most.
    rounds : int
        On how many pages each image is.
    random_state : int
        Seed.

    Returns
    -------
    list of tuple of int

    References
    ----------
    J. Yi et al., *Semi-Crowdsourced Clustering*, NIPS 2012, §3: an image is seen by five people on average. Random
    subsets in which every image is at least once are R. Gomes et al., *Crowdclustering*, NIPS 2011; here every image
    is in as many.

    Examples
    --------
    >>> deal_hits(range(5), per_hit=3, rounds=2, random_state=0)
    [(2, 4, 3), (0, 1), (4, 1, 2), (0, 3)]
    """
    if per_hit < 2 or rounds < 1:
        raise ValueError("a hit has at least two images, and there is at least one round")
    if len(images) < 2:
        raise ValueError(f"hits are made of at least two images, there are {len(images)}")
    rng = np.random.default_rng(random_state)
    pages = ceil(len(images) / per_hit)
    values = np.asarray(images, np.int64)
    return [tuple(page.tolist()) for _ in range(rounds) for page in np.array_split(rng.permutation(values), pages)]


def pair_coverage(hits: Sequence[Sequence[int]]) -> float:
    """The share of all pairs of the images that are together on at least one page.

    Examples
    --------
    >>> pair_coverage([(0, 1, 2), (2, 3)])
    0.6666666666666666
    """
    images = {item for hit in hits for item in hit}
    pairs = {pair for hit in hits for pair in combinations(sorted(hit), 2)}
    return len(pairs) / comb(len(images), 2) if len(images) > 1 else 1.0
