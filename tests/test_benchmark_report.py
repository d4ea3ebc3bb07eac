"""The benchmark page is what the kept results give, and its claims turn with them."""

import json
import pkgutil
import shutil
from pathlib import Path

import pytest

pytest.importorskip("benchmarks.report")  # not in the source archive

from benchmarks import papers, plan, speed
from benchmarks.__main__ import listing, run_all
from benchmarks.code import code_now, hash_modules, state_of
from benchmarks.papers.xiong2014_urasc import protocol
from benchmarks.report import urasc
from benchmarks.report.__main__ import stale
from benchmarks.report.claim import Panel
from benchmarks.report.kept import BENCHMARKS, Kept
from benchmarks.report.page import render, sections
from benchmarks.report.plots import digest
from benchmarks.report.write import apart, difference, duration, score, wrap

ROOT = Path(__file__).parents[1]


def claims(root):
    parts = sections(Kept(root))
    return {claim.says: claim for part in parts for claim in part.claims}


def copy_of(tmp_path, *paths):
    """A folder with a few of the kept results."""
    for path in paths:
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(BENCHMARKS / path, target)
    return tmp_path


def change(path, edit):
    content = json.loads(path.read_text())
    edit(content["results"])
    path.write_text(json.dumps(content))


def test_the_page_is_what_the_results_give():
    assert stale(ROOT / "docs", Kept()) == [], "run python -m benchmarks.report"


def test_a_result_that_changes_makes_the_page_old(tmp_path):
    root = copy_of(tmp_path / "kept", "speed/hacc.json")
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "benchmarks.md").write_text(render(sections(kept := Kept(root)), kept))
    assert stale(docs, Kept(root)) == []
    change(root / "speed/hacc.json", lambda rows: rows[0].update(ratio=0.9))
    assert stale(docs, Kept(root)) == ["benchmarks.md"]


def test_nothing_kept_is_not_run_everywhere(tmp_path):
    found = claims(tmp_path)
    assert {claim.holds for claim in found.values()} == {None}
    kept = Kept(tmp_path)
    page = render(sections(kept), kept)
    assert f"0 hold, 0 do not, {len(found)} were not run" in page


def hacc(rows, good):
    rows[-1]["ratio"] = 1.1 if good else 1.3


def curve(results, good):
    ours = results["curves"]["Active-HACC, calibrated (our default)"]
    ours["jaccard"] = [0.9] * (len(ours["answers"]) - 1) + [1.0]
    ours["answers"][-1] = 899 if good else 900


def fast_pam(rows, good):
    for row in rows:
        row["sjc"] = 0.9 if row["method"] == "Subclustering" else 0.8 if good else 0.9


def one_place(rows, good):
    for row in rows:
        row.update(jaccard=1.0, v_measure=1.0)
    if not good:
        next(row for row in rows if row["method"] == "URASC+P")["v_measure"] = 0.8


def solver(results, good):
    for one in results["solvers"]:
        one["ours, tol=5e-05"].update({"times faster than Clarabel": 25.0, "objective above Clarabel's": 1e-5})
    if not good:
        results["solvers"][0]["ours, tol=5e-05"]["objective above Clarabel's"] = 0.01


def imported(results, good):
    results["import"]["new_again"] = 0 if good else 3


@pytest.mark.parametrize(
    ("path", "says", "edit"),
    [
        ("speed/hacc.json", "HACC, N = 4,000", hacc),
        ("speed/distlqp.json", "DistLQP, 1,042 items", solver),
        ("crowd/product_pairs.json", "24,945 real answers", imported),
        ("papers/biswas2014_active/results/faces-400.json", "ORL faces: exact", curve),
        ("papers/biswas2014_subclustering/results/leaf-99.json", "SJC above every baseline on leaf-99", fast_pam),
        ("papers/xiong2014_urasc/results/wine.json", "wine: Jaccard", one_place),
    ],
)
def test_a_claim_turns_with_its_figures(tmp_path, path, says, edit):
    root = copy_of(tmp_path, path)
    for good in (True, False):
        change(root / path, lambda results, good=good: edit(results, good))
        claim = next(claim for words, claim in claims(root).items() if words.startswith(says))
        assert claim.holds is good
        assert ("does not hold" in claim.verdict) is not good


def test_a_set_that_was_not_run_leaves_others_standing(tmp_path):
    root = copy_of(tmp_path, "papers/xiong2014_urasc/results/wine.json")
    change(root / "papers/xiong2014_urasc/results/wine.json", lambda rows: one_place(rows, True))
    found = {words.partition(":")[0]: claim for words, claim in claims(root).items() if "within .05" in words}
    assert found["wine"].holds is True
    assert found["sonar"].verdict == "not run"


