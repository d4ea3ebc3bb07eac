"""Claims of the papers that came to the page later: they turn with their figures, and their reasons with theirs."""

import pytest

pytest.importorskip("benchmarks.report")  # not in the source archive

from benchmarks.papers.biswas2014_active.causes import TOLD
from benchmarks.report import active_hacc_rivals as rivals, bayesian, distlqp, pcca, urasc, urasc_protocol
from benchmarks.report.claim import NOT_FOUND, Claim

ASKED = rivals.ASKED


def content(ours, others, budget=100):
    """A kept file whose curves have a point at every tenth."""
    answers = list(range(10, budget + 1, 10))
    curves = {rivals.OURS: ours} | others
    curves = {name: {"answers": answers, "jaccard": values} for name, values in curves.items()}
    return {"config": {"budget": budget}, "results": {"curves": curves}}


def test_being_behind_is_counted_at_every_tenth():
    level = [0.5] * 10
    kept = content(level, {"CAC1": level, "NPU": [*level[:8], 0.6, 0.7], "MinMax": [0.4] * 10})
    where = rivals.behind(kept["results"]["curves"], rivals.tenths(kept))
    assert where == {"CAC1": [], "NPU": [(90, 0.6, 0.5), (100, 0.7, 0.5)], "MinMax": []}


def test_a_set_holds_only_as_far_as_its_rivals_were_run():
    every = {name: [0.5] * 10 for name in rivals.RIVALS}
    ahead = rivals._claim("says", content([0.5] * 10, every), "why")
    assert (ahead.holds, ahead.partly, ahead.reason) == (True, False, "")
    some = rivals._claim("says", content([0.5] * 10, {"CAC1": [0.5] * 10}), "why")
    assert some.verdict == "holds as far as run"
    assert "not run: Random + HACC" in some.measured
    failed = rivals._claim("says", content([0.5] * 10, every | {"CAC1": [0.6] * 10}), "why")
    assert (failed.holds, failed.reason) == (False, "why")
    assert "CAC1 at 10 of 10" in failed.detail
    assert rivals._claim("says", None, "why").holds is None


def runs(own, told, others, read):
    """One draw of causes.json with constant coefficients."""

    def at(value, by_hacc):
        return {"own": [value] * 10, "HACC": [by_hacc] * 10, "PCKMeans": [0.0] * 10}

    return {"0": {rivals.OURS: at(own, own), TOLD: at(told, told)} | {name: at(others, read) for name in ASKED}}


@pytest.mark.parametrize(
    ("own", "told", "others", "read", "says"),
    [
        (0.5, 0.9, 0.8, 0.8, "nothing of the shortfall is left"),
        (0.5, 0.5, 0.8, 0.4, "HACC, which reads the answers, takes 100 % of these"),
        (0.5, 0.6, 0.8, 0.8, "no cause was found. Beside"),
    ],
)
def test_the_cause_is_what_takes_the_shortfall_away(own, told, others, read, says):
    found = runs(own, told, others, read)
    assert rivals.not_behind(found, rivals.OURS) == (0, 40)
    assert rivals.not_behind(found, TOLD) == (40 * (told >= others), 40)
    assert says in rivals._why(found, None)


def test_ones_own_answers_may_be_read_better_by_another():
    found = runs(0.5, 0.9, 0.8, 0.8)
    assert "PCKMeans reads" not in rivals._why(found, None)
    found["0"][rivals.OURS]["PCKMeans"] = [0.6] * 10
    assert rivals._why(found, None).endswith("have a mean of .600 when PCKMeans reads them.")


def test_what_p_says_where_the_clusters_are_wrong_is_part_of_the_reason():
    doubt = {"questions": 10, "pairs": 20, "mean P": 0.03, "unlikely": 18}
    found = runs(0.5, 0.9, 0.8, 0.8)
    assert "is sure of what is wrong: after 10 questions the clusters have 20 pairs wrong" in rivals._why(found, doubt)
    assert rivals._why(found, doubt | {"unlikely": 2}).startswith("P does suspect what is wrong")
    assert rivals._why(found, doubt | {"pairs": 0}) == rivals._why(found, None)


def test_a_draw_that_is_not_done_is_left_out():
    done, begun = runs(0.5, 0.9, 0.8, 0.4)["0"], {rivals.OURS: {}}
    assert rivals.whole({"a": {"0": done, "1": begun}, "b": {"0": begun}}) == {"a": {"0": done}}


def test_purification_is_read_by_hacc_too():
    said = rivals.why_purification(runs(0.5, 0.9, 0.8, 0.4))
    assert "its mean is .800, of the same answers read by HACC .400, and ours .500" in said


