"""A picture's folder in the file manager: only its folder, only inside, only where somebody sits at the machine."""

import pytest

from likewise.app import file_manager
from likewise.app.edits import NotThereError
from likewise.app.file_manager import show_in_file_manager


@pytest.fixture
def opened(monkeypatch):
    found = []
    monkeypatch.setattr(file_manager, "has_file_manager", lambda: True)
    monkeypatch.setattr(file_manager.sys, "platform", "linux")
    monkeypatch.setattr(file_manager.subprocess, "Popen", lambda command, **_: found.append(command))
    return found


def test_the_folder_is_opened_and_never_the_file(tmp_path, opened, monkeypatch):
    (tmp_path / "-rf x; y").mkdir()
    (tmp_path / "-rf x; y" / "a.jpg").touch()
    show_in_file_manager(tmp_path, "-rf x; y/a.jpg")
    assert opened == [["xdg-open", str(tmp_path / "-rf x; y")]]
    monkeypatch.setattr(file_manager.sys, "platform", "darwin")
    show_in_file_manager(tmp_path, "-rf x; y/a.jpg")
    assert opened[1] == ["open", "-R", str(tmp_path / "-rf x; y" / "a.jpg")]


def test_what_is_gone_or_outside_is_not_shown(tmp_path, opened):
    inside = tmp_path / "photos"
    inside.mkdir()
    (tmp_path / "b.jpg").touch()
    (inside / "link").symlink_to(tmp_path)
    for name in ("a.jpg", "../b.jpg", "link/b.jpg"):
        with pytest.raises(NotThereError):
            show_in_file_manager(inside, name)
    assert opened == []


def test_without_a_screen_it_says_so(tmp_path, monkeypatch):
    (tmp_path / "a.jpg").touch()
    monkeypatch.setattr(file_manager.sys, "platform", "linux")
    for name in file_manager.SCREENS:
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ValueError, match="there is no screen"):
        show_in_file_manager(tmp_path, "a.jpg")
