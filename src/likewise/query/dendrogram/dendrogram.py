"""The dendrogram asker: large parts of a tree first, single items later, always what may settle the most pairs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.renamed import renamed_argument
from likewise.distances.neighbours import Neighbours
from likewise.kernels.graphs.cluster_values import part_values
from likewise.query.answers.quality import MissedPairs
from likewise.query.base import Labels, State, Strategy, open_pairs, take_batch
from likewise.query.dendrogram.answered_distances import AnsweredDistances
from likewise.query.dendrogram.candidates import MergeCandidates
from likewise.query.dendrogram.estimate import ClusterEstimate, ClusterReader
from likewise.query.dendrogram.geometry import Floats
from likewise.query.dendrogram.growth import follow_stages
from likewise.query.dendrogram.learned_graph import answers_learned_from, can_learn, learn_graph
from likewise.query.dendrogram.merge_split import merge_or_split
from likewise.query.dendrogram.recheck import NONE, KeptSides, Rechecks
from likewise.query.dendrogram.recheck_grids import doubtful_grids
from likewise.query.dendrogram.remaining import NOTHING_LEFT, Remaining, WorkLeft, estimate_remaining
from likewise.query.dendrogram.remembered_cut import RememberedCut
from likewise.query.dendrogram.representatives import first_open, part_representatives, representatives
from likewise.query.dendrogram.screens import ScreenCandidates, ScreenChooser
from likewise.query.dendrogram.structure import Graph, Structure
from likewise.query.form_times import FormTime
from likewise.query.question import Answer, Form, Pair, Question

N_FIRST = 256  # candidates sorted at first; the rest only when these do not suffice


class DendrogramAsker(Strategy):
    r"""Ask what may settle the most pairs: whether two clusters are one, or whether a part belongs to its cluster.

    Average linkage gives a tree once. :class:`~likewise.query.calibration.SameCurve`, fitted anew after every answer,
    gives the probability that two sets are the same; the tree is joined where this is above ½, with some inertia
    (:class:`~likewise.query.dendrogram.remembered_cut.RememberedCut`), and the answers are propagated from there
    over the graph of nearest neighbours (:class:`~likewise.query.dendrogram.estimate.ClusterReader`). From 50
    answers on, and again after every half more (of many items: twice as many), it is made anew under a learned distance
    (:func:`~likewise.query.dendrogram.learned_graph.learn_graph`). Two kinds of questions are asked about these
    clusters, always the one with the highest value:

    - are clusters A and B the same? Its value is :math:`P \cdot |A||B|`, where P is the curve's probability at their
      mean distance, times :math:`\min(1, 2\sqrt{g})` with g the share of B among the labels of A's neighbours, or of A
      among those of B's;
    - does a part S, a subtree down to one item, belong to its cluster C? Its value is
      :math:`(1 - P)^{3/2} |S| (|C| - |S|)`, where P is the mean of the curve's probability at the merge that
      joined S to C and of the share of C among the labels that reach S.

    Each is asked about two items that represent the sides: those in the largest known groups, else the medoids. The
    number of clusters is not needed; where it is known, what follows from it by exclusion is inferred, and asked last
    (:func:`~likewise.query.answers.exclusion.by_exclusion`). With perfect answers it ends with the exact classes.

    Parameters
    ----------
    clusterer : estimator, optional
        Clusterer to use under the answers instead; questions are chosen as before.
    n_neighbors : int, default=5
        Number of neighbours of an item in the graph over which answers are propagated.
    neighbors : Neighbours, optional
        The 15 or more nearest of every item, found before (by :func:`likewise.distances.nearest_on_dask`, say).
    neighbours : Neighbours, optional
        Name of before of `neighbors`.
    recheck : bool, default=False
        Whether answers may be wrong. Then a third kind of question is asked
        (:class:`~likewise.query.dendrogram.recheck.Rechecks`), about items whose answer follows from earlier ones,
        when one of these is doubtful; and outvoted answers are set aside
        (:class:`~likewise.query.answers.ledger.Ledger`).

    References
    ----------
    The questions are those of hierarchical sampling — S. Dasgupta, D. Hsu, *Hierarchical Sampling for Active
    Learning*, ICML 2008, §3: a tree, cut where the answers allow — asked about pairs instead of labels. Propagation
    is that of D. Zhou et al., *Learning with Local and Global Consistency*, NIPS 2003, §2, with row-normalised
    weights, items of known clusters held fixed, and only the eight strongest labels kept. Values and probabilities
    are ours.

    Examples
    --------
    >>> from likewise import Session
    >>> s = Session([[0.0], [0.1], [0.2], [5.0], [5.1]], strategy="dendrogram", random_state=0)
    >>> question = s.ask()
    >>> question.reason
    'they may not belong together'
    >>> s.answer(question, "different")
    >>> s.labels_.tolist()
    [0, 0, 0, 1, 1]
    """

    name = "dendrogram"
    _kept_structure: tuple[Any, Structure, AnsweredDistances, RememberedCut, ClusterReader] | None = None
    _kept_graph: tuple[Any, list[Answer], Graph | None] | None = None
    _kept_estimate: tuple[Any, list[Answer], ClusterEstimate] | None = None

    def __init__(
        self,
        *,
        clusterer: Any = None,
        n_neighbors: int = 5,
        neighbors: Neighbours | None = None,
        neighbours: Neighbours | None = None,
        recheck: bool = False,
    ) -> None:
        super().__init__(clusterer=clusterer)
        self.n_neighbors = n_neighbors
        self.neighbors = neighbors
        self.neighbours = neighbours
        self.recheck = recheck
        self._kept_sides: KeptSides = {}

    @property
    def outvotes(self) -> bool:
        """Whether an outvoted answer is set aside."""
        return self.recheck

    def ask(self, state: State, n: int = 1, skip: Collection[Pair] = ()) -> list[Question]:
        """The questions with the highest value; see :meth:`Strategy.ask`."""
        if state.n < 2:
            return []
        inferred = state.with_exclusion()
        batch = take_batch(inferred, self._ranked(inferred, skip), n)
        return batch if batch or inferred is state else take_batch(state, _left_over(state, skip), n)

    def ask_forms(
        self, state: State, n: int, skip: Collection[Pair], forms: Collection[Form], times: Mapping[Form, FormTime]
    ) -> list[Question]:
        """The questions that settle most in a second, each in the form in which it does.

        - `state`, `n`, `skip`: As of :meth:`ask`.
        - `forms`, collection of "pair", "grid" and "pick": The forms to choose from; pairs where nothing else fits.
        - `times`, mapping of form to FormTime: Seconds that the person takes.
        """
        if state.n < 2:
            return []
        inferred = state.with_exclusion()
        batch = take_batch(inferred, self._ranked_forms(inferred, skip, forms, times), n)
        return batch if batch or inferred is state else take_batch(state, _left_over(state, skip), n)

    def cluster(self, state: State) -> Labels:
        """Clusters under all answers so far."""
        if self.clusterer is not None:
            return super().cluster(state)
        if state.n < 2:
            return np.zeros(state.n, np.int64)
        estimate = self._estimate(state.with_exclusion())
        return estimate.numbers.copy() if state.n_clusters is None else merge_or_split(estimate, state.n_clusters)

    def count_clusters(self, state: State) -> int:
        """The number of clusters given, else the number found."""
        if state.n_clusters is not None or state.n < 2:
            return state.n_clusters or 1
        return self._estimate(state).n_clusters

    def expect_missed_pairs(self, state: State) -> MissedPairs | None:
        """What is expected of pairs that are the same and lie in different clusters."""
        if state.n < 2 or self.clusterer is not None:
            return None
        inferred = state.with_exclusion()
        estimate = self._estimate(inferred)
        missed = MissedPairs.of(estimate)
        if (doubts := self._rechecks(inferred, estimate)) is not None:
            missed = missed.with_doubts(doubts)
        return missed if state.n_clusters is None else missed.between(estimate.numbers, self.cluster(state))

    def remaining(self, state: State, forms: Collection[Form], times: Mapping[Form, FormTime]) -> Remaining:
        """Seconds of a person that are left; see :func:`~likewise.query.dendrogram.remaining.estimate_remaining`."""
        if state.n < 2 or state.constraints.n_open() == 0:
            return NOTHING_LEFT
        inferred = state.with_exclusion()
        estimate, merges, parts = self._candidates(inferred)
        work = WorkLeft(estimate, _what_may_be_asked(merges, parts), forms, times)
        return estimate_remaining(inferred, estimate, work, times)

    def _estimate(self, state: State) -> ClusterEstimate:
        key = (state.stages[-1][0], state.metric, state.seed, state.n_clusters, self.n_neighbors)
        kept = self._kept_estimate
        if kept is not None and _is_same(kept[0], key) and kept[1] == state.history:
            return kept[2]
        structure, answered, cut, reader = self._structure(state, key)
        statements, screens = state.ledger.standing(), state.standing_screens()
        answered.update(statements, screens)
        joined = cut.update(answered, statements, screens)
        graph = self._learn(state, key, structure)
        estimate = reader.read(cut.curve, state.constraints, joined=joined, asked=_chosen(state), graph=graph)
        self._kept_estimate = key, list(state.history), estimate
        return estimate

    def _structure(self, state: State, key: Any) -> tuple[Structure, AnsweredDistances, RememberedCut, ClusterReader]:
        if self._kept_structure is None or not _is_same(self._kept_structure[0], key):
            found = renamed_argument(self, "neighbours", "neighbors")
            given = None if found is None else Neighbours(*found)
            structure = follow_stages(state, self.n_neighbors, self._known_stage(state, key), given)
            parts = AnsweredDistances(structure), RememberedCut(structure), ClusterReader(structure)
            self._kept_structure = key, structure, *parts
        return self._kept_structure[1:]

    def _known_stage(self, state: State, key: Any) -> tuple[int, Structure] | None:
        """The structure that is kept, if it is one of an earlier stage of the state, and the number of the stage."""
        if self._kept_structure is None:
            return None
        made_for, structure = self._kept_structure[:2]
        stages = (at for at, (stage, _) in enumerate(state.stages) if _is_same(made_for, (stage, *key[1:])))
        return next(((at, structure) for at in stages), None)

    def _learn(self, state: State, key: Any, structure: Structure) -> Graph | None:
        """The graph learned from the answers, once there are enough."""
        n_answers = answers_learned_from(len(state.history), state.n)
        if n_answers == 0 or not can_learn(state):
            return None
        kept, past = self._kept_graph, state.history[:n_answers]
        if kept is None or not _is_same(kept[0], key) or kept[1] != past:
            kept = key, past, learn_graph(state.after(n_answers), structure.neighbours, self.n_neighbors)
            self._kept_graph = kept
        return kept[2]

    def _ranked(self, state: State, skip: Collection[Pair]) -> Iterator[Question]:
        """All pairs, best first; at the end the open pairs that no candidate covers."""
        estimate, merges, parts = self._candidates(state)
        return self._ranked_pairs(state, skip, estimate, merges, parts, self._rechecks(state, estimate))

    def _ranked_forms(
        self, state: State, skip: Collection[Pair], forms: Collection[Form], times: Mapping[Form, FormTime]
    ) -> Iterator[Question]:
        """Screens and pairs, what settles most in a second first."""
        estimate, merges, parts = self._candidates(state, in_screens=True)
        found = _what_may_be_asked(merges, parts)
        screens = ScreenChooser(estimate, state, skip, found, times).screens(forms)
        rechecks = self._rechecks(state, estimate)
        if rechecks is not None and "grid" in forms:
            screens += doubtful_grids(rechecks, estimate, state, skip, times["grid"])
            screens.sort(key=lambda screen: -screen.rate)
        for question in self._ranked_pairs(state, skip, estimate, merges, parts, rechecks):
            rate = question.score / times["pair"].seconds()
            while screens and ("pair" not in forms or screens[0].rate > rate):
                yield screens.pop(0).question
            yield question

    def _candidates(self, state: State, *, in_screens: bool = False) -> tuple[ClusterEstimate, Merges, Parts]:
        """The clusters, and what may be asked about them, by pairs only or also by screens.

        Nothing where all is known of what may be asked about.
        """
        estimate = self._estimate(state)
        if not state.has_open():
            return estimate, Merges(NONE, NONE, np.zeros(0)), Parts(NONE, NONE, np.zeros(0))
        merges, parts = Merges.of(estimate, in_screens=in_screens), Parts.of(estimate)
        halve_unsure(unsure_pairs(state), estimate, merges, parts)
        return estimate, merges, parts

    def doubts(self, state: State) -> Rechecks | None:
        """What is believed, and with what probability it is wrong; None without `recheck`."""
        return self._rechecks(state, self._estimate(state))

    def _rechecks(self, state: State, estimate: ClusterEstimate) -> Rechecks | None:
        """Answers that may be wrong, if they are looked for."""
        if not self.recheck or self._kept_structure is None:
            return None
        rechecks = Rechecks.of(state, estimate, self._kept_structure[2], self._kept_sides)
        rechecks.halve_unsure(unsure_pairs(state))
        return rechecks

    def _ranked_pairs(
        self,
        state: State,
        skip: Collection[Pair],
        estimate: ClusterEstimate,
        merges: Merges,
        parts: Parts,
        rechecks: Rechecks | None,
    ) -> Iterator[Question]:
        value = [merges.value, parts.value, *([] if rechecks is None else [rechecks.value])]
        for at in _descending(np.concatenate(value)):
            if at < len(merges.value):
                question = merges.question(estimate, at, state, skip)
            elif (rest := at - len(merges.value)) < len(parts.value):
                question = parts.question(estimate, rest, state, skip)
            elif rechecks is not None:
                question = rechecks.question(estimate, rest - len(parts.value), state, skip)
            if question is not None:
                yield question
        yield from _left_over(state, skip)


@dataclass
class Merges:
    """Pairs of clusters not known to differ: left, right (m,) and the value of asking about each (m,).

    A pair may be there twice, and its value is the higher one.
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    value: Floats

    @classmethod
    def of(cls, estimate: ClusterEstimate, *, in_screens: bool = False) -> Merges:
        """Those of an estimate; where screens are asked, what is small for a class is looked for in larger ones."""
        found, sizes = MergeCandidates.of(estimate), estimate.sizes
        if in_screens:
            found = found.unique().with_small_placed(sizes)
        return cls(found.left, found.right, found.probability * sizes[found.left] * sizes[found.right])

    def question(self, estimate: ClusterEstimate, at: int, state: State, skip: Collection[Pair]) -> Question | None:
        """Are they the same? None when this person has seen all pairs of their representatives."""
        a, b = int(self.left[at]), int(self.right[at])
        pair = first_open(state, skip, representatives(estimate, a, state), representatives(estimate, b, state))
        return None if pair is None else Question("pair", pair, float(self.value[at]), "they look alike")


