"""Weights of constraints: against every chain of small sets, and what 1, 0 and whole weights mean."""

import numpy as np
import pytest

from likewise import Session
from likewise.cluster import PCCA, DiscriminativeClustering, MPCKMeans, PCKMeans
from likewise.cluster.groups import count_members
from likewise.cluster.kmeans.learned_metric import Farthest
from likewise.cluster.kmeans.mpckmeans import _MetricSearch
from likewise.cluster.logistic.answers import MeanField, error_model, read_answers
from likewise.cluster.pcca.fuzzy import _Parts, violations
from likewise.cluster.pcca.search import FuzzySearch
from likewise.cluster.weighed import read_weighed
from likewise.constraints import ConflictError, Constraints
from likewise.kernels.assignment.penalised import sum_costs

MODELS = [
    PCKMeans(3, random_state=0),
    MPCKMeans(3, random_state=0),
    MPCKMeans(3, per_cluster=True, full=True, random_state=0),
    PCCA(8, random_state=0),
    DiscriminativeClustering(3, random_state=0),
    DiscriminativeClustering(3, epsilon=0.0, random_state=0),
]


def random_case(seed, n=24, n_pairs=26):
    """Points, and consistent constraints, some of them wrong."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=n)
    X = rng.normal(size=(n, 2)) + 2.0 * np.array([[0, 0], [1, 0], [0, 1]])[truth]
    known = Constraints(n)
    for _ in range(n_pairs):
        i, j = map(int, rng.choice(n, 2, replace=False))
        if known.known(i, j) is None:
            known.add(i, j, "same" if (truth[i] == truth[j]) != (rng.random() < 0.2) else "different")
    return X, known.must_link, known.cannot_link, rng


def slow_weights(n, must, cannot, must_weights, cannot_weights):
    """By pair: the lightest constraint of the heaviest chain, by going through all chains; 0 where there is none."""
    same = np.full((n, n), 0.0)
    np.fill_diagonal(same, np.inf)
    for (i, j), weight in zip(must, must_weights, strict=True):
        same[i, j] = same[j, i] = max(same[i, j], weight)
    for k in range(n):
        same = np.maximum(same, np.minimum(same[:, [k]], same[[k]]))
    different = np.zeros((n, n))
    for (a, b), weight in zip(cannot, cannot_weights, strict=True):
        for i, j in ((a, b), (b, a)):
            different = np.maximum(different, np.minimum(np.minimum(same[:, [i]], same[[j]]), weight))
    np.fill_diagonal(same, 0.0)
    return same, different


def drawn_weights(rng, must, cannot):
    return rng.choice([0.1, 0.3, 1.0, 2.5], len(must)), rng.choice([0.2, 0.3, 1.0], len(cannot))


def links(must, cannot, must_weights=None, cannot_weights=None):
    pairs = {"must_link": must, "cannot_link": cannot}
    return {**pairs, "must_link_weights": must_weights, "cannot_link_weights": cannot_weights}


def outcome(model, X, **given):
    fitted = type(model)(**model.get_params()).fit(X, **given)
    return fitted.labels_.tolist(), fitted.objective_ if hasattr(fitted, "objective_") else fitted.lower_bound_[-1]


def slow_cost(labels, same, different):
    apart = labels[:, None] != labels
    return (np.where(apart, same, different).sum() - np.diag(different).sum()) / 2


@pytest.mark.parametrize("seed", range(8))
def test_levels_add_up_to_the_weights_of_all_chains(seed):
    _, must, cannot, rng = random_case(seed, n=12, n_pairs=12)
    given = drawn_weights(rng, must, cannot)
    same, different = slow_weights(12, must, cannot, *given)
    found_same, found_different = np.zeros((12, 12)), np.zeros((12, 12))
    for factor, groups in read_weighed(12, must, cannot, *given).levels():
        inside = count_members(groups, np.arange(12), 12)
        pairs = groups.enemy_pairs()
        found_same += factor * (inside.T @ inside)
        one_way = inside[pairs[:, 0]].T @ inside[pairs[:, 1]]
        found_different += factor * (one_way + one_way.T)
    np.fill_diagonal(found_same, 0.0)
    assert found_same == pytest.approx(same)
    assert found_different == pytest.approx(different)


@pytest.mark.parametrize("seed", range(8))
def test_pckmeans_pays_the_weights(seed):
    X, must, cannot, rng = random_case(seed)
    given = drawn_weights(rng, must, cannot)
    model = PCKMeans(3, weight=0.7, random_state=seed).fit(X, **links(must, cannot, *given))
    spread = ((X - model.cluster_centers_[model.labels_]) ** 2).sum()
    assert model.objective_ == pytest.approx(
        spread + 0.7 * slow_cost(model.labels_, *slow_weights(24, must, cannot, *given))
    )
    path = model.objective_path_
    assert (np.diff(path) <= 1e-9 * (1.0 + path[:-1])).all()


@pytest.mark.parametrize("full", [False, True])
def test_mpckmeans_prices_the_same_in_both_steps(full):
    for seed in range(6):
        X, must, cannot, rng = random_case(seed)
        given = drawn_weights(rng, must, cannot)
        X = X - X.mean(axis=0)
        levels = read_weighed(24, must, cannot, *given).levels()
        search = _MetricSearch(MPCKMeans(3, weight=1.3, full=full), X, levels, 3)
        labels = rng.permutation(np.arange(24) % 3)
        centres = np.array([X[labels == k].mean(axis=0) for k in range(3)])
        form = np.array([0.5, 2.0])
        forms = np.array([np.diag(form) if full else form])
        gap = ((X[:, None] - X) ** 2 * form).sum(axis=2)
        i, j = np.unravel_index(gap.argmax(), gap.shape)
        far = [Farthest((int(i), int(j)), X[i] - X[j], float(gap.max()))]
        priced = sum_costs(
            search._own(forms, centres), search.groups, search.layers, search._penalties(forms, far), labels
        )
        (tally,) = search.tallies.gather(labels, centres)
        assert priced + search._prior_price(forms) == pytest.approx(tally.value(forms[0], far[0].reach))
        same, different = slow_weights(24, must, cannot, *given)
        apart = labels[:, None] != labels
        violated = np.where(apart, same * gap, different * (gap.max() - gap))
        own = ((X - centres[labels]) ** 2 * form).sum() - 24 * np.log(form).sum()
        assert priced == pytest.approx(own + 1.3 * violated.sum() / 2)


@pytest.mark.parametrize("seed", range(6))
def test_pcca_pays_the_weights_and_never_more(seed):
    X, must, cannot, rng = random_case(seed)
    given = drawn_weights(rng, must, cannot)
    same, different = slow_weights(24, must, cannot, *given)
    levels = read_weighed(24, must, cannot, *given).levels()
    U = rng.dirichlet(np.ones(4), 24)
    together = U @ U.T
    assert violations(U, levels) == pytest.approx((same * (1 - together) + different * together).sum() / 2)
    labels = np.arange(24) % 4
    at = np.eye(4)[labels]
    assert _Parts(X, labels, levels).votes[0, 1] == pytest.approx((at.T @ (same - different) @ at)[0, 1])
    search = FuzzySearch(X, levels, X[:4].copy(), None, 0.0, 0.0)
    search.alpha = 0.5
    costs = []
    for _ in range(6):
        search.compete(0.0, 1.0, 1)
        costs.append(search.objective())
    assert (np.diff(costs) <= 1e-9).all()


@pytest.mark.parametrize("seed", range(4))
def test_the_bound_of_weighed_answers_is_that_of_repeated_ones(seed):
    _, must, cannot, rng = random_case(seed)
    whole = rng.integers(0, 4, len(must)), rng.integers(0, 4, len(cannot))
    weighed = MeanField(read_answers(24, must, cannot, None, *whole), error_model(0.1))
    repeated = read_answers(24, np.repeat(must, whole[0], axis=0), np.repeat(cannot, whole[1], axis=0), None)
    said = MeanField(repeated, error_model(0.1))
    assert weighed.items.tolist() == said.items.tolist()
    log_p = np.log(rng.dirichlet(np.ones(3), len(said.items)))
    q = rng.dirichlet(np.ones(3), len(said.items))
    assert weighed.bound(log_p, q) == pytest.approx(said.bound(log_p, q))
    assert weighed.update(log_p, q) == pytest.approx(said.update(log_p, q), abs=1e-6)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("seed", range(3))
def test_one_is_as_without_zero_as_if_not_said_and_whole_weights_as_repeated(model, seed):
    X, must, cannot, rng = random_case(seed)
    ones = np.ones(len(must)), np.ones(len(cannot))
    assert outcome(model, X, **links(must, cannot, *ones)) == outcome(model, X, **links(must, cannot))
    kept = rng.random(len(must)) < 0.5, rng.random(len(cannot)) < 0.5
    assert outcome(model, X, **links(must, cannot, *kept)) == outcome(model, X, **links(must[kept[0]], cannot[kept[1]]))
    whole = rng.integers(1, 4, len(must)), rng.integers(1, 4, len(cannot))
    more = np.repeat(must, whole[0], axis=0), np.repeat(cannot, whole[1], axis=0)
    labels, value = outcome(model, X, **links(must, cannot, *whole))
    again, same_value = outcome(model, X, **links(*more, *map(np.ones, map(len, more))))
    assert labels == again
    assert value == pytest.approx(same_value, rel=1e-5)


def test_a_pair_of_weight_zero_contradicts_nothing():
    X = np.arange(6.0)[:, None]
    pairs = links([(0, 1), (1, 2)], [(0, 2)], None, [0.0])
    assert PCKMeans(2, random_state=0).fit(X, **pairs).n_clusters_ == 2
    with pytest.raises(ConflictError):
        PCKMeans(2).fit(X, **links([(0, 1), (1, 2)], [(0, 2)], None, [0.5]))


@pytest.mark.parametrize("model", [PCKMeans(2), PCCA(2), DiscriminativeClustering(2)])
@pytest.mark.parametrize("bad", [[1.0], [1.0, -0.5], [1.0, np.nan], [[1.0, 1.0]]])
def test_bad_weights_are_refused(model, bad):
    with pytest.raises(ValueError, match="must_link_weights must"):
        model.fit(np.arange(6.0)[:, None], must_link=[(0, 1), (2, 3)], must_link_weights=bad)


class Spy(PCKMeans):
    """Keeps what it was given."""

    given = None

    def fit(self, X, y=None, *, must_link_weights=None, cannot_link_weights=None, **known):
        Spy.given = {**known, "must_link_weights": must_link_weights, "cannot_link_weights": cannot_link_weights}
        return super().fit(X, y, **Spy.given)


def test_a_session_that_expects_wrong_answers_says_how_sure_they_are():
    X = np.arange(12.0)[:, None]
    doubting = Session(X, strategy="random", n_clusters=3, recheck=True, random_state=0, clusterer=Spy())
    for pair, value in (
        ((0, 1), "same"),
        ((1, 0), "same"),
        ((1, 2), "same"),
        ((2, 3), "same"),
        ((0, 2), "different"),
        ((1, 3), "same"),
        ((4, 5), "different"),
        ((6, 7), "same"),
        ((8, 9), "same"),
        ((9, 8), "same"),
    ):
        doubting.answer(pair, value)
    assert doubting.labels_.shape == (12,)
    pairs = dict(zip(map(tuple, Spy.given["must_link"].tolist()), Spy.given["must_link_weights"], strict=True))
    assert sorted(pairs) == [(0, 1), (1, 2), (1, 3), (2, 3), (6, 7), (8, 9)]
    # wrong with 1.5 of 27: one is set aside, three follow from others; of {0} two say *same* and one *different*
    assert pairs[0, 1] == pairs[1, 2] == pairs[6, 7] == pytest.approx(np.round(1 - 2 * 1.5 / 27, 1))
    assert pairs[8, 9] == 1.0
    assert Spy.given["cannot_link"].tolist() == [[4, 5]]
    trusting = Session(X, strategy="random", n_clusters=3, random_state=0, clusterer=Spy())
    trusting.answer((0, 1), "same")
    assert trusting.labels_.shape == (12,)
    assert Spy.given["must_link_weights"] is None
