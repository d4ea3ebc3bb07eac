"""``likewise subcluster``: what it prints, and what it says when something is wrong."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from likewise.cli import app
from likewise.cluster import Subclustering

runner = CliRunner()


@pytest.fixture
def vectors(tmp_path):
    X = np.random.default_rng(0).normal(size=(200, 4))
    np.save(tmp_path / "x.npy", X)
    return tmp_path / "x.npy", Subclustering(5, size=3, random_state=0).fit(X)


def test_json_and_csv_say_what_the_estimator_finds(vectors, tmp_path):
    path, model = vectors
    result = runner.invoke(app, ["subcluster", str(path), "-k", "5", "--size", "3", "--json"])
    assert result.exit_code == 0, result.output
    summary = json.loads(result.stdout)
    assert summary["subclusters"] == model.subclusters_.tolist()
    assert summary["cost"] == pytest.approx(model.objective_)
    out = tmp_path / "out.csv"
    runner.invoke(app, ["subcluster", str(path), "-k", "5", "--size", "3", "--out", str(out)])
    rows = [line.split(",") for line in out.read_text().split()]
    assert rows[0] == ["subcluster", "rank", "item"]
    assert [int(item) for _, _, item in rows[1:]] == model.subclusters_.ravel().tolist()


def test_a_table_with_labels_is_scored(tmp_path):
    rows = ["x0,x1,label"] + [f"{10 * k + i / 10},{k},c{k}" for k in range(3) for i in range(8)]
    (tmp_path / "t.csv").write_text("\n".join(rows))
    result = runner.invoke(app, ["subcluster", str(tmp_path / "t.csv"), "-k", "3", "--size", "4", "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["subclustering_jaccard"] == 1.0


def test_too_many_subclusters_are_refused(vectors):
    result = runner.invoke(app, ["subcluster", str(vectors[0]), "-k", "500"])
    assert result.exit_code != 0
    assert "n_clusters is 500" in str(result.exception)
