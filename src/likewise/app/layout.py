"""Places of pictures in the plane: near each other where the pictures look alike. No input or output."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from likewise.app.reduction import reduce_vectors

Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.int64]

N_NEIGHBOURS = 15
N_PUSHES = 5  # others that a place is pushed away from, each time one pulls it
FEW = 10_000  # items up to which more epochs are worth their time
EPOCHS_OF_FEW, EPOCHS = 500, 200
EPOCHS_AGAIN = 100  # where most have their places already
KEEP_PLACE = 0.05  # how much of a step is taken by what was placed before
WIDTH = 10.0  # of the places at the start: about what the layout comes to
NOISE = 1e-4


def principal_places(X: Any) -> Floats:
    """The two main axes of vectors (n, d), as places (n, 2)."""
    axes = reduce_vectors(X, 2)[:, :2] if len(X) else np.empty((0, 2))
    places = np.zeros((len(axes), 2))
    places[:, : axes.shape[1]] = axes
    return places


def embed_neighbours(
    X: Any, before: Floats | None = None, *, n_epochs: int | None = None, random_state: int = 0
) -> Floats:
    """Places (n, 2) that keep neighbours together; see :mod:`likewise.kernels.neighbour_embedding`.

    They start from the two main axes. Where there are places of before, these start from there and move little, and
    the others start at the mean of their neighbours.

    - `X` (n, d): Vectors.
    - `before` (n, 2): Places of before, NaN where there is none.
    - `n_epochs`: How often all is moved; by default fewer where there are more items, or places of before.
    - `random_state`: Seed of all that is random.
    """
    from likewise.distances import nearest
    from likewise.kernels.neighbour_embedding import move_places, weigh_neighbours

    n = len(X)
    if n <= 2:
        return principal_places(X) if before is None else np.where(np.isnan(before), 0.0, before)
    found = nearest(X, n_neighbors=min(N_NEIGHBOURS, n - 1), random_state=random_state)
    heads, tails, weights = join_both_ways(found.indices, weigh_neighbours(found.distances))
    rates = np.ones(n)
    if before is None or np.isnan(before).all():
        places = principal_places(X)
        places *= WIDTH / max(np.ptp(places, axis=0).max(), 1e-12)
        epochs = EPOCHS_OF_FEW if n <= FEW else EPOCHS
    else:
        rates[~np.isnan(before[:, 0])] = KEEP_PLACE
        places = place_by_neighbours(before, heads, tails, weights)
        epochs = EPOCHS_AGAIN
    epochs = epochs if n_epochs is None else n_epochs
    noise = np.random.default_rng(random_state).normal(scale=NOISE, size=places.shape)
    places = np.ascontiguousarray(places + noise * rates[:, None])
    worth = weights >= weights.max() / max(epochs, 1)  # others would never take part
    move_places(places, heads[worth], tails[worth], weights[worth], rates, epochs, N_PUSHES, random_state)
    return places


def join_both_ways(indices: Indices, weights: Floats) -> tuple[Indices, Indices, Floats]:
    """Edges both ways with their weights: w and v one way and the other are w + v - wv together.

    - `indices`, `weights` (n, k): The nearest of each item.
    - Returns `heads`, `tails`, `weights` (m,): Sorted by head and tail.
    """
    from scipy.sparse import coo_array

    n, k = indices.shape
    heads = np.repeat(np.arange(n), k)
    ends = (heads.astype(np.int32), indices.ravel().astype(np.int32))
    one_way = coo_array((weights.ravel(), ends), shape=(n, n)).tocsr()
    both = (one_way + one_way.T - one_way * one_way.T).tocsr()
    both.sort_indices()
    joined = both.tocoo()
    return joined.row.astype(np.int64), joined.col.astype(np.int64), joined.data.astype(np.float64)


def place_by_neighbours(before: Floats, heads: Indices, tails: Indices, weights: Floats) -> Floats:
    """Places of before (n, 2), and for items without one (NaN) the weighted mean of their neighbours' places.

    Where no neighbour has one, those are placed first that have; what is joined to none is put in the middle.
    """
    places = before.copy()
    n = len(places)
    while True:
        has = ~np.isnan(places[:, 0])
        use = has[tails] & ~has[heads]
        if not use.any():
            break
        totals = np.bincount(heads[use], weights[use], n)
        reached = totals > 0
        for axis in range(2):
            sums = np.bincount(heads[use], weights[use] * places[tails[use], axis], n)
            places[reached, axis] = sums[reached] / totals[reached]
    places[np.isnan(places[:, 0])] = np.nanmean(before, axis=0)
    return places
