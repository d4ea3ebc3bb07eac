"""Answers of a study as clusters and curves: against closures by hand, estimators fitted directly, and counts."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import t

from likewise import Session
from likewise.cluster import HACC, DiscriminativeClustering
from likewise.crowd import StudyAnswer, cluster_study, compare_forms, study_curve, true_answer
from likewise.metrics import measure

ALIKE = {"ab": (0, 1, 2), "ac": (0, 2, 1), "bc": (1, 2, 0)}


def drawn(seed, n=20, k=3, n_answers=40, wrong=0.15, people=("ann",)):
    """Items of some classes, and answers of people who err and are sometimes not sure, in the order of their times."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=n)
    X = rng.normal(size=(n, 2)) + 2.0 * truth[:, None]
    names = [f"{i}.jpg" for i in range(n)]
    answers = []
    for number in range(n_answers):
        size = int(rng.integers(2, 4))
        kind = "pair" if size == 2 else "triplet"
        items = rng.choice(n, size, replace=False)
        value = true_answer(kind, truth[items].tolist())
        if rng.random() < wrong:
            value = str(rng.choice(["same", "different"] if size == 2 else ["ab", "ac", "bc", "none"]))
        if rng.random() < 0.05:
            value = "unsure"
        person, named = str(rng.choice(people)), tuple(names[i] for i in items)
        answers.append(StudyAnswer("s", person, kind, value, None, float(rng.uniform(1, 5)), named, f"{number:03d}"))
    return X, truth, names, answers


def statements(answer):
    """What an answer says of pairs of names."""
    if answer.kind == "pair":
        return [(*answer.items, answer.answer)] if answer.answer != "unsure" else []
    if answer.answer not in ALIKE:
        return []
    a, b, c = (answer.items[k] for k in ALIKE[answer.answer])
    return [(a, b, "same"), (a, c, "different"), (b, c, "different")]


def known(kept, names):
    """All that follows from statements, by repeating the two rules until nothing changes."""
    group = {name: name for name in names}
    for a, b, relation in kept:
        if relation == "same":
            old, new = group[a], group[b]
            group = {name: new if at == old else at for name, at in group.items()}
    apart = {frozenset((group[a], group[b])) for a, b, relation in kept if relation == "different"}
    assert all(len(pair) == 2 for pair in apart), "what is kept is consistent"
    found = {}
    for a, b in combinations(names, 2):
        if group[a] == group[b]:
            found[frozenset((a, b))] = "same"
        elif frozenset((group[a], group[b])) in apart:
            found[frozenset((a, b))] = "different"
    return found


def first_stand(answers, names):
    """The statements that no earlier one contradicts, and the others, each with the answer that made it."""
    kept, contradicting = [], []
    for answer in answers:
        for a, b, relation in statements(answer):
            if known(kept, names).get(frozenset((a, b)), relation) == relation:
                kept.append((a, b, relation))
            else:
                contradicting.append((answer, (a, b, relation)))
    return kept, contradicting


@pytest.mark.parametrize("seed", range(25))
def test_one_persons_answers_are_what_no_earlier_one_contradicts(seed):
    X, _, names, answers = drawn(seed, n=12, n_answers=25)
    kept, contradicting = first_stand(answers, names)
    found = cluster_study(answers, X, names, by="hacc", n_clusters=3)
    assert [(conflict.answer, conflict.said) for conflict in found.conflicts] == contradicting
    assert found.n_conflicting == len({answer.when for answer, _ in contradicting})
    links = {r: [(names.index(a), names.index(b)) for a, b, said in kept if said == r] for r in ("same", "different")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)  # a dead end is no fault here
        expected = HACC(3).fit(X, must_link=links["same"], cannot_link=links["different"]).labels_
    assert found.labels.tolist() == expected.tolist()
    assert (found.answers, found.set_aside, found.not_counted) == (25, True, ())
    assert found.unsure == sum(answer.answer == "unsure" for answer in answers)
    assert found.otherwise == sum(answer.answer == "none" for answer in answers)


@pytest.mark.parametrize("seed", range(15))
def test_a_conflict_names_answers_that_imply_the_opposite(seed):
    X, _, names, answers = drawn(seed, n=10, n_answers=30, wrong=0.3, people=("ann", "bob", "cec"))
    found = cluster_study(answers, X, names, by="hacc", n_clusters=3)
    for answer, (a, b, relation), against in found.conflicts:
        assert (a, b, relation) in statements(answer)
        assert all(said in statements(other) for other, said in against)
        implied = known([said for _, said in against], names)
        assert implied[frozenset((a, b))] != relation


@pytest.mark.parametrize("seed", range(15))
def test_clusters_keep_every_answer_that_is_not_named(seed):
    X, _, names, answers = drawn(seed, people=("ann", "bob", "cec"))
    found = cluster_study(answers, X, names, by="hacc", n_clusters=3)
    label = dict(zip(names, found.labels.tolist(), strict=True))
    named = [(conflict.answer, conflict.said) for conflict in found.conflicts]
    for answer in answers:
        for a, b, said in statements(answer):
            if (answer, (a, b, said)) not in named and answer.person not in found.not_counted:
                assert (label[a] == label[b]) == (said == "same")