def test_fewer_seeds_hold_only_as_far_as_they_go(tmp_path):
    root = copy_of(tmp_path, "papers/xiong2014_urasc/results/wine.json")
    path = root / "papers/xiong2014_urasc/results/wine.json"
    change(path, lambda rows: [row.update(seeds=3, jaccard=1.0, v_measure=1.0) for row in rows])
    claim = next(claim for words, claim in claims(root).items() if words.startswith("wine"))
    assert claim.verdict == "holds as far as run"
    assert "3 seeds" in claim.measured


def test_added_seeds_decide_whether_the_known_tree_is_behind(tmp_path):
    folder = "papers/pei2017_hierarchy"
    root = copy_of(tmp_path, f"{folder}/results/church-fun.json", f"{folder}/known.json")
    below = {"f1_micro_by_seed": [0.1, 0.1, 0.1, 0.1, 0.1]}  # at one point of the tables
    change(root / folder / "results/church-fun.json", lambda results: results["0.1"]["GT"].update(below))

    def always(known, learned):
        def edit(results):
            for runs in results["church-fun"].values():
                for run in runs.values():
                    run["GT"].update(f1_micro=known, f1_macro=known)
                    run["learn"].update(f1_micro=learned, f1_macro=learned)

        return edit

    for known, holds in ((0.6, True), (0.5, True), (0.4, False)):
        change(root / folder / "known.json", always(known, 0.5))
        claim = next(claim for words, claim in claims(root).items() if words.startswith("the known tree"))
        assert claim.holds is holds
        assert "20 seeds; at 9 by the seeds of the tables" in claim.measured


def test_pcca_must_be_above_at_five_of_six_counts_by_its_means(tmp_path):
    folder = "papers/grira2005_pcca/results"
    root = copy_of(tmp_path, f"{folder}/four-classes.json", f"{folder}/eight-uneven.json")

    def lead(n_behind):
        def edit(rows):
            for k, row in enumerate(row for row in rows if row["constraints"] >= 100):
                ours = {m: 0.5 for m in row if m.startswith("PCCA") and ":" not in m}
                row.update(ours | {"CA": 0.1, "CA, Mahalanobis": 0.1, "PCKMeans": 0.5 if k < n_behind else 0.4})

        return edit

    for n_behind, holds in ((0, True), (1, True), (2, False)):
        change(root / folder / "four-classes.json", lead(n_behind))
        change(root / folder / "eight-uneven.json", lead(0))
        claim = next(claim for words, claim in claims(root).items() if "5 of 6" in words)
        assert claim.holds is holds
        assert claim.measured.startswith(f"at {6 - n_behind} of 6")


def test_the_tree_must_be_at_or_above_at_24_of_30_points(tmp_path):
    folder = "papers/pei2017_hierarchy/results"
    names = ("newsgroups", "church-fun", "scenes")
    root = copy_of(tmp_path, *(f"{folder}/{name}.json" for name in names))

    def lead(ours):
        def edit(results):
            for rows in results.values():
                for method in ("learn", "FastTag", "no tree"):
                    value = ours if method == "learn" else 0.5
                    by_seed = {f"{m}_by_seed": [value] * 5 for m in ("f1_micro", "f1_macro")}
                    rows[method].update(by_seed | {"f1_micro": [value, 0.0], "f1_macro": [value, 0.0]})

        return edit

    for ours, holds in ((0.5, True), (0.4, False)):  # level everywhere; below at ten of thirty
        for name in names:
            change(root / folder / f"{name}.json", lead(ours if name == "scenes" else 0.6))
        claim = next(claim for words, claim in claims(root).items() if "24 of 30" in words)
        assert claim.holds is holds


@pytest.mark.parametrize(
    ("ours", "theirs", "stands"),
    [
        ({"jaccard_by_seed": [0.5, 0.7]}, {"jaccard_by_seed": [0.4, 0.6, 0.9]}, "above"),  # on the seeds both have
        ({"jaccard_by_seed": [0.5, 0.7]}, {"jaccard_by_seed": [0.4, 0.8]}, "level"),
        (
            {"jaccard": 0.5, "jaccard_deviation": 0.1, "seeds": 2},
            {"jaccard": 0.6, "jaccard_deviation": 0.1, "seeds": 2},
            "level",
        ),
        (
            {"jaccard": 0.5, "jaccard_deviation": 0.01, "seeds": 2},
            {"jaccard": 0.6, "jaccard_deviation": 0.01, "seeds": 2},
            "below",
        ),
        (
            {"jaccard": 0.5, "jaccard_deviation": 0.1, "seeds": 20},
            {"jaccard": 0.51, "jaccard_deviation": 0, "seeds": 1},
            "not judged",
        ),
    ],
)
def test_two_askers_stand_by_their_seeds_else_by_their_deviations_and_one_seed_is_not_judged(ours, theirs, stands):
    assert urasc._stand(ours, theirs) == stands


