import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits

from likewise.datasets import Dataset, load, load_demo, load_folder, load_table
from likewise.images import read_image


def test_demo_without_pictures():
    demo = load_demo()
    assert demo.X.shape == (1797, 64)
    assert np.array_equal(demo.truth, load_digits().target)
    assert demo.classes == [str(digit) for digit in range(10)]
    assert demo.paths is None
    assert len(demo) == 1797


def test_demo_pictures_show_the_digits_and_hide_the_truth(tmp_path):
    demo = load_demo(tmp_path / "digits")
    assert len(demo.paths) == 1797
    assert all(path.parent == tmp_path / "digits" for path in demo.paths)
    for number in (0, 5, 1796):
        small = np.asarray(read_image(demo.paths[number]).resize((8, 8)))[..., 0] / 255 * 16
        assert np.abs(small - demo.X[number].reshape(8, 8)).mean() < 1.5
    before = demo.paths[7].stat()
    again = load_demo(tmp_path / "digits")
    assert again.paths[7].stat().st_mtime_ns == before.st_mtime_ns
    listed = load_folder(tmp_path / "digits")
    assert listed.names == demo.names
    assert listed.truth is None
    told = load_folder(tmp_path / "digits", truth=tmp_path / "digits" / "truth.csv")
    assert np.array_equal(told.truth, demo.truth)
    assert told.classes == demo.classes
    assert sorted(path.suffix for path in (tmp_path / "digits").iterdir())[:2] == [".csv", ".png"]


@pytest.fixture
def pets(tmp_path):
    for name in ("dog/1.jpg", "cat/2.png", "cat/deep/1.png", "cat/.hidden.png", "notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


def test_class_folders(pets):
    dataset = load_folder(pets, truth="folders")
    assert dataset.names == ["cat/2.png", "cat/deep/1.png", "dog/1.jpg"]
    assert dataset.paths[0] == pets / "cat" / "2.png"
    assert dataset.truth.tolist() == [0, 0, 1]
    assert dataset.classes == ["cat", "dog"]
    assert dataset.X is None
    assert len(dataset) == 3


def test_a_folder_is_taken_for_classes_only_when_it_looks_so(pets):
    assert load(pets).classes == ["cat", "dog"]
    assert load(pets / "cat").truth is None
    (pets / "cow.png").touch()
    assert load(pets).truth is None
    with pytest.raises(ValueError, match=r"'cow\.png' lies in no subfolder"):
        load_folder(pets, truth="folders")


def test_folders_that_are_not_there_or_listed_badly(pets):
    with pytest.raises(NotADirectoryError, match="is not a folder"):
        load_folder(pets / "nowhere")
    with pytest.raises(FileNotFoundError, match="there is no file"):
        load_folder(pets, truth=pets / "truth.csv")
    (pets / "truth.csv").write_text("name,label\ncat/2.png,cat\n")
    with pytest.raises(ValueError, match=r"does not give the class of 'cat/deep/1\.png'"):
        load_folder(pets, truth=pets / "truth.csv")
    (pets / "truth.csv").write_text("picture,label\ncat/2.png,cat\n")
    with pytest.raises(ValueError, match="must have the columns"):
        load_folder(pets, truth=pets / "truth.csv")


def test_csv(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,width,height,label\n7,1,2,10\n8,3.5,4,9\n9,5,6,10\n")
    dataset = load(path)
    assert dataset.X.tolist() == [[1, 2], [3.5, 4], [5, 6]]
    assert dataset.X.dtype == np.float64
    assert dataset.names == ["7", "8", "9"]
    assert dataset.classes == ["9", "10"]
    assert dataset.truth.tolist() == [1, 0, 1]


def test_csv_without_anything_but_numbers(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x0,x1\n1,2\n")
    dataset = load_table(path)
    assert (dataset.truth, dataset.classes, dataset.names, dataset.paths) == (None,) * 4
    path.write_text("1,2\n1,2\n3,4\n")
    assert load_table(path).X.tolist() == [[1, 2], [1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a table"),
        ("x0,label\n", "has no rows"),
        ("label\na\n", "has no column of numbers"),
        ("x0,colour\n1,red\n", "the column 'colour'"),
        ("x0,x1\n1,\n", "row 0, column 1"),
        ("x0,x1\n1,2\n3,inf\n", "row 1, column 1"),
        ("x0\n1\n2,3,4\n", "is not a table"),
    ],
)
def test_bad_csv_is_one_sentence(tmp_path, text, message):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(ValueError, match=message) as caught:
        load_table(tmp_path / "a.csv")
    assert "\n" not in str(caught.value)


def test_bytes_that_are_no_text(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"x0\n\xff\xfe\x00\n")
    with pytest.raises(ValueError, match="is not a table"):
        load_table(tmp_path / "a.csv")


def test_npy(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(6, dtype=np.int32).reshape(3, 2))
    assert load(tmp_path / "a.npy").X.tolist() == [[0, 1], [2, 3], [4, 5]]
    for bad, message in [
        (np.arange(3), "two dimensions"),
        (np.array([["a"]]), "two dimensions"),
        (np.array([[None]]), "not an array of numbers"),
        (np.array([[1.0, np.nan]]), "row 0, column 1"),
        (np.zeros((0, 2)), "has no rows"),
    ]:
        np.save(tmp_path / "a.npy", bad)
        with pytest.raises(ValueError, match=message):
            load(tmp_path / "a.npy")
    (tmp_path / "a.npy").write_bytes(b"")
    with pytest.raises(ValueError, match="not an array of numbers"):
        load(tmp_path / "a.npy")


def test_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    table = pd.DataFrame({"name": ["a", "b"], "vector": [[1.0, 2.0], [3.0, 4.0]], "age": [5, 6], "label": ["x", "y"]})
    table.to_parquet(tmp_path / "a.parquet")
    dataset = load(tmp_path / "a.parquet")
    assert dataset.X.tolist() == [[1, 2, 5], [3, 4, 6]]
    assert dataset.names == ["a", "b"]
    assert dataset.truth.tolist() == [0, 1]
    table["vector"] = [[1.0], [3.0, 4.0]]
    table.to_parquet(tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="the column 'vector'"):
        load(tmp_path / "a.parquet")
    (tmp_path / "a.parquet").write_bytes(b"not parquet")
    with pytest.raises(ValueError, match="is not a table"):
        load(tmp_path / "a.parquet")


def test_parquet_without_the_package(tmp_path, monkeypatch):
    (tmp_path / "a.parquet").touch()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ValueError, match=r"install likewise\[parquet\]"):
        load(tmp_path / "a.parquet")


def test_what_cannot_be_loaded(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no file"):
        load(tmp_path / "a.csv")
    (tmp_path / "a.xlsx").touch()
    with pytest.raises(ValueError, match="neither a folder nor a file in"):
        load(tmp_path / "a.xlsx")


def test_nothing_is_known_of_an_empty_dataset():
    assert len(Dataset()) == 0
    assert len(Dataset(truth=np.zeros(4, np.int64))) == 4
