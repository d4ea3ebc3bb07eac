"""Tables of others: common names and words are understood, mistakes are told with line and column."""

import json

import pandas as pd
import pytest

from likewise.formats import read_answers, read_list
from likewise.formats.label_studio_in import is_label_studio, read_label_studio
from likewise.formats.truth import match_truth, read_truth, right_answer


def put(folder, name, text):
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


@pytest.mark.parametrize(
    "header",
    [
        "a,b,annotator,answer,seconds",
        "left;right;worker;response;duration",
        "Item 1\tItem 2\tWorker ID\tjudgment\tlead_time",
    ],
)
def test_columns_have_many_names(tmp_path, header):
    mark = next(each for each in ",;\t" if each in header)
    text = f"\ufeff{header}\n" + mark.join(["x 1.jpg", "y.jpg", "w1", "Yes", "1.5"]) + "\n"
    answers, problems = read_answers(put(tmp_path, "x.csv", text))
    assert problems == []
    assert [(a.line, a.items, a.annotator, a.value, a.seconds) for a in answers] == [
        (2, ("x 1.jpg", "y.jpg"), "w1", "same", 1.5)
    ]


def test_every_mistake_is_told_with_its_line_and_column(tmp_path):
    rows = [
        "a,b,worker,answer,ms,truth",
        "x,y,w,same,1500,different",
        "x,,w,same,,",
        "x,x,w,same,,",
        "x,y,w,perhaps,,",
        "x,y,w,same,soon,",
        "x,y,w,same,-1,",
        "x,y,w",
        '"x\ny",z,w,no,,',
        "x,y,w,same,,maybe so",
        "x,z,w,0,,1",
    ]
    answers, problems = read_answers(put(tmp_path, "x.csv", "\n".join(rows) + "\n"))
    assert [(a.line, a.value, a.seconds, a.truth) for a in answers] == [
        (2, "same", 1.5, "different"), (9, "different", None, ""), (12, "different", None, "same"),
    ]  # fmt: skip
    assert [(p.line, p.column) for p in problems] == [
        (3, "b"), (4, "a"), (5, "answer"), (6, "ms"), (7, "ms"), (8, ""), (11, "truth"),
    ]  # fmt: skip
    assert "'perhaps' is not an answer to a pair" in str(problems[2])
    assert str(problems[5]) == "line 8: 3 cells where there are 6 columns"


def test_a_missing_column_is_named_with_what_is_there(tmp_path):
    with pytest.raises(ValueError, match=r"lacks the column annotator \(or worker.*it has a, b, said"):
        read_answers(put(tmp_path, "x.csv", "a,b,said\nx,y,same\n"))
    with pytest.raises(ValueError, match="has the column 'a' twice"):
        read_answers(put(tmp_path, "y.csv", "a,a,worker,answer\n"))
    with pytest.raises(ValueError, match="empty"):
        read_answers(put(tmp_path, "z.csv", ""))
    (tmp_path / "b.csv").write_bytes(b"a,b\n\xff\xfe")
    with pytest.raises(ValueError, match="UTF-8"):
        read_answers(tmp_path / "b.csv")
    with pytest.raises(FileNotFoundError):
        read_answers(tmp_path / "none.csv")
    with pytest.raises(ValueError, match="not a table"):
        read_answers(put(tmp_path, "x.docx", ""))


def test_triplets_and_pairs_in_one_table(tmp_path):
    text = "a,b,c,user,value\nx,y,z,u,AC\nx,y,,u,diff\nx,y,z,u,none of these\nx,y,z,u,same\n"
    answers, problems = read_answers(put(tmp_path, "x.csv", text))
    assert [(a.kind, a.value) for a in answers] == [("triplet", "ac"), ("pair", "different"), ("triplet", "none")]
    assert "ab, ac, bc, none, unsure" in problems[0].text


def test_the_same_table_in_four_formats(tmp_path):
    rows = [
        {"a": "x\u2028y", "b": 7, "annotator": "w", "answer": True, "seconds": None},
        {"a": "u", "b": 8, "annotator": "w", "answer": False, "seconds": 2.0},
    ]
    put(tmp_path, "x.jsonl", "\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n\n")
    put(tmp_path, "x.json", json.dumps(rows))
    pd.DataFrame(rows).to_parquet(tmp_path / "x.parquet")
    pd.DataFrame(rows).to_csv(tmp_path / "x.csv", index=False)
    found = []
    for suffix in ("jsonl", "json", "parquet", "csv"):
        answers, problems = read_answers(tmp_path / f"x.{suffix}")
        assert problems == []
        found.append([(a.items, a.annotator, a.value, a.seconds) for a in answers])
    assert found[0] == [(("x\u2028y", "7"), "w", "same", None), (("u", "8"), "w", "different", 2.0)]
    assert found.count(found[0]) == 4


