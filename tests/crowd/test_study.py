"""Studies: what is drawn, and the tables against counts by hand and against the figures of the source."""

import csv
import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from likewise.crowd import (
    StudyAnswer,
    confusion_table,
    deal_hits,
    deal_study,
    pair_coverage,
    preference_table,
    read_study,
    read_survey,
    shuffle_study,
    study_tables,
    time_table,
    true_answer,
)
from likewise.crowd.study import draw_questions
from likewise.crowd.study_tables import shown_tables


def forms(questions):
    return [form for form, _, _ in questions]


@pytest.mark.parametrize("order", ["blocks", "mixed"])
def test_questions_are_a_function_of_seed_and_person(order):
    options = {"pairs": 30, "triplets": 20, "practice": 2, "order": order, "random_state": 4}
    ann = deal_study(range(40), "ann", **options)
    assert ann == deal_study(range(40), "ann", **options)
    assert ann != deal_study(range(40), "bob", **options)
    assert ann != deal_study(range(40), "ann", **(options | {"random_state": 5}))
    assert Counter((form, first) for form, _, first in ann) == {
        ("pair", False): 30,
        ("triplet", False): 20,
        ("pair", True): 2,
        ("triplet", True): 2,
    }
    assert len({frozenset(items) for _, items, _ in ann}) == 54, "nothing is asked twice"
    assert all(len(set(items)) == (2 if form == "pair" else 3) for form, items, _ in ann)


def test_blocks_are_kept_apart_and_either_may_come_first():
    firsts = set()
    for person in range(30):
        dealt = deal_study(range(20), f"p{person}", pairs=5, triplets=4, practice=1)
        changes = sum(a != b for a, b in zip(forms(dealt), forms(dealt)[1:], strict=False))
        assert changes == 1
        firsts.add(dealt[0][0])
        starts = [0, forms(dealt).index("triplet" if dealt[0][0] == "pair" else "pair")]
        assert [k for k, (_, _, first) in enumerate(dealt) if first] == starts
    assert firsts == {"pair", "triplet"}


def test_mixed_is_mixed():
    dealt = deal_study(range(20), "ann", pairs=20, triplets=20, order="mixed")
    assert sum(a != b for a, b in zip(forms(dealt), forms(dealt)[1:], strict=False)) > 5


def test_everything_can_be_asked_and_more_cannot():
    rng = np.random.default_rng(0)
    every = draw_questions(range(6), 3, 20, rng)
    assert {frozenset(each) for each in every} == {frozenset(c) for c in combinations(range(6), 3)}
    with pytest.raises(ValueError, match="15 questions of 2, 16 are wanted"):
        draw_questions(range(6), 2, 16, rng)


def test_all_pairs_are_equally_likely():
    counts = Counter()
    for seed in range(400):
        counts.update(map(frozenset, draw_questions(range(5), 2, 3, np.random.default_rng(seed))))
    expected = 400 * 3 / 10
    chi2 = sum((counts[frozenset(pair)] - expected) ** 2 / expected for pair in combinations(range(5), 2))
    assert chi2 < 27.9  # 9 degrees of freedom, 0.1 %


def test_everybody_gets_as_many_of_each_level():
    pool = {"pair": [((k, k + 1), "easy" if k % 3 else "difficult") for k in range(30)], "triplet": []}
    level = dict(pool["pair"])
    drawn = [deal_study([], f"p{k}", pairs=9, triplets=0, practice=3, pool=pool, random_state=1) for k in range(10)]
    for dealt in drawn:
        asked = Counter(level[items] for _, items, first in dealt if not first)
        assert asked == {"easy": 6, "difficult": 3}
        assert len({items for _, items, _ in dealt}) == 12
    assert len({frozenset(items for _, items, _ in dealt) for dealt in drawn}) > 1
    with pytest.raises(ValueError, match="has 30 questions of the form pair, 31 are wanted"):
        deal_study([], "ann", pairs=31, triplets=0, pool=pool)


def test_the_same_questions_in_another_order():
    questions = deal_study(range(20), "", pairs=8, triplets=6, practice=1)
    ann, bob = (shuffle_study(questions, who) for who in ("ann", "bob"))
    assert sorted(ann) == sorted(bob) == sorted(questions)
    assert ann != bob
    assert ann[0][2]
    assert forms(ann) in ([*["pair"] * 9, *["triplet"] * 7], [*["triplet"] * 7, *["pair"] * 9])


def test_otherwise_is_right_for_three_alike_and_for_three_different():
    assert [true_answer("triplet", t) for t in ("aab", "aba", "baa", "aaa", "abc")] == [
        "ab",
        "ac",
        "bc",
        "none",
        "none",
    ]


