"""What all commands share: standard input as a file, results as JSON, one name for the seed."""

import io
import json
import re

import numpy as np
import pytest
import typer
from PIL import Image
from typer.testing import CliRunner

from likewise.cli import app

QUIET = {"serve", "ask"}  # they print no result
NO_TABLES = {"folder", "image", "model", "exports"}  # or several


def run(*words, **options):
    result = CliRunner().invoke(app, [str(word) for word in words], **options)
    assert result.exit_code == 0, result.output
    return result


def all_commands(group, name=""):
    for word, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from all_commands(command, f"{word} ")
        else:
            yield name + word, command


@pytest.mark.parametrize(("name", "command"), list(all_commands(typer.main.get_command(app))), ids=str)
def test_every_command_with_a_result_prints_it_as_json_and_has_one_name_for_the_seed(name, command):
    options = {option: each for each in command.params for option in each.opts}
    if name not in QUIET:
        assert "--json" in options
    assert "--random-state" not in options or options["--random-state"].hidden
    assert "--seed" not in options or options["--seed"].help == "Seed of the random numbers."


@pytest.mark.parametrize(("name", "command"), list(all_commands(typer.main.get_command(app))), ids=str)
def test_every_table_may_come_on_standard_input(name, command):
    for each in command.params:
        if each.param_type_name == "argument" and each.name not in NO_TABLES:
            assert re.search(r"(^|[ ;])-[.: ]", f"{each.help} "), f"{name} {each.name}: {each.help}"


def test_a_seed_that_is_none_is_refused_at_once():
    result = CliRunner().invoke(app, ["cluster", "-", "-k", "2", "--seed", "-1"], input="")
    assert result.exit_code == 2
    assert "'--seed'" in result.stderr


def table(kind):
    X = np.array([[0.0, 0.1], [0.1, 0.0], [5.0, 5.1], [5.1, 5.0]])
    if kind == "csv":
        return "".join(f"{a},{b}\n" for a, b in [("x", "y"), *X.tolist()]).encode()
    file = io.BytesIO()
    if kind == "npy":
        np.save(file, X)
    else:
        import pandas as pd

        pd.DataFrame(X, columns=["x", "y"]).to_parquet(file)
    return file.getvalue()


@pytest.mark.parametrize("kind", ["csv", "npy", "parquet"])
def test_a_table_on_standard_input_is_clustered(kind):
    found = json.loads(run("cluster", "-", "-k", 2, "--json", input=table(kind)).stdout)
    assert found["labels"] == [0, 0, 1, 1]


@pytest.mark.parametrize("kind", ["csv", "npy"])
def test_examples_are_found_in_a_table_on_standard_input(kind):
    found = json.loads(run("subcluster", "-", "-k", 2, "--size", 2, "--json", input=table(kind)).stdout)
    assert sorted(map(sorted, found["subclusters"])) == [[0, 1], [2, 3]]


def test_hits_and_tags_on_standard_input_are_learned_from(tmp_path):
    (tmp_path / "vectors.csv").write_bytes(table("csv"))
    hits = "hit,item,group\n" + "".join(f"ann,{k},{k // 2}\n" for k in range(4))
    words = ("crowd", "fit", "-", "--vectors", tmp_path / "vectors.csv", "-k", 2, "--json")
    assert json.loads(run(*words, input=hits).stdout)["annotated"] == 4
    tags = "tree,oak\n1,1\n1,1\n1,0\n1,0\n"
    words = ("hierarchy", "-", "--vectors", tmp_path / "vectors.csv", "--out", tmp_path / "tree.json", "--json")
    assert json.loads(run(*words, input=tags).stdout)["tags"] == 2


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_answers_on_standard_input_are_measured(kind):
    rows = [("a", "b", "ann", "same"), ("a", "c", "bob", "different")]
    names = ("a", "b", "annotator", "answer")
    text = "\n".join(",".join(row) for row in [names, *rows])
    if kind == "jsonl":
        text = "\n".join(json.dumps(dict(zip(names, row, strict=True))) for row in rows)
    found = json.loads(run("crowd", "report", "-", "--json", input=text).stdout)
    assert (found["answers"], found["annotators"]) == (2, 2)


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    for k in range(6):
        Image.new("RGB", (24, 24), (40 * k, 10, 200 - 30 * k)).save(folder / f"{k}.png")
    return folder


def test_what_comes_on_standard_input_is_taken_in_and_goes_out_as_json(folder, tmp_path):
    run("index", folder)
    vectors = "path,x\n" + "".join(f"{k}.png,{k % 2}\n" for k in range(6))
    taken = json.loads(
        run("import", folder, "-", "--kind", "vectors", "--model", "mine", "--json", input=vectors).stdout
    )
    assert taken["written"]
    tags = json.loads(run("tags", folder, "-", "--json", input="path,tags\n0.png,oak;tree\n").stdout)
    assert (tags["lines"], tags["tags"], tags["new"]) == (1, 2, 2)
    out = tmp_path / "clusters.csv"
    found = json.loads(run("export", folder, "--model", "mine", "--out", out, "--json").stdout)
    assert (found["count"], found["path"], found["skipped"]) == (6, str(out), [])
    page = tmp_path / "report.html"
    assert json.loads(run("report", folder, "--model", "mine", "--out", page, "--json").stdout)["path"] == str(page)


def test_the_old_name_of_the_seed_works_with_a_warning(folder, tmp_path):
    old = run("crowd", "hits", folder, "--name", "a", "--per-hit", 2, "--random-state", 3, "--json")
    new = run("crowd", "hits", folder, "--name", "b", "--per-hit", 2, "--seed", 3, "--json")
    assert "--random-state is now called --seed" in old.stderr
    assert "now called" not in new.stderr
    assert json.loads(old.stdout)["hits"] == json.loads(new.stdout)["hits"]
    out = tmp_path / "hits.csv"
    assert json.loads(run("crowd", "export", folder, "--name", "a", "--out", out, "--json").stdout)["rows"] == 0
    run("study", "new", folder, "--name", "s", "--pairs", 2, "--seed", 1)
    found = run("study", "export", folder, "--name", "s", "--out", tmp_path / "study.csv", "--json")
    assert json.loads(found.stdout)["answers"] == 0
