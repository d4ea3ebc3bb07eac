"""The logistic clusterers in the terminal: as the estimators do, with triplets from a file."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from likewise.cli import app
from likewise.cluster import BayesianClustering, DiscriminativeClustering
from likewise.crowd import true_answer


@pytest.fixture
def files(tmp_path):
    """Items of two classes that overlap; pairs and triplets about them, in files."""
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=40)
    X = rng.normal(size=(40, 3)) + 1.2 * truth[:, None]
    np.save(tmp_path / "x.npy", X)
    pairs = [rng.choice(40, 2, replace=False).tolist() for _ in range(20)]
    given = {
        "same": [pair for pair in pairs if truth[pair[0]] == truth[pair[1]]],
        "different": [pair for pair in pairs if truth[pair[0]] != truth[pair[1]]],
    }
    for name, some in given.items():
        (tmp_path / f"{name}.csv").write_text("".join(f"{i},{j}\n" for i, j in some))
    drawn = [rng.choice(40, 3, replace=False).tolist() for _ in range(30)]
    triplets = [(*items, true_answer("triplet", truth[items].tolist())) for items in drawn]
    lines = ["a,b,c,answer", "# the first ten", *(",".join(map(str, t)) for t in triplets), "", "0, 1, 2, unsure"]
    (tmp_path / "triplets.csv").write_text("\n".join(lines))
    return tmp_path, X, {"must_link": given["same"], "cannot_link": given["different"]}, triplets


def run(folder, method, *more):
    command = ["cluster", str(folder / "x.npy"), "-k", "2", "--method", method, *more, "--json"]
    return CliRunner().invoke(app, command)


def links(folder):
    return ["--must-link", str(folder / "same.csv"), "--cannot-link", str(folder / "different.csv")]


@pytest.mark.parametrize(
    ("method", "estimator"), [("discriminative", DiscriminativeClustering), ("bayesian", BayesianClustering)]
)
def test_pairs_in_the_terminal_are_those_of_the_estimator(files, method, estimator):
    folder, X, given, _ = files
    found = run(folder, method, *links(folder))
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["labels"] == estimator(2, random_state=0).fit_predict(X, **given).tolist()


def test_triplets_and_pairs_in_the_terminal_are_those_of_the_estimator(files):
    folder, X, given, triplets = files
    found = run(folder, "discriminative", *links(folder), "--triplets", str(folder / "triplets.csv"))
    assert found.exit_code == 0, found.output
    expected = DiscriminativeClustering(2, random_state=0).fit_predict(X, **given, triplets=triplets)
    assert json.loads(found.stdout)["labels"] == expected.tolist()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0,1,2,ab\n0,1,40,ab\n", "line 2: there are 40 rows"),
        ("0,1,1,ab\n", "line 1: a triplet is three different rows"),
        ("0,1,2,same\n", "line 1: three row numbers and one of ab, ac, bc, none, unsure"),
        ("0,1,2,ab\n0,1,ab\n", "line 2: three row numbers"),
    ],
)
def test_a_bad_line_is_named(files, text, said):
    folder = files[0]
    (folder / "bad.csv").write_text(text)
    found = run(folder, "discriminative", "--triplets", str(folder / "bad.csv"))
    assert found.exit_code != 0
    assert said in " ".join(found.output.split())


def test_other_methods_take_no_triplets(files):
    folder = files[0]
    found = run(folder, "hacc", "--triplets", str(folder / "triplets.csv"))
    assert found.exit_code != 0
    assert "hacc takes no triplets" in found.output
