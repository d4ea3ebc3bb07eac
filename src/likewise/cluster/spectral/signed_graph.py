"""Affinities with the constraints written into them, and the leading vectors of their Laplacian."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.groups import constrained_groups
from likewise.constraints import Constraints
from likewise.distances.memory import require_square

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Matrix: TypeAlias = Any  # ndarray or scipy.sparse.csr_array, the latter imported on use
Laplacian: TypeAlias = Literal["normalized", "signed", "unnormalized", "additive"]

DENSE = 300  # up to this many items all vectors by LAPACK are as fast as a few by Lanczos
TOLERANCE = 1e-9


@dataclass(frozen=True)
class SignedGraph:
    """Affinities W = free + blocks, the blocks being constant between two groups of items.

    Every pair of a must-link group is an entry of W, so that a sparse W would fill up; the blocks are kept separately
    and cost as much as there are items in them.

    - `free`, ndarray or csr_array of shape (n, n): Symmetric, 0 on the diagonal (but for loops of merged items) and
      on pairs inside the blocks.
    - `group` (n,): Group of every item, -1 for those in none.
    - `between` (g, g): Affinity of the members of two groups; the diagonal is that of a group's members with each
      other.
    """

    free: Matrix
    group: Integers
    between: Floats

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.group)

    @property
    def degrees(self) -> Floats:
        """Sums of absolute affinities, (n,): never negative, whatever the signs; 1 where there are none."""
        total = self._sums(abs(self.free), np.abs(self.between))
        return np.where(total > 0, total, 1.0)

    @property
    def signed_degrees(self) -> Floats:
        """Sums of the affinities with their signs, (n,)."""
        return self._sums(self.free, self.between)

    def _sums(self, free: Matrix, between: Floats) -> Floats:
        total = np.asarray(free.sum(axis=1), np.float64).ravel()
        inside = self.group >= 0
        if inside.any():
            g = self.group[inside]
            sizes = np.bincount(g, minlength=len(between))
            total[inside] += (between @ sizes)[g] - np.diag(between)[g]
        return total

    def apply(self, V: Floats) -> Floats:
        """W V, for V of shape (n,) or (n, k)."""
        out = np.asarray(self.free @ V)
        inside = self.group >= 0
        if inside.any():
            g = self.group[inside]
            part = V[inside]
            sums = np.zeros((len(self.between), *V.shape[1:]))
            np.add.at(sums, g, part)
            own = np.diag(self.between)[g].reshape(-1, *[1] * (V.ndim - 1))
            out[inside] += (self.between @ sums)[g] - own * part
        return out

    def toarray(self) -> Floats:
        """W as a dense matrix."""
        if not self.is_split:
            return np.asarray(self.free)
        require_square(self.n, 3, "a dense graph")
        return self.apply(np.eye(self.n))

    @property
    def is_split(self) -> bool:
        """Whether W is not there as one dense matrix."""
        return len(self.between) > 0 or not isinstance(self.free, np.ndarray)

    def components(self) -> Integers:
        """Connected part of every item, (n,), numbered from 0."""
        from scipy.sparse import coo_array, csr_array
        from scipy.sparse.csgraph import connected_components

        if isinstance(self.free, np.ndarray):
            near = self.free[0] != 0
            near[0] = True
            if (self.free[np.ix_(near, ~near)] != 0).any(axis=0).all():  # all within two steps of the first
                return np.zeros(self.n, np.int64)
            return connected_components(csr_array(self.free != 0), directed=False)[1].astype(np.int64)
        inside = np.flatnonzero(self.group >= 0)
        # A vertex for every group, tied to its members and to the groups it has affinities with.
        g, h = np.nonzero(self.between)
        entries = self.free.tocoo()
        rows = np.concatenate([entries.row, inside, self.n + g]).astype(np.int32)  # for older SciPy
        columns = np.concatenate([entries.col, self.n + self.group[inside], self.n + h]).astype(np.int32)
        size = self.n + len(self.between)
        joined = coo_array((np.ones(len(rows)), (rows, columns)), shape=(size, size))
        part = connected_components(joined.tocsr(), directed=False)[1][: self.n]
        return np.unique(part, return_inverse=True)[1].astype(np.int64)

    def restrict(self, items: Integers) -> SignedGraph:
        """The graph of some of the items."""
        return SignedGraph(self.free[items][:, items], self.group[items], self.between)


def write_constraints(W: Matrix, constraints: Constraints, cannot_link_affinity: float = -1.0) -> SignedGraph:
    """The affinities with 1 for every pair known to be the same and -1 (or 0) for every one known to differ.

    - `W`, ndarray or csr_array of shape (n, n): Symmetric affinities; the diagonal is ignored.
    - `constraints`: What is known; its closure is written.
    - `cannot_link_affinity`: -1 in Xiong, Johnson and Corso 2014, §3.1; 0 in Pei 2017, §2.5.2.

    Examples
    --------
    >>> known = Constraints(3, must_link=[(0, 1)], cannot_link=[(1, 2)])
    >>> write_constraints(np.full((3, 3), 0.5), known).toarray()
    array([[ 0.,  1., -1.],
           [ 1.,  0., -1.],
           [-1., -1.,  0.]])
    """
    groups = constrained_groups(constraints)
    known = np.eye(len(groups.start) - 1, dtype=bool)
    pairs = groups.enemy_pairs()
    known[pairs[:, 0], pairs[:, 1]] = known[pairs[:, 1], pairs[:, 0]] = True
    between = np.where(known, cannot_link_affinity, 0.0)
    np.fill_diagonal(between, 1.0)
    if isinstance(W, np.ndarray):
        free = W.astype(np.float64)
        items = groups.members
        if len(items):
            g = groups.of_member
            cells = np.ix_(items, items)
            free[cells] = np.where(known[np.ix_(g, g)], between[np.ix_(g, g)], free[cells])
        np.fill_diagonal(free, 0.0)
        return SignedGraph(free, np.full(len(W), -1), np.empty((0, 0)))
    return SignedGraph(_without(W, groups.of_item, known), groups.of_item, between)


def _without(W: Matrix, group: Integers, known: NDArray[np.bool_]) -> Matrix:
    """A sparse W without its diagonal and without the pairs of groups that are known."""
    from scipy.sparse import coo_array

    entries = W.tocoo()
    rows, columns = entries.coords
    left, right = group[rows], group[columns]
    kept = rows != columns
    inside = np.flatnonzero((left >= 0) & (right >= 0))
    kept[inside] &= ~known[left[inside], right[inside]]
    return coo_array((entries.data[kept], (rows[kept], columns[kept])), shape=W.shape).tocsr()


class Spectrum(NamedTuple):
    """The lowest eigenvalues of a Laplacian, (k,) ascending, their vectors (n, k), and the degrees (n,)."""

    values: Floats
    vectors: Floats
    degrees: Floats

    def rows(self, n_clusters: int, laplacian: Laplacian) -> Floats:
        """The first vectors as points, (n, n_clusters): scaled to length 1 unless the Laplacian is plain D - W."""
        points = self.vectors[:, :n_clusters]
        return np.ascontiguousarray(points) if laplacian == "unnormalized" else unit_rows(points)


def decompose(graph: SignedGraph, k: int, laplacian: Laplacian, start: Floats | None = None) -> Spectrum:
    """The k lowest eigenvectors of the Laplacian of a signed graph.

    - `graph`: The affinities.
    - `k`: How many; at most n.
    - `laplacian`: "normalized" is I - D^-½ W D^-½, "unnormalized" is D - W, with D the sums of absolute affinities;
      "additive" has the vectors of the latter: those of (W + d I - D) / d, d being the largest degree; "signed" is
      D^-½ (S - W) D^-½ with S the sums with signs, so that a negative affinity pushes two items apart.
    - `start` (n,): A vector rich in those that are sought.
    """
    if laplacian not in ("normalized", "signed", "unnormalized", "additive"):
        allowed = "'normalized', 'signed', 'unnormalized' or 'additive'"
        raise ValueError(f"laplacian must be {allowed}, got {laplacian!r}")
    part = graph.components()
    if not part.any():
        return _decompose_whole(graph, k, laplacian, start)
    # Eigenvalues of separate parts may be equal, and then Lanczos finds but one of their vectors.
    values, vectors, degrees = [], [], np.empty(graph.n)
    for items in np.split(np.argsort(part, kind="stable"), np.cumsum(np.bincount(part))[:-1]):
        own = _decompose_whole(
            graph.restrict(items), min(k, len(items)), laplacian, None if start is None else start[items]
        )
        degrees[items] = own.degrees
        values.append(own.values)
        vectors.append((items, own.vectors))
    everything = np.concatenate(values)
    best = np.argsort(everything, kind="stable")[:k]
    begin = np.concatenate([[0], np.cumsum([len(v) for v in values])])
    full = np.zeros((graph.n, k))
    for column, at in enumerate(best.tolist()):
        which = int(np.searchsorted(begin, at, "right")) - 1
        items, own_vectors = vectors[which]
        full[items, column] = own_vectors[:, at - begin[which]]
    return Spectrum(everything[best], full, degrees)


def _decompose_whole(graph: SignedGraph, k: int, laplacian: Laplacian, start: Floats | None) -> Spectrum:
    degrees = graph.degrees
    if laplacian in ("normalized", "signed"):
        scale = 1 / np.sqrt(degrees)
        more = 1 - graph.signed_degrees / degrees if laplacian == "signed" else None
        if not graph.is_split:
            M = scale[:, None] * graph.free * scale
            if more is not None:
                M[np.diag_indices(graph.n)] += more
            values, vectors = lead(M, k, start)
        else:
            values, vectors = lead(lambda V: _normalised(graph, scale, more, V), k, start, graph.n)
        return Spectrum(1 - values, vectors, degrees)
    if not graph.is_split:
        values, vectors = lead(graph.free - np.diag(degrees), k, start)
    else:
        values, vectors = lead(lambda V: graph.apply(V) - _scaled(degrees, V), k, start, graph.n)
    return Spectrum(-values, vectors, degrees)


def _normalised(graph: SignedGraph, scale: Floats, more: Floats | None, V: Floats) -> Floats:
    """D^-½ W D^-½ V, and what the diagonal has more with signed degrees."""
    out = _scaled(scale, graph.apply(_scaled(scale, V)))
    return out if more is None else out + _scaled(more, V)


def unit_rows(V: Floats) -> Floats:
    """Rows scaled to length 1, those of length 0 left as they are."""
    length = np.linalg.norm(V, axis=1, keepdims=True)
    return np.asarray(V / np.where(length > 0, length, 1.0))


def _scaled(scale: Floats, V: Floats) -> Floats:
    return scale * V if V.ndim == 1 else scale[:, None] * V


def lead(
    M: Floats | Callable[[Floats], Floats], k: int, start: Floats | None = None, n: int = 0
) -> tuple[Floats, Floats]:
    """The k largest eigenvalues, falling, and their vectors of a symmetric matrix, or of V ↦ M V.

    - `M` (n, n), or callable: The matrix, or what multiplies arrays of shape (n,) and (n, m) by it.
    - `k`: How many.
    - `start` (n,): Where the search starts.
    - `n`: Size, when M is a callable.
    """
    from scipy.linalg import eigh
    from scipy.sparse.linalg import LinearOperator, eigsh

    size = n if callable(M) else len(M)
    if size <= DENSE or 4 * k > size:
        require_square(size, 5, f"a spectral clustering into {k:,} clusters", "ask for fewer clusters")
        full = M(np.eye(size)) if callable(M) else M
        values, vectors = eigh((full + full.T) / 2, subset_by_index=(size - k, size - 1))
        return values[::-1], np.ascontiguousarray(vectors[:, ::-1])
    # Never the start alone: a vector missing from it would not be found where the graph is not connected.
    noise = np.random.default_rng(0).standard_normal(size)
    if start is not None:
        noise = 0.1 * noise / np.linalg.norm(noise) + start / np.linalg.norm(start)
    operator = LinearOperator((size, size), matvec=M, matmat=M, dtype=np.float64) if callable(M) else M
    values, vectors = eigsh(operator, k, which="LA", v0=noise, ncv=max(2 * k + 8, 24), tol=TOLERANCE)
    order = np.argsort(-values, kind="stable")
    return values[order], np.ascontiguousarray(vectors[:, order])