def lqp(learned, **others):
    return [
        {"set": name, "constraints": count, "jaccard": {distlqp.LEARNED: learned, distlqp.PLAIN: 0.1} | others}
        for name in distlqp.SETS
        for count in (100, "tracks")
    ]


def test_distlqp_must_be_ahead_of_every_method():
    for hmrf, holds in ((0.4, True), (0.5, False), (0.6, False)):
        rows = lqp(0.5, HMRF=hmrf)
        assert all(distlqp._ahead_of_all(name, rows, "").holds is holds for name in distlqp.SETS)
        assert distlqp._tracks(rows, []).holds is holds
    mixed = [row | {"jaccard": row["jaccard"] | {"HMRF": 0.9}} for row in lqp(0.5) if row["set"] == distlqp.SETS[0]]
    mixed += [row for row in lqp(0.5) if row["set"] == distlqp.SETS[1]]
    assert distlqp._tracks(mixed, []).holds  # behind on one of two, as in Table 2.2
    assert distlqp._ahead_of_all(distlqp.SETS[0], mixed, "").holds is False


def bc(mine, other):
    return {"runs": {"Info+BC": by_seed(mine), "BC+tree": by_seed(other)}}


def by_seed(mean):
    return {str(seed): {"f": {"60": mean + 0.001 * seed}} for seed in range(4)}


@pytest.mark.parametrize("n_ahead", [2, 3])
def test_most_of_four_sets_are_three(n_ahead):
    found = {f"set {n}": bc(0.6 if n < n_ahead else 0.4, 0.5) for n in range(4)}
    claim = bayesian._most(found, "Info+BC", ("BC+tree",), "random pairs")
    assert claim.holds is (n_ahead >= 3)
    assert f"on {n_ahead} of 4 sets" in claim.measured
    assert f"above at {n_ahead} of 4 sets, level at 0, below at {4 - n_ahead}" in claim.measured
    assert claim.partly  # four seeds


def strength(mine, other):
    """Two seeds that both methods have, and one that one of them lacks."""
    seeds = {str(s): {"60": mine + s * 0.01} for s in range(2)}
    return {"Info+BC": seeds, "BC+tree": {s: {"60": other} for s in (*seeds, "2")}}


@pytest.mark.parametrize(("after", "says"), [(0.8, "has a part in it on 1 of 1 sets"), (0.3, NOT_FOUND)])
def test_the_strength_is_a_cause_where_the_lead_grows_with_another(after, says):
    strengths = {"sonar": {bayesian.PRINTED: strength(0.495, 0.6), bayesian.WEAKER: strength(after - 0.005, 0.6)}}
    said = bayesian._why(strengths, "Info+BC", "BC+tree")
    assert said.startswith((says, f"the printed λ = 10 {says}"))
    assert f"Info+BC is ahead on {int(after > 0.6)};" in said
    assert f"same 2 seeds, have sonar .500 and .600 with 10, .{after * 1000:.0f} and .600 with 1" in said
    assert bayesian._why({}, "Info+BC", "BC+tree") == ""


def test_seeds_of_the_strengths_are_added_to_those_that_were_kept():
    strengths = {"sonar": {bayesian.PRINTED: {"Info+BC": {"9": {"60": 0.1}, "0": {"60": 0.2}}}}}
    runs = bayesian._with_seeds({"sonar": bc(0.6, 0.5)}, strengths)["sonar"]["runs"]
    assert bayesian._at_last(runs, "Info+BC") == {"9": 0.1, "0": 0.6, "1": 0.601, "2": 0.602, "3": 0.603}
    assert bayesian._at_last(runs, "BC+tree").keys() == {"0", "1", "2", "3"}


def pure(ours, theirs):
    row = {"constraints": 100, f"{pcca.BY_ANSWERS}: clusters": 4.0}
    row |= {f"{pcca.BY_ANSWERS}: {pcca.PURE}": [ours] * 3, f"PCKMeans: {pcca.PURE}": [theirs] * 3}
    return {"results": [row, row | {"constraints": 0}]}


def test_purity_is_judged_from_a_hundred_constraints_on():
    assert pcca._by_purity(None, None).holds is None
    assert pcca._by_purity(pure(0.6, 0.5), None).holds is True
    same_number = [{"constraints": 100, "mean": 0.4, "by_seed": [0.4] * 3}]
    failed = pcca._by_purity(pure(0.5, 0.6), same_number)
    assert failed.holds is False
    assert failed.measured.startswith("at 0 of 1 counts")
    assert ".500 and .400 at 100: above at 1 of 1 counts" in failed.reason


def test_comparisons_are_counted_and_how_many_chance_would_give():
    values = [0.5, 0.6, 0.7]
    place = {"URASC+N": values, "URASC+P": values, "Random": values, "ASC": [0.7, 0.8, 0.9]}
    places = {("bupa", 100): place, ("bupa", 200): place}
    said = urasc_protocol.by_chance([*urasc_protocol._each(places, urasc_protocol.OTHERS), "not judged"])
    assert said.startswith(
        "4 comparisons with one method at one count, 2 of them below: were all methods equal, some 0.1"
    )


