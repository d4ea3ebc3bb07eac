"""The metric of MPCKMeans: quadratic forms learned from scatter and violated constraints.

A form is a (d,) array of its diagonal or a full (d, d) matrix; the functions take either.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from likewise.cluster.groups import Groups, count_members
from likewise.cluster.weighed import Levels
from likewise.kernels.metric.distances import compute_sqeuclidean

Vectors = NDArray[np.float64]
Labels = NDArray[np.int64]

# No direction is stretched more than this many times beyond what the scatter alone would give it.
MAX_STRETCH = 10.0
MAX_HALVINGS = 10


def stretch(X: Vectors, form: Vectors) -> Vectors:
    """Vectors whose Euclidean distances are those of X under the form, (n, d)."""
    return np.ascontiguousarray(X * np.sqrt(form) if form.ndim == 1 else X @ np.linalg.cholesky(form))


def apply_form(X: Vectors, form: Vectors) -> Vectors:
    """Every row of X times the form, (n, d)."""
    return X * form if form.ndim == 1 else X @ form


def log_det(form: Vectors) -> float:
    """Logarithm of the determinant."""
    return float(np.log(form).sum() if form.ndim == 1 else np.linalg.slogdet(form)[1])


def sum_outer(X: Vectors, Y: Vectors, full: bool) -> Vectors:
    """Sum of x yᵀ over paired rows, as a matrix or its diagonal."""
    return X.T @ Y if full else np.einsum("ij,ij->j", X, Y)


class Farthest(NamedTuple):
    """Two items far apart under a form.

    - `ends`, tuple of int: The two.
    - `difference` (d,): Between their vectors.
    - `reach`: Its squared length under the form.
    """

    ends: tuple[int, int]
    difference: Vectors
    reach: float


def farthest(X: Vectors, form: Vectors, ends: tuple[int, ...] = ()) -> Farthest:
    """The two items of X farthest apart under the form, as far as sweeps find them.

    From a start to the item farthest from it, from there on as long as the distance grows: O(nd) a sweep, where
    all pairs would be O(n²d). Starts are the item farthest from the mean and the ends that are given, so the
    pair found is never closer than the given one.

    - `X` (n, d): All items.
    - `form` (d,) or (d, d): The metric.
    - `ends`, tuple of int: Items to start from as well.
    """
    stretched = stretch(X, form)
    from_mean = compute_sqeuclidean(stretched.mean(axis=0)[None], stretched)[0]
    best = (0, 0, 0.0)
    for start in (*ends, int(np.argmax(from_mean))):
        here, gap = start, -1.0
        while True:
            squares = compute_sqeuclidean(stretched[here][None], stretched)[0]
            there = int(np.argmax(squares))
            if squares[there] <= gap:
                break
            gap = float(squares[there])
            if gap > best[2]:
                best = (here, there, gap)
            here = there
    i, j, reach = best
    return Farthest((i, j), X[i] - X[j], reach)


class Tally(NamedTuple):
    """The objective as a function of one form A: ``<A, linear> + price · reach(A) - n_items · log det A``.

    - `linear` (d,) or (d, d): Prior, scatter and violated must-links, less the differences of violated
      cannot-links.
    - `scatter` (d,) or (d, d): Prior and scatter alone; positive definite.
    - `price`: Weight × violated cannot-links, by their own weights.
    - `n_items`: Items of the clusters that share the form, and the prior's share.
    """

    linear: Vectors
    scatter: Vectors
    price: float
    n_items: float

    def value(self, form: Vectors, reach: float) -> float:
        """The part of the objective that depends on the form."""
        return float((form * self.linear).sum()) + self.price * reach - self.n_items * log_det(form)


class Tallies:
    """Sums of the metric step, over groups of the closure instead of its pairs.

    - `X` (n, d): Vectors, best centred.
    - `levels`: The constraints, by weight.
    - `weight`: Factor on every violation.
    - `metric_of` (k,): Which form each cluster has.
    - `prior` (d,) or (d, d): Added to every scatter.
    - `prior_count`: Number of items that it stands for.
    """

    def __init__(
        self, X: Vectors, levels: Levels, weight: float, metric_of: Labels, prior: Vectors, prior_count: float
    ) -> None:
        self.X = X
        self.levels = levels
        self.weight = weight
        self.metric_of = metric_of
        self.n_forms = int(metric_of.max()) + 1
        self.prior = prior
        self.prior_count = prior_count
        self.full = prior.ndim == 2

    def gather(self, labels: Labels, centres: Vectors) -> list[Tally]:
        """One tally a form, for the given labels and centres."""
        scatter = [self.prior.copy() for _ in range(self.n_forms)]
        for cluster, form in enumerate(self.metric_of):
            inside = self.X[labels == cluster] - centres[cluster]
            scatter[form] += sum_outer(inside, inside, self.full)
        spread, met = self._violations(labels)
        sizes = np.bincount(labels, minlength=len(self.metric_of))
        count = self.prior_count + np.bincount(self.metric_of, sizes, self.n_forms)
        return [
            Tally(scatter[f] + self.weight * spread[f], scatter[f], self.weight * met[f], count[f])
            for f in range(self.n_forms)
        ]

    def _violations(self, labels: Labels) -> tuple[Vectors, Vectors]:
        """For every form, what violated pairs add to it, and its violated cannot-links, by their weights.

        A violated must-link counts half its outer square in the form of either end, a cannot-link
        inside a cluster takes its own away.
        """
        spread = np.zeros((self.n_forms, *self.prior.shape))
        met = np.zeros(self.n_forms)
        for factor, groups in self.levels:
            further, n_met = self._violations_of(groups, labels)
            spread += factor * further
            met += factor * n_met
        return spread, met

    def _violations_of(self, groups: Groups, labels: Labels) -> tuple[Vectors, Vectors]:
        """The same for groups without weights."""
        n_clusters = len(self.metric_of)
        spread = np.zeros((self.n_forms, *self.prior.shape))
        met = np.zeros(self.n_forms)
        count = count_members(groups, labels, n_clusters)
        of_member, pairs = groups.of_member, groups.enemy_pairs()
        pairs = pairs[(count[pairs[:, 0]] * count[pairs[:, 1]]).any(axis=1)]
        involved = (count > 0).sum(axis=1) > 1
        involved[pairs.ravel()] = True
        slots = np.flatnonzero(involved[of_member])
        if len(slots) == 0:
            return spread, met
        number = np.cumsum(involved) - 1
        pairs, count = number[pairs], count[involved]
        of_slot = number[of_member[slots]]
        vectors = self.X[groups.members[slots]]
        at = labels[groups.members[slots]]
        sums = np.zeros((len(count), n_clusters, vectors.shape[1]))
        np.add.at(sums, (of_slot, at), vectors)
        total, size = sums.sum(axis=1), count.sum(axis=1)
        for cluster, form in enumerate(self.metric_of):
            here, n_here = sums[:, cluster], count[:, cluster]
            split = np.where(at == cluster, (size - n_here)[of_slot], n_here[of_slot])
            spread[form] += 0.5 * self._laplacian(vectors, split, here, total - here)
            left, right = pairs.T
            enemies = np.bincount(left, n_here[right], len(count)) + np.bincount(right, n_here[left], len(count))
            together = np.where(at == cluster, enemies[of_slot], 0.0)
            spread[form] -= self._laplacian(vectors, together, here[left], here[right])
            met[form] += together.sum() / 2.0
        return spread, met

    def _laplacian(self, vectors: Vectors, partners: Vectors, left: Vectors, right: Vectors) -> Vectors:
        """Outer squares of differences over all pairs, from the partners of each vector and sums of either side."""
        cross = sum_outer(left, right, self.full)
        return sum_outer(vectors * partners[:, None], vectors, self.full) - cross - cross.T


def improve(X: Vectors, form: Vectors, far: Farthest, tally: Tally, *, reaching: bool) -> tuple[Vectors, Farthest]:
    """A form with an objective no higher, and its farthest pair.

    The minimum for a fixed farthest pair is closed; the farthest pair moves with the form, so the step towards
    that minimum is halved until the objective itself falls, or left out.

    - `X` (n, d): All items.
    - `form`, `far`, ndarray and Farthest: The present form and its farthest pair.
    - `tally`: What the objective says about it.
    - `reaching`: Whether there are cannot-links, so that the farthest pair matters.
    """
    goal = _minimum(tally, far)
    before = tally.value(form, far.reach)
    step = 1.0
    for _ in range(MAX_HALVINGS):
        tried = form + step * (goal - form)
        tried_far = farthest(X, tried, far.ends) if reaching else far
        if tally.value(tried, tried_far.reach) < before:
            return tried, tried_far
        step /= 2.0
    return form, far


def _minimum(tally: Tally, far: Farthest) -> Vectors:
    """Count × inverse of the tally's matrix at a fixed farthest pair, within MAX_STRETCH of the scatter's."""
    full = tally.linear.ndim == 2
    difference = far.difference[None]
    matrix = tally.linear + tally.price * sum_outer(difference, difference, full)
    if not full:
        return np.asarray(tally.n_items / np.maximum(matrix, tally.scatter / MAX_STRETCH))
    values, vectors = eigh(matrix, tally.scatter)
    form = tally.n_items * (vectors / np.maximum(values, 1.0 / MAX_STRETCH)) @ vectors.T
    return np.asarray((form + form.T) / 2.0)
