"""A line without end: one clear sentence, before it is all in memory."""

import csv
import io

import pytest

from likewise import cells
from likewise.cells import read_csv, short_lines
from likewise.crowd import read_hits, read_study, read_survey
from likewise.formats.table_reading import open_table

LONG = "x" * 300


@pytest.fixture(autouse=True)
def short_limit(monkeypatch):
    monkeypatch.setattr(cells, "LONGEST_LINE", 100)


class Endless(io.StringIO):
    """A file that fails where more of it is read than was allowed."""

    def readline(self, size=-1):
        assert 0 < size <= 101, "the whole line is read"
        return super().readline(size)


def test_no_more_of_a_line_is_read_than_is_allowed():
    with pytest.raises(ValueError, match=r"'x.csv', line 2: more than 100 characters"):
        list(short_lines(Endless(f"a,b\n{LONG}\n"), "x.csv"))


def test_a_line_as_long_as_allowed_is_read():
    lines = ["a,b\n", f"{'y' * 99}\n", "c"]
    assert list(short_lines(Endless("".join(lines)), "x.csv")) == lines


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.jsonl", "a.ndjson"])
@pytest.mark.parametrize("text", [LONG, f"i,j\n1,{LONG}\n", f'i,j\n1,2\n"{LONG}"\n', "," * 300])
def test_a_table_with_a_long_line_is_refused_in_one_sentence(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=r"line [123]: more than 100 characters"):
        open_table(tmp_path / name)


@pytest.mark.parametrize("read", [read_csv, read_hits, read_study, read_survey])
@pytest.mark.parametrize("text", [LONG, f"hit,item,group\n1,0,{LONG}\n", f'study,person\n1,2\n"{LONG}"\n'])
def test_annotations_with_a_long_line_are_refused_in_the_same_sentence(tmp_path, read, text):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(ValueError, match=r"a.csv', line [123]: more than 100 characters"):
        read(tmp_path / "a.csv")


@pytest.mark.parametrize("read", [read_csv, read_hits])
def test_what_is_no_text_or_no_csv_is_told_in_one_sentence(tmp_path, read):
    (tmp_path / "a.csv").write_bytes(b"hit,item,group\n1,2,\xff\n")
    with pytest.raises(ValueError, match=r"a.csv' is not text in UTF-8"):
        read(tmp_path / "a.csv")
    (tmp_path / "a.csv").write_text('hit,item,group\n1,0,"' + "never closed\n" * 50)
    longest = csv.field_size_limit(200)
    try:
        with pytest.raises(ValueError, match=r"a.csv', line \d+: not CSV: field larger than field limit"):
            read(tmp_path / "a.csv")
    finally:
        csv.field_size_limit(longest)


def test_a_cell_of_many_lines_is_not_a_long_line(tmp_path):
    (tmp_path / "a.csv").write_text('i,note\n1,"' + "short\n" * 50 + '"\n')
    _, rows, problems = open_table(tmp_path / "a.csv")
    assert not problems
    assert rows == [(2, {"i": "1", "note": "short\n" * 50})]


def test_very_many_columns_are_read_in_no_time(tmp_path, monkeypatch):
    monkeypatch.setattr(cells, "LONGEST_LINE", 1 << 24)
    (tmp_path / "a.csv").write_text("a," + "," * 300_000)
    columns, rows, _ = open_table(tmp_path / "a.csv")
    assert len(columns) == 300_002
    assert not rows
