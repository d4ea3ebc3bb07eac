"""Small clusters are more probably pieces of larger ones: against a loop over pairs, and at the ends."""

import numpy as np
import pytest

from likewise.query.dendrogram.candidates import MergeCandidates


def draw(seed):
    """Some pairs of clusters, each once, with probabilities up to 1, and sizes with ties and gaps among the labels."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 12))
    sizes = rng.integers(1, 6, n).astype(float) * rng.integers(1, 5)
    sizes[rng.random(n) < 0.2] = 0.0
    there = np.flatnonzero(sizes)
    left, right = np.array([(a, b) for a in there for b in there if a < b], np.int64).reshape(-1, 2).T
    kept = rng.random(len(left)) < 0.7
    probability = rng.choice([1e-300, 1e-4, 0.02, 0.3, 0.9, 1.0], int(kept.sum()))
    return MergeCandidates(left[kept], right[kept], probability), sizes


def place_one_by_one(found, sizes):
    usual = sum(s * s for s in sizes) / sum(sizes)
    pairs = list(zip(found.left.tolist(), found.right.tolist(), found.probability.tolist(), strict=True))
    odds = [p / max(1 - p, np.finfo(float).eps) for _, _, p in pairs]
    small = [a if sizes[a] <= sizes[b] else b for a, b, _ in pairs]
    placed = []
    for k, (_, _, p) in enumerate(pairs):
        total = sum(o for o, other in zip(odds, small, strict=True) if other == small[k])
        placed.append(max(p, odds[k] / (min(1.0, sizes[small[k]] / usual) ** 0.5 + total)))
    return np.array(placed)


@pytest.mark.parametrize("seed", range(30))
def test_as_pair_by_pair(seed):
    found, sizes = draw(seed)
    placed = found.with_small_placed(sizes).probability
    np.testing.assert_allclose(placed, place_one_by_one(found, sizes), rtol=1e-9)
    assert (placed >= found.probability).all()
    assert (placed <= 1).all()


def test_one_of_the_usual_size_with_one_candidate_stays_as_it_is():
    found = MergeCandidates(np.array([0]), np.array([1]), np.array([0.2]))
    assert found.with_small_placed(np.array([5.0, 5.0])).probability == pytest.approx([0.2])


def test_the_smaller_the_more_probably_a_piece():
    found = MergeCandidates(np.array([0, 0]), np.array([1, 2]), np.array([0.05, 0.01]))
    sums = [found.with_small_placed(np.array([s, 50.0, 50.0])).probability.sum() for s in (1.0, 5.0, 20.0, 50.0)]
    assert sums == sorted(sums, reverse=True)
    assert sums[0] > 0.3
    assert sums[-1] < 0.1


def test_without_pairs():
    none = np.empty(0, np.int64)
    assert len(MergeCandidates(none, none, np.empty(0)).with_small_placed(np.array([3.0])).left) == 0