def test_urasc_needs_eighteen_of_the_counts(tmp_path):
    folder = "papers/xiong2014_urasc/results"
    names = ["wine", "sonar", "bupa", "diabetes", "balance-scale", "cho-yeast", "faces-20"]
    root = copy_of(tmp_path, *(f"{folder}/{name}.json" for name in names))

    def ahead(by):
        def edit(rows):
            for row in rows:
                value = 0.5 + by if row["method"] in urasc.OURS else 0.5
                row.update(jaccard=value, jaccard_deviation=0.0, jaccard_by_seed=[value] * 5, seeds=5)

        return edit

    for bad, holds in ((1, True), (2, False)):
        for position, name in enumerate(names):
            change(root / folder / f"{name}.json", ahead(-0.1 if position < bad else 0.0))
        claim = next(claim for words, claim in claims(root).items() if words.startswith("with our own reading"))
        assert claim.holds is holds
        assert f"below at {3 * bad}; by the means alone at or above all at {21 - 3 * bad}" in claim.measured


PROTOCOL = "papers/xiong2014_urasc/results"


def in_the_protocol(tmp_path, edit):
    """The claims of the paper's protocol when every run of a set is what `edit` makes of method, seed and set."""
    root = copy_of(tmp_path, *(f"{PROTOCOL}/{name}-paper.json" for name in protocol.SETS))
    for name in protocol.SETS:
        path = root / PROTOCOL / f"{name}-paper.json"
        content = json.loads(path.read_text())
        for method, runs in content["results"]["runs"].items():
            kept = {str(seed): value for seed in range(5) if (value := edit(method, seed, name)) is not None}
            runs.clear()
            runs.update({seed: {"jaccard": [value] * 3} for seed, value in kept.items()})
        path.write_text(json.dumps(content))
    return {words: claim for words, claim in claims(root).items() if words.startswith("in the paper's protocol")}


@pytest.mark.parametrize(("n_bad", "holds"), [(0, True), (1, True), (2, False)])
def test_the_protocol_needs_eighteen_of_twenty_one_counts(tmp_path, n_bad, holds):
    bad = protocol.SETS[:n_bad]

    def edit(method, seed, name):
        return 0.5 + 0.1 * (method == "FFQS" and name in bad) + 0.01 * seed

    bar, ablations, learners = in_the_protocol(tmp_path, edit).values()
    assert bar.holds is holds
    assert f"level at {21 - 3 * n_bad}, below at {3 * n_bad}" in bar.measured
    assert ablations.holds
    assert learners.holds  # FFQS is neither
    assert all(f"{name} at" in bar.detail for name in bad)


def test_the_protocol_is_judged_by_the_better_of_the_two(tmp_path):
    def edit(method, seed, name):
        return {"URASC+N": 0.4, "URASC+P": 0.6}.get(method, 0.5) + 0.01 * seed

    for claim in in_the_protocol(tmp_path, edit).values():
        assert claim.holds
        assert "level at 0, below at 0" in claim.measured


def test_one_seed_of_the_protocol_is_not_judged(tmp_path):
    found = in_the_protocol(tmp_path, lambda method, seed, name: 0.5 if seed == 0 else None)
    bar, *others = found.values()
    assert bar.holds is False
    assert [claim.holds for claim in others] == [None, None]
    assert all("not to be judged at" in claim.measured for claim in found.values())


def test_an_asker_that_is_overtaken(tmp_path):
    folder = "askers/results"
    root = copy_of(tmp_path, f"{folder}/iris--auto.json", f"{folder}/iris--a3s.json")
    says = "at or above A3S at every checkpoint on every set (−.01 for noise)"

    def always(value):
        return lambda runs: [run["ari"].update(dict.fromkeys(run["ari"], value)) for run in runs]

    change(root / folder / "iris--auto.json", always(0.9))
    change(root / folder / "iris--a3s.json", always(0.9))
    assert claims(root)[says].verdict == "holds as far as run"
    change(root / folder / "iris--a3s.json", always(0.92))
    assert claims(root)[says].holds is False
    assert "iris at 25" in claims(root)[says].detail