def test_lines_that_are_no_json_are_told(tmp_path):
    text = '{"a": "x", "b": "y", "annotator": "w", "answer": "same"}\n{"a": \n[1]\n' + "[" * 100_000 + "\n"
    answers, problems = read_answers(put(tmp_path, "x.jsonl", text))
    assert len(answers) == 1
    assert [p.line for p in problems] == [2, 3, 4]
    assert "an object was expected, got list" in problems[1].text


def test_lists_of_pictures(tmp_path):
    text = 'file,class,tags\na.jpg,oak,green; old\na.jpg,,big\nb.jpg,elm,"[""x"", ""y;z""]"\na.jpg,elm,\n,oak,\n'
    lines, problems = read_list(put(tmp_path, "x.csv", text))
    assert [(p.path, p.label, p.tags) for p in lines] == [
        ("a.jpg", "oak", ("green", "old", "big")), ("b.jpg", "elm", ("x", "y;z")),
    ]  # fmt: skip
    assert [str(p) for p in problems] == [
        "line 5, column class: 'a.jpg' is 'oak' in line 2 and 'elm' here",
        "line 6, column file: the picture is missing",
    ]
    with pytest.raises(ValueError, match="line 5"):
        read_truth(tmp_path / "x.csv")


def test_truth_by_path_or_by_the_only_file_of_a_name():
    truth = {"a.jpg": "cat", "x/b.jpg": "dog"}
    paths = ["1/a.jpg", "2/a.jpg", "x/b.jpg"]
    assert match_truth(truth, paths) == {"x/b.jpg": "dog"}
    assert match_truth(truth, paths[1:]) == {"2/a.jpg": "cat", "x/b.jpg": "dog"}


def test_the_right_answer_to_a_triplet():
    cases = {"aab": "ab", "aba": "ac", "baa": "bc", "abc": "none", "aaa": ""}
    assert {classes: right_answer(list(classes)) for classes in cases} == cases


def choice(value, kind="choices", **more):
    return {"from_name": "c", "to_name": "i", "type": kind, "value": value, **more}


def test_label_studio_exports(tmp_path):
    def ask(data, *results, **said):
        return {
            "id": 1,
            "data": data,
            "annotations": [{"result": list(results), "completed_by": 3, **said}],
            "predictions": [{"result": [choice({"choices": ["no"]})]}],
        }

    two = {"image1": "/data/upload/1/0a1b2c3d-x.jpg", "image2": "/data/local-files/?d=sub/y%20z.jpg", "text": "which?"}
    content = [
        ask(two, choice({"choices": ["Same"]}), lead_time=4.25, completed_by={"id": 5, "email": "ann@example.org"}),
        ask(two, choice({"choices": ["Different"]}), was_cancelled=True),
        ask({"images": ["a.jpg", "b.jpg", "https://example.org/p/c.jpg?x=1"]}, choice({"choices": ["ab"]})),
        ask({"image": "a.jpg"}, choice({"choices": ["oak"]})),
        ask({"image": "b.jpg"}, choice({"choices": ["oak", "old"]})),
        ask({"image": "c.jpg"}, choice({"taxonomy": [["plant", "tree"]]}, "taxonomy")),
        ask(two, choice({"selected": "left"}, "pairwise")),
        ask({"image": "a.jpg"}, choice({"x": 1}, "rectanglelabels")),
        ask(two, choice({"choices": ["perhaps"]})),
        {"no": "data"},
    ]
    path = put(tmp_path, "export.json", json.dumps(content))
    assert is_label_studio(path)
    answers, pictures, problems = read_label_studio(path)
    assert [(a.items, a.annotator, a.value, a.seconds) for a in answers] == [
        (("x.jpg", "sub/y z.jpg"), "ann@example.org", "same", 4.25),
        (("a.jpg", "b.jpg", "c.jpg"), "3", "ab", None),
    ]
    assert [(p.path, p.label, p.tags) for p in pictures] == [
        ("a.jpg", "oak", ()), ("b.jpg", "", ("oak", "old")), ("c.jpg", "tree", ()),
    ]  # fmt: skip
    assert [(p.line, p.column) for p in problems] == [(7, "pairwise"), (8, "rectanglelabels"), (9, "c"), (10, "")]


def test_what_is_not_label_studio(tmp_path):
    for name, text in {"a.json": "[]", "b.json": "{", "c.json": '[{"a": 1}]', "d.csv": "a,b"}.items():
        assert not is_label_studio(put(tmp_path, name, text))
