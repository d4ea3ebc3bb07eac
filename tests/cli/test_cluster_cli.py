"""The commands that take tables: what they print, and how they fail."""

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from likewise.cli import app
from likewise.cli.app import main

runner = CliRunner()


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    truth = np.repeat(["a", "b", "c"], 6)
    X = rng.normal(size=(18, 2)) * 0.1 + np.repeat([0, 5, 10], 6)[:, None]
    path = tmp_path / "table.csv"
    pd.DataFrame({"x0": X[:, 0], "x1": X[:, 1], "label": truth}).to_csv(path, index=False)
    return path


def test_cluster_prints_a_table(table):
    result = runner.invoke(app, ["cluster", str(table), "-k", "3"])
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "item,cluster"
    assert len(lines) == 19


@pytest.mark.parametrize("method", ["hacc", "cop-kmeans", "pckmeans", "mpckmeans", "kmedoids"])
def test_cluster_as_json_with_every_method(table, method):
    result = runner.invoke(app, ["cluster", str(table), "-k", "3", "--method", method, "--json"])
    assert result.exit_code == 0, result.output
    summary = json.loads(result.stdout)
    assert summary["ari"] == 1.0
    assert len(summary["labels"]) == 18


def test_constraints_from_files(table, tmp_path):
    (tmp_path / "cannot.csv").write_text("a,b\n0,1\n")
    (tmp_path / "must.csv").write_text("0,17\n")
    args = ["--must-link", str(tmp_path / "must.csv"), "--cannot-link", str(tmp_path / "cannot.csv"), "--json"]
    result = runner.invoke(app, ["cluster", str(table), "-k", "3", *args])
    labels = json.loads(result.stdout)["labels"]
    assert labels[0] == labels[17]
    assert labels[0] != labels[1]


def test_written_to_a_file(table, tmp_path):
    out = tmp_path / "labels.csv"
    result = runner.invoke(app, ["cluster", str(table), "-k", "3", "--out", str(out)])
    assert result.exit_code == 0
    assert result.stdout == ""
    assert len(pd.read_csv(out)) == 18


def test_simulate(table, tmp_path):
    args = ["--strategy", "random", "--budget", "5", "-k", "3", "--json"]
    files = ["--out", str(tmp_path / "curve.csv"), "--plot", str(tmp_path / "curve.png")]
    result = runner.invoke(app, ["simulate", str(table), *args, *files])
    assert result.exit_code == 0, result.output
    assert [row["answers"] for row in json.loads(result.stdout)] == [1, 2, 3, 4, 5]
    assert len(pd.read_csv(tmp_path / "curve.csv")) == 5
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    again = runner.invoke(app, ["simulate", str(table), *args])
    first, second = (pd.DataFrame(json.loads(r.stdout)).drop(columns="seconds") for r in (result, again))
    assert first.equals(second)


def test_simulate_with_all_forms_and_a_budget_in_seconds(table):
    args = ["--forms", "auto", "--budget-seconds", "6", "--overlook-rate", "0", "--json"]
    result = runner.invoke(app, ["simulate", str(table), *args])
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)
    assert all(before["person_seconds"] < 6 for before in rows[:-1])
    assert rows[-1]["person_seconds"] > rows[0]["person_seconds"] > 0 or len(rows) == 1
    refused = runner.invoke(app, ["simulate", str(table), "--forms", "pair,quartet"])
    assert refused.exit_code != 0


def test_simulate_shows_a_table(table):
    result = runner.invoke(app, ["simulate", str(table), "--strategy", "random", "--budget", "30", "-k", "3"])
    assert result.exit_code == 0
    assert "ARI" in result.stdout


def test_demo_ends_with_a_curve_and_a_table(tmp_path):
    result = runner.invoke(
        app, ["demo", "--simulate", "--out", str(tmp_path / "demo"), "--budget", "3", "--strategy", "random"]
    )
    assert result.exit_code == 0, result.output
    assert (tmp_path / "demo" / "curve.png").exists()
    assert len(pd.read_csv(tmp_path / "demo" / "curve.csv")) == 3
    assert len(list((tmp_path / "demo" / "pictures").rglob("*.png"))) == 1797


def test_strategies_are_listed():
    result = runner.invoke(app, ["strategies"])
    assert "random" in result.stdout.split()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["cluster", "none.csv", "-k", "2"], "none.csv"),
        (["cluster", "{table}", "-k", "99"], "n_clusters is 99"),
        (["cluster", "{table}", "-k", "2", "--method", "magic"], "there is no clusterer 'magic'"),
        (["cluster", "{table}", "-k", "2", "--method", "pckmeans", "--metric", "precomputed"], "must be square"),
        (["cluster", "{table}", "-k", "2", "--must-link", "{words}"], "line 2: two row numbers are expected"),
        (["simulate", "{table}", "--strategy", "magic"], "there is no strategy 'magic'"),
        (["simulate", "{bare}"], "no column 'label'"),
        (["cluster", "{contradiction}", "-k", "2", "--must-link", "{pair}", "--cannot-link", "{pair}"], "cannot be"),
    ],
)
def test_mistakes_get_one_clear_line_and_an_exit_code(args, message, table, tmp_path, monkeypatch, capsys):
    files = {"words": "0,1\nx,y\n", "bare": "x0,x1\n0,1\n1,0\n", "pair": "0,1\n"}
    for name, text in files.items():
        (tmp_path / f"{name}.csv").write_text(text)
    paths = {name: tmp_path / f"{name}.csv" for name in files} | {"table": table, "contradiction": table}
    monkeypatch.setattr("sys.argv", ["likewise", *(a.format(**paths) for a in args)])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    error = capsys.readouterr().err.strip()
    assert error.startswith("likewise: ")
    assert message in error
    assert "\n" not in error
