"""A3S, a peer written from its description: whole clusters are merged or split, where the clusters' information gains most."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from likewise.constraints import Constraints
from likewise.query.base import State
from likewise.query.calibration import SameCurve
from likewise.query.dendrogram.structure import build_structure

N_TESTS = 2  # members, farthest from the medoid, that a purity test asks about


class A3S:
    """Adaptive active aggregation and splitting.

    Clusters are first found without a number: here average linkage, cut where two sides are as probably different as
    the same, which is also where our default asker starts. Then the pair of clusters with the largest expected gain
    of information, P(same) times what the entropy of the clusters falls by when the two are merged, is put to the person
    through their medoids. Before a cluster takes part it passes a purity test: its medoid against its farthest members; a member
    that differs splits it, everybody going to the nearer of the two. When all clusters are told apart, the tests go on. What follows from earlier answers is not asked.

    References
    ----------
    X. Deng et al., *A3S: A General Active Clustering Method with Pairwise Constraints*, ICML 2024. Written from the
    abstract and summaries: the first clusters and the size of the purity test are ours.
    """

    def __init__(self, X: np.ndarray, seed: int, same: Callable[[int, int], bool]) -> None:
        structure = build_structure(State(X, "euclidean", None, seed), 5)
        self.D, self.curve, self.labels = (
            structure.D,
            SameCurve(structure.near, structure.far),
            structure.pieces.copy(),
        )
        self.constraints, self.same = Constraints(len(X)), same
        self.pure: set[int] = set()
        self.apart: set[tuple[int, ...]] = set()
        self._gains: tuple[np.ndarray, np.ndarray] | None = None

    def run(self) -> Iterator[np.ndarray]:
        """The clusters after every question, until everything is known."""
        while True:
            pair = self._best_pair()
            if pair is None:
                label = self._least_known()
                if label is None:
                    return
                yield from self._test(label)
                continue
            tested = True
            for label in pair:
                if label not in self.pure:
                    tested = False
                    yield from self._test(label)
                    break
            if tested:
                yield from self._merge(*pair)

    def _ask(self, i: int, j: int) -> tuple[bool, bool]:
        """What is said of the two, and whether the person had to be asked."""
        known = self.constraints.known(i, j)
        if known is not None:
            return known == "same", False
        said = self.same(i, j)
        self.constraints.add(i, j, "same" if said else "different")
        return said, True

    def _medoid(self, label: int) -> int:
        items = np.flatnonzero(self.labels == label)
        return int(items[self.D[np.ix_(items, items)].sum(axis=1).argmin()])

    def _unknown(self, label: int, medoid: int) -> np.ndarray:
        items = np.flatnonzero(self.labels == label)
        return items[[self.constraints.known(medoid, i) is None for i in items.tolist()]]

    def _least_known(self) -> int | None:
        """The cluster with the most members that were not compared with its medoid."""
        counts = {label: len(self._unknown(label, self._medoid(label))) for label in np.unique(self.labels).tolist()}
        label = max(counts, key=counts.get)
        return label if counts[label] else None

    def _test(self, label: int) -> Iterator[np.ndarray]:
        items = np.flatnonzero(self.labels == label)
        medoid = self._medoid(label)
        far = self._unknown(label, medoid)
        far = far[np.argsort(-self.D[medoid, far], kind="stable")][:N_TESTS]
        self.pure.add(label)
        for other in far.tolist():
            said, asked = self._ask(medoid, other)
            if not said:
                new = int(self.labels.max()) + 1
                self.labels[items[self.D[other, items] < self.D[medoid, items]]] = new
                self.pure.discard(label)
                self._gains = None
            if asked:
                yield self.labels
            if not said:
                return

    def _merge(self, a: int, b: int) -> Iterator[np.ndarray]:
        said, asked = self._ask(self._medoid(a), self._medoid(b))
        if said:
            self.labels[self.labels == b] = a
            self.apart = {tuple(a if label == b else label for label in pair) for pair in self.apart}
            self._gains = None
        else:
            self.apart.add((a, b))
        if asked:
            yield self.labels

    def _best_pair(self) -> tuple[int, int] | None:
        """The two clusters, not yet told apart, with the largest expected gain; None when there are none."""
        if self._gains is None:
            self._gains = self._all_gains()
        names, gain = self._gains
        place = {int(label): at for at, label in enumerate(names)}
        for a, b in self.apart:
            gain[place[a], place[b]] = gain[place[b], place[a]] = 0
        if not (gain > 0).any():
            return None
        a, b = np.unravel_index(gain.argmax(), gain.shape)
        return int(names[a]), int(names[b])

    def _all_gains(self) -> tuple[np.ndarray, np.ndarray]:
        names, labels = np.unique(self.labels, return_inverse=True)
        member = np.zeros((len(labels), len(names)))
        member[np.arange(len(labels)), labels] = 1
        size = member.sum(axis=0)
        pairs = np.outer(size, size)
        share = size / size.sum()
        both = share[:, None] + share
        fall = both * np.log(both) - share * np.log(share) - (share * np.log(share))[:, None]
        return names, np.triu(self.curve(member.T @ self.D @ member / pairs, pairs) * fall, 1)