@pytest.mark.parametrize("people", [("ann",), ("ann", "bob", "cec")])
def test_the_readings_are_those_of_sessions_that_were_told_the_same(people):
    X, _, names, answers = drawn(3, people=people)
    for by, options in (("session", {}), ("hacc", {"strategy": "active-hacc"})):
        session = Session(X, n_clusters=3, random_state=0, **options)
        for answer in answers:
            items = [names.index(name) for name in answer.items]
            session.answer(items, answer.answer, annotator=answer.person, seconds=answer.seconds)
        found = cluster_study(answers[::-1], X, names, by=by, n_clusters=3)
        assert found.labels.tolist() == session.labels_.tolist()
        assert len(found.conflicts) == len(session.conflicts)


@pytest.mark.parametrize("seed", range(3))
def test_discriminative_clustering_is_told_every_answer_as_it_was_said(seed):
    X, _, names, answers = drawn(seed, wrong=0.4)
    found = cluster_study(answers, X, names, by="discriminative", n_clusters=3, random_state=seed)
    assert found.conflicts
    assert not found.set_aside
    at = [tuple(names.index(name) for name in answer.items) for answer in answers]
    told = list(zip(at, [answer.answer for answer in answers], strict=True))
    triplets = [(*items, value) for items, value in told if len(items) == 3 and value != "unsure"]
    must, cannot = ([items for items, value in told if value == said] for said in ("same", "different"))
    model = DiscriminativeClustering(3, epsilon=0.15, random_state=seed)
    expected = model.fit(X, must_link=must, cannot_link=cannot, triplets=triplets).labels_
    assert found.labels.tolist() == expected.tolist()
    given = DiscriminativeClustering(epsilon=0.15, n_starts=3)
    by_object = cluster_study(answers, X, names, by=given, n_clusters=3, random_state=seed)
    assert by_object.labels.shape == (20,)
    assert given.n_clusters == 2, "the estimator that was given stays as it is"


def test_bad_use_is_refused():
    X, truth, names, answers = drawn(0)
    bare = [StudyAnswer("s", "ann", "pair", "same", None, 1.0)]
    for some, where, options, said in (
        (answers, names[1:], {}, "19 names for 20 items"),
        (answers, ["x"] * 20, {}, "two items have the same name"),
        (answers, [f"other {name}" for name in names], {}, "ann was asked about '.*', which is not among the items"),
        (bare, names, {}, "no names of its 2 items"),
        (answers, names, {"by": "hacc", "n_clusters": None}, "n_clusters must be given"),
        (answers, names, {"by": "magic"}, "there is no clusterer 'magic'"),
        (
            answers,
            names,
            {"by": "discriminative", "metric": "cosine"},
            "discriminative needs vectors and the Euclidean",
        ),
    ):
        with pytest.raises(ValueError, match=said):
            cluster_study(some, X, where, **{"n_clusters": 3} | options)
    untimed = [StudyAnswer("s", "ann", "pair", "same", None, None, (names[0], names[1]))]
    for call, options, said in (
        (study_curve, {"steps": 0}, "steps must be at least 1"),
        (compare_forms, {"along": "answers"}, "along must be"),
        (compare_forms, {"along": "seconds", "some": untimed}, "ann gave an answer without a time"),
    ):
        some = options.pop("some", answers)
        with pytest.raises(ValueError, match=said):
            call(some, X, names, truth, by="hacc", n_clusters=3, **options)
    for classes, said in ((truth[1:], "19 entries for 20"), ([None] * 20, "the class of no item is known")):
        with pytest.raises(ValueError, match=said):
            study_curve(answers, X, names, classes, by="hacc", n_clusters=3)


def right_and_wrong(answers, class_of):
    decided = [answer for answer in answers if answer.answer != "unsure"]
    right = sum(
        answer.answer == true_answer(answer.kind, [class_of[name] for name in answer.items]) for answer in decided
    )
    return right, len(decided) - right


@pytest.mark.parametrize("by", ["session", "hacc"])
@pytest.mark.parametrize("seed", range(4))
def test_every_point_of_a_curve_is_the_clusters_under_so_many_answers(seed, by):
    X, truth, names, answers = drawn(seed, people=("ann", "bob"))
    class_of = dict(zip(names, truth.tolist(), strict=True))
    rows = study_curve(answers, X, names, truth, by=by, n_clusters=3, steps=4)
    assert [row["answers"] for row in rows] == [0, 10, 20, 30, 40]
    for row in rows:
        some = answers[: row["answers"]]
        found = cluster_study(some, X, names, by=by, n_clusters=3)
        assert {key: row[key] for key in measure(truth, found.labels)} == measure(truth, found.labels)
        assert (row["right"], row["wrong"]) == right_and_wrong(some, class_of)
        assert row["unsure"] == found.unsure
        assert row["conflicts"] == found.n_conflicting
        assert row["n_clusters"] == len(set(found.labels.tolist()))
        assert row["seconds"] == pytest.approx(sum(answer.seconds for answer in some))