def rows(*people, kind="pair"):
    """Answers from (person, truth, answer, seconds)."""
    return [StudyAnswer("s", who, kind, said, truth, s) for who, truth, said, s in people]


def test_times_by_hand():
    answers = rows(
        ("ann", "same", "same", 4.0),
        ("ann", "different", "different", 1.0),
        ("ann", "different", "same", 2.0),
        ("bob", "same", "different", 2.0),
        ("bob", "same", "same", 6.0),
        ("cec", "same", "different", 3.0),
        ("cec", "same", "different", None),
    )
    table = time_table(answers)["pair"]
    # the means of the three are 7/3, 4 and 3; of what they called the same 3 and 6; of the rest 1, 2 and 3
    assert table["all"]["mean"] == pytest.approx((7 / 3 + 4 + 3) / 3)
    assert table["all"]["std"] == pytest.approx(np.std([7 / 3, 4, 3], ddof=1))
    assert table["ML"]["mean"] == 4.5
    assert table["ML"]["std"] == pytest.approx(math.sqrt(4.5))
    assert (table["CL"]["mean"], table["CL"]["std"]) == (2.0, 1.0)
    assert [table[group]["answers"] for group in ("all", "ML", "CL")] == [6, 3, 3]
    triplets = time_table(rows(("ann", "ab", "bc", 2.0), ("ann", "ab", "none", 1.0), kind="triplet"))["triplet"]
    assert [triplets[g]["mean"] for g in ("all", "two of three", "ow")] == [1.5, 2.0, 1.0]
    assert triplets["all"]["std"] is None
    assert time_table([])["pair"]["all"] == {"mean": None, "std": None, "people": 0, "answers": 0}


def test_the_deviations_of_the_source_are_over_people():
    """Table 3.6 (a): pooling ML and CL by their shares gives the printed mean but not the printed deviation."""
    share = (6.50 + 37.15) / 195  # of pairs that people called the same, Table 3.8 (a)
    mean = share * 3.95 + (1 - share) * 2.84
    assert mean == pytest.approx(3.08, abs=0.01)
    pooled = share * (1.68**2 + (3.95 - mean) ** 2) + (1 - share) * (1.28**2 + (2.84 - mean) ** 2)
    assert math.sqrt(pooled) > 1.4  # printed is 1.22
    by_truth = (8.92 + 37.15) / 195
    assert by_truth * 3.945 + (1 - by_truth) * 2.835 > 3.085  # so groups are not by the truth


def test_confusions_by_hand():
    answers = rows(
        ("ann", "same", "same", None),
        ("ann", "different", "different", None),
        ("ann", "different", "same", None),
        ("bob", "same", "different", None),
        ("bob", "different", "different", None),
        ("bob", None, "different", None),
    )
    table = confusion_table(answers, "pair")
    assert table["matrix"] == {"different": {"different": 1.0, "same": 0.5}, "same": {"different": 0.5, "same": 0.5}}
    assert table["accuracy"] == 3 / 5
    assert confusion_table(answers, "triplet")["accuracy"] is None
    doubtful = confusion_table([*answers, *rows(("bob", "same", "unsure", None))], "pair")
    assert doubtful["matrix"]["same"] == {"different": 0.5, "same": 0.5, "unsure": 0.5}
    assert doubtful["accuracy"] == 3 / 5


PRINTED = {
    "birdsong pairs": ([[142.42, 6.50], [8.92, 37.15]], 0.9209),  # the source prints 83.52 % above this matrix
    "birdsong triplets": (
        [[59.88, 3.46, 3.38, 3.62], [2.62, 14.73, 0.12, 0.62], [3.65, 0.31, 17.0, 0.38], [3.62, 0.31, 0.42, 15.88]],
        0.8268,
    ),
    "flower pairs": ([[158.54, 4.54], [2.00, 29.92]], 0.9665),
    "flower triplets": (
        [[75.88, 1.46, 1.73, 2.15], [0.88, 14.12, 0.08, 0.15], [1.19, 0.12, 13.42, 0.15], [1.23, 0.08, 0.04, 17.31]],
        0.9288,
    ),
}


@pytest.mark.parametrize("name", PRINTED)
def test_the_matrices_of_the_source_give_its_accuracies(name):
    """A hundred people who together said what the averages say: the averages come back, and the accuracy is theirs."""
    matrix, accuracy = PRINTED[name]
    kind, values = ("pair", ("different", "same")) if len(matrix) == 2 else ("triplet", ("none", "ab", "ac", "bc"))
    answers = []
    for truth, row in zip(values, matrix, strict=True):
        for said, mean in zip(values, row, strict=True):
            answers += [StudyAnswer("s", str(k % 100), kind, said, truth, None) for k in range(round(100 * mean))]
    table = confusion_table(answers, kind)
    assert [list(row.values()) for row in table["matrix"].values()] == matrix
    assert table["accuracy"] == pytest.approx(accuracy, abs=1.5e-4)


