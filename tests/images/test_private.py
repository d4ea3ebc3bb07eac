"""Files of a project are its owner's alone, and nothing else in the folder is touched."""

import os

import pytest

from likewise.images.private import keep_private, write_private

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no such rights")


def mode(path):
    return path.stat().st_mode & 0o777


def test_an_old_project_is_mended(tmp_path):
    home = tmp_path / ".likewise"
    (home / "256" / "ab").mkdir(parents=True)
    for name in ("likewise.db", "likewise.db-wal", "256/ab/ab12.jpg", "something-new.json"):
        (home / name).touch()
        (home / name).chmod(0o644)
    for folder in (home, home / "256", home / "256" / "ab"):
        folder.chmod(0o755)
    keep_private(home)
    assert {mode(path) for path in home.rglob("*") if path.is_file()} == {0o600}
    assert {mode(path) for path in (home, *home.rglob("*")) if path.is_dir()} == {0o700}


def test_of_a_folder_with_other_things_only_the_project_is_touched(tmp_path):
    (tmp_path / "photos").mkdir(mode=0o755)
    for name in ("likewise.db", "letter.txt", "photos/a.jpg"):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(0o644)
    tmp_path.chmod(0o755)
    keep_private(tmp_path)
    assert mode(tmp_path / "likewise.db") == 0o600
    assert mode(tmp_path / "letter.txt") == mode(tmp_path / "photos/a.jpg") == 0o644
    assert mode(tmp_path) == mode(tmp_path / "photos") == 0o755


def test_links_are_not_followed(tmp_path):
    outside = tmp_path / "outside.txt"
    outside.touch()
    outside.chmod(0o644)
    home = tmp_path / ".likewise"
    home.mkdir()
    (home / "likewise.db").symlink_to(outside)
    (home / "vectors").symlink_to(tmp_path)
    keep_private(home)
    assert mode(outside) == 0o644


def test_a_private_file_is_so_from_the_start(tmp_path, monkeypatch):
    seen = []
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda a, b: (seen.append(mode(a)), replace(a, b)))
    before = os.umask(0)
    try:
        write_private(tmp_path / "token", "secret")
    finally:
        os.umask(before)
    assert seen == [0o600]
    assert (tmp_path / "token").read_text() == "secret"
    assert os.listdir(tmp_path) == ["token"]
