"""Which questions a person gets in a study of pairs and triplets, and in which order."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any, Literal, TypeAlias

import numpy as np

Form: TypeAlias = Literal["pair", "triplet"]
Asked: TypeAlias = tuple[Form, tuple[int, ...], bool]
"""(form, items, practice): one question of a study."""

FORMS: dict[Form, int] = {"pair": 2, "triplet": 3}
Pool: TypeAlias = Mapping[str, Sequence[tuple[Sequence[int], str]]]


def deal_study(
    images: Sequence[int],
    person: str,
    *,
    pairs: int,
    triplets: int,
    practice: int = 0,
    order: Literal["blocks", "mixed"] = "blocks",
    pool: Pool | None = None,
    random_state: int = 0,
) -> list[Asked]:
    """Draw the questions of one person, a function of the seed and the person's name.

    Pairs and triplets are blocks, as in the source; which comes first, and the order within a block, is random for
    each person. Before a block come its practice questions.

    Parameters
    ----------
    images : sequence of int
        What is asked about.
    person : str
        Whose questions.
    pairs, triplets : int
        How many of each; none is asked twice.
    practice : int
        How many more of each form come first, for practice.
    order : "blocks" or "mixed"
        Whether the forms come in separate blocks.
    pool : mapping, optional
        By form, questions with a level (``{"pair": [((0, 1), "easy"), …]}``) to draw from instead of from all images:
        everybody gets as many of each level.
    random_state : int
        Seed.

    Returns
    -------
    list of (form, items, practice)

    References
    ----------
    Y. Pei, *Learning with Partial Supervision*, 2017, §3.5.1: everybody gets as many easy and difficult ones. There
    practice comes before the whole study, here before each block.

    Examples
    --------
    >>> deal_study(range(9), "ann", pairs=2, triplets=1, random_state=1)
    [('pair', (3, 6), False), ('pair', (4, 0), False), ('triplet', (6, 5, 7), False)]
    """
    rng = _rng_of(person, random_state)
    drawn: list[Asked] = []
    counts: dict[Form, int] = {"pair": pairs, "triplet": triplets}
    for form, wanted in counts.items():
        if wanted:
            asked, first = _draw(form, images, wanted, practice, pool, rng)
            drawn += [(form, items, True) for items in first] + [(form, items, False) for items in asked]
    return _arranged(drawn, order, rng)


def shuffle_study(
    questions: Sequence[Asked], person: str, *, order: Literal["blocks", "mixed"] = "blocks", random_state: int = 0
) -> list[Asked]:
    """The same questions for everybody, in an order of each person's own: see :func:`deal_study`.

    Examples
    --------
    >>> shuffle_study([("pair", (0, 1), False), ("pair", (2, 1), False), ("pair", (0, 3), True)], "ann")
    [('pair', (0, 3), True), ('pair', (0, 1), False), ('pair', (2, 1), False)]
    """
    return _arranged(questions, order, _rng_of(person, random_state))


def _arranged(questions: Sequence[Asked], order: str, rng: np.random.Generator) -> list[Asked]:
    forms: list[Form] = list(dict.fromkeys(form for form, _, _ in questions))
    warming = {form: [each for each in questions if each[0] == form and each[2]] for form in forms}
    asked = {form: _shuffled([each for each in questions if each[0] == form and not each[2]], rng) for form in forms}
    if order == "mixed":
        together = _shuffled([each for form in forms for each in asked[form]], rng)
        return [each for form in forms for each in warming[form]] + together
    return [each for form in _shuffled(forms, rng) for each in warming[form] + asked[form]]


def _rng_of(person: str, random_state: int) -> np.random.Generator:
    digest = hashlib.sha256(person.encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng([random_state, *np.frombuffer(digest[:16], "<u4").tolist()])


def draw_questions(
    images: Sequence[int], size: int, n: int, rng: np.random.Generator, avoid: Collection[frozenset[int]] = ()
) -> list[tuple[int, ...]]:
    """Draw n different sets of `size` images, all equally likely, the images of each in random order.

    Examples
    --------
    >>> sorted(draw_questions([4, 5, 6], 2, 3, np.random.default_rng(0)), key=sorted)
    [(4, 5), (4, 6), (6, 5)]
    """
    possible = comb(len(images), size)
    if n > possible - len(avoid):
        raise ValueError(f"{len(images)} images have {possible} questions of {size}, {n + len(avoid)} are wanted")
    taken = set(avoid)
    found: list[tuple[int, ...]] = []
    if 2 * (n + len(taken)) > possible:  # drawing at random would take long to hit what is left
        rest = [each for each in combinations(images, size) if frozenset(each) not in taken]
        chosen = rng.permutation(len(rest))[:n]
        return [tuple(rng.permutation(rest[k]).tolist()) for k in chosen]
    values = np.asarray(images, np.int64)
    while len(found) < n:
        items = tuple(values[rng.choice(len(values), size, replace=False)].tolist())
        if frozenset(items) not in taken:
            taken.add(frozenset(items))
            found.append(items)
    return found


def true_answer(form: str, classes: Sequence[Any]) -> str:
    """The right answer when the classes of the items are known; a triplet's is ``none`` unless exactly two are alike.

    Examples
    --------
    >>> true_answer("pair", "ab"), true_answer("triplet", "aba"), true_answer("triplet", "aaa")
    ('different', 'ac', 'none')
    """
    if form == "pair":
        return "same" if classes[0] == classes[1] else "different"
    a, b, c = classes
    alike = [value for value, same in (("ab", a == b), ("ac", a == c), ("bc", b == c)) if same]
    return alike[0] if len(alike) == 1 else "none"


def _shuffled(values: Sequence[Any], rng: np.random.Generator) -> list[Any]:
    return [values[k] for k in rng.permutation(len(values)).tolist()]


def _draw(
    form: Form, images: Sequence[int], n: int, practice: int, pool: Pool | None, rng: np.random.Generator
) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """The questions of a form, and others for practice."""
    if pool is None:
        drawn = draw_questions(images, FORMS[form], n + practice, rng)
        return drawn[practice:], drawn[:practice]
    listed = pool.get(form, ())
    chosen = _each_level([level for _, level in listed], n, form, rng)
    asked = [tuple(listed[k][0]) for k in chosen]
    rest = [tuple(items) for k, (items, _) in enumerate(listed) if k not in set(chosen)]
    return asked, _shuffled(rest, rng)[:practice]


def _each_level(levels: Sequence[str], n: int, form: str, rng: np.random.Generator) -> list[int]:
    """Choose n rows so that each level has its share of them, the same for everybody."""
    if n > len(levels):
        raise ValueError(f"the list has {len(levels)} questions of the form {form}, {n} are wanted")
    names = sorted(set(levels))
    rows = {name: [k for k, level in enumerate(levels) if level == name] for name in names}
    exact = {name: n * len(rows[name]) / len(levels) for name in names}
    share = {name: int(exact[name]) for name in names}
    by_rest = sorted(names, key=lambda name: (share[name] - exact[name], name))
    for name in by_rest[: n - sum(share.values())]:
        share[name] += 1
    return [k for name in names for k in _shuffled(rows[name], rng)[: share[name]]]
