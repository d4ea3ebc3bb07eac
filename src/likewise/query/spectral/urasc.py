"""URASC: the sample that is expected to change the eigenvectors most."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.spectral.signed_graph import Laplacian
from likewise.query.base import State
from likewise.query.neighbourhood.skeleton import Skeleton
from likewise.query.spectral.base import Graph, Rounding, SpectralStrategy
from likewise.query.spectral.urasc_scores import (
    change_coefficients,
    entropies,
    gradient_norms,
    mixture_probabilities,
    nearest_by_affinity,
    neighbour_probabilities,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

BLOCK = 4_000_000  # maximum number of coefficients held at once
ROOM = 2  # clusters per certain set while asking, when their number is unknown


class URASC(SpectralStrategy):
    r"""Settle the sample whose cluster is most ambiguous and whose affinities move the eigenvectors most.

    The score of a sample is :math:`\left(\sum_i \lVert \sum_k dv_i / dw_{jk} \rVert\right)^{1/2} H(x_j)`: the root of
    the first-order change of the first eigenvectors when its affinities to one sample of every certain set change,
    times the entropy of its cluster. It is compared with the certain sets, the most similar first, until one is the
    same; if none is, it becomes a new set, and there is one cluster more.

    Parameters
    ----------
    n_clusters : int, optional
        Number of clusters; the session's by default. When both are None it starts at 2 and grows with the certain
        sets.
    step : "nonparametric", "parametric" or None, default="nonparametric"
        Entropy of the clusters of the nearest neighbours (URASC+N), of a Gaussian mixture on the eigenvectors
        (URASC+P), or none (URASC-GO).
    gradient : bool, default=True
        False leaves the gradient out (URASC-NO, URASC-PO).
    score : "root" or "product", default="root"
        How gradient and step are joined: the root of the gradient, scaled by the sample's degree where the Laplacian
        is normalised, times the step; or, as in the paper, the gradient itself times the step, with
        :math:`(e_j - e_k)(e_j - e_k)^\top` for the change of the Laplacian as printed, normalised or not.
    affinity, laplacian, graph_neighbors
        As in :class:`likewise.cluster.SpectralLearning`; by default affinities to all up to 2,000 items, to the
        nearest 20 beyond.
    graph : "merged" or "written", default="merged"
        How answers change the affinities: a certain set becomes one node with the affinities of its members and none
        to the other sets, or, as in the paper, the affinity of every pair known to be the same is set to 1.
    reading : "regression", "kmeans" or "vote", default="regression"
        How clusters follow from the eigenvectors: by k-means, as in the paper; after it by a ridge regression on the
        affinities in which the settled samples count more
        (:func:`likewise.cluster.spectral.regression.regress_labels`); or after it by a vote
        (:func:`likewise.cluster.spectral.rounding.vote`).
    keep : bool, default=True
        Whether k-means keeps certain sets whole and apart; in the paper only the affinities do.
    exclusion : bool, default=True
        Whether, with the number of clusters known, a sample that differs from all sets but one belongs to that one
        without another question; in the paper it is asked about.
    explore : bool, default=False
        Whether the sample farthest from all certain sets is settled first until every cluster has a set, as the
        paper's experiments do; only where the number of clusters is known.
    cannot_link_affinity : float, default=-1.0
        Affinity of samples known to differ with ``graph="written"``: -1 as in the paper, or 0 as in Kamvar et al.,
        whose spectral learning it takes over.
    n_neighbors : int, default=20
        Number of neighbours in the nonparametric step.
    n_best : int, optional
        Number of samples with the largest step whose gradient is computed (the paper's b); all by default.
    clusterer : estimator, optional
        Clusterer to use under the answers; spectral learning by default.

    References
    ----------
    C. Xiong, D. M. Johnson, J. J. Corso, *Active Clustering with Model-Based Uncertainty Reduction*, 2014, §3 and 4.
    The paper uses the gradient where we use its root: a few are so large that nothing else would count.
    Terms of equal eigenvalues are 0; \|·\| is the Euclidean length; the sample of a certain set is its first. Chosen
    here: p in eq. 7 runs over the first n_c + 10 vectors; the Laplacian is normalised, and then the affinities of a
    sample change by its degree and not by 1, which would favour samples far from all others; k-means keeps the
    certain sets; the components of the mixture are the present clusters, with a common diagonal covariance and every
    certain set counted once; with the number of clusters known, a sample that differs from all sets but one belongs to
    that one without another question. Deviations, undone by `score` and :func:`published_options`: certain sets are
    merged, and clusters are found by regression. In a batch, a sample's score falls with its affinity to those already
    in it: §8 leaves this open.

    Examples
    --------
    >>> from likewise import Session
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(0, 1, 20), rng.normal(6, 1, 20), [3.0]])[:, None]
    >>> s = Session(X, strategy="urasc", n_clusters=2, random_state=0)
    >>> s.answer((0, 20), "different")
    >>> s.ask().items  # the last one lies in the middle
    (0, 40)
    """

    name = "urasc"
    _near: tuple[Any, Any, tuple[Integers, Floats]] | None = None

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        step: Literal["nonparametric", "parametric"] | None = "nonparametric",
        gradient: bool = True,
        score: Literal["root", "product"] = "root",
        affinity: Any = "local",
        laplacian: Laplacian = "normalized",
        graph_neighbors: int | None = None,
        graph: Graph = "merged",
        reading: Rounding = "regression",
        keep: bool = True,
        exclusion: bool = True,
        explore: bool = False,
        cannot_link_affinity: float = -1.0,
        n_neighbors: int = 20,
        n_best: int | None = None,
        clusterer: Any = None,
    ) -> None:
        super().__init__(
            n_clusters=n_clusters,
            affinity=affinity,
            laplacian=laplacian,
            graph_neighbors=graph_neighbors,
            graph=graph,
            reading=reading,
            keep=keep,
            exclusion=exclusion,
            explore=explore,
            cannot_link_affinity=cannot_link_affinity,
            clusterer=clusterer,
        )
        self.step = step
        self.gradient = gradient
        self.score = score
        self.n_neighbors = n_neighbors
        self.n_best = n_best

    def rank_points(self, state: State, skeleton: Skeleton) -> Iterator[tuple[int, float]]:
        """By expected change of the eigenvectors, spread out; ties farthest first, then by index."""
        outside = np.flatnonzero(skeleton.home < 0)
        if len(outside) == 0:
            return
        return (yield from self.spread_out(state, skeleton, outside, self.scores(state, skeleton, outside)))

    def scores(self, state: State, skeleton: Skeleton, samples: Integers) -> Floats:
        """Gradient, or its root, times step of the samples, (b,); see `score`."""
        if self.score not in ("root", "product"):
            raise ValueError(f"score must be 'root' or 'product', got {self.score!r}")
        if self.step is None and not self.gradient:
            raise ValueError("with step=None and gradient=False there is nothing to choose by")
        state = _with_room(state, len(skeleton))
        steps = self._steps(state)[samples]
        if not self.gradient:
            return steps
        taken = np.arange(len(samples))
        if self.n_best is not None and self.step is not None:
            taken = np.argsort(-steps, kind="stable")[: self.n_best]
        fixed = np.array([members[0] for members in skeleton.neighbourhoods])
        score = np.zeros(len(samples))
        gradients = self._gradients(state, samples[taken], fixed)
        score[taken] = steps[taken] * (np.sqrt(gradients) if self.score == "root" else gradients)
        return score

    def reason(self, state: State, skeleton: Skeleton) -> str:
        """Why the sample is asked about."""
        return "the image whose place would change the clusters most"

    def _steps(self, state: State) -> Floats:
        """Ambiguity of every item, (n,)."""
        if self.step is None:
            return np.ones(state.n)
        clusters = self.spectral_clusters(state)
        labels = clusters.labels if self.clusterer is None else self.cluster(state)
        if self.step == "parametric":
            once = 1 / np.bincount(clusters.node)[clusters.node]
            return entropies(mixture_probabilities(clusters.rows, labels, once))
        if self.step != "nonparametric":
            raise ValueError(f"step must be 'nonparametric', 'parametric' or None, got {self.step!r}")
        W = self.affinities(state)
        if self._near is None or self._near[0] is not W or self._near[1] != self.n_neighbors:
            self._near = W, self.n_neighbors, nearest_by_affinity(W, self.n_neighbors)
        return entropies(neighbour_probabilities(*self._near[2], labels))

    def _gradients(self, state: State, samples: Integers, fixed: Integers) -> Floats:
        clusters = self.spectral_clusters(state)
        spectrum, k = clusters.spectrum, clusters.rows.shape[1]
        # As printed, eq. 6 has (e_j - e_k)(e_j - e_k)ᵀ for the change of the Laplacian, whatever the Laplacian.
        kind: Laplacian = "unnormalized" if self.score == "product" else self.laplacian
        nodes, sets = clusters.node[samples], clusters.node[fixed]
        block = max(1, BLOCK // (k * len(spectrum.values)))
        parts = [
            gradient_norms(change_coefficients(spectrum, k, kind, nodes[a : a + block], sets))
            for a in range(0, len(nodes), block)
        ]
        norms = np.concatenate(parts) if parts else np.empty(0)
        scaled = self.score == "root" and self.laplacian in ("normalized", "signed")
        return norms * spectrum.degrees[nodes] if scaled else norms


def published_options() -> dict[str, Any]:
    """Options of the askers that use eigenvectors with which answers are read as in the paper of :class:`URASC`.

    An exploration first, a Gaussian kernel, D - W with 1 and -1 written for what was said, plain k-means, and every
    sample asked about; URASC itself takes ``score="product"`` besides.

    Examples
    --------
    >>> from likewise.query import URASC
    >>> URASC(score="product", **published_options()).graph
    'written'
    """
    return {
        "affinity": "gaussian",
        "laplacian": "unnormalized",
        "graph": "written",
        "reading": "kmeans",
        "keep": False,
        "exclusion": False,
        "explore": True,
    }


def _with_room(state: State, n_sets: int) -> State:
    """The state with twice as many clusters as certain sets, when the number of clusters is unknown.

    With only as many, samples that belong to none of the sets would seem to belong to those near to them.
    """
    if state.n_clusters is not None:
        return state
    own = copy(state)
    own.n_clusters = min(state.n, ROOM * n_sets)
    return own
