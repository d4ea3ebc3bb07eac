"""A folder for a command, and a command for a folder."""

import sys

import pytest

from likewise.cli.app import main


def test_a_folder_named_like_a_command_does_not_hide_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "strategies").mkdir()
    monkeypatch.setattr(sys, "argv", ["likewise", "strategies"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0
    assert "auto" in capsys.readouterr().out
