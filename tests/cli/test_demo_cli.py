"""The demo answers by itself, with or without the package that draws."""

from typer.testing import CliRunner

from likewise.cli import app
from likewise.images.leaves import KINDS, draw_collection

runner = CliRunner()


def test_without_matplotlib_the_table_is_written_and_the_picture_explained(tmp_path, monkeypatch):
    monkeypatch.setattr("likewise.cli.curves.can_draw", lambda: False)
    result = runner.invoke(app, ["demo", "--simulate", "--budget", "2", "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "curve.csv").exists()
    assert not (tmp_path / "curve.png").exists()
    assert "pip install 'likewise[plot]'" in result.stderr


def test_a_picture_that_cannot_be_drawn_is_refused_before_anything_is_asked(tmp_path, monkeypatch):
    monkeypatch.setattr("likewise.cli.curves.can_draw", lambda: False)
    result = runner.invoke(app, ["simulate", "nosuch.csv", "--plot", str(tmp_path / "curve.png")])
    assert result.exit_code == 2
    assert "drawing needs matplotlib" in result.stderr


def test_the_leaves_of_the_demo_are_drawn_once_and_hide_what_they_are(tmp_path):
    assert draw_collection(tmp_path, each=1) == 6
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [*(f"leaf-{number:03}.jpg" for number in range(6)), "truth.csv"]
    truth = (tmp_path / "truth.csv").read_text()
    assert sorted(line.split(",")[1] for line in truth.split()[1:]) == list(KINDS)
    first = tmp_path / "leaf-000.jpg"
    drawn = first.read_bytes()
    first.write_bytes(b"somebody's own")
    (tmp_path / "leaf-001.jpg").unlink()
    draw_collection(tmp_path, each=1)
    assert first.read_bytes() == b"somebody's own"
    first.unlink()
    draw_collection(tmp_path, each=1)
    assert first.read_bytes() == drawn


def test_a_simulated_person_knows_digits_only(tmp_path):
    result = runner.invoke(app, ["demo", "--simulate", "--pictures", "leaves", "--out", str(tmp_path)])
    assert result.exit_code == 2
    assert "--simulate answers about digits" in result.stderr
    assert list(tmp_path.iterdir()) == []
