"""The graph of neighbours under a distance learned from the answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA

from likewise.distances import nearest
from likewise.distances.neighbours import Neighbours
from likewise.distances.rca import shrunk_components
from likewise.kernels.graphs.nearer import nearest_among
from likewise.query.base import State
from likewise.query.dendrogram.structure import SCALE_AT, Graph, neighbour_graph

FIRST = 50  # number of answers before a distance is learned
GROWTH = 1.5  # factor by which the answers grow from one time to the next
GROWTH_OF_MANY = 2.0  # the same beyond ALL_COMPARED items, where all of them wait for it
ALL_COMPARED = 4096  # number of items up to which the learned distance is computed between all
N_NEARER = 1  # nearest neighbours whose nearest are looked at too (5 are no better: digits, flowers-17)
MOST_DIMENSIONS = 128  # longer vectors are reduced to this number of principal components


def answers_learned_from(n_answers: int, n: int) -> int:
    """Number of answers the graph of n items is learned from: 0, 50, and then half, of many twice, as many each time.

    Examples
    --------
    >>> [answers_learned_from(n_answers, 100) for n_answers in (49, 50, 74, 75, 111, 112, 1000)]
    [0, 50, 50, 75, 75, 112, 854]
    >>> [answers_learned_from(n_answers, 100_000) for n_answers in (49, 50, 99, 100, 1000)]
    [0, 50, 50, 100, 800]
    """
    count, step, growth = 0, float(FIRST), GROWTH if n <= ALL_COMPARED else GROWTH_OF_MANY
    while int(step) <= n_answers:
        count, step = int(step), step * growth
    return count


def can_learn(state: State) -> bool:
    """Whether there are vectors whose directions can be weighted."""
    return isinstance(state.metric, str) and state.metric in ("euclidean", "cosine")


def learn_graph(state: State, found: Neighbours, n_neighbors: int) -> Graph | None:
    """Graph in which directions that vary among items known to be the same count less; None if none do.

    Relevant components (:class:`likewise.distances.RCA`), shrunk towards equal directions
    (:func:`~likewise.distances.rca.shrunk_components`).

    - `state`: Vectors and constraints.
    - `found`: The nearest of every item before anything was learned: they, and their nearest, are looked at.
    - `n_neighbors`: Number of neighbours of an item.
    """
    X = _few_dimensions(state)
    components = shrunk_components(X, state.constraints.must_link)
    if components is None:
        return None
    learned = X @ components
    return neighbour_graph(_nearest(learned.astype(np.float32), found, max(n_neighbors, SCALE_AT)), n_neighbors)


def _nearest(X: NDArray[np.float32], found: Neighbours, n_neighbors: int) -> Neighbours:
    """The nearest vectors; of many, only those that were near before and the nearest of these are looked at."""
    count = min(n_neighbors, len(X) - 1)
    if len(X) <= ALL_COMPARED:
        return nearest(X, n_neighbors=count)
    return Neighbours(*nearest_among(X, found.indices, N_NEARER, count))


def _few_dimensions(state: State) -> NDArray[np.float64]:
    X = np.asarray(state.X, np.float64)
    if state.metric == "cosine":
        lengths = np.linalg.norm(X, axis=1, keepdims=True)
        X = X / np.where(lengths > 0, lengths, 1.0)
    most = min(MOST_DIMENSIONS, len(X))
    if X.shape[1] > most:
        X = PCA(most, svd_solver="covariance_eigh").fit_transform(X)
    return X