def test_preferences_turn_effort_and_frustration_round():
    survey = [
        ("ann", "performance", "pair"),
        ("ann", "effort_per_query", "triplet"),
        ("ann", "overall_effort", "pair"),
        ("ann", "frustration", "neither"),
        ("ann", "preference", "neither"),
        ("ann", "preference", "triplet"),
    ]
    table = preference_table(survey)
    won = {factor: next(c for c, n in counts.items() if n) for factor, counts in table.items()}
    assert won == {
        "performance": "pair",
        "effort_per_query": "pair",
        "overall_effort": "triplet",
        "frustration": "neither",
        "preference": "triplet",
    }


def write(path, columns, lines):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([columns, *lines])
    return path


def test_reading_leaves_practice_out_and_says_what_is_wrong(tmp_path):
    columns = ["study", "person", "kind", "answer", "truth", "seconds", "practice"]
    good = ["s1", "ann", "pair", "same", "same", "1.5", "0"]
    path = write(tmp_path / "s1.csv", columns, [good, [*good[:6], "1"]])
    assert len(read_study(path)) == 1
    for column, wrong, said in [
        (2, "quad", "line 2: a question is a pair or a triplet, not 'quad'"),
        (3, "ab", "'ab' or 'same' is no answer to a pair"),
        (4, "ab", "is no answer to a pair"),
        (5, "soon", "'soon' is no number of seconds"),
    ]:
        bad = [wrong if k == column else cell for k, cell in enumerate(good)]
        with pytest.raises(ValueError, match=said):
            read_study(write(tmp_path / "bad.csv", columns, [bad]))
    with pytest.raises(ValueError, match="answer is missing"):
        read_study(write(tmp_path / "bad.csv", columns[:3], [good[:3]]))
    survey = write(tmp_path / "survey.csv", ["person", "question", "answer"], [["ann", "comment", "x"]])
    assert read_survey(survey) == []
    with pytest.raises(ValueError, match="a choice is one of pair, triplet, neither"):
        read_survey(write(tmp_path / "survey.csv", ["person", "question", "answer"], [["a", "preference", "x"]]))


def test_several_studies_are_rows_of_one_table():
    answers = [
        StudyAnswer("s1", "ann", "pair", "same", "same", 1.0),
        StudyAnswer("s2", "ann", "pair", "same", "same", 3.0),
        StudyAnswer("s2", "ann", "triplet", "ab", "ab", 5.0),
    ]
    shown = shown_tables(study_tables(answers, [("ann", "preference", "pair")]))
    assert [row[:2] for row in shown[0].rows] == [("s1", "1.00"), ("s2", "3.00")]
    assert [row[:2] for row in shown[1].rows] == [("s1", "–"), ("s2", "5.00")]
    assert shown[2].rows[-1] == ("Overall preference", "1/1", "0/1", "0/1")
    assert [table.title.split(": ")[1] for table in shown[3:]] == [
        "s1, pairs (100.00%)",
        "s2, pairs (100.00%)",
        "s2, triplets (100.00%)",
    ]
    assert "| ab\\|c | 0.00 | 1.00 |" in shown[-1].markdown()


@pytest.mark.parametrize(("n", "per_hit", "rounds"), [(50, 20, 5), (7, 3, 4), (2, 20, 1), (40, 20, 2)])
def test_hits_have_every_image_once_a_round(n, per_hit, rounds):
    hits = deal_hits(range(n), per_hit, rounds, random_state=3)
    pages = math.ceil(n / per_hit)
    assert len(hits) == pages * rounds
    for start in range(0, len(hits), pages):
        some = hits[start : start + pages]
        assert sorted(i for hit in some for i in hit) == list(range(n))
        assert max(map(len, some)) <= per_hit
        assert max(map(len, some)) - min(map(len, some)) <= 1
    assert hits == deal_hits(range(n), per_hit, rounds, random_state=3)
    together = {frozenset(p) for hit in hits for p in combinations(hit, 2)}
    assert pair_coverage(hits) == len(together) / math.comb(n, 2)


def test_more_rounds_bring_more_pairs_together():
    shares = [pair_coverage(deal_hits(range(100), 20, rounds, random_state=0)) for rounds in (1, 5, 20)]
    assert shares[0] < 0.2 < 0.5 < shares[1] < shares[2]
    with pytest.raises(ValueError, match="at least two images"):
        deal_hits([0], 20)
