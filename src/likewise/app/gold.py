"""Gold questions: pairs whose answer is known, mixed in to see how reliable each person is."""

from __future__ import annotations

from itertools import combinations
from zlib import crc32

import numpy as np

from likewise.app.live import LiveProject
from likewise.query.question import Question

STREAM = 0x601D  # sets these draws apart from those of the check questions
TRIES = 30
MOST_OF_GROUP = 40  # pairs that one confirmed group gives


def gold_pairs(live: LiveProject) -> list[tuple[int, int, str]]:
    """Pairs ``(i, j, "same" or "different")`` whose truth is known, sorted.

    They come from what was imported as gold, from adjudications, and from confirmed groups: pairs of one group, and
    first members of two groups that are known to differ.
    """
    found: dict[tuple[int, ...], str] = {}
    groups = live.log().confirmed()
    for group in groups:
        for i, j in list(combinations(group[:MOST_OF_GROUP], 2))[:MOST_OF_GROUP]:
            found[min(i, j), max(i, j)] = "same"
    known = live.desk.constraints.known
    for (i, *_), (j, *_) in combinations(groups, 2):
        if known(i, j) == "different":
            found[min(i, j), max(i, j)] = "different"
    for subject, truth in live.rulings():
        found[subject] = truth
    return [(i, j, truth) for (i, j), truth in sorted(found.items()) if truth != "unsure"]


def draw_gold(live: LiveProject, annotator: str) -> tuple[Question, str] | None:
    """A pair whose answer is known and that this person was not asked, when it is time for one; None otherwise.

    Whether it is time depends on the seed, the annotator and how many answers they gave: asked twice, it is said
    twice. The order of the two pictures is drawn too: nothing tells it from another question.

    Parameters
    ----------
    live : LiveProject
        Its setting ``gold_rate`` is the share of such questions.
    annotator : str
        Who would answer.
    """
    settings = live.settings
    if settings["kind"] != "pair" or not settings["gold_rate"]:
        return None
    seed = [STREAM, int(settings["seed"]), crc32(annotator.encode()), live.n_answers_of(annotator)]
    rng = np.random.default_rng(seed)
    if rng.random() >= settings["gold_rate"]:
        return None
    pairs = live.gold()
    for _ in range(TRIES if pairs else 0):
        i, j, truth = pairs[rng.integers(len(pairs))]
        items = (i, j) if rng.random() < 0.5 else (j, i)
        question = Question("pair", items)
        if live.desk.may_test(annotator, question):
            return question, truth
    return None
