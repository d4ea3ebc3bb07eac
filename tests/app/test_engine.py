"""The engine keeps in step with the answers in force, whatever was taken back or came late."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from likewise import Answer, Session
from likewise.app.engine import Engine
from likewise.app.evidence import Evidence

IMAGES = np.array([3, 5, 8, 9, 12])
VECTORS = np.array([[0.0], [0.2], [5.0], [5.1], [9.0]])


def pair(i, j, value="same"):
    return Answer("pair", (i, j), value)


def evidence(answers, groups=()):
    confirmed = [Answer("membership", group, "belongs", group=k) for k, group in enumerate(groups)]
    return Evidence([(0, answer) for answer in (*confirmed, *answers)])


def fresh(answers, groups=()):
    engine = Engine(strategy="random", n_clusters=3, seed=1)
    engine.set_pictures(IMAGES, VECTORS)
    engine.update(evidence(answers, groups), len(answers))
    return engine


answers_of_people = st.lists(
    st.tuples(
        st.sampled_from([3, 5, 8, 9, 12, 99]), st.sampled_from([3, 5, 8, 9, 12]), st.sampled_from(["same", "different"])
    ).filter(lambda a: a[0] != a[1]),
    max_size=6,
)


groups_of_people = st.lists(st.permutations([3, 5, 8, 9, 12, 99]).map(lambda items: tuple(items[:3])), max_size=2)


@given(answers_of_people, answers_of_people)
@settings(max_examples=100, deadline=None)
def test_any_change_of_the_answers_equals_a_fresh_engine(first, second):
    first, second = [pair(*a) for a in first], [pair(*a) for a in second]
    engine = fresh(first)
    engine.update(evidence(second), len(second))
    expected = fresh(second)
    assert engine.cluster().labels.tolist() == expected.cluster().labels.tolist()
    assert engine.prepare().questions == expected.prepare().questions


@given(answers_of_people, groups_of_people, answers_of_people, groups_of_people)
@settings(max_examples=50, deadline=None)
def test_what_is_outvoted_changes_with_the_answers(first, some, second, others):
    now = evidence([pair(*a) for a in second], others)
    engine, expected = Engine(seed=1), Engine(seed=1)
    before = evidence([pair(*a) for a in first], some)
    for each, latest in ((engine, before), (engine, now), (expected, now)):
        if not len(each.images):
            each.set_pictures(IMAGES, VECTORS)
        each.update(latest, 1)
    assert engine.cluster().labels.tolist() == expected.cluster().labels.tolist()
    assert engine.prepare().questions == expected.prepare().questions


@pytest.mark.parametrize(("recheck", "together"), [(True, False), (False, True)])
def test_what_two_contradict_is_set_aside_if_wanted(recheck, together):
    engine = Engine(seed=0, recheck=recheck)
    engine.set_pictures(IMAGES, VECTORS)
    answers = [pair(3, 5), pair(8, 3), pair(3, 5, "different"), pair(8, 5, "different")]
    engine.update(evidence(answers), 4)
    labels = dict(zip(IMAGES.tolist(), engine.cluster().labels.tolist(), strict=True))
    assert (labels[3] == labels[5]) is together


def test_strategies_that_doubt_nothing_take_the_option():
    engine = Engine(strategy="random", seed=0, recheck=True)
    engine.set_pictures(IMAGES, VECTORS)
    assert engine.prepare().questions


def test_answers_heard_before_the_pictures_are_there_count():
    engine = Engine(strategy="random", n_clusters=2, seed=0)
    engine.update(evidence([pair(3, 12), pair(3, 8, "different")]), 2)
    assert engine.prepare().questions == []
    assert engine.cluster().labels.tolist() == []
    engine.set_pictures(IMAGES, VECTORS)
    labels = dict(zip(IMAGES.tolist(), engine.cluster().labels.tolist(), strict=True))
    assert labels[3] == labels[12] != labels[8]
    engine.set_pictures(IMAGES[:3], VECTORS[:3])  # fewer pictures: what is said of the others waits
    engine.set_pictures(IMAGES, VECTORS)
    assert dict(zip(IMAGES.tolist(), engine.cluster().labels.tolist(), strict=True)) == labels


def test_speculation_is_what_would_come():
    engine = fresh([pair(3, 5)])
    prepared = engine.look_ahead(engine.prepare())
    first = prepared.questions[0]
    assert set(prepared.after) == {("same", ()), ("different", ())}
    for (value, _), expected in prepared.after.items():
        told = fresh([pair(3, 5), pair(*first.items, value)])
        questions = told.prepare(1).questions
        assert questions == ([] if expected is None else [expected])
    assert engine.prepare().questions == prepared.questions  # nothing was left behind


def test_triplets_are_a_pair_and_the_closest_of_another_cluster():
    engine = Engine(strategy="random", n_clusters=3, seed=1, kind="triplet")
    engine.set_pictures(IMAGES, VECTORS)
    labels = dict(zip(IMAGES.tolist(), engine.cluster().labels.tolist(), strict=True))
    questions = engine.prepare().questions
    assert any(q.kind == "triplet" for q in questions)
    for question in questions:
        if question.kind == "triplet":
            i, j, k = question.items
            assert labels[k] not in (labels[i], labels[j])
    first = questions[0]
    prepared = engine.look_ahead(engine.prepare())
    expected = {"ab", "ac", "bc", "none"} if first.kind == "triplet" else {"same", "different"}
    assert {value for value, _ in prepared.after} == expected


def test_finished():
    engine = fresh([pair(i, j, "different") for i in IMAGES.tolist() for j in IMAGES.tolist() if i < j])
    assert engine.prepare().finished


def test_doubt_is_larger_between_clusters():
    engine = Engine(strategy="random", n_clusters=2, seed=0)
    engine.set_pictures(np.arange(5), np.array([[0.0], [1.0], [4.0], [10.0], [11.0]]))
    clustering = engine.cluster()
    assert clustering.doubt.argmax() == 2
    assert ((clustering.doubt >= 0) & (clustering.doubt <= 1)).all()


@pytest.mark.parametrize("strategy", ["random"])
def test_ids_and_not_places_are_asked(strategy):
    engine = Engine(strategy=strategy, seed=0)
    engine.set_pictures(IMAGES, VECTORS)
    assert all(set(q.items) <= set(IMAGES.tolist()) for q in engine.prepare().questions)
    assert Session(VECTORS, strategy=strategy, random_state=0).ask() is not None


@given(answers_of_people, groups_of_people, answers_of_people, groups_of_people)
@settings(max_examples=50, deadline=None)
def test_confirmed_groups_come_and_go_like_answers(first, some, second, others):
    first, second = [pair(*a) for a in first], [pair(*a) for a in second]
    engine = fresh(first, some)
    engine.update(evidence(second, others), 0)
    expected = fresh(second, others)
    assert engine.cluster().labels.tolist() == expected.cluster().labels.tolist()
    assert engine.prepare().questions == expected.prepare().questions


def test_a_confirmed_group_is_in_one_cluster_and_is_not_asked_about():
    engine = fresh([], [(3, 9, 12, 99)])
    labels = dict(zip(IMAGES.tolist(), engine.cluster().labels.tolist(), strict=True))
    assert labels[3] == labels[9] == labels[12]
    asked = {question.items for question in engine.prepare().questions}
    assert not asked & {(3, 9), (3, 12), (9, 12)}


def test_confirming_a_right_cluster_leaves_the_others_as_they_are():
    rng = np.random.default_rng(0)
    X = np.repeat(np.eye(6, 64), 10, axis=0) + 0.15 * rng.normal(size=(60, 64))
    engine = Engine(seed=0)
    engine.set_pictures(np.arange(60), X)
    before = engine.cluster().labels
    engine.update(evidence([], [tuple(range(10, 20))]), 1)
    after = engine.cluster().labels
    assert len(set(after[10:20].tolist())) == 1
    assert len(set(after.tolist())) >= len(set(before.tolist())) - 1


@pytest.mark.parametrize("seed", range(5))
def test_a_pair_that_has_its_answer_is_not_offered_again(seed):
    """People who contradict each other leave doubts; whoever answered, the queue gives no answered pair to anybody."""
    rng = np.random.default_rng(seed)
    truth = np.arange(8) % 2
    pairs = [(i, j) for i in range(8) for j in range(i)]
    said = [
        Answer(
            "pair", pair, "same" if (truth[pair[0]] == truth[pair[1]]) != (rng.random() < 0.3) else "different", "ann"
        )
        for pair in pairs
    ]
    for n in (10, 20, len(said)):
        engine = Engine(recheck=True)
        engine.set_pictures(np.arange(8), rng.normal(size=(8, 2)) + 3 * truth[:, None])
        engine.update(Evidence([(k + 1, answer) for k, answer in enumerate(said[:n])]), n)
        offered = {tuple(sorted(question.items)) for question in engine.prepare().questions}
        assert offered.isdisjoint(tuple(sorted(answer.items)) for answer in said[:n])


@pytest.mark.parametrize("kind", ["pair", "auto"])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_asked_last_is_asked_only_when_all_else_is_known(kind, seed):
    rng = np.random.default_rng(seed)
    images, truth = np.sort(rng.choice(90, 20, replace=False)), rng.integers(4, size=20)
    class_of = dict(zip(images.tolist(), truth.tolist(), strict=True))
    last = set(rng.choice(images, 7, replace=False).tolist())
    engine = Engine(seed=seed, kind=kind, recheck=False)
    engine.keep_apart([tuple({class_of[k]: k for k in images.tolist()}.values())])
    engine.ask_last(last)
    engine.set_pictures(images, rng.normal(size=(20, 2)) + 2 * truth[:, None])
    easy, was_last = [k for k in images.tolist() if k not in last], []
    for n in range(1, 300):
        questions = engine.prepare(1).questions
        if not questions:
            break
        known = engine._session.state.constraints.known
        rows = [engine._rows.row_of[image] for image in easy]
        is_open = any(known(i, j) is None for k, i in enumerate(rows) for j in rows[k + 1 :])
        was_last.append(not last.isdisjoint(questions[0].items))
        assert was_last[-1] == (not is_open)
        first, *others = questions[0].items
        odd = tuple(item for item in others if class_of[item] != class_of[first])
        same = tuple(item for item in others if item not in odd)
        answer = {
            "grid": Answer("grid", questions[0].items, "marked", chosen=odd),
            "pick": Answer("pick", questions[0].items, "chosen" if same else "none", chosen=same[:1]),
            "pair": Answer("pair", questions[0].items, "same" if same else "different"),
        }[questions[0].kind]
        engine.add([(n, answer)], set(), n)
    assert engine.prepare(1).finished
    assert {True, False} == set(was_last)
