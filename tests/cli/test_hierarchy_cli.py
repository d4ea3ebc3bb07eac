import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from typer.testing import CliRunner

from likewise.cli import app
from likewise.hierarchy import draw_tree, tree_document

runner = CliRunner()


def run(*arguments):
    return runner.invoke(app, ["hierarchy", *map(str, arguments)])


@pytest.fixture
def tagged(tmp_path):
    """Things on a line: food above 0, ramen above 1, cars below -1; a fifth of the tags is missing."""
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 2, 300)
    Y = np.column_stack([x > 0, x > 1, x < -1])
    Z = (Y & (rng.random(Y.shape) > 0.2)).astype(int)
    names = [f"p{i}.jpg" for i in range(len(x))]
    np.save(tmp_path / "x.npy", x[:, None])
    (tmp_path / "x.names.json").write_text(json.dumps(names))
    lines = [",".join([n, *map(str, row)]) for n, row in zip(names, Z, strict=True)]
    (tmp_path / "wide.csv").write_text("\n".join(["name,food,ramen,car", *lines]) + "\n")
    tags = ["food", "ramen", "car"]
    long = [f"{n},{tags[t]}" for n, row in zip(names, Z, strict=True) for t in np.flatnonzero(row)]
    (tmp_path / "long.csv").write_text("\n".join(["name,tag", *long]) + "\n")
    return tmp_path


@pytest.mark.parametrize("form", ["wide", "long"])
def test_tree_drawing_and_suggestions_are_written(tagged, form):
    out = tagged / "tree.json"
    result = run(tagged / f"{form}.csv", "--vectors", tagged / "x.npy", "--out", out)
    assert result.exit_code == 0, result.output
    Z = np.loadtxt(tagged / "wide.csv", delimiter=",", skiprows=1, usecols=(1, 2, 3), dtype=int)
    assert f"food ({Z[:, 0].sum()})\n  ramen ({Z[:, 1].sum()})\n" in result.stdout
    document = json.loads(out.read_text())
    parents = {tag["name"]: tag["parent_name"] for tag in document["tags"]}
    assert parents == {"food": None, "ramen": "food", "car": None}
    suggested = {(s["name"], s["tag"]) for s in document["suggestions"]}
    assert {(f"p{i}.jpg", "food") for i in np.flatnonzero(Z[:, 1] > Z[:, 0])} <= suggested
    assert all(s["probability"] > 0.5 for s in document["suggestions"])
    assert not suggested & {(f"p{i}.jpg", "food") for i in np.flatnonzero(Z[:, 0])}
    drawn = ET.parse(tagged / "tree.svg").getroot()
    assert next(drawn.iter("{http://www.w3.org/2000/svg}text")).text.startswith("food")


def test_a_known_tree_is_kept(tagged):
    (tagged / "known.csv").write_text("parent,child\ncar,food\n,car\n")
    out = tagged / "tree.json"
    given = ("--tree", tagged / "known.csv", "--svg", tagged / "other.svg", "--json")
    result = run(tagged / "wide.csv", "--vectors", tagged / "x.npy", "--out", out, *given)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["tags"] == 3
    assert json.loads(out.read_text())["edges"] == [[2, 0], [-1, 1], [-1, 2]]
    assert (tagged / "other.svg").exists()


def test_rows_are_matched_by_name(tagged):
    names = json.loads((tagged / "x.names.json").read_text())
    np.save(tagged / "y.npy", np.load(tagged / "x.npy")[::-1])
    (tagged / "y.names.json").write_text(json.dumps(names[::-1]))
    for stem in "xy":
        run(tagged / "wide.csv", "--vectors", tagged / f"{stem}.npy", "--out", tagged / f"{stem}.json")
    assert (tagged / "x.json").read_text() == (tagged / "y.json").read_text()


def test_mistakes_are_one_line(tagged):
    (tagged / "odd.csv").write_text("name,food\np0.jpg,perhaps\n")
    (tagged / "strange.csv").write_text("name,tag\nnobody.jpg,food\n")
    (tagged / "short.csv").write_text("food\n1\n0\n")
    (tagged / "unknown.csv").write_text("parent,child\nfood,boat\n")
    wide = tagged / "wide.csv"
    cases = [
        ((wide, "--out", "tree.txt"), "--out must end in .json"),
        ((tagged / "odd.csv", "--out", "t.json"), "'perhaps' in line 2"),
        ((tagged / "strange.csv", "--out", "t.json"), "has no vector"),
        ((tagged / "short.csv", "--out", "t.json"), "has 2 rows, but there are 300 vectors"),
        ((wide, "--out", "t.json", "--tree", tagged / "unknown.csv"), "'boat', which is not a tag"),
        ((wide, "--out", "t.json", "--tree", wide), "must have the columns parent,child"),
    ]
    for arguments, words in cases:
        result = run(*arguments, "--vectors", tagged / "x.npy")
        assert result.exit_code == 2
        assert words in result.stderr
        assert result.stderr.count("\n") == 1


def test_hostile_names_are_drawn_safely():
    names = ['<script>alert("x")</script>', "a & b", "line\nbreak\x00\x1b", "日本"]
    picture = draw_tree(tree_document([(0, 1), (1, 2)], names, counts=[3, 2, 1, 9]))
    root = ET.fromstring(picture)
    assert root.find(".//{http://www.w3.org/2000/svg}script") is None
    assert tree_document([(0, 1)], names, counts=[3, 2, 1, 9])["tags"][0]["name"] == "日本"
