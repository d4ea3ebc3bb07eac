"""Stacks: copies of one picture and bursts of one moment, which nobody has to be asked about.

That two pictures are of one stack is assumed, never said: it gives way to whatever people say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache, partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from likewise.constraints import Constraints
from likewise.images.duplicates import group_equal, group_near
from likewise.images.fingerprints import RADIUS
from likewise.images.indexing import Index
from likewise.kernels.graphs.union_find import find_root, merge_roots
from likewise.kernels.kernel import is_ready
from likewise.kernels.pictures.alignment import align_pictures
from likewise.kernels.pictures.alignment_arrays import align_arrays, spread_gradients

__all__ = ["find_links", "likeness", "open_stacks"]

Ints: TypeAlias = npt.NDArray[np.int64]
Grey: TypeAlias = npt.NDArray[np.float64]
Link: TypeAlias = tuple[int, int, float]
Aligner: TypeAlias = Callable[[Grey, Grey, float], float]

SIDE = 64  # pixels of the grey picture that is compared
ALIKE = 0.88  # measured: altered copies are above it, other pictures of one subject below
ALIKE_POOR = 0.95  # of pictures with few edges: outlines of one kind lie well over each other without being copies
POOR = 0.12  # over so little of a picture are the edges of silhouettes and of things on plain ground spread
ALIKE_AT_ONCE = 0.5  # of two pictures of one moment
SECONDS = 10.0  # between pictures of one moment
MOST_A_SECOND = 30  # no camera takes more: a time that so many pictures have is wrong
DRIFT = 0.5  # the first pictures of two stacks that become one are at least so alike: a chain does not wander off
DRIFT_AT_ONCE = 0.3
COARSE = 0.25  # pictures that are less alike at 16 × 16 are not compared further
MOST_IN_VAIN = 4  # pictures nearest to one that are compared with it when none of them has much in common with it
KEPT_GREYS = 4096  # 32 KB each
FEW = 2000  # pairs: compiling takes longer than these without


def likeness(a: Image.Image, b: Image.Image) -> float:
    """How alike two pictures are, once one is shifted, turned, scaled and lit so that it lies best over the other.

    - `a`, `b`, PIL.Image.Image: The pictures.
    - Returns float: 1 for the same picture, about 0 for two that have nothing to do with each other, -1 where one is
      flat or they cannot be laid over each other. It is the cosine of their brightness gradients at 64 × 64 pixels.

    References
    ----------
    S. Baker, I. Matthews, "Lucas-Kanade 20 Years On: A Unifying Framework", IJCV 56, 2004, §2 (forwards additive, an
    affine map) with gain and bias of "Part 3", 2003, §2.3. Deviation: what is compared in the end are gradients, so
    that large bright and dark parts, which many pictures share, do not decide.

    Examples
    --------
    >>> blots = np.random.default_rng(0).integers(0, 255, (12, 12), np.uint8)
    >>> picture = Image.fromarray(blots).resize((200, 200), Image.Resampling.BICUBIC)
    >>> darker = picture.crop((6, 4, 200, 195)).point(lambda value: value // 2)
    >>> round(likeness(picture, darker), 1)
    1.0
    >>> likeness(picture, Image.new("L", (50, 50)))
    -1.0
    """
    one, other = grey_of(a), grey_of(b)
    return _aligner(1, one)(one, other, COARSE)


def _aligner(n_pairs: int, grey: Grey) -> Aligner:
    """How to lay pictures over each other: compiled, unless that is still to be done and there is little to compare."""
    is_worth_it = n_pairs > FEW or is_ready(align_pictures, (grey, grey, COARSE))
    align: Aligner = align_pictures if is_worth_it else align_arrays
    return align


def grey_of(image: Image.Image) -> Grey:
    """A picture as it is compared: grey, 64 × 64, from 0 to 1."""
    small = image.convert("L").resize((SIDE, SIDE), Image.Resampling.BOX)
    return np.asarray(small, np.float64) / 255


def find_links(
    found: Index, candidates: npt.ArrayLike, links: Iterable[tuple[int, int]] = (), new: npt.ArrayLike | None = None
) -> list[Link]:
    """Find which pictures of an index are copies of one another or of one moment.

    Of the candidates, those are linked that are alike (:func:`likeness` of 0.88 or more, of 0.95 where one has edges in
    few places only, of 0.5 where one camera took both within ten seconds), unless they are of one stack already
    or that would join two stacks whose first pictures have little in common. Pictures with close fingerprints are
    candidates too. Files with the same content need no link.

    - `found`: The pictures.
    - `candidates` (m, 2): Pairs of rows to look at, the most promising first: a row and one of those nearest to it by
      their vectors. When the first four of a row have little in common with it, the rest of its pairs is not looked at.
    - `links`, iterable of (int, int): Rows that are linked already.
    - `new`: Rows that were not compared by their fingerprints before; all of them by default.
    - Returns list of (int, int, float): Rows a < b that are linked now, and how alike they are.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from likewise.images import index
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> blots = np.random.default_rng(0).integers(0, 255, (12, 12), np.uint8)
    >>> picture = Image.fromarray(blots).resize((200, 200), Image.Resampling.BICUBIC)
    >>> for name, each in (("a", picture), ("b", picture.crop((6, 4, 200, 195))), ("c", picture.rotate(90))):
    ...     each.save(folder / f"{name}.png")
    >>> [(a, b) for a, b, _ in find_links(index(folder, workers=0), [(0, 1), (0, 2), (1, 2)])]
    [(0, 1)]
    """
    joined = _Joined(len(found))
    for group in group_equal(np.array(found.contents)):
        for row in group[1:].tolist():
            joined.join(int(group[0]), row)
    for a, b in links:
        joined.join(a, b)
    given = np.asarray(candidates, np.int64).reshape(-1, 2)
    n_candidates, pairs = len(given), np.concatenate([given, _near(found, new)])
    moments = _trusted(found.taken)
    read = lru_cache(KEPT_GREYS)(partial(_read_grey, found))
    align = _aligner(len(pairs), np.zeros((SIDE, SIDE)))
    compare, is_poor = lru_cache(None)(partial(_compare, read, align)), lru_cache(None)(partial(_is_poor, read))
    linked: list[Link] = []
    in_vain = np.zeros(len(found), np.int64)  # candidates of a row, one after another, that are not alike
    for place, (row, other) in enumerate(pairs.tolist()):
        a, b = min(row, other), max(row, other)
        first, second = joined.first(a), joined.first(b)
        if first == second or (place < n_candidates and in_vain[row] >= MOST_IN_VAIN):
            continue
        alike = compare(a, b)
        in_vain[row] = in_vain[row] + 1 if alike < ALIKE_AT_ONCE else 0
        at_once = abs(moments[a] - moments[b]) <= SECONDS and found.cameras[a] == found.cameras[b]
        if alike < min(ALIKE, ALIKE_AT_ONCE if at_once else 1.0):
            continue
        if alike < ALIKE_POOR and (is_poor(a) or is_poor(b)):
            continue
        drift = DRIFT_AT_ONCE if at_once else DRIFT
        if compare(min(first, second), max(first, second)) >= drift:
            joined.join(a, b)
            linked.append((a, b, alike))
    return linked


class _Joined:
    """Rows that are joined so far; the first of each set stands for it."""

    def __init__(self, n: int) -> None:
        self._parent, self._size, self._first = np.arange(n), np.ones(n, np.int64), np.arange(n)

    def first(self, row: int) -> int:
        return int(self._first[find_root(self._parent, row)])

    def join(self, a: int, b: int) -> None:
        a, b = find_root(self._parent, a), find_root(self._parent, b)
        if a != b:
            lowest = min(self._first[a], self._first[b])
            self._first[merge_roots(self._parent, self._size, a, b)] = lowest


def _near(found: Index, new: npt.ArrayLike | None) -> Ints:
    """Pairs of rows with close fingerprints, one a row: each with the first of its group; one of the two is new."""
    groups = group_near(found.fingerprints, RADIUS)
    rows = [(int(group[0]), row) for group in groups for row in group[1:].tolist()]
    pairs = np.array(rows, np.int64).reshape(-1, 2)
    return pairs if new is None else pairs[np.isin(pairs, new).any(axis=1)]


def _trusted(taken: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Times, without those of seconds in which more pictures were taken than a camera can."""
    seconds = np.floor(taken)
    _, back, counts = np.unique(seconds, return_inverse=True, return_counts=True, equal_nan=False)
    return np.where(counts[back] > MOST_A_SECOND, np.nan, taken)


def _read_grey(found: Index, row: int) -> Grey | None:
    try:
        with Image.open(found.thumbnail(int(found.ids[row]))) as picture:
            picture.draft("L", (2 * SIDE, 2 * SIDE))
            return grey_of(picture)
    except (OSError, ValueError):  # gone since, or changed: then it is no candidate now
        return None


def _compare(read: Callable[[int], Grey | None], align: Aligner, a: int, b: int) -> float:
    one, other = read(a), read(b)
    return -1.0 if one is None or other is None else align(one, other, COARSE)


def _is_poor(read: Callable[[int], Grey | None], row: int) -> bool:
    grey = read(row)
    return grey is None or spread_gradients(grey) < POOR


def open_stacks(
    links: npt.ArrayLike, constraints: Constraints | None = None, apart: Collection[int] = ()
) -> dict[int, int]:
    """Give the stacks that links make, open where people said otherwise.

    Links are taken in their order; one that contradicts what people said, with all that follows from it and from the
    links before, is not taken. So a stack of which two were said to differ falls into parts in which no two do.

    - `links` (m, 2): Items that are assumed to be the same, the most alike first.
    - `constraints`: What people said.
    - `apart`, collection of int: Items that people took out of their stacks.
    - Returns dict of int to int: The lowest item of its stack, for every item that is in one with another.

    Examples
    --------
    >>> open_stacks([(1, 2), (2, 5)])
    {1: 1, 2: 1, 5: 1}
    >>> open_stacks([(1, 2), (2, 5)], Constraints(6, cannot_link=[(1, 5)]))
    {1: 1, 2: 1}
    >>> open_stacks([(1, 2), (2, 5)], apart=[2])
    {1: 1, 5: 1}
    """
    pairs = np.asarray(links, np.int64).reshape(-1, 2)
    if not len(pairs):
        return {}
    items, flat = np.unique(pairs, return_inverse=True)
    rows = flat.reshape(-1, 2)
    joined = _Joined(len(items))
    for a, b in rows.tolist():
        joined.join(a, b)
    whole = [joined.first(row) for row in range(len(items))]
    is_apart = np.isin(items, list(apart))
    wanted = [*rows[~is_apart[rows].any(axis=1)].tolist(), *_bridges(whole, is_apart)]
    taken = _without_contradiction(wanted, items, constraints)
    parts = _Joined(len(items))
    for a, b in taken:
        parts.join(a, b)
    first = np.array([parts.first(row) for row in range(len(items))])
    shared = np.bincount(first, minlength=len(items))[first] > 1
    return dict(zip(items[shared].tolist(), items[first[shared]].tolist(), strict=True))


def _bridges(whole: Sequence[int], is_apart: npt.NDArray[np.bool_]) -> list[list[int]]:
    """Links between the rest of stacks from which something was taken: it may have held them together."""
    broken = {whole[row] for row in np.flatnonzero(is_apart).tolist()}
    last: dict[int, int] = {}
    bridges = []
    for row, stack in enumerate(whole):
        if stack in broken and not is_apart[row]:
            if stack in last:
                bridges.append([last[stack], row])
            last[stack] = row
    return bridges


def _without_contradiction(
    wanted: Sequence[Sequence[int]], items: Ints, constraints: Constraints | None
) -> list[Sequence[int]]:
    """The links that agree with what people said and with the links before."""
    if constraints is None or not len(constraints.cannot_link):
        return list(wanted)
    said, group, different = constraints.spoken()
    row_of = {item: row for row, item in enumerate(items.tolist())}
    # the groups of people come first, then the items of links that nobody spoke of
    place = {row_of[item]: int(g) for item, g in zip(said.tolist(), group.tolist(), strict=True) if item in row_of}
    n = int(group.max(initial=-1)) + 1
    for row in range(len(items)):
        if row not in place:
            place[row], n = n, n + 1
    known, taken = Constraints(n, cannot_link=different), []
    for link in wanted:
        a, b = place[link[0]], place[link[1]]
        if a == b or known.known(a, b) == "same" or known.add(a, b, "same") is None:
            taken.append(link)
    return taken