def test_every_result_says_how_it_was_made():
    kept = Kept()
    sections(kept)
    for path in sorted(kept.read):
        content = json.loads((BENCHMARKS / path).read_text())
        assert {"config", "results", "versions", "machine", "date"} <= set(content), path


def test_the_code_of_a_result_is_known_again(tmp_path):
    (tmp_path / "likewise" / "cluster").mkdir(parents=True)
    (tmp_path / "likewise" / "__init__.py").write_text('"""Words."""\n')
    hacc = tmp_path / "likewise" / "cluster" / "hacc.py"
    hacc.write_text('"""Words."""\n\n\ndef f():\n    """Words."""\n    return 1\n')
    modules = ["likewise", "likewise.cluster.hacc"]
    result = {"code": {"hash": hash_modules(modules, tmp_path), "modules": " ".join(modules)}}
    assert state_of(result, tmp_path) == "current"
    hacc.write_text('"""Other words."""\n\n# Why.\ndef f():\n    """Other\n\n    words."""\n    return 1\n')
    assert state_of(result, tmp_path) == "current"
    hacc.write_text('"""Words."""\n\n\ndef f():\n    return 2\n')
    assert state_of(result, tmp_path) == "replaced"
    hacc.unlink()
    assert state_of(result, tmp_path) == "replaced"
    assert state_of({}, tmp_path) == "unknown"


def test_results_that_are_added_to_older_ones_are_mixed():
    import likewise.cluster.hacc  # noqa: F401  so that something is loaded

    fresh = code_now()
    assert "likewise.cluster.hacc" in fresh["modules"].split()
    assert state_of({"code": fresh}) == "current"
    assert code_now({"code": fresh})["hash"] == fresh["hash"]
    mixed = {"code": code_now({"results": []})}
    assert state_of(mixed) == "mixed"
    assert state_of({"code": code_now(mixed)}) == "mixed"


def test_the_report_says_which_results_are_of_replaced_code(tmp_path):
    root = copy_of(tmp_path, "speed/hacc.json", "speed/pcca.json")
    content = json.loads((root / "speed/hacc.json").read_text()) | {"code": {"hash": "0", "modules": "likewise"}}
    (root / "speed/hacc.json").write_text(json.dumps(content))
    content = json.loads((root / "speed/pcca.json").read_text())
    content.pop("code", None)
    (root / "speed/pcca.json").write_text(json.dumps(content))
    kept = Kept(root)
    page = " ".join(render(sections(kept), kept).split())
    assert "Of replaced code (1): `speed/hacc.json`. Hash unknown (1): `speed`." in page


def test_figures_in_words():
    assert [score(x) for x in (0.5, 1.0, 0.9997, -0.02, 0.0, 2.5)] == [".500", "1", ".9997", "−.020", ".000", "2.5"]
    assert difference(0.5, 0.4) == "+.100"
    assert difference(0.4, 0.5) == "−.100"
    assert apart("NPU", 0.60871, 0.60862) == "NPU .6087, ours .6086"
    assert [duration(s) for s in (0.0141, 7.75, 2400.0)] == ["14.1 ms", "7.75 s", "40 min"]


def test_paragraphs_and_items_are_wrapped_and_tables_are_not():
    row = f"| {'a ' * 80}|"
    page = f"# Title\n\n{'word ' * 30}\n\n- {'first ' * 30}\n- second `{'x ' * 60}`\n\n{row}\n"
    lines = wrap(page).split("\n")
    assert max(len(line) for line in lines if line != row and "`" not in line) <= 100
    assert row in lines
    assert f"`{'x ' * 60}`" in wrap(page)
    assert " ".join(wrap(page).split()) == " ".join(page.split())
    assert wrap("a\n\n\n## b\n\n\n\n| c |\n") == "a\n\n## b\n\n| c |\n"  # a heading stays one


def test_a_plot_knows_its_figures():
    panel = Panel("a", "x", "y", {"m": [(1, 0.5)]})
    assert digest([panel]) == digest([Panel("a", "x", "y", {"m": [(1, 0.50000001)]})])
    assert digest([panel]) != digest([Panel("a", "x", "y", {"m": [(1, 0.6)]})])


def test_every_benchmark_is_in_the_plan():
    there = {m.name for m in pkgutil.iter_modules(speed.__path__, "benchmarks.speed.")}
    there |= {m.name for m in pkgutil.iter_modules(papers.__path__, "benchmarks.papers.") if m.ispkg}
    planned = {run.module for run in plan.FULL}
    assert there <= planned
    assert "benchmarks.askers" in planned
    assert sum(run.minutes for run in (*plan.SHORT, *plan.PAGES)) < 20


