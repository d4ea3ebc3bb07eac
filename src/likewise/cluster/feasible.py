"""Labels that break no constraint: the assignment step that COPKMeans and KMedoids share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from likewise.cluster.groups import constrained_groups
from likewise.cluster.restarts import Run
from likewise.constraints import Constraints
from likewise.kernels.assignment.hard import FOUND, IMPOSSIBLE, colour_groups, move_groups, place_groups
from likewise.kernels.assignment.penalised import move_free

Vectors = NDArray[np.float64]
Labels = NDArray[np.int64]

MAX_STEPS = 200_000
MAX_PASSES = 20


class InfeasibleError(ValueError):
    """Constraints that do not contradict each other but cannot all hold with so few clusters.

    Attributes
    ----------
    cannot_link : tuple of pairs
        Cannot-links, as given, that keep one item or its group out of every cluster.

    Examples
    --------
    >>> from likewise.cluster import COPKMeans
    >>> try:
    ...     COPKMeans(2).fit([[0.0], [1.0], [2.0]], cannot_link=[(0, 1), (1, 2), (0, 2)])
    ... except InfeasibleError as error:
    ...     print(error.cannot_link)
    ((0, 2), (1, 2))
    """

    def __init__(self, message: str, cannot_link: Iterable[tuple[int, int]] = ()) -> None:
        super().__init__(message)
        self.cannot_link = tuple(cannot_link)


class FeasibleAssignment:
    """Assigns must-link groups whole and keeps every cannot-link.

    - `constraints`: Without contradictions.
    - `n_clusters`: Number of clusters, none of which is left empty; at most the number of groups and free items.
    """

    def __init__(self, constraints: Constraints, n_clusters: int) -> None:
        self.constraints = constraints
        self.groups = constrained_groups(constraints)
        self.n_clusters = n_clusters
        self.free = self.groups.free
        self.enemies = (self.groups.enemy_start, self.groups.enemies)
        self._colours: tuple[Labels, Labels] | None = None

    def assign(self, own: Vectors, labels: Labels | None) -> Labels:
        """Labels that cost no more than the given ones, if any.

        Two tries, the cheaper kept: the given labels improved move by move, and labels made anew.

        - `own` (n, k): Price of each item in each cluster.
        - `labels` (n,) or None: Where the items are now; None at the start.
        """
        cost = self._group_cost(own)
        tries = [] if labels is None else [self._improve(own, cost, labels.copy())]
        tries.append(self._improve(own, cost, self._from_nothing(own, cost)))
        prices = [own[np.arange(len(own)), candidate].sum() for candidate in tries]
        return tries[int(np.argmin(prices))]

    def _group_cost(self, own: Vectors) -> Vectors:
        if len(self.groups.members) == 0:
            return np.empty((0, self.n_clusters))
        return np.asarray(np.add.reduceat(own[self.groups.members], self.groups.start[:-1], axis=0))

    def _from_nothing(self, own: Vectors, cost: Vectors) -> Labels:
        of_group, complete = place_groups(cost, *self.enemies)
        if not complete:
            of_group = self._match_colours(cost)
        labels: Labels = np.argmin(own, axis=1)
        labels[self.groups.members] = of_group[self.groups.of_member]
        for cluster in np.flatnonzero(np.bincount(labels, minlength=self.n_clusters) == 0):
            self._fill(own, labels, int(cluster))
        return labels

    def _fill(self, own: Vectors, labels: Labels, cluster: int) -> None:
        """Give an empty cluster the unit (free item, or else group) that costs most where it is not alone."""
        firsts = self.groups.members[self.groups.start[:-1]]
        units = np.concatenate([self.free, firsts])
        alone = np.bincount(labels[units], minlength=self.n_clusters)[labels] < 2
        for candidates in (self.free, firsts):
            candidates = candidates[~alone[candidates]]
            if len(candidates):
                worst = candidates[np.argmax(own[candidates, labels[candidates]])]
                group = self.groups.of_item[worst]
                labels[worst if group < 0 else self.groups.of_item == group] = cluster
                return

    def _improve(self, own: Vectors, cost: Vectors, labels: Labels) -> Labels:
        sizes = np.bincount(labels, minlength=self.n_clusters)
        of_group = labels[self.groups.members[self.groups.start[:-1]]]
        for _ in range(MAX_PASSES):
            if move_groups(cost, self.groups.sizes, *self.enemies, of_group, sizes) == 0:
                break
        labels[self.groups.members] = of_group[self.groups.of_member]
        move_free(self.free, own, labels, sizes)
        return labels

    def _match_colours(self, cost: Vectors) -> Labels:
        """The exhaustive search's labels, each connected part's clusters matched to ours at the lowest price."""
        if self._colours is None:
            self._colours = self._colour()
        colours, part = self._colours
        labels = np.empty_like(colours)
        for p in range(int(part.max()) + 1):
            here = np.flatnonzero(part == p)
            price = np.zeros((self.n_clusters, self.n_clusters))
            np.add.at(price, colours[here], cost[here])
            labels[here] = linear_sum_assignment(price)[1][colours[here]]
        return labels

    def _colour(self) -> tuple[Labels, Labels]:
        n_groups = len(self.groups.sizes)
        start, enemies = (each.astype(np.int32) for each in self.enemies)  # for older SciPy
        graph = csr_array((np.ones(len(enemies), np.int8), enemies, start), shape=(n_groups, n_groups))
        n_parts, part = connected_components(graph, directed=False)
        colours = np.zeros(n_groups, np.int64)
        for p in range(n_parts):
            here = np.flatnonzero(part == p)
            if len(here) <= self.n_clusters:
                colours[here] = np.arange(len(here))
                continue
            status, found, stuck = colour_groups(here, self.n_clusters, start, enemies, MAX_STEPS)
            if status != FOUND:
                raise self._infeasible(found, int(stuck), proven=status == IMPOSSIBLE)
            colours[here] = found[here]
        return colours, part.astype(np.int64)

    def _infeasible(self, labels: Labels, stuck: int, *, proven: bool) -> InfeasibleError:
        """Name, for every cluster, a cannot-link that keeps the stuck group out of it."""
        blamed: dict[int, tuple[int, int]] = {}
        for i, j in self.constraints.cannot_link.tolist():
            g, h = self.groups.of_item[i], self.groups.of_item[j]
            other = h if g == stuck else g
            if stuck in (g, h) and labels[other] >= 0:
                blamed.setdefault(int(labels[other]), (i, j))
        pairs = [blamed[cluster] for cluster in sorted(blamed)]
        listed = ", ".join(str(pair) for pair in pairs)
        outcome = "no labels satisfy" if proven else f"no labels were found in {MAX_STEPS} steps that satisfy"
        item = int(self.groups.members[self.groups.start[stuck]])
        return InfeasibleError(
            f"{outcome} every cannot_link with n_clusters={self.n_clusters}: with the others assigned, "
            f"item {item} or its must_link group is kept out of every cluster by cannot_link {listed}",
            pairs,
        )


def alternate(
    assignment: FeasibleAssignment,
    own_of: Callable[[NDArray[Any]], Vectors],
    centres_of: Callable[[Labels], NDArray[Any]],
    centres: NDArray[Any],
    max_iter: int,
    tol: float,
) -> Iterator[Run]:
    """Assign items to centres and move centres to items until the price stops falling.

    - `assignment`: The constraints.
    - `own_of`: Price of every item at every centre, (n, k).
    - `centres_of`: Best centres for labels.
    - `centres`, ndarray: Where to start.
    - `max_iter`: Rounds.
    - `tol`: Stop when a round gains less than this share of the price.
    """
    everyone = np.arange(assignment.constraints.n)
    labels: Labels | None = None
    path: list[float] = []
    for n_iter in range(1, max_iter + 1):
        labels = assignment.assign(own_of(centres), labels)
        centres = centres_of(labels)
        price = float(own_of(centres)[everyone, labels].sum())
        if path and price >= path[-1]:
            return
        path.append(price)
        still = len(path) > 1 and path[-2] - path[-1] <= tol * path[-2]
        yield Run(labels, centres, path, n_iter, settled=still or n_iter < max_iter)
        if still:
            return
