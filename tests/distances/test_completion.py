"""Hits to similarities, the filter, and completion: by hand, and against the convex program at its optimum."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from likewise.crowd import complete_matrix, completed_rank, filter_similarity, hit_similarity
from likewise.distances.completion import FACTORS, _best_of, _Completion


def partly_seen(rng, n, n_clusters, share, wrong):
    """A block matrix, and what is seen of it, with some of that flipped."""
    truth = np.sort(np.arange(n) % n_clusters)
    A = (truth[:, None] == truth).astype(float)
    seen = np.triu(rng.random((n, n)) < share, 1)
    flipped = seen & (rng.random((n, n)) < wrong)
    said = np.where(flipped, 1 - A, A)
    said = np.where(seen, said, np.nan)
    said = np.where(np.tri(n, k=-1, dtype=bool), said.T, said)
    np.fill_diagonal(said, 1.0)
    return A, said


def objective(L, seen, C):
    known = ~np.isnan(seen)
    return np.abs(np.linalg.eigvalsh(L)).sum() + C * np.abs(L[known] - seen[known]).sum()


@pytest.mark.parametrize(("n", "n_clusters"), [(200, 2), (300, 3), (400, 3)])
def test_exact_recovery_of_a_block_matrix(n, n_clusters):
    A, seen = partly_seen(np.random.default_rng(n), n, n_clusters, 0.2, 0.05)
    completed = complete_matrix(seen)
    assert np.abs(completed - A).max() < 0.02
    assert ((completed > 0.5) == A).all()
    assert completed_rank(completed) == n_clusters


def test_where_recovery_fails_the_program_is_at_fault_not_the_solver():
    """300 items in 6: about ten partners seen in an item's own cluster. What is found costs less than the truth.

    The truth could be told, though: no item, moved alone, would disagree with less of what was seen.
    """
    A, seen = partly_seen(np.random.default_rng(300), 300, 6, 0.2, 0.05)
    inside = A[:, ::50]
    ones, zeros = (seen == 1).astype(float), (seen == 0).astype(float)
    disagreements = zeros @ inside + ones @ (1 - inside)
    assert (disagreements.argmin(axis=1) == inside.argmax(axis=1)).all()
    unit = 1 / np.sqrt((~np.isnan(seen)).sum() / 300)
    for factor in FACTORS:
        completed = complete_matrix(seen, factor * unit, tol=1e-4)
        assert completed.min() > -1e-2
        assert completed.max() < 1 + 1e-2
        assert np.abs(completed - A).max() > 0.5
        assert objective(completed, seen, factor * unit) < objective(A, seen, factor * unit)


def test_no_neighbour_is_better_than_the_optimum():
    rng = np.random.default_rng(1)
    _, seen = partly_seen(rng, 30, 3, 0.5, 0.1)
    C = 0.3
    best = complete_matrix(seen, C, tol=1e-7, max_iter=3000)
    least = objective(best, seen, C)
    assert np.linalg.eigvalsh(best)[0] > -1e-9
    assert best.min() > -1e-5
    assert best.max() < 1 + 1e-5
    for size in (1e-1, 1e-2, 1e-3):
        for _ in range(30):
            labels, scale = rng.integers(rng.integers(1, 7), size=30), np.sqrt(rng.random(30))
            blocks = (labels[:, None] == labels).astype(float)
            for other in (blocks, blocks * np.outer(scale, scale), np.zeros_like(blocks)):
                assert objective((1 - size) * best + size * other, seen, C) >= least - 1e-5


@pytest.mark.parametrize("factor", FACTORS)
def test_following_some_directions_finds_what_all_find(factor, monkeypatch):
    _, seen = partly_seen(np.random.default_rng(5), 120, 3, 0.4, 0.1)
    C = factor / np.sqrt((~np.isnan(seen)).sum() / 120)
    followed = complete_matrix(seen, C, max_iter=2000)
    shrink = _Completion._shrink
    monkeypatch.setattr(_Completion, "_shrink", lambda self, full: shrink(self, full=True))
    np.testing.assert_allclose(followed, complete_matrix(seen, C, max_iter=2000), atol=2e-3)


def slowly_completed(seen, C, mu=0.5, rounds=3000):
    """The same program by plain ADMM, all directions, one step size."""
    known, given = ~np.isnan(seen), np.nan_to_num(seen)
    Z, Y = np.zeros_like(given), np.zeros_like(given)
    for _ in range(rounds):
        values, vectors = np.linalg.eigh(Z + Y / mu)
        L = vectors * np.maximum(values - 1 / mu, 0) @ vectors.T
        moved = L - Y / mu
        off = moved - given
        Z = np.clip(np.where(known, given + np.sign(off) * np.maximum(np.abs(off) - C / mu, 0), moved), 0, 1)
        Y += mu * (Z - L)
    return L


@pytest.mark.parametrize(("seed", "factor"), [(0, 1.0), (1, 1.5), (2, 2.0), (0, 3.0)])
def test_what_does_not_settle_at_once_is_the_optimum_too(seed, factor):
    _, seen = partly_seen(np.random.default_rng(seed), 48, 4, 0.4, 0.1)
    C = factor / np.sqrt((~np.isnan(seen)).sum() / 48)
    least = objective(slowly_completed(seen, C), seen, C)
    state = _Completion(seen, 0)
    for found in (complete_matrix(seen, C, max_iter=1000), state._run_full(C, 1e-5 * state.scale, 3000)):
        assert objective(found, seen, C) == pytest.approx(least, rel=2e-3)
        assert found.min() > -1e-2
        assert found.max() < 1 + 1e-2


def test_what_has_not_settled_is_said_and_stays_between_zero_and_one():
    _, seen = partly_seen(np.random.default_rng(0), 60, 6, 0.3, 0.1)
    for max_iter in (0, 3):
        with pytest.warns(ConvergenceWarning, match=f"max_iter={max_iter}"):
            found = complete_matrix(seen, 0.5, max_iter=max_iter)
        assert found.min() >= 0
        assert found.max() <= 1


def test_balance_prefers_a_matrix_of_the_rank_asked_for():
    lost = np.kron(np.diag([1.0, 1.0, 0.0]), np.ones((10, 10)))
    lost[20:, 20:] = np.eye(10) * 0.01
    uneven = np.zeros((30, 30))
    for start, stop in ((0, 16), (16, 24), (24, 30)):
        uneven[start:stop, start:stop] = 0.9
    assert _best_of([lost, uneven], 3) is uneven


def test_all_seen_and_right_stays():
    A, _ = partly_seen(np.random.default_rng(0), 40, 4, 1.0, 0.0)
    np.testing.assert_allclose(complete_matrix(A), A, atol=1e-3)


def test_balance_and_seeds():
    _, seen = partly_seen(np.random.default_rng(2), 60, 3, 0.4, 0.05)
    one, two = (complete_matrix(seen, "balance", n_clusters=3) for _ in range(2))
    np.testing.assert_array_equal(one, two)
    assert (one == one.T).all() or np.allclose(one, one.T, atol=1e-12)


def test_degenerate_matrices():
    assert complete_matrix([[np.nan]]).shape == (1, 1)
    nothing = np.full((5, 5), np.nan)
    assert np.isfinite(complete_matrix(nothing)).all()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"A": np.zeros((2, 3))}, "square"),
        ({"A": [[1, 0.2], [0.3, 1]]}, "not symmetric"),
        ({"A": [[1, 2.0], [2.0, 1]]}, "between 0 and 1"),
        ({"A": np.eye(3), "C": -1.0}, "C must be positive"),
        ({"A": np.eye(3), "C": "no"}, "C must be a number"),
        ({"A": np.eye(3), "C": "balance"}, "needs n_clusters"),
    ],
)
def test_bad_input(given, message):
    with pytest.raises(ValueError, match=message):
        complete_matrix(**given)


def test_filter_keeps_what_is_agreed_on():
    A = np.array([[1.0, 0.8, 0.79], [0.8, 1.0, 0.0], [0.79, 0.0, np.nan]])
    kept = filter_similarity(A)
    np.testing.assert_array_equal(kept, [[1, 1, np.nan], [1, 1, 0], [np.nan, 0, np.nan]])
    with pytest.raises(ValueError, match="low and high"):
        filter_similarity(A, 0.9, 0.1)


def test_hits_against_loops():
    rng = np.random.default_rng(3)
    for _ in range(20):
        hits = [
            (int(rng.integers(4)), int(rng.integers(8)), str(rng.integers(5)) if rng.random() < 0.9 else None)
            for _ in range(40)
        ]
        found = hit_similarity(hits, 9)
        for i in range(9):
            for j in range(9):
                votes = []
                for h in range(4):
                    one, two = ({m for k, x, m in hits if k == h and x == t} for t in (i, j))
                    if one and two:
                        votes.append(float(i == j or bool((one & two) - {None})))
                expected = np.mean(votes) if votes else np.nan
                np.testing.assert_allclose(found[i, j], expected)


def test_hits_outside():
    with pytest.raises(ValueError, match="hits name item 3, but there are 3 items"):
        hit_similarity([("h", 3, "a")], 3)
