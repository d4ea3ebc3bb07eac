"""The figures of docs/reliability.md are those that the attacks left, all of them and no others."""

import json

import pytest

pytest.importorskip("benchmarks.hostile")  # not in the source archive

from benchmarks.hostile import __main__ as attacks
from benchmarks.hostile._results import RESULTS
from benchmarks.hostile._tables import PAGE, PART, PARTS, filled

KEPT = json.loads(RESULTS.read_text())


def test_every_attack_was_run_in_full_and_to_its_end():
    assert sorted(KEPT) == attacks.names()
    assert [name for name, figures in KEPT.items() if figures.get("unfinished") or figures.get("quick")] == []


def test_the_page_shows_the_figures_of_all_attacks():
    page = PAGE.read_text()
    assert {name for _, name, _ in PART.findall(page)} == set(PARTS)
    assert {name for name, _ in PARTS.values()} == set(attacks.names())
    assert filled(page, KEPT) == page, "python -m benchmarks.hostile._tables writes them"
