"""Every format, read by its own reader or against its documented layout."""

import csv
import html.parser
import json
import os
import re
from xml.sax.saxutils import quoteattr

import pandas as pd
import pytest

from likewise.datasets import load_folder
from likewise.formats import Exporter, Snapshot, TargetExistsError, export, exporters, read_answers, read_list
from likewise.formats.answers import AnswerLine
from likewise.formats.label_studio_in import is_label_studio, read_label_studio
from likewise.formats.names import folder_names, inside, safe_file_name, safe_name
from tests.formats.snapshots import ROWS, STACKS, make_snapshot

CLASSES = {1: "red/oak", 2: "RED\\OAK", 3: "cluster-3", 4: "..", 5: '<b>x</b>\n,"y"'}


@pytest.fixture
def snapshot(tmp_path):
    (tmp_path / "pictures").mkdir()
    return make_snapshot(tmp_path / "pictures")


def write(name, snapshot, target, **options):
    return export(exporters()[name], snapshot, target, **options)


def test_the_csv_is_read_back(snapshot, tmp_path):
    assert write("csv", snapshot, tmp_path / "out.csv").count == len(ROWS)
    with open(tmp_path / "out.csv", newline="", encoding="utf-8") as file:
        rows = [tuple(row.values()) for row in csv.DictReader(file)]
    assert rows == [(*map(str, row), STACKS.get(row[0], "")) for row in ROWS]


def test_the_parquet_is_read_back_with_its_types(snapshot, tmp_path):
    write("parquet", snapshot, tmp_path / "out.parquet")
    table = pd.read_parquet(tmp_path / "out.parquet")
    assert list(table.itertuples(index=False, name=None)) == [(*row, STACKS.get(row[0], "")) for row in ROWS]
    assert table.image.dtype == "int64"
    assert len(read_list(tmp_path / "out.parquet")[0]) == len(ROWS)


def test_an_empty_project_has_empty_tables(tmp_path):
    for name, exporter in exporters().items():
        options = {"mode": "copy"} if "mode" in exporter.options else {}
        empty = Snapshot("empty", tmp_path)
        assert write(name, empty, tmp_path / f"{name}{exporter.suffix}", **options).count == 0
    assert pd.read_parquet(tmp_path / "parquet.parquet").empty


