"""The dendrogram asker: whole pieces of a tree first, single pictures later, always what may settle the most pairs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.graphs.tree_cuts import find_blocks
from likewise.query.answers.quality import Apart
from likewise.query.base import Labels, State, Strategy, open_pairs, take_batch
from likewise.query.calibration import SameCurve
from likewise.query.dendrogram.doubt import Doubts
from likewise.query.dendrogram.ground import Evidence, Floats, Graph, Ground, survey
from likewise.query.dendrogram.reading import Reading, read
from likewise.query.dendrogram.regroup import merge_probability, regroup
from likewise.query.dendrogram.relearning import answers_learned_from, can_relearn, relearn_graph
from likewise.query.question import Answer, Pair, Question

DOUBT_POWER = 1.5  # people confirm members more often than tree and graph expect; measured
N_STAND_INS = 8  # items of each side that are tried when the best pair was put to this person before
N_FIRST = 256  # candidates sorted at first; the rest only when these do not do
MOST_COMPARED = 512  # items that an item is compared with when a medoid is looked for


class DendrogramAsker(Strategy):
    r"""Ask what may settle the most pairs: whether two clusters are one, or whether a part belongs to its cluster.

    Average linkage gives a tree once. :class:`~likewise.query.calibration.SameCurve`, fitted anew after every answer,
    says how probably two sets are the same; the tree is joined up to the height where this falls below ½, and what
    people said spreads from there over the graph of nearest neighbours (:func:`~likewise.query.dendrogram.reading.read`). From
    50 answers on, and again after every quarter more, this graph is drawn anew under a distance learned from them
    (:func:`~likewise.query.dendrogram.relearning.relearn_graph`). Of these clusters two kinds of questions are asked, always
    the one that is worth the most:

    - are clusters A and B the same? worth :math:`P \cdot |A||B|`, where P is the curve's probability at their mean
      distance, times :math:`\min(1, 2\sqrt{g})` with g the share of B in what A's neighbours carry, or of A in B's;
    - does a part S, a subtree down to one item, belong to its cluster C? worth
      :math:`(1 - P)^{3/2} |S| (|C| - |S|)`, where P is the mean of the curve's probability at the merge that
      brought S to C and of the share of C in what reaches S.

    Each is put as a question between two items that stand for the sides: those said most of, else the medoids. The
    number of clusters is not needed; where it is told, what follows from it is read and asked
    last (:func:`~likewise.query.answers.exclusion.by_exclusion`). With perfect answers it ends with the exact classes.

    Parameters
    ----------
    clusterer : estimator, optional
        Who clusters under the answers instead; questions are chosen as before.
    n_neighbors : int, default=5
        Neighbours of an item in the graph over which answers spread.
    recheck : bool, default=False
        Whether answers may be wrong. Then a third kind of question is asked where it is worth the most
        (:class:`~likewise.query.dendrogram.doubt.Doubts`), about items whose answer follows from earlier ones, when one of
        these is doubtful; and answers that more contradict are set aside for those
        (:func:`~likewise.query.answers.ledger.outvote_statements`).

    References
    ----------
    The questions are those of hierarchical sampling — S. Dasgupta, D. Hsu, *Hierarchical Sampling for Active
    Learning*, ICML 2008, §3: a tree, cut where the answers allow — asked about pairs instead of labels. Spreading is
    that of D. Zhou et al., *Learning with Local and Global Consistency*, NIPS 2003, §2, with row-normalised weights,
    items of known clusters held fixed, and only the eight strongest labels kept. Worth and probabilities are ours.

    Examples
    --------
    >>> from likewise import Session
    >>> s = Session([[0.0], [0.1], [0.2], [5.0], [5.1]], strategy="dendrogram", random_state=0)
    >>> question = s.ask()
    >>> question.reason
    'are these 2 pictures really part of this group of 3 others?'
    >>> s.answer(question, "different")
    >>> s.labels_.tolist()
    [0, 0, 0, 1, 1]
    """

    name = "dendrogram"
    _kept_ground: tuple[Any, Ground, Evidence] | None = None
    _kept_graph: tuple[Any, list[Answer], Graph | None] | None = None
    _kept_reading: tuple[Any, list[Answer], Reading] | None = None

    def __init__(self, *, clusterer: Any = None, n_neighbors: int = 5, recheck: bool = False) -> None:
        super().__init__(clusterer=clusterer)
        self.n_neighbors = n_neighbors
        self.recheck = recheck

    @property
    def outvotes(self) -> bool:
        """Whether answers that more contradict are set aside for those."""
        return self.recheck

    def ask(self, state: State, n: int = 1, skip: Collection[Pair] = ()) -> list[Question]:
        """The questions worth the most; see :meth:`Strategy.ask`."""
        if state.n < 2:
            return []
        told = state.with_exclusion()
        batch = take_batch(told, self._ranked(told, skip), n)
        return batch if batch or told is state else take_batch(state, _left_over(state, skip), n)

    def cluster(self, state: State) -> Labels:
        """Clusters under everything said so far."""
        if self.clusterer is not None:
            return super().cluster(state)
        if state.n < 2:
            return np.zeros(state.n, np.int64)
        reading = self._read(state.with_exclusion())
        return reading.labels.copy() if state.n_clusters is None else regroup(reading, state.n_clusters)

    def count_clusters(self, state: State) -> int:
        """The number of clusters given, else as many as are seen."""
        if state.n_clusters is not None or state.n < 2:
            return state.n_clusters or 1
        return self._read(state).n_clusters

    def expect_apart(self, state: State) -> Apart | None:
        """What is expected of pairs that are the same and lie in different clusters."""
        if state.n < 2 or self.clusterer is not None:
            return None
        return Apart.of(self._read(state.with_exclusion()))

    def _read(self, state: State) -> Reading:
        key = (state.X, state.metric, state.seed, state.n_clusters, self.n_neighbors)
        kept = self._kept_reading
        if kept is not None and _is_same(kept[0], key) and kept[1] == state.history:
            return kept[2]
        ground, evidence = self._survey(state, key)
        evidence.take(state.ledger.standing())
        curve = SameCurve(ground.near, ground.far).fit(evidence.distances, evidence.same, evidence.pairs)
        reading = read(self._relearn(state, key, ground), curve, state.constraints)
        self._kept_reading = key, list(state.history), reading
        return reading

    def _survey(self, state: State, key: Any) -> tuple[Ground, Evidence]:
        if self._kept_ground is None or not _is_same(self._kept_ground[0], key):
            ground = survey(state, self.n_neighbors)
            self._kept_ground = key, ground, Evidence(ground)
        return self._kept_ground[1:]

    def _relearn(self, state: State, key: Any, ground: Ground) -> Ground:
        """The ground with its graph drawn anew from the answers, now and then."""
        n_answers = answers_learned_from(len(state.history))
        if n_answers == 0 or not can_relearn(state):
            return ground
        kept, past = self._kept_graph, state.history[:n_answers]
        if kept is None or not _is_same(kept[0], key) or kept[1] != past:
            kept = key, past, relearn_graph(state.after(n_answers), self.n_neighbors)
            self._kept_graph = kept
        return ground if kept[2] is None else replace(ground, graph=kept[2])

    def _ranked(self, state: State, skip: Collection[Pair]) -> Iterator[Question]:
        """All questions, best first; at the end those that no candidate stands for."""
        reading = self._read(state)
        merges, parts = Merges.of(reading), Parts.of(reading)
        unsure = [(a.items[0], a.items[1]) for a in state.history if a.kind == "pair" and a.value == "unsure"]
        halve_unsure(unsure, reading, merges, parts)
        worth, doubts = [merges.worth, parts.worth], None
        if self.recheck and self._kept_ground:
            doubts = Doubts.of(state, reading, self._kept_ground[2])
            doubts.halve_unsure(unsure)
            worth.append(doubts.worth)
        for at in _descending(np.concatenate(worth)):
            if at < len(merges.worth):
                question = merges.question(reading, at, state, skip)
            elif (rest := at - len(merges.worth)) < len(parts.worth):
                question = parts.question(reading, rest, state, skip)
            elif doubts is not None:
                question = doubts.question(reading, rest - len(parts.worth), skip)
            if question is not None:
                yield question
        yield from _left_over(state, skip)


@dataclass
class Merges:
    """Pairs of clusters that are not known to differ: left, right (m,) and what asking is worth (m,)."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    worth: Floats

    @classmethod
    def of(cls, reading: Reading) -> Merges:
        """Those of a reading."""
        probability = merge_probability(reading)
        left, right = np.nonzero(np.triu(probability > 0, 1))
        return cls(left, right, probability[left, right] * reading.sizes[left] * reading.sizes[right])

    def question(self, reading: Reading, at: int, state: State, skip: Collection[Pair]) -> Question | None:
        """Are they the same? None when all items that could stand for them were put to this person."""
        a, b = int(self.left[at]), int(self.right[at])
        pair = _first_open(state, skip, _stand_ins(reading, a), _stand_ins(reading, b))
        small, large = sorted(reading.sizes[[a, b]].astype(int).tolist())
        if large == 1:
            reason = "these two pictures look alike: are they the same?"
        elif small == 1:
            reason = f"this picture looks like a group of {large}: is it one of them?"
        else:
            sizes = "{:.0f} and {:.0f}".format(*reading.sizes[[a, b]])
            reason = f"these two groups of {sizes} pictures look alike: are they the same?"
        return None if pair is None else Question("pair", pair, float(self.worth[at]), reason)