def test_one_cluster_has_the_share_of_pairs_that_are_the_same():
    truth = [0] * 3 + [1] * 5
    same = sum(truth[i] == truth[j] for i in range(8) for j in range(i))
    assert urasc_protocol.one_cluster((3, 5)) == pytest.approx(same / 28)


@pytest.mark.parametrize(
    ("ours", "theirs", "settled"), [(0.6, 0.5, True), (0.6, 0.7, False), (0.4, 0.5, None), (0.4, 0.3, None)]
)
def test_another_reading_settles_a_place_unless_it_is_poor_for_all(ours, theirs, settled):
    by = {"URASC+N": [0.6] * 3, "URASC+P": [0.5] * 3, "QUIRE": [0.9] * 3}
    wide = {"URASC+N": [ours] * 3, "URASC+P": [0.1] * 3, "QUIRE": [theirs] * 3}
    assert urasc_protocol._settled(by, wide) is settled
    assert ("tells nothing" in urasc_protocol._by_reading({"sonar at 150": settled}, 3)) is (settled is None)


def test_what_is_next_to_one_cluster_is_named_with_its_v_measure():
    place = ("bupa", 100)
    values = {"URASC+N": [0.4, 0.41], "URASC+P": [0.3, 0.3], "Random": [0.51, 0.52], "ASC": [0.1, 0.1]}
    v_measure = {place: {m: [0.2, 0.2] for m in values} | {"Random": [0.0, 0.0]}}
    said = urasc_protocol._why_one_cluster({place: values}, v_measure, urasc_protocol.NEAR_ONE)
    assert "on bupa at 100 (.511) Random .000, URASC+N .200" in said
    assert urasc_protocol._why_one_cluster({("wine", 5): values}, v_measure, urasc_protocol.NEAR_ONE) == ""


def test_a_cause_that_was_not_found_does_not_count_as_shown():
    assert Claim("a", "b", False, reason="it is the measure").is_explained
    assert not Claim("a", "b", False, reason=f"{NOT_FOUND}: not the measure").is_explained
    assert not Claim("a", "b", False).is_explained


@pytest.mark.parametrize(("other", "holds"), [(0.5, True), (0.6, False)])
def test_wrong_answers_are_judged_by_the_better_of_the_two(other, holds):
    values = {"URASC+N": 0.6, "URASC+P": 0.4, "Random": other}
    rows = [
        {"method": m, "constraints": n, "jaccard": v, "jaccard_deviation": 0.01, "seeds": 2}
        for m, v in values.items()
        for n in (50, 150)
    ]
    claim = urasc._wrong(rows)
    assert claim.holds is holds
    assert claim.partly
    assert urasc._wrong(None).holds is None


def test_a_loss_that_is_printed_is_named():
    sonar = urasc._as_printed({("sonar", 50): ["QUIRE"]})
    assert sonar == "it is printed so: sonar at 50 (QUIRE .468, ours .371)."
    assert urasc._as_printed({("sonar", 150): ["URASC-NO"]}) == f"{NOT_FOUND}."
    both = urasc._as_printed({("sonar", 50): ["QUIRE"], ("sonar", 180): ["QUIRE"]})
    assert both == f"{NOT_FOUND} but for what is printed so: sonar at 50 (QUIRE .468, ours .371)."


@pytest.mark.parametrize(("n_places", "by_chance"), [(1, False), (9, False), (10, True)])
def test_as_few_below_as_chance_gives_are_said_to_be_so(n_places, by_chance):
    """One below of four methods at so many counts: one in forty is the share of chance."""
    level = {m: [0.5, 0.6, 0.7] for m in ("URASC+N", "URASC+P", *urasc_protocol.ABLATIONS)}
    places = {("wine", n): level for n in range(n_places - 1)} | {("wine", 99): level | {"Random": [0.7, 0.8, 0.9]}}
    claim = urasc_protocol._everywhere(places, urasc_protocol.ABLATIONS, "all")
    assert claim.holds is False
    assert claim.reason.startswith("no more are below than chance") is by_chance


def test_where_ffqs_is_ahead_no_cause_is_claimed():
    level = {m: [0.5, 0.6] for m in ("URASC+N", "URASC+P", "FFQS")}
    places = {("wine", 5): level, ("wine", 10): level | {"FFQS": [0.6, 0.7]}}
    assert urasc_protocol._beside_ffqs(places).startswith("Beside FFQS (wine at 10)")
    assert urasc_protocol._beside_ffqs({("wine", 5): level}) == ""