def test_the_log_is_read_back(snapshot, tmp_path):
    write("jsonl", snapshot, tmp_path / "out.jsonl")
    lines = (tmp_path / "out.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == list(snapshot.events)


def test_the_tidy_answers_can_be_imported_again(snapshot, tmp_path):
    write("tables", snapshot, tmp_path / "tables")
    assert {each.name for each in (tmp_path / "tables").glob("*.csv")} == {
        "answers.csv", "annotators.csv", "clusters.csv", "images.csv",
    }  # fmt: skip
    answers, problems = read_answers(tmp_path / "tables" / "answers.csv")
    assert problems == []
    read = [(line.items, line.annotator, line.value, line.seconds, line.truth) for line in answers]
    assert read == [
        (("a.jpg", "c.jpg"), "ann", "same", 1.5, "different"),
        (("a.jpg", "b.png"), "<bob>", "same", 2.5, ""),
        (("a.jpg", "b.png", "c.jpg"), "ann", "ab", None, "ab"),
    ]
    assert answers[0].at.isoformat() == "2026-01-02T03:04:05+00:00"
    assert pd.read_csv(tmp_path / "tables" / "annotators.csv").accuracy.tolist()[0] == 0.5


def contents(folder):
    return sorted(p.read_bytes() for p in folder.rglob("*") if p.is_file() and not p.name.startswith("."))


@pytest.mark.parametrize("mode", ["copy", "hardlink", "symlink"])
def test_class_folders_are_read_as_truth(snapshot, tmp_path, mode):
    written = write("folders", snapshot, tmp_path / "out", mode=mode)
    assert (written.count, written.skipped) == (7, [])
    names = sorted(each.name for each in (tmp_path / "out").iterdir() if each.is_dir())
    assert names == ["RED OAK-2", "b x b y", "cluster-3", "cluster-4", "red oak-1"]
    assert sorted(p.name for p in (tmp_path / "out" / "red oak-1").iterdir()) == ["a-1.jpg", "a.jpg"]
    assert contents(tmp_path / "out") == sorted(
        (tmp_path / "pictures" / path).read_bytes() for _, path, _, _, state in ROWS if state != "suggested"
    )
    first = tmp_path / "out" / "red oak-1" / "a.jpg"
    assert first.is_symlink() == (mode == "symlink")
    assert first.samefile(tmp_path / "pictures" / "a.jpg") == (mode != "copy")
    if mode != "symlink":  # links out of the folder are not followed when it is read
        assert load_folder(tmp_path / "out", truth="folders").classes == sorted(names)


def test_yolo_has_every_class_on_both_sides_and_every_picture_once(snapshot, tmp_path):
    assert write("yolo", snapshot, tmp_path / "out").count == 7
    sides = {side: sorted(p.name for p in (tmp_path / "out" / side).iterdir()) for side in ("train", "val")}
    assert sides["train"] == sides["val"]
    assert len(sides["train"]) == 5
    assert len(contents(tmp_path / "out")) == 7
    held = {p.parent.name for p in (tmp_path / "out" / "val").rglob("*.*")}
    assert held == {"red oak-1", "cluster-3"}  # of a class of one nothing is held out


def test_coco_is_read_by_pycocotools(snapshot, tmp_path, capsys):
    coco = pytest.importorskip("pycocotools.coco")
    write("coco", snapshot, tmp_path / "coco.json")
    data = coco.COCO(tmp_path / "coco.json")
    names = {each["id"]: each["name"] for each in data.loadCats(data.getCatIds())}
    assert sorted(names.values()) == sorted(CLASSES.values())
    assert sorted(data.getImgIds()) == list(range(8))
    for image, path, cluster, _, state in ROWS:
        (about,) = data.loadImgs(image)
        assert about["file_name"] == path
        assert (about["width"], about["height"]) == (8 + image, 6)
        annotations = data.loadAnns(data.getAnnIds(imgIds=[image]))
        if state == "suggested":
            assert annotations == []
            continue
        assert names[annotations[0]["category_id"]] == CLASSES[cluster]
        assert annotations[0]["bbox"] == [0, 0, 8 + image, 6]
        assert data.getAnnIds(imgIds=[image], areaRng=[6 * (8 + image) - 1, 6 * (8 + image) + 1])
    assert data.loadRes(data.dataset["annotations"]).getImgIds()
    capsys.readouterr()


def test_coco_has_the_documented_fields(snapshot, tmp_path):
    write("coco", snapshot, tmp_path / "coco.json")
    content = json.loads((tmp_path / "coco.json").read_text())
    assert set(content) == {"info", "licenses", "categories", "images", "annotations"}
    assert all({"id", "name", "supercategory"} == set(each) for each in content["categories"])
    needed = {"id", "image_id", "category_id", "bbox", "area", "iscrowd", "segmentation"}
    assert all(needed <= set(each) for each in content["annotations"])
    ids = [each["id"] for each in content["annotations"]]
    assert len(set(ids)) == len(ids)


def test_label_studio_is_read_back_and_has_the_documented_layout(snapshot, tmp_path):
    write("label-studio", snapshot, tmp_path / "out.json")
    tasks = json.loads((tmp_path / "out.json").read_text())
    for task, (image, path, cluster, _, state) in zip(tasks, ROWS, strict=True):
        assert task["data"]["path"] == path
        labels = task["annotations"] if state == "confirmed" else task["predictions"]
        assert task["predictions" if state == "confirmed" else "annotations"] == []
        (result,) = labels[0]["result"]
        assert result["type"] == "choices"
        assert (result["from_name"], result["to_name"]) == ("choice", "image")
        assert result["value"] == {"choices": [CLASSES[cluster]]}
        assert task["id"] == image + 1
    assert is_label_studio(tmp_path / "out.json")
    answers, pictures, problems = read_label_studio(tmp_path / "out.json")
    assert (answers, problems) == ([], [])
    assert [(p.path, p.label) for p in pictures] == [("a.jpg", "red/oak"), ("sub/a.jpg", "red/oak")]


def test_label_studio_is_taken_by_its_own_package(snapshot, tmp_path):
    interface = pytest.importorskip("label_studio_sdk.label_interface")
    write("label-studio", snapshot, tmp_path / "out.json")
    choices = "".join(f"<Choice value={quoteattr(name)}/>" for name in CLASSES.values())
    image = '<Image name="image" value="$image"/>'
    config = interface.LabelInterface(f'<View>{image}<Choices name="choice" toName="image">{choices}</Choices></View>')
    for task in json.loads((tmp_path / "out.json").read_text()):
        assert config.validate_task({"data": task["data"]})
        assert all(config.validate_annotation(each) for each in task["annotations"])
        assert all(config.validate_prediction(each) for each in task["predictions"])


def test_fiftyone_has_the_documented_layout(snapshot, tmp_path):
    assert write("fiftyone", snapshot, tmp_path / "out").count == 7
    content = json.loads((tmp_path / "out" / "labels.json").read_text())
    assert set(content) == {"classes", "labels"}
    files = {each.stem: each for each in (tmp_path / "out" / "data").iterdir()}
    assert len(files) == 7  # names differ also without their suffix
    assert set(files) == set(content["labels"])
    for stem, number in content["labels"].items():
        same = [row for row in ROWS if files[stem].read_bytes() == (tmp_path / "pictures" / row[1]).read_bytes()]
        assert CLASSES[same[0][2]] == content["classes"][number]


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.text, self.tags, self.links = "", [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href", "action")]

    def handle_data(self, data):
        self.text += data


def test_the_report_is_one_safe_page(snapshot, tmp_path):
    write("report", snapshot, tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text()
    page = Page(text)
    assert page.links == []
    assert not {"script", "b", "i", "bob", "iframe", "object"} & set(page.tags)
    assert not re.search(r"https?:|@import|url\(", text)
    for words in ("leaves <1>", "<bob>", "red/oak", "0.250", "50.0 %"):
        assert words in page.text
    assert page.tags.count("svg") == 3  # sizes, over time, seconds
    assert page.text.count("confirmed") == 1


def test_nothing_is_overwritten_and_nothing_half_written_stays(snapshot, tmp_path):
    target = tmp_path / "out.csv"
    target.write_text("precious")
    with pytest.raises(TargetExistsError, match="--force"):
        write("csv", snapshot, target)
    assert target.read_text() == "precious"

    def breaks(snapshot, path):
        (path / "half" if path.is_dir() else path).write_text("half")
        raise RuntimeError("power cut")

    for suffix in (".txt", ""):
        with pytest.raises(RuntimeError):
            export(Exporter("x", "", "", breaks, suffix), snapshot, tmp_path / f"x{suffix}", force=True)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["out.csv", "pictures"]
    write("csv", snapshot, target, force=True)
    assert target.read_text().startswith("image,")


def test_a_folder_is_replaced_only_when_an_export_made_it(snapshot, tmp_path):
    write("folders", snapshot, tmp_path / "out")
    with pytest.raises(TargetExistsError, match="not empty"):
        write("folders", snapshot, tmp_path / "out")
    (tmp_path / "out" / "old").touch()
    write("folders", snapshot, tmp_path / "out", force=True)
    assert not (tmp_path / "out" / "old").exists()
    with pytest.raises(TargetExistsError, match="not made by an export"):
        write("folders", snapshot, tmp_path / "pictures", force=True)
    assert (tmp_path / "pictures" / "a.jpg").exists()
    (tmp_path / "empty").mkdir()
    assert write("yolo", snapshot, tmp_path / "empty").count == 7


def test_pictures_that_are_gone_or_outside_are_listed(snapshot, tmp_path):
    (tmp_path / "pictures" / "a.jpg").unlink()
    (tmp_path / "secret.jpg").write_bytes(b"secret")
    rows = [*snapshot.clusters, type(snapshot.clusters[0])(9, "../secret.jpg", 1, "red/oak", "found")]
    rows.append(type(rows[0])(10, str(tmp_path / "secret.jpg"), 1, "red/oak", "found"))
    written = write("folders", Snapshot("x", snapshot.folder, rows), tmp_path / "out")
    assert [path for path, _ in written.skipped] == ["a.jpg", "../secret.jpg", str(tmp_path / "secret.jpg")]
    assert b"secret" not in contents(tmp_path / "out")


def test_names_are_safe_and_different():
    hostile = [
        "",
        ".",
        "..",
        "/",
        "a/../b",
        "a\0b",
        "\n",
        "CON",
        "nul.txt",
        "a" * 500,
        "é" * 300,
        " x ",
        "x.",
        "\ud800",
    ]
    rows = [type("Row", (), {"cluster": k, "name": name}) for k, name in enumerate([*hostile, *hostile])]
    names = list(folder_names(rows).values())
    assert len({name.casefold() for name in names}) == len(names)
    for name in [*names, *(safe_file_name(each) for each in hostile)]:
        assert name
        assert name not in (".", "..")
        assert not re.search(r'[\x00-\x1f<>:"/\\|?*]', name)
        assert name[-1] not in " ."
    assert all(len(os.fsencode(name)) <= 255 for name in names)
    assert safe_name("Ahorn – rot") == "Ahorn rot"
    for path in ("/etc/passwd", "../x", "a/../../x", ""):
        with pytest.raises(ValueError, match="leads out"):
            inside(os.path, path)


def test_a_plug_in_is_an_exporter(monkeypatch, snapshot, tmp_path):
    def write_names(snapshot, path):
        """Only the names."""
        path.write_text("\n".join(sorted({row.name for row in snapshot.clusters})))

    class Point:
        def __init__(self, thing):
            self.load = lambda: thing

    points = {
        "names": Point(write_names),
        "csv": Point(write_names),
        "own": Point(Exporter("?", "Own", "", write_names, ".own")),
    }
    monkeypatch.setattr("likewise.formats.registry.load_plugins", lambda group: points if group == "exporters" else {})
    found = exporters()
    assert found["names"].about == "Only the names."
    assert (found["own"].name, found["own"].suffix) == ("own", ".own")
    assert found["csv"].title == "Table (CSV)"
    export(found["names"], snapshot, tmp_path / "names.txt")
    assert "red/oak" in (tmp_path / "names.txt").read_text()
    with pytest.raises(ValueError, match="no option 'mode'"):
        export(found["names"], snapshot, tmp_path / "more.txt", mode="copy")


def test_the_kind_of_an_answer_follows_from_its_items():
    assert AnswerLine(1, ("a", "b"), "ann", "same").kind == "pair"
    assert AnswerLine(1, ("a", "b", "c"), "ann", "ab").kind == "triplet"
