"""The demo answers by itself, with or without the package that draws."""

from typer.testing import CliRunner

from likewise.cli import app

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
