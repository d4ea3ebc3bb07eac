"""Must-links and cannot-links: pairs, their transitive closure, and the contradictions among them."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likewise.pairs import Pairs, as_pairs, as_whole, links_of_labels

__all__ = ["Conflict", "ConflictError", "Constraints", "Pairs", "Relation", "Statement", "as_pairs"]

Relation: TypeAlias = Literal["same", "different"]
Statement: TypeAlias = tuple[int, int, Relation]


@dataclass(frozen=True)
class Conflict:
    """A statement that contradicts earlier ones.

    Attributes
    ----------
    statement : tuple
        ``(i, j, relation)`` that was set aside.
    chain : tuple of tuples
        The earlier statements that together imply the opposite, in order from i to j.
    place : int
        Index of the statement among all statements.
    chain_places : tuple of int
        Indices of the statements of the chain.
    """

    statement: Statement
    chain: tuple[Statement, ...]
    place: int
    chain_places: tuple[int, ...]

    def __str__(self) -> str:
        chain = "; ".join(f"{i} and {j} {relation}" for i, j, relation in self.chain)
        i, j, relation = self.statement
        return f"{i} and {j} cannot be {relation}: {chain}"


class ConflictError(ValueError):
    """Constraints that cannot all hold; the message names the chain that makes the contradiction."""

    def __init__(self, conflicts: Iterable[Conflict]) -> None:
        self.conflicts = tuple(conflicts)
        more = len(self.conflicts) - 1
        rest = f" (and {more} more)" if more else ""
        super().__init__(f"contradictory constraints: {self.conflicts[0]}{rest}")


class _Merge(NamedTuple):
    """What a must-link changed, as plain data: a copy of constraints takes back its own."""

    i: int
    j: int
    kept: int
    moved: int
    before: int  # items of the kept group before
    arrivals: list[int]
    moved_different: dict[int, int]
    new_different: list[int]


class _Separation(NamedTuple):
    """Two groups that a cannot-link made different."""

    g: int
    h: int


class Constraints:
    """Must-links and cannot-links with their closure, updated as statements arrive.

    Same∘same is same, same∘different is different. A statement that contradicts the
    closure of the earlier ones is kept and listed by :meth:`conflicts`, not applied.

    Parameters
    ----------
    n : int
        Number of items.
    must_link, cannot_link : array-like of shape (m, 2)
        Pairs of indices; all must-links are added before the cannot-links.

    Examples
    --------
    >>> c = Constraints(4, must_link=[(0, 1)], cannot_link=[(1, 2)])
    >>> c.known(0, 2), c.known(0, 3)
    ('different', None)
    >>> c.add(0, 2, "same").chain
    ((0, 1, 'same'), (1, 2, 'different'))
    """

    def __init__(self, n: int, must_link: ArrayLike | None = (), cannot_link: ArrayLike | None = ()) -> None:
        self.n = as_whole(n, "n")
        if self.n < 0:
            raise ValueError(f"n must not be negative, got {n}")
        self._statements: list[Statement] = []
        self._conflicts: dict[int, Conflict] = {}  # by the index of the statement set aside
        self._changes: list[_Merge | _Separation | None] = []  # by statement: what it changed
        self._group = list(range(self.n))
        self._members: dict[int, list[int]] = {}  # groups of one are not stored
        # _different[g][h]: index of the first statement that groups g and h differ
        self._different: dict[int, dict[int, int]] = {}
        self._same_edges: dict[int, list[int]] = {}  # statements that made the spanning forest of groups
        for i, j in as_pairs(must_link, self.n, "must_link").tolist():
            self._apply(i, j, "same")
        for i, j in as_pairs(cannot_link, self.n, "cannot_link").tolist():
            self._apply(i, j, "different")

    @classmethod
    def from_labels(cls, labels: ArrayLike) -> Self:
        """What labels say: items of one label are the same, items of two are different; -1 says nothing.

        Parameters
        ----------
        labels : array-like of shape (n,)
            Label of every item, -1 (or NaN, None) where none is known, as scikit-learn marks unlabelled items.

        Examples
        --------
        >>> c = Constraints.from_labels([0, 0, 1, -1])
        >>> c.known(0, 1), c.known(1, 2), c.known(2, 3)
        ('same', 'different', None)
        """
        return cls(*links_of_labels(labels))

    def __len__(self) -> int:
        return len(self._statements)

    def __repr__(self) -> str:
        same = sum(relation == "same" for _, _, relation in self._statements)
        return f"Constraints(n={self.n}, {same} must_link, {len(self) - same} cannot_link)"

    @property
    def must_link(self) -> Pairs:
        """The must-links that are not set aside, as they were given, (m, 2)."""
        return self._accepted("same")

    @property
    def cannot_link(self) -> Pairs:
        """The cannot-links that are not set aside, as they were given, (m, 2)."""
        return self._accepted("different")

    def add(self, i: int, j: int, relation: Relation) -> Conflict | None:
        """Take one statement; return the conflict it makes, or None. Near-constant time.

        Parameters
        ----------
        i, j : int
            Two different items.
        relation : "same" or "different"
            The relation between them.
        """
        if relation not in ("same", "different"):
            raise ValueError(f"relation must be 'same' or 'different', got {relation!r}")
        if not (type(i) is type(j) is int and 0 <= i < self.n and 0 <= j < self.n and i != j):
            ((i, j),) = as_pairs([(i, j)], self.n, "pair").tolist()
        return self._apply(i, j, relation)

    def grow(self, n: int) -> None:
        """Have n items, of which those of before are the first."""
        self._group.extend(range(self.n, n))
        self.n = n

    def undo(self) -> Statement:
        """Take the last statement back, exactly, and return it."""
        if not self._statements:
            raise IndexError("nothing to undo")
        change = self._changes.pop()
        if isinstance(change, _Merge):
            self._part(change)
        elif change is not None:
            del self._different[change.g][change.h], self._different[change.h][change.g]
        self._conflicts.pop(len(self._statements) - 1, None)
        return self._statements.pop()

    def known(self, i: int, j: int) -> Relation | None:
        """What follows for i and j: "same", "different" or None when it is open. O(1)."""
        if i < 0 or j < 0:  # Python would count from the end
            raise ValueError(f"item {min(i, j)} is not there: there are {self.n} items")
        g, h = self._group[i], self._group[j]
        if g == h:
            return "same"
        enemies = self._different.get(g)
        return "different" if enemies is not None and h in enemies else None

    def group_of(self, i: int) -> int:
        """A number that items known to be the same share; it changes as groups merge. O(1)."""
        return self._group[i]

    def members(self, i: int) -> list[int]:
        """The items known to be the same as i, i among them, in no order. O(1)."""
        return self._members.get(self._group[i], [i])

    def different_from(self, group: int) -> Collection[int]:
        """The groups, by their numbers of now (:meth:`group_of`), known to differ from a group. O(1)."""
        return self._different.get(group, {}).keys()

    def mentioned(self) -> list[int]:
        """The items that occur in a statement, in order of first occurrence."""
        return list(dict.fromkeys(item for i, j, _ in self._statements for item in (i, j)))

    def groups(self) -> list[list[int]]:
        """Items known to be the same, together: a partition of 0 … n-1, in order of the smallest member."""
        seen: dict[int, list[int]] = {}
        for i, g in enumerate(self._group):
            seen.setdefault(g, []).append(i)
        return list(seen.values())

    def labels(self) -> NDArray[np.int64]:
        """Group of every item, numbered 0, 1, … in order of the smallest member, (n,)."""
        return self._numbered()[0]

    def group_cannot_links(self) -> Pairs:
        """Pairs of groups, numbered as in :meth:`labels`, known to be different: (m, 2), sorted."""
        _, number = self._numbered()
        pairs = [
            (number[g], number[h]) for g, others in self._different.items() for h in others if number[g] < number[h]
        ]
        return as_pairs(sorted(pairs), max(len(number), 1))

    def spoken(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Pairs]:
        """What is known, without the items that no statement names.

        Returns the items named (m,) in order of first occurrence, the group of each (m,), numbered in order of the
        smallest member, and the pairs of groups known to be different, (k, 2), sorted. O(statements).

        >>> items, group, different = Constraints(9, must_link=[(7, 3)], cannot_link=[(3, 1)]).spoken()
        >>> items.tolist(), group.tolist(), different.tolist()
        ([7, 3, 1], [1, 1, 0], [[0, 1]])
        """
        items = np.array(self.mentioned(), np.int64)
        roots = np.array([self._group[i] for i in items.tolist()], np.int64)
        order = np.argsort(items, kind="stable")
        distinct, first, back = np.unique(roots[order], return_index=True, return_inverse=True)
        rank = np.empty(len(distinct), np.int64)
        rank[np.argsort(items[order][first], kind="stable")] = np.arange(len(distinct))
        group = np.empty(len(items), np.int64)
        group[order] = rank[back.ravel()]
        pairs = np.array([(g, h) for g, others in self._different.items() for h in others if g < h], np.int64)
        if not len(pairs):
            return items, group, np.empty((0, 2), np.int64)
        numbers = np.sort(rank[np.searchsorted(distinct, pairs)], axis=1)
        return items, group, numbers[np.lexsort(numbers.T[::-1])]

    def closure(self) -> tuple[Pairs, Pairs]:
        """Every pair that is known: (must_link, cannot_link), each (m, 2), i < j, sorted.

        The number of pairs can be quadratic in n; :meth:`known` and :meth:`labels` never are.
        """
        groups = self.groups()
        same = [(i, j) for g in groups for a, i in enumerate(g) for j in g[a + 1 :]]
        different = [(min(i, j), max(i, j)) for g, h in self.group_cannot_links() for i in groups[g] for j in groups[h]]
        return as_pairs(sorted(same), self.n), as_pairs(sorted(different), self.n)

    def conflicts(self) -> list[Conflict]:
        """Statements that were set aside, each with the chain of earlier ones that implies the opposite."""
        return list(self._conflicts.values())

    def n_same(self) -> int:
        """Number of pairs known to be the same."""
        return sum(len(m) * (len(m) - 1) // 2 for m in self._members.values())

    def n_open(self) -> int:
        """Number of pairs about which nothing is known yet."""
        sizes = {g: len(m) for g, m in self._members.items()}
        different = sum(
            sizes.get(g, 1) * sizes.get(h, 1) for g, others in self._different.items() for h in others if g < h
        )
        return self.n * (self.n - 1) // 2 - self.n_same() - different

    def _accepted(self, relation: Relation) -> Pairs:
        pairs = [
            (i, j) for k, (i, j, given) in enumerate(self._statements) if given == relation and k not in self._conflicts
        ]
        return as_pairs(pairs, self.n)

    def _numbered(self) -> tuple[NDArray[np.int64], dict[int, int]]:
        number: dict[int, int] = {}
        labels = np.fromiter((number.setdefault(g, len(number)) for g in self._group), dtype=np.int64, count=self.n)
        return labels, number

    def _apply(self, i: int, j: int, relation: Relation) -> Conflict | None:
        statement: Statement = (i, j, relation)
        known = self.known(i, j)
        conflict = None
        change: _Merge | _Separation | None = None
        if known is not None and known != relation:
            index, chain = len(self._statements), self._explain(i, j)
            conflict = Conflict(statement, tuple(self._statements[k] for k in chain), index, tuple(chain))
            self._conflicts[index] = conflict
        elif known is None and relation == "same":
            change = self._merge(i, j)
        elif known is None:
            change = self._separate(i, j)
        self._statements.append(statement)
        self._changes.append(change)
        return conflict

    def _separate(self, i: int, j: int) -> _Separation:
        g, h = self._group[i], self._group[j]
        witness = len(self._statements)
        self._different.setdefault(g, {})[h] = witness
        self._different.setdefault(h, {})[g] = witness
        return _Separation(g, h)

    def _weight(self, g: int) -> int:
        return len(self._members.get(g, ())) + len(self._different.get(g, ()))

    def _merge(self, i: int, j: int) -> _Merge:
        """Move the lighter group into the heavier one; :meth:`_part` undoes it exactly."""
        edge = len(self._statements)
        kept, moved = self._group[i], self._group[j]
        if self._weight(kept) < self._weight(moved):
            kept, moved = moved, kept
        arrivals = self._members.pop(moved, [moved])
        home = self._members.setdefault(kept, [kept])
        before = len(home)
        home.extend(arrivals)
        for item in arrivals:
            self._group[item] = kept
        moved_different = self._different.pop(moved, {})
        new_different = []
        if moved_different:
            own = self._different.setdefault(kept, {})
            for other, witness in moved_different.items():
                del self._different[other][moved]
                if other not in own:
                    own[other] = witness
                    self._different[other][kept] = witness
                    new_different.append(other)
        for item in (i, j):
            self._same_edges.setdefault(item, []).append(edge)
        return _Merge(i, j, kept, moved, before, arrivals, moved_different, new_different)

    def _part(self, merge: _Merge) -> None:
        """Undo the last merge."""
        kept, moved = merge.kept, merge.moved
        for item in (merge.i, merge.j):
            self._same_edges[item].pop()
        for other in merge.new_different:
            del self._different[kept][other], self._different[other][kept]
        if merge.moved_different:
            self._different[moved] = merge.moved_different
            for other, witness in merge.moved_different.items():
                self._different[other][moved] = witness
        del self._members[kept][merge.before :]
        if merge.before == 1:
            del self._members[kept]
        if len(merge.arrivals) > 1:
            self._members[moved] = merge.arrivals
        for item in merge.arrivals:
            self._group[item] = moved

    def _explain(self, i: int, j: int) -> list[int]:
        """Indices of the accepted statements that lead from i to j."""
        g, h = self._group[i], self._group[j]
        if g == h:
            return self._path(i, j)
        link = self._different[g][h]
        a, b, _ = self._statements[link]
        if self._group[a] != g:
            a, b = b, a
        return [*self._path(i, a), link, *self._path(b, j)]

    def _path(self, start: int, end: int) -> list[int]:
        """Indices of the statements along the spanning forest of must-links from start to end (breadth first)."""
        if start == end:
            return []
        came: dict[int, tuple[int, int]] = {start: (-1, -1)}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for edge in self._same_edges.get(here, ()):
                a, b, _ = self._statements[edge]
                there = b if a == here else a
                if there not in came:
                    came[there] = (here, edge)
                    queue.append(there)
            if end in came:
                break
        path = []
        while end != start:
            end, edge = came[end]
            path.append(edge)
        return path[::-1]