def test_what_fails_and_what_is_skipped_is_said(monkeypatch, capfd):
    monkeypatch.delenv("LIKEWISE_DATA", raising=False)
    runs = [plan.Run("benchmarks.no_such_benchmark", 1), plan.Run("this", 1), plan.Run("that", 1, needs=("tables",))]
    assert "would be skipped: tables" in listing(runs)
    assert run_all(runs) == 1
    said = capfd.readouterr().out
    assert said.endswith("skipped:\n  that: tables is not below LIKEWISE_DATA\nfailed:\n  no_such_benchmark\n")


def test_subclusters_of_any_size_must_be_above_the_baselines(tmp_path):
    paths = [f"papers/biswas2014_subclustering/sweeps-{name}.json" for name in ("digits", "flowers-17")]
    root = copy_of(tmp_path, *paths)

    def lead(ours):
        def edit(rows):
            for row in rows:
                n = len(row["sjc_by_seed"])
                row["sjc_by_seed"] = [0.5] * n if row["method"] != "Subclustering" else [ours] * n
            rows[-1]["sjc_by_seed"] = [0.6] * len(rows[-1]["sjc_by_seed"])  # one point stays ahead

        return edit

    cases = ((0.6, True, "above at 10 of 10 points"), (0.5, False, "above at 2 of 10 points, level at 8, below at 0"))
    for ours, holds, tally in cases:
        for path in paths:
            change(root / path, lead(ours))
        claim = next(claim for words, claim in claims(root).items() if "5 to 25 items" in words)
        assert claim.holds is holds
        assert claim.measured.startswith(tally)
    (root / paths[0]).unlink()
    assert next(claim for words, claim in claims(root).items() if "5 to 25 items" in words).holds is None


def test_purity_must_be_above_at_every_weight_of_the_bags(tmp_path):
    path = "papers/pei2014_bags/alpha.json"
    root = copy_of(tmp_path, path)

    def one(value):
        def edit(rows):
            for row in rows:
                row["purity_by_seed"] = [0.5 if row["alpha"] == 0 else 0.6] * 5
            missed = next(row for row in rows if row["affinity"] == "all pairs" and row["alpha"] == 0.7)
            missed["purity_by_seed"] = [value] * 5

        return edit

    for value, holds in ((0.6, True), (0.5, False)):
        change(root / path, one(value))
        found = {words.rpartition(": ")[2]: claim for words, claim in claims(root).items() if "class purity" in words}
        assert found["10 nearest"].holds is True
        assert found["all pairs"].holds is holds
    assert "carroll at 0.7 (without .500, ours .500)" in found["all pairs"].detail


def test_the_page_says_which_shares_and_seeds_were_run(tmp_path):
    path = "papers/pei2016_unified/results/ionosphere.json"
    root = copy_of(tmp_path, path)

    def fewer(results):
        for row in results["table"]:
            row["seeds"] = 1 if row["share"] == 0.6 else 2
        results["runs"] = {
            share: dict(list(seeds.items())[: 1 if share == "0.6" else 2]) for share, seeds in results["runs"].items()
        }

    change(root / path, fewer)
    text = next(part.text for part in sections(Kept(root)) if part.key == "unified")
    shares = ", ".join(sorted({*json.loads((root / path).read_text())["results"]["runs"]} - {"0.6"}))
    assert f"ionosphere at {shares} (2 of 20 seeds) and 0.6 (1 of 20 seeds)." in text


def test_triplets_of_people_must_be_above_pairs_everywhere(tmp_path):
    path = "papers/pei2016_unified/people.json"
    root = copy_of(tmp_path, path)

    def lead(one):
        def edit(rows):
            for row in rows:
                row["f_by_person"] = [0.5 if row["form"] == "pair" else 0.6] * 24
            next(row for row in rows if row["form"] == "triplet")["f_by_person"] = [one] * 24

        return edit

    for one, holds, said in (
        (0.6, True, "below at 0"),
        (0.5, False, "level at 1, below at 0"),
        (0.4, False, "below at 1"),
    ):
        change(root / path, lead(one))
        claim = next(claim for words, claim in claims(root).items() if words.startswith("answers of people"))
        assert claim.holds is holds
        assert said in claim.measured.partition(";")[0]
    assert "network with the same items at 0.2 (pairs .500, ours .400)" in claim.detail