@dataclass
class Parts:
    """Subtrees inside clusters without an item of the core: node, cluster and value of asking, each (m,)."""

    nodes: NDArray[np.int64]
    clusters: NDArray[np.int64]
    value: Floats

    @classmethod
    def of(cls, estimate: ClusterEstimate) -> Parts:
        """The largest such subtrees of an estimate."""
        parts = estimate.parts
        return cls(parts.nodes, parts.values.label, part_values(parts.values, estimate.sizes, estimate.curve.odds))

    def question(self, estimate: ClusterEstimate, at: int, state: State, skip: Collection[Pair]) -> Question | None:
        """Does it belong there? None when this person has seen all pairs of their representatives."""
        items = estimate.structure.tree.items(int(self.nodes[at]))
        cluster = int(self.clusters[at])
        of_part = part_representatives(estimate, items, state)
        pair = first_open(state, skip, of_part, representatives(estimate, cluster, state)) if len(of_part) else None
        reason = "they may not belong together"
        return None if pair is None else Question("pair", pair, float(self.value[at]), reason)


def _what_may_be_asked(merges: Merges, parts: Parts) -> ScreenCandidates:
    return ScreenCandidates((parts.nodes, parts.clusters, parts.value), (merges.left, merges.right, merges.value))


def unsure_pairs(state: State) -> list[Pair]:
    """Pairs that somebody was unsure about, once for every time; of a screen, its first item and each other."""
    unsure = (a for a in state.history if a.value == "unsure" and a.kind in ("pair", "grid", "pick"))
    return [(a.items[0], other) for a in unsure for other in a.items[1:]]


