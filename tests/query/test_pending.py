"""Pairs that have their answer, kept up to date: those of reading the history from the start."""

import numpy as np
import pytest

from likewise.query.pending import AnsweredPairs
from likewise.query.question import Answer


def drawn(rng):
    """An answer of any form."""
    items = tuple(rng.choice(8, int(rng.integers(3, 6)), replace=False).tolist())
    return [
        Answer("pair", items[:2], str(rng.choice(["same", "different", "unsure"]))),
        Answer("grid", items, "marked", chosen=items[1:2]),
        Answer("membership", items, "belongs", group=1),
    ][int(rng.integers(3))]


@pytest.mark.parametrize("seed", range(20))
def test_pairs_after_changes_are_those_read_from_the_start(seed):
    rng = np.random.default_rng(seed)
    pairs, history = AnsweredPairs(), []
    for _ in range(60):
        if history and rng.random() < 0.4:
            del history[int(rng.integers(len(history))) :]
        history += [drawn(rng) for _ in range(int(rng.integers(0, 4)))]
        expected = {
            (min(each.items[0], other), max(each.items[0], other))
            for each in history
            if each.kind != "membership" and each.value != "unsure"
            for other in each.items[1:]
        }
        assert set(pairs.after(history)) == expected