def test_a_curve_of_discriminative_clustering_begins_without_answers():
    X, truth, names, answers = drawn(2, n_answers=10)
    first, last = study_curve(answers, X, names, truth, by="discriminative", n_clusters=3, steps=1)
    alone = DiscriminativeClustering(3, epsilon=0.15, random_state=0).fit(X)
    assert first["jaccard"] == measure(truth, alone.labels_)["jaccard"]
    assert (first["answers"], last["answers"]) == (0, 10)


def test_distances_give_the_clusters_of_the_vectors_they_are_of():
    X, _, names, answers = drawn(4)
    found = cluster_study(answers, X, names, by="hacc", n_clusters=3)
    D = np.linalg.norm(X[:, None] - X, axis=2)
    by_distances = cluster_study(answers, D, names, by="hacc", n_clusters=3, metric="precomputed")
    assert by_distances.labels.tolist() == found.labels.tolist()


def test_items_without_a_class_are_clustered_and_not_measured():
    X, truth, names, answers = drawn(1)
    classes = [None if k < 5 else int(c) for k, c in enumerate(truth)]
    last = study_curve(answers, X, names, classes, by="hacc", n_clusters=3)[-1]
    labels = cluster_study(answers, X, names, by="hacc", n_clusters=3).labels
    assert last["jaccard"] == measure(truth[5:], labels[5:])["jaccard"]
    judged = [answer for answer in answers if not {*answer.items} & {*names[:5]}]
    assert (last["right"], last["wrong"]) == right_and_wrong(judged, dict(zip(names, truth.tolist(), strict=True)))


def test_fifths_of_195_pairs_and_130_triplets_show_as_many_items():
    rng = np.random.default_rng(0)
    names = [f"{i}" for i in range(30)]
    kinds = ["triplet"] * 130 + ["pair"] * 195
    drawn_items = [tuple(names[i] for i in rng.choice(30, 2 if kind == "pair" else 3, replace=False)) for kind in kinds]
    answers = [
        StudyAnswer("s", "ann", kind, "same" if kind == "pair" else "none", None, 1.0, items)
        for kind, items in zip(kinds, drawn_items, strict=True)
    ]
    X, truth = rng.normal(size=(30, 2)), [0] * 30
    rows = compare_forms(answers, X, names, truth, along="items", by="session", n_clusters=3)
    counts = {form: [row["answers"] for row in rows if row["form"] == form] for form in ("pair", "triplet")}
    assert counts == {"pair": [39, 78, 117, 156, 195], "triplet": [26, 52, 78, 104, 130]}
    assert {row["answers"] for row in rows if row["form"] == "two of three"} == {0}
    assert {row["interval_95"] for row in rows} == {None}


@pytest.mark.parametrize("along", ["items", "seconds"])
@pytest.mark.parametrize("seed", range(4))
def test_forms_are_compared_at_equal_cost_person_by_person(seed, along):
    X, truth, names, answers = drawn(seed, n_answers=60, people=("ann", "bob", "cec"))
    class_of = dict(zip(names, truth.tolist(), strict=True))
    rows = compare_forms(answers, X, names, truth, along=along, by="hacc", n_clusters=3, steps=3)

    def cost(answer):
        return len(answer.items) if along == "items" else answer.seconds

    for form in ("pair", "triplet", "two of three"):
        for step in (1, 2, 3):
            scores, counts, rights = [], [], []
            for person in ("ann", "bob", "cec"):
                own = [answer for answer in answers if answer.person == person]
                of = {kind: [answer for answer in own if answer.kind == kind] for kind in ("pair", "triplet")}
                budget = min(sum(map(cost, some)) for some in of.values())
                spent, taken = 0.0, []
                for answer in of["pair" if form == "pair" else "triplet"]:
                    spent += cost(answer)
                    if spent <= step / 3 * budget + 1e-9:
                        taken.append(answer)
                if form == "two of three":
                    taken = [answer for answer in taken if answer.answer != "none"]
                labels = cluster_study(taken, X, names, by="hacc", n_clusters=3).labels
                scores.append(measure(truth, labels)["f_measure"])
                counts.append(len(taken))
                rights.append(right_and_wrong(taken, class_of)[0])
            row = next(r for r in rows if r["form"] == form and r["share"] == step / 3)
            assert row["people"] == 3
            assert row["f_measure"] == pytest.approx(np.mean(scores))
            assert row["answers"] == pytest.approx(np.mean(counts))
            assert row["right"] == pytest.approx(np.mean(rights))
            half = t.interval(0.95, 2, 0, np.std(scores, ddof=1) / 3**0.5)[1] if np.std(scores) else 0.0
            assert row["interval_95"] == pytest.approx(half)
