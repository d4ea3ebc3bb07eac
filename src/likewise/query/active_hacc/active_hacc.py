"""Active-HACC: ask the question that is expected to change the clustering most."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import squareform

from likewise.distances.memory import require_square
from likewise.query.active_hacc.centroids import (
    Centres,
    CentreState,
    find_centres,
    group_items,
    group_pairs,
    is_euclidean,
    leaving_items,
    skipped_groups,
    with_groups,
)
from likewise.query.active_hacc.consensus import consensus_probability
from likewise.query.active_hacc.expected_change import EdgeOrder, Effect, Stop, cluster_in_order, rank_effects
from likewise.query.active_hacc.pair_probability import BinnedValues, PairProbability, bin_values
from likewise.query.base import Labels, State, Strategy, open_pairs, take_batch
from likewise.query.calibration import SameCurve
from likewise.query.question import Pair, Question

UNLIKELY = 0.1  # H1: pairs of two clusters up to this probability of being the same are left out
MANY = 1000  # H1: above this number items are grouped beforehand
SHARE = 700 / 1042  # H1: groups an item, as in the paper's largest set
Floats = NDArray[np.float64]

KEPT = 4  # number of sessions whose setup is kept


class Setup(NamedTuple):
    """What is computed once for a session.

    - `order`: Pairs in HACC's order.
    - `values` (n, n): Probabilities that two items are the same; or what they are learned from: the share of
      clusterings that separate the two, or the distance at which average linkage joins them.
    - `codes`: The values in bins.
    - `curve`: Probability as a function of the values, learned from the answers; None when they are probabilities.
    - `cut`: Probability as a function of the distances, which decides where HACC stops; None when the number of
      clusters is known.
    - `grouped`, list of pairs: Items grouped beforehand.
    """

    order: EdgeOrder
    values: Floats
    codes: BinnedValues
    curve: SameCurve | None
    cut: SameCurve | None
    grouped: list[Pair]


class ActiveHACC(Strategy):
    r"""Ask the question with the largest expected change of the whole clustering.

    .. math:: E_J(i, j) = (1 - P_{ij})\,(1 - J^{n}_{ij}) \text{ inside a cluster}, \quad
              P_{ij}\,(1 - J^{y}_{ij}) \text{ across,}

    where J is the Jaccard coefficient between the present clusters and those of HACC with the answer that
    contradicts them. It is the exact maximum over all open pairs; ties go to the lowest (i, j).

    Parameters
    ----------
    n_clusters : int, optional
        Number of clusters; the session's by default. When both are None it is estimated from the answers: HACC joins
        up to the distance at which a curve fitted to the answers is 1/2, and the probability of being the same falls
        with the distance at which average linkage joins the two, by another such curve.
    clusterer : estimator, optional
        Clusterer to use under the answers; :class:`likewise.cluster.HACC` by default. Questions are always chosen
        by HACC.
    probability : array-like of shape (n, n), optional
        Probability that two items are the same, used as given. By default, with a known number of clusters, it rises
        with the share of clusterings in which they are together, by a curve fitted to the answers.
    n_consensus : int, default=100
        Number of these clusterings.
    prune : bool, default=False
        The paper's heuristic H1: pairs of two clusters with a probability of at most 0.1 are left out; and more than
        1,000 items are grouped by k-means beforehand, as `groups` says.
    local : bool, default=False
        The paper's heuristic H2: only changes in the trees that the answer touches are followed.
    n_groups : int, optional
        Number of groups with `prune`, however few the items; by default 67 % of the items where there are more than
        1,000.
    groups : "links" or "centroids", default="links"
        What becomes of the groups: their items stay together and are clustered with the distances they have; or their
        centroids are clustered in their place, as in the paper, and people see the item that is nearest to each. An
        item that an answer keeps from its group is one of its own.

    References
    ----------
    A. Biswas, *Semi-supervised and Active Image Clustering with Pairwise Constraints from Humans*, 2014, §3.2,
    equations 3.2, 3.7 and 3.8. Deviations: instead of the paper's priority queue of edges, pairs of equal
    effect are measured together and only while their probability can make them the best; the share of clusterings
    is not used as the probability itself (pass :func:`~likewise.query.active_hacc.consensus.consensus_probability` as
    `probability` for that); an unknown number of clusters, batches and the fallback to any open pair are ours.

    Examples
    --------
    >>> from likewise import Session
    >>> from likewise.query import ActiveHACC
    >>> X = [[0.0], [0.1], [0.2], [2.0], [2.1], [4.0], [4.1], [4.2]]
    >>> s = Session(X, strategy=ActiveHACC(n_consensus=20), n_clusters=2, random_state=0)
    >>> s.labels_.tolist()
    [0, 0, 0, 0, 0, 1, 1, 1]
    >>> s.ask().kind
    'pair'
    """

    name = "active-hacc"

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        clusterer: Any = None,
        probability: ArrayLike | None = None,
        n_consensus: int = 100,
        prune: bool = False,
        local: bool = False,
        n_groups: int | None = None,
        groups: Literal["links", "centroids"] = "links",
    ) -> None:
        super().__init__(clusterer=clusterer)
        self.n_clusters = n_clusters
        self.probability = probability
        self.n_consensus = n_consensus
        self.prune = prune
        self.local = local
        self.n_groups = n_groups
        self.groups = groups

    def ask(self, state: State, n: int = 1, skip: Collection[Pair] = ()) -> list[Question]:
        """Rank the open pairs; see :meth:`Strategy.ask`. In a batch, each is about other clusters if possible."""
        if state.n < 2:
            return []
        reduced = self._reduced(state)
        if reduced is not None:
            return self._ask_centres(state, reduced, n, skip)
        clusters: dict[Question, Pair] = {}

        def ranked() -> Iterator[Question]:
            for effect in self._effects(state, skip):
                question = Question("pair", (effect.i, effect.j), effect.score, _reason(effect))
                clusters[question] = min(effect.clusters), max(effect.clusters)
                yield question

        batch = take_batch(state, ranked(), n, clusters.__getitem__)
        if len(batch) < n:
            score = float("nan") if batch else 0.0  # none at all: whatever is open changes nothing
            rest = (Question("pair", pair, score, "what is left") for pair in open_pairs(state, skip))
            batch = take_batch(state, chain(batch, ranked(), rest), n)
        return batch

    def _ask_centres(self, state: State, reduced: Reduced, n: int, skip: Collection[Pair]) -> list[Question]:
        """Questions about the centres, put with the items that are shown for them; then whatever is open."""
        centres, asker = reduced
        found = asker.ask(self._centre_state(state, centres), n, skipped_groups(centres, skip))
        asked = []
        for each in found:
            i, j = sorted(centres.shown[list(each.items)].tolist())
            asked.append(Question("pair", (i, j), each.score, each.reason))
        rest = (Question("pair", pair, float("nan"), "what is left") for pair in open_pairs(state, skip))
        return take_batch(state, chain(asked, rest), n)

    def cluster(self, state: State) -> Labels:
        """Clusters of HACC under all answers so far, or those of `clusterer`."""
        if state.constraints.n_open() == 0:
            return state.constraints.labels()
        reduced = self._reduced(state)
        if reduced is not None:
            centres, asker = reduced
            labels = asker.cluster(self._centre_state(state, centres))[centres.group_of]
            inferred = group_pairs(centres.group_of)
        else:
            setup = self._setup(state)
            constraints = with_groups(state.constraints, setup.grouped)
            labels = cluster_in_order(setup.order, constraints, self._stop(state, setup))
            inferred = [pair for pair in setup.grouped if constraints.known(*pair) == "same"]
        return labels if self.clusterer is None else self._with_clusterer(state, int(labels.max()) + 1, inferred)

    def _number(self, state: State) -> int | None:
        number = state.n_clusters if self.n_clusters is None else self.n_clusters
        if number is not None and not 1 <= number <= state.n:
            raise ValueError(f"n_clusters must be between 1 and the {state.n} items, got {number}")
        return number

    def _effects(self, state: State, skip: Collection[Pair]) -> Iterator[Effect]:
        setup = self._setup(state)
        return rank_effects(
            setup.order,
            with_groups(state.constraints, setup.grouped),
            self._stop(state, setup),
            self._likely_same(state, setup),
            skip=[pair for pair in skip if state.is_open(*pair)],
            floor=UNLIKELY if self.prune else 0.0,
            local=self.local,
        )

    def _stop(self, state: State, setup: Setup) -> Stop:
        number = self._number(state)
        if number is not None:
            return Stop(number, len(setup.order))
        assert setup.cut is not None
        even = _even_distance(_fit(setup.cut, state.distances, state))
        return Stop(0, setup.order.count_up_to(even))

    def _likely_same(self, state: State, setup: Setup) -> PairProbability:
        if setup.curve is None:
            return PairProbability(setup.values, setup.codes, _itself, True)
        curve = _fit(setup.curve, setup.values, state)
        return PairProbability(setup.values, setup.codes, curve, False)

    def _setup(self, state: State) -> Setup:
        """The setup of a session, computed once; those of the last few sessions are kept."""
        number = self._number(state)
        key = (state.metric, number, state.seed, self.get_params(deep=False) | {"clusterer": None})
        kept: list[tuple[Any, Any, Setup]] = self.__dict__.setdefault("_kept", [])
        for X, made_for, setup in kept:
            if X is state.X and _equal(made_for, key):
                return setup
        setup = self._prepare(state, number)
        kept[:] = [(state.X, key, setup), *kept[: KEPT - 1]]
        return setup

    def _prepare(self, state: State, number: int | None) -> Setup:
        require_square(state.n, 6, "the asker 'active-hacc'")
        D = state.distances
        order = EdgeOrder(D)
        curve = None
        if self.probability is not None:
            values = _check_probability(self.probability, state.n)
        else:
            values = _join_distances(D) if number is None else 1.0 - self._consensus(state, number)
            curve = _start_curve(values, values[np.triu_indices(state.n, 1)])
        cut = _start_curve(D, order.lengths) if number is None else None
        return Setup(order, values, bin_values(values), curve, cut, self._group(state))

    def _consensus(self, state: State, number: int) -> Floats:
        euclidean = is_euclidean(state)
        return consensus_probability(
            state.X if euclidean else state.distances,
            number,
            metric="euclidean" if euclidean else "precomputed",
            n_runs=self.n_consensus,
            random_state=state.seed,
        )

    def _group(self, state: State) -> list[Pair]:
        """Pairs that group close items beforehand: none without `prune`, or when the items are few."""
        return group_pairs(group_items(state, self._n_groups(state))) if self._n_groups(state) else []

    def _n_groups(self, state: State) -> int:
        """How many groups to make; 0 for none."""
        if not self.prune or (self.n_groups is None and state.n <= MANY):
            return 0
        return round(SHARE * state.n) if self.n_groups is None else min(self.n_groups, state.n)

    def _reduced(self, state: State) -> Reduced | None:
        """The centres of the groups as far as the answers allow them; None where items are clustered themselves."""
        if self.groups not in ("links", "centroids"):
            raise ValueError(f"groups must be 'links' or 'centroids', got {self.groups!r}")
        if self.groups == "links" or not self._n_groups(state):
            return None
        key = (state.metric, state.seed, self.get_params(deep=False) | {"clusterer": None})
        kept: tuple[Any, Any, Labels, dict[tuple[int, ...], Reduced]] | None = self.__dict__.get("_grouped")
        if kept is None or kept[0] is not state.X or not _equal(kept[1], key):
            kept = (state.X, key, group_items(state, self._n_groups(state)), {})
            self.__dict__["_grouped"] = kept
        _, _, labels, made = kept
        leaving = leaving_items(state.constraints, group_pairs(labels))
        if leaving not in made:
            made.clear()
            centres = find_centres(state, labels, leaving)
            made[leaving] = Reduced(centres, self._of_centres(state, centres))
        return made[leaving]

    def _of_centres(self, state: State, centres: Centres) -> ActiveHACC:
        """The same asker for the centres."""
        P = None if self.probability is None else _check_probability(self.probability, state.n)
        return _Ungrouped(
            self.n_clusters,
            probability=None if P is None else P[np.ix_(centres.shown, centres.shown)],
            n_consensus=self.n_consensus,
            prune=self.prune,
            local=self.local,
        )

    def _centre_state(self, state: State, centres: Centres) -> CentreState:
        number = self._number(state)
        if number is not None and number > len(centres.X):
            raise ValueError(f"n_groups must be at least the {number} clusters, got {len(centres.X)}")
        return CentreState(state, centres, state.constraints)


class _Ungrouped(ActiveHACC):
    """The asker for items that are groups already."""

    def _n_groups(self, state: State) -> int:
        return 0


class Reduced(NamedTuple):
    """Centres of groups, and who asks about them."""

    centres: Centres
    asker: ActiveHACC


def _reason(effect: Effect) -> str:
    now, answer = ("one cluster", "different") if effect.together else ("two clusters", "same")
    return f"in {now} now; {answer!r} would change {effect.change:.1%} of the clustering"


def _itself(values: Floats) -> Floats:
    return values


def _equal(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether two keys are equal; an array among the parameters is equal only to itself."""
    *plain, params = one
    *others, other_params = other
    return plain == others and all(
        params[name] is other_params[name] or (name != "probability" and params[name] == other_params[name])
        for name in params
    )


