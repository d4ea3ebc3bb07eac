"""Bags from a file, in the terminal and in a session."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from likewise import Session
from likewise.cli import app
from likewise.cluster import BagSpectral

runner = CliRunner()


@pytest.fixture
def words(tmp_path):
    """Items of two classes that overlap, three in a bag; the labels of most bags; the files of both."""
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=60)
    X = rng.normal(size=(60, 3)) + 1.2 * truth[:, None]
    bags = np.repeat(np.arange(20), 3)
    labels = {b: {f"class {t}" for t in truth[bags == b]} for b in range(15)}
    np.save(tmp_path / "x.npy", X)
    lines = ["row,bag,labels"]
    for row, bag in enumerate(bags):
        named = ";".join(sorted(labels.get(bag, ()))) if row % 3 == 0 else ""
        lines.append(f"{row},word {bag},{named}")
    (tmp_path / "bags.csv").write_text("\n".join(lines))
    return X, bags, labels, tmp_path


def run(folder, *more):
    return runner.invoke(
        app, ["cluster", str(folder / "x.npy"), "-k", "2", "--method", "bag-spectral", *more, "--json"]
    )


def test_the_terminal_clusters_as_the_estimator_does(words):
    X, bags, labels, folder = words
    found = run(folder, "--bags", str(folder / "bags.csv"))
    assert found.exit_code == 0, found.output
    expected = BagSpectral(2, random_state=0).fit(X, bags=bags, bag_labels=labels).labels_
    assert json.loads(found.stdout)["labels"] == expected.tolist()
    assert json.loads(run(folder).stdout)["labels"] != expected.tolist()  # the bags had a say


def test_rows_without_a_line_are_bags_of_their_own(words):
    X, _, _, folder = words
    (folder / "few.csv").write_text("# two bags\n3,a,x\n4,b,x;y\n\n5,b\n")
    found = run(folder, "--bags", str(folder / "few.csv"))
    alone = np.arange(60)
    alone[5] = 4
    expected = BagSpectral(2, random_state=0).fit(X, bags=alone, bag_labels={3: "x", 4: "xy"}).labels_
    assert json.loads(found.stdout)["labels"] == expected.tolist()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0,a,x\n60,a,y\n", "line 2: there are 60 rows"),
        ("0,a\n0,b\n", "line 2: row 0 is in two bags"),
        ("0,a\nx,b\n", "line 2: a row number, a bag and labels"),
        ("0,a,x,y\n", "line 1: a row number, a bag and labels"),
        ("0,\n", "line 1: a row number, a bag and labels"),
    ],
)
def test_a_bad_line_is_named(words, text, said):
    folder = words[-1]
    (folder / "bad.csv").write_text(text)
    found = run(folder, "--bags", str(folder / "bad.csv"))
    assert found.exit_code != 0
    assert said in " ".join(found.output.split())


def test_other_methods_take_no_bags(words):
    folder = words[-1]
    found = runner.invoke(app, ["cluster", str(folder / "x.npy"), "-k", "2", "--bags", str(folder / "bags.csv")])
    assert found.exit_code != 0
    assert "hacc takes no bags" in found.output


def test_a_session_reads_its_clusters_with_the_bags(words):
    X, bags, labels, _ = words
    session = Session(
        X, strategy="random", n_clusters=2, random_state=0, clusterer=BagSpectral(bags=bags, bag_labels=labels)
    )
    question = session.ask()
    session.answer(question, "different")
    alone = BagSpectral(2, random_state=session.seed % 2**32)
    expected = alone.fit(X, cannot_link=[question.items], bags=bags, bag_labels=labels).labels_
    assert session.labels_.tolist() == expected.tolist()
    without = Session(X, strategy="random", n_clusters=2, random_state=0, clusterer=BagSpectral())
    without.answer(question, "different")
    assert session.labels_.tolist() != without.labels_.tolist()
