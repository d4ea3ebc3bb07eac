"""Compiled kernels are kept where that is possible and safe."""

import os
import tempfile

import pytest

from likewise.kernels import cache_folder


@pytest.fixture
def homeless(monkeypatch, tmp_path):
    """Neither the sources nor the home can be written to."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(cache_folder, "KERNELS", tmp_path / "nowhere")
    (tmp_path / "file").touch()
    monkeypatch.setattr(cache_folder, "_user_cache", lambda: tmp_path / "file" / "cache")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_nothing_is_changed_where_numba_finds_a_place(monkeypatch, homeless):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/somewhere")
    assert cache_folder.choose_cache_folder() is None
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setattr(cache_folder, "_user_cache", lambda: homeless / "cache")
    assert cache_folder.choose_cache_folder() is None
    monkeypatch.setattr(cache_folder, "KERNELS", homeless)
    assert cache_folder.choose_cache_folder() is None


def test_without_a_home_a_private_folder_is_made_and_found_again(homeless):
    folder = cache_folder.choose_cache_folder()
    assert os.path.dirname(folder) == str(homeless)
    assert os.stat(folder).st_mode & 0o777 == 0o700
    assert cache_folder.choose_cache_folder() == folder


def test_a_folder_that_others_may_write_to_or_a_link_is_not_taken(homeless):
    usual = homeless / f"likewise-kernels-{os.getuid()}"
    usual.mkdir()
    usual.chmod(0o777)
    first = cache_folder.choose_cache_folder()
    assert first != str(usual)
    usual.rmdir()
    os.symlink(first, usual)
    assert cache_folder.choose_cache_folder() not in (str(usual), first)


def test_numba_is_told(monkeypatch, homeless):
    numba = pytest.importorskip("numba")
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    cache_folder.use_cache_folder()
    assert numba.config.CACHE_DIR == os.environ["NUMBA_CACHE_DIR"] != ""
