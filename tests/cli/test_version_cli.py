"""The command itself."""

from importlib.metadata import version

from typer.testing import CliRunner

from likewise.cli import app


def test_it_prints_its_version():
    result = CliRunner().invoke(app, ["--version"])
    assert result.exit_code == 0
    assert result.stdout == f"likewise {version('likewise')}\n"


def test_without_a_command_it_says_what_there_is():
    result = CliRunner().invoke(app, [])
    assert "Usage" in result.output
    assert "serve" in result.output