def _join_distances(D: Floats) -> Floats:
    """Distance at which average linkage joins two items, for all pairs."""
    flat = squareform(D, checks=False)
    return np.asarray(squareform(cophenet(linkage(flat, "average"))))


def _start_curve(values: Floats, of_pairs: Floats) -> SameCurve:
    """A curve before any answer: nearest neighbours are probably the same, random pairs are not."""
    nearest = np.where(np.eye(len(values), dtype=bool), np.inf, values).min(axis=1)
    return SameCurve(nearest, of_pairs)


def _fit(curve: SameCurve, values: Floats, state: State) -> SameCurve:
    """The curve fitted to all answers, whatever their order."""
    same, different = state.constraints.must_link, state.constraints.cannot_link
    pairs = np.vstack([same, different])
    return curve.fit(values[pairs[:, 0], pairs[:, 1]], np.repeat([True, False], [len(same), len(different)]))


def _even_distance(curve: SameCurve) -> float:
    """Distance at which the curve is 1/2."""
    level, slope, _ = curve.coef_
    if slope > 0:
        return float(curve.scale * level / slope)
    return float("inf") if level > 0 else -1.0


def _check_probability(probability: ArrayLike, n: int) -> Floats:
    values = np.asarray(probability, np.float64)
    if values.shape != (n, n):
        raise ValueError(f"probability must be of shape ({n}, {n}), got {values.shape}")
    if not (np.isfinite(values).all() and values.min() >= 0 and values.max() <= 1):
        raise ValueError("probability must lie between 0 and 1")
    if not np.array_equal(values, values.T):
        raise ValueError("probability must be symmetric")
    return np.ascontiguousarray(values)