@dataclass
class Parts:
    """Subtrees inside clusters without an item of the core: nodes, clusters and worth of asking, each (m,)."""

    nodes: NDArray[np.int64]
    clusters: NDArray[np.int64]
    worth: Floats

    @classmethod
    def of(cls, reading: Reading) -> Parts:
        """The largest such subtrees of a reading."""
        tree = reading.ground.tree
        nodes = find_blocks(tree.children, tree.parent, np.where(reading.cores, -1, reading.labels))
        clusters = reading.labels[tree.leaves[tree.first[nodes]]]
        size = tree.size[nodes].astype(np.float64)
        sums = np.concatenate([[0.0], np.cumsum(reading.own_shares[tree.leaves])])
        own = (sums[tree.first[nodes] + tree.size[nodes]] - sums[tree.first[nodes]]) / size
        brought = reading.node_probability[tree.parent[nodes] - len(tree.leaves)]
        doubt = np.maximum(1 - (brought + own) / 2, 1e-9)
        return cls(nodes, clusters, doubt**DOUBT_POWER * size * (reading.sizes[clusters] - size))

    def question(self, reading: Reading, at: int, state: State, skip: Collection[Pair]) -> Question | None:
        """Does it belong there? None when all items that could stand for it were put to this person."""
        items = reading.ground.tree.items(int(self.nodes[at]))
        cluster = int(self.clusters[at])
        pair = _first_open(state, skip, _most_telling(reading, items), _stand_ins(reading, cluster))
        rest = int(reading.sizes[cluster]) - len(items)
        if len(items) == 1:
            reason = f"is this picture really one of this group of {rest}?"
        else:
            reason = f"are these {len(items)} pictures really part of this group of {rest} others?"
        return None if pair is None else Question("pair", pair, float(self.worth[at]), reason)