def halve_unsure(unsure: list[Pair], estimate: ClusterEstimate, merges: Merges, parts: Parts) -> None:
    """Halve the value of questions that somebody was unsure about, once for every such pair."""
    if not unsure:
        return
    labels, tree = estimate.labels, estimate.structure.tree
    is_part = np.zeros(len(tree.parent), bool)  # looked up on the way up, which is long where many items are equal
    is_part[parts.nodes] = True
    for i, j in unsure:
        a, b = labels[[i, j]].tolist()
        if a != b:
            merges.value[((merges.left == a) & (merges.right == b)) | ((merges.left == b) & (merges.right == a))] /= 2
        for item in (i, j) if a == b else ():
            node = item
            while node >= 0 and not is_part[node]:
                node = int(tree.parent[node])
            parts.value[parts.nodes == node] /= 2


def _chosen(state: State) -> set[int]:
    """Items that an asker chose to ask about; checks are drawn at random, and memberships are about items alone."""
    asked = [a for a in state.history if a.kind != "membership" and not a.check and a.value != "unsure"]
    pairs = {item for a in asked if a.kind in ("pair", "triplet") and a.value != "none" for item in a.items[:2]}
    return pairs.union(item for a in asked if a.kind in ("grid", "pick") for item in a.items)


def _left_over(state: State, skip: Collection[Pair]) -> Iterator[Question]:
    if not state.has_open():
        return iter(())
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