def halve_unsure(unsure: list[Pair], reading: Reading, merges: Merges, parts: Parts) -> None:
    """Halve the worth of what somebody was unsure about, once for every such pair."""
    if not unsure:
        return
    pair_at = {key: k for k, key in enumerate(zip(merges.left.tolist(), merges.right.tolist(), strict=True))}
    part_of = {int(i): k for k, v in enumerate(parts.nodes) for i in reading.ground.tree.items(int(v))}
    for i, j in unsure:
        a, b = sorted(reading.labels[[i, j]].tolist())
        if (a, b) in pair_at:
            merges.worth[pair_at[a, b]] /= 2
        for item in (i, j) if a == b else ():
            if item in part_of:
                parts.worth[part_of[item]] /= 2


def _left_over(state: State, skip: Collection[Pair]) -> Iterator[Question]:
    reason = "nothing more telling is left, and this is not known yet"
    return (Question("pair", pair, 0.0, reason) for pair in open_pairs(state, skip))


def _is_same(key: Any, other: Any) -> bool:
    return key[0] is other[0] and key[1:] == other[1:]


def _descending(values: Floats) -> Iterator[int]:
    """Positions by falling value, ties by position; all are sorted only when more than the first are read."""
    enough = np.partition(values, -N_FIRST)[-N_FIRST] if len(values) > N_FIRST else -np.inf
    for some in (values >= enough, values < enough):
        positions = np.flatnonzero(some)
        yield from positions[np.argsort(-values[positions], kind="stable")].tolist()


def _stand_ins(reading: Reading, cluster: int) -> NDArray[np.int64]:
    """Items that stand for a cluster: its core, then the others, each from the middle outwards."""
    items = np.flatnonzero(reading.labels == cluster)
    order = np.lexsort((items, reading.centrality[items], ~reading.cores[items]))
    return np.asarray(items[order[:N_STAND_INS]])


def _most_telling(reading: Reading, items: NDArray[np.int64]) -> NDArray[np.int64]:
    """Items that stand for a part: those in the largest known groups first, then from the middle outwards."""
    others = items[np.linspace(0, len(items) - 1, min(len(items), MOST_COMPARED)).astype(np.int64)]
    middle = reading.ground.D[np.ix_(items, others)].sum(axis=1, dtype=np.float64)
    said = np.where(reading.said.mentioned[items], reading.said.sizes[reading.said.groups[items]], 0)
    return np.asarray(items[np.lexsort((items, middle, -said))[:N_STAND_INS]])


def _first_open(
    state: State, skip: Collection[Pair], left: NDArray[np.int64], right: NDArray[np.int64]
) -> Pair | None:
    """The first pair that may be asked; items late in either list are tried last."""
    tries = sorted((s + t, s, t) for s in range(len(left)) for t in range(len(right)))
    pairs = ((int(left[s]), int(right[t])) for _, s, t in tries)
    return next((pair for pair in pairs if state.is_open(*pair, skip)), None)
