import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import likewise
from likewise.images import Index, UnreadableImage, crew, index, indexing, read_image, worker
from likewise.images.catalog import open_catalog
from likewise.images.indexing import default_project, open_index
from likewise.images.walking import EXPORTED


def draw(path, seed, size=(40, 30)):
    path.parent.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    coarse = Image.fromarray(rng.integers(0, 256, (5, 5, 3), dtype=np.uint8))
    coarse.resize(size, Image.Resampling.BICUBIC).save(path)


@pytest.fixture
def folder(tmp_path):
    for seed, name in enumerate(["b.png", "a.jpg", "deep/er/c.webp", "deep/d.bmp", "e.gif"]):
        draw(tmp_path / "photos" / name, seed)
    (tmp_path / "photos" / "notes.txt").write_text("not a picture")
    return tmp_path / "photos"


def dump(project):
    """Everything an index holds: the rows of its tables and the bytes of its thumbnails."""
    with open_catalog(project) as catalog:
        rows = [
            catalog.connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
            for table in ("images", "skipped", "facts")
        ]
    copies = {path.relative_to(project): path.read_bytes() for path in project.glob("*/*/*.jpg")}
    return rows, copies, sorted(path.name for path in project.iterdir())


@pytest.mark.parametrize("workers", [0, 2])
def test_a_folder_is_indexed(folder, workers):
    found = index(folder, workers=workers)
    assert isinstance(found, Index)
    assert found.names == ["a.jpg", "b.png", "e.gif", "deep/d.bmp", "deep/er/c.webp"]
    assert found.ids.tolist() == [0, 1, 2, 3, 4]
    assert found.paths[0] == folder / "a.jpg"
    assert found.sizes.tolist() == [[40, 30]] * 5
    assert found.formats == ["JPEG", "PNG", "GIF", "BMP", "WEBP"]
    assert found.bytes.tolist() == [path.stat().st_size for path in found.paths]
    assert found.project == folder / ".likewise"
    assert found.skipped == []
    assert (found.summary.found, found.summary.new, found.summary.read) == (5, 5, 5)
    assert "5 pictures" in repr(found)
    assert len(found) == 5


def test_processes_give_what_one_process_gives(folder):
    index(folder, workers=0)
    alone = dump(folder / ".likewise")
    shutil.rmtree(folder / ".likewise")
    index(folder, workers=3)
    assert dump(folder / ".likewise") == alone


def test_only_what_is_new_or_changed_is_opened(folder, monkeypatch):
    opened = []
    honest = worker.process
    monkeypatch.setattr(crew, "process", lambda number, path, *rest: opened.append(path) or honest(number, path, *rest))
    index(folder, workers=0)
    assert len(opened) == 5
    opened.clear()
    assert index(folder, workers=0).summary.unchanged == 5
    assert opened == []
    for seed in range(10):
        draw(folder / "new" / f"{seed}.png", 100 + seed)
    draw(folder / "b.png", 50, size=(70, 20))
    again = index(folder, workers=0)
    assert sorted(opened) == sorted(["b.png", *(f"new/{seed}.png" for seed in range(10))])
    assert (again.summary.new, again.summary.changed, again.summary.unchanged) == (10, 1, 4)
    assert again.sizes[again.names.index("b.png")].tolist() == [70, 20]
    assert again.ids.tolist() == list(range(15))


def test_numbers_are_kept_and_never_given_twice(folder):
    before = dict(zip((found := index(folder, workers=0)).names, found.ids.tolist(), strict=True))
    kept = (folder / "e.gif").read_bytes()
    times = (folder / "e.gif").stat()
    (folder / "e.gif").unlink()
    (folder / "deep" / "er" / "c.webp").unlink()
    gone = index(folder, workers=0)
    assert (gone.summary.gone, gone.summary.found) == (2, 3)
    assert "e.gif" not in gone.names
    draw(folder / "0.png", 9)
    assert index(folder, workers=0).ids.tolist() == [0, 1, 3, 5]
    (folder / "e.gif").write_bytes(kept)
    os.utime(folder / "e.gif", ns=(times.st_atime_ns, times.st_mtime_ns))
    back = index(folder, workers=0)
    assert (back.summary.back, back.summary.read, back.summary.gone) == (1, 0, 0)
    now = dict(zip(back.names, back.ids.tolist(), strict=True))
    assert now == {**{name: before[name] for name in before if name in now}, "0.png": 5}
    with pytest.raises(KeyError, match="no readable picture with id 4"):
        back.position(4)


def test_a_picture_that_breaks_and_is_mended_keeps_its_number(folder):
    whole = (folder / "b.png").read_bytes()
    index(folder, workers=0)
    (folder / "b.png").write_bytes(whole[:50])
    broken = index(folder, workers=0)
    assert [each.path for each in broken.skipped] == [b"b.png"]
    assert broken.ids.tolist() == [0, 2, 3, 4]
    assert (broken.summary.changed, broken.summary.skipped) == (1, 1)
    assert index(folder, workers=0).summary.read == 0
    (folder / "b.png").write_bytes(whole)
    assert index(folder, workers=0).ids.tolist() == [0, 1, 2, 3, 4]


def test_originals_are_never_touched(folder):
    for path in folder.rglob("*"):
        if path.is_file():
            path.chmod(0o444)
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}
    index(folder, project=folder.parent / "project", workers=0)
    after = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}
    assert after == before


def test_thumbnails_and_previews(folder):
    draw(folder / "large.png", 3, size=(3000, 1500))
    draw(folder / "middle.png", 4, size=(300, 600))
    found = index(folder, workers=0)
    number = dict(zip(found.names, found.ids.tolist(), strict=True))
    for name, thumbnail, preview in [
        ("large.png", (256, 128), (1024, 512)),
        ("middle.png", (128, 256), (300, 600)),
        ("b.png", (40, 30), (40, 30)),
    ]:
        assert read_image(found.thumbnail(number[name])).size == thumbnail
        assert read_image(found.preview(number[name])).size == preview
    removed = found.preview(number["large.png"])
    content = removed.read_bytes()
    removed.unlink()
    assert found.preview(number["large.png"]).read_bytes() == content
    removed.unlink()
    draw(folder / "large.png", 8)
    with pytest.raises(UnreadableImage, match="changed since it was indexed"):
        found.preview(number["large.png"])


def test_duplicates(folder):
    draw(folder / "b.png", 0, size=(400, 300))
    shutil.copy(folder / "b.png", folder / "deep" / "copy.png")
    read_image(folder / "b.png", 200).save(folder / "scaled.jpg", quality=90)
    found = index(folder, workers=0)
    names = dict(zip(found.ids.tolist(), found.names, strict=True))
    assert [[names[i] for i in group] for group in found.duplicates()] == [["b.png", "deep/copy.png"]]
    assert [[names[i] for i in group] for group in found.near_duplicates()] == [
        ["b.png", "scaled.jpg", "deep/copy.png"]
    ]


def test_the_project_is_skipped_wherever_it_is(folder):
    inside = folder / "my project"
    draw(inside / "z.png", 5)
    found = index(folder, project=inside, workers=0)
    assert found.names == index(folder, project=inside, workers=0).names
    assert not any("project" in name for name in found.names)
    other = folder.parent
    assert not any("my project" in name for name in index(other, project=other / "above", workers=0).names), (
        "a project of a subfolder is no pictures"
    )


def test_a_project_belongs_to_one_folder_and_moves_with_it(folder, tmp_path):
    index(folder, workers=0)
    os.rename(folder, tmp_path / "moved")
    moved = index(tmp_path / "moved", workers=0)
    assert moved.summary.unchanged == 5
    assert open_index(moved.project).paths == moved.paths
    (tmp_path / "other").mkdir()
    with pytest.raises(ValueError, match="of another folder"):
        index(tmp_path / "other", project=moved.project, workers=0)


def test_an_index_is_opened_without_looking(folder):
    made = index(folder, workers=0)
    (folder / "b.png").unlink()
    opened = open_index(made.project)
    assert opened.names == made.names
    assert np.array_equal(opened.fingerprints, made.fingerprints)
    with pytest.raises(FileNotFoundError, match="there is no index"):
        open_index(folder / "deep")


def test_a_folder_that_cannot_be_written_to(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    found = index(folder, workers=0)
    assert found.project == default_project(folder)
    assert found.project.is_relative_to(tmp_path / "data")
    assert not (folder / ".likewise").exists()
    assert index(folder, workers=0).summary.unchanged == 5


def test_bad_arguments(folder):
    with pytest.raises(NotADirectoryError, match="is not a folder"):
        index(folder / "b.png")
    with pytest.raises(NotADirectoryError, match="is not a folder"):
        index(folder / "nowhere")
    with pytest.raises(ValueError, match="workers must be 0 or more"):
        index(folder, workers=-1)
    with pytest.raises(ValueError, match="cannot be the folder of pictures itself"):
        index(folder, project=folder)


def test_an_empty_folder(tmp_path):
    found = index(tmp_path, workers=0)
    assert len(found) == 0
    assert found.duplicates() == found.near_duplicates() == []
    assert found.fingerprints.shape == (0, 32)


def test_one_run_at_a_time(folder):
    index(folder, workers=0)
    with open_catalog(folder / ".likewise", alone=True), pytest.raises(BlockingIOError, match="another run"):
        index(folder, workers=0)
    assert index(folder, workers=0).summary.unchanged == 5


def test_a_damaged_or_newer_index_is_one_clear_error(folder):
    (folder / ".likewise").mkdir()
    path = folder / ".likewise" / "likewise-index.sqlite"
    path.write_bytes(b"this is no database, however long it may be" * 100)
    with pytest.raises(OSError, match="cannot be used"):
        index(folder, workers=0)
    path.unlink()
    index(folder, workers=0)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(OSError, match="newer likewise"):
        index(folder, workers=0)


@pytest.mark.parametrize("workers", [0, 1])
def test_a_project_that_cannot_be_written_to_stops_the_run(folder, workers):
    (folder / ".likewise").mkdir()
    (folder / ".likewise" / "256").write_text("in the way")
    with pytest.raises(OSError, match="256"):
        index(folder, workers=workers)
    (folder / ".likewise" / "256").unlink()
    assert len(index(folder, workers=workers)) == 5


def test_progress_is_told(folder):
    told = []
    index(folder, workers=0, progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 5) for done in range(6)]
    index(folder, workers=0, progress=True)


KILLED = """
import os, signal, sys, threading, time
import likewise.images
folder, project, moment = sys.argv[1], sys.argv[2], sys.argv[3]

def kill():
    os.kill(os.getpid(), signal.SIGKILL)

def progress(done, total):
    if moment == f"picture {done}" and total:
        kill()

if moment.startswith("after"):
    threading.Timer(float(moment.split()[1]), kill).start()
likewise.images.index(folder, project=project, workers=2, progress=progress)
"""


def run(script, *arguments):
    environment = dict(os.environ, PYTHONPATH=str(Path(likewise.__file__).parents[1]))
    return subprocess.Popen([sys.executable, "-c", script, *map(str, arguments)], env=environment)


def workers_of(project):
    """Processes of this machine whose command names the project."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if os.fsencode(project) in path.read_bytes() and b"worker" in path.read_bytes():
                found.append(path.parent.name)
        except OSError:
            continue
    return found


def test_killed_again_and_again_it_ends_as_if_never_interrupted(tmp_path):
    folder = tmp_path / "photos"
    for seed in range(60):
        draw(folder / f"{seed % 7}" / f"{seed}.png", seed, size=(400, 300))
    (folder / "broken.jpg").write_bytes(b"\xff\xd8\xff broken")
    index(folder, project=tmp_path / "whole", workers=2)
    moments = ["picture 0", "picture 1", "picture 5", "picture 11"]
    moments += [f"after {delay:.3f}" for delay in np.random.default_rng(3).uniform(0.1, 1.0, 5)]
    killed = 0
    for moment in moments:
        process = run(KILLED, folder, tmp_path / "torn", moment)
        killed += process.wait() == -signal.SIGKILL
    assert killed >= 4
    deadline = time.monotonic() + 20
    while workers_of(tmp_path / "torn") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert workers_of(tmp_path / "torn") == []
    index(folder, project=tmp_path / "torn", workers=2)
    torn, whole = dump(tmp_path / "torn"), dump(tmp_path / "whole")
    assert torn == whole


INTERRUPTED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background of a shell
import likewise.images
def progress(done, total):
    if total and done == 3:
        print("now", flush=True)
        sys.stdin.read()
try:
    likewise.images.index(sys.argv[1], workers=2, progress=progress)
except KeyboardInterrupt:
    raise SystemExit(42)
"""


def test_interrupting_keeps_what_was_read(folder):
    for seed in range(20):
        draw(folder / f"{seed}.png", seed)
    environment = dict(os.environ, PYTHONPATH=str(Path(likewise.__file__).parents[1]))
    command = [sys.executable, "-c", INTERRUPTED, str(folder)]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"now\n"
        process.send_signal(signal.SIGINT)
        assert process.wait() == 42
    assert workers_of(folder / ".likewise") == []
    assert index(folder, workers=0).summary.read == 25 - 3


def test_a_script_without_a_guard_may_index(folder):
    script = folder.parent / "script.py"
    script.write_text(f"from likewise.images import index\nprint(len(index({str(folder)!r}, workers=2)))\n")
    environment = dict(os.environ, PYTHONPATH=str(Path(likewise.__file__).parents[1]))
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "5\n"


def test_the_function_and_not_the_module_is_public():
    assert likewise.images.index is indexing.index


def test_what_was_exported_into_the_folder_is_not_read_back(folder):
    before = index(folder, workers=0).names
    copies = folder / "sorted" / "oak"
    copies.mkdir(parents=True)
    Image.new("RGB", (20, 20), "green").save(copies / "a.png")
    assert len(index(folder, workers=0)) == len(before) + 1
    (folder / "sorted" / EXPORTED).touch()
    assert index(folder, workers=0).names == before
    assert index(folder / "sorted", workers=0).names == ["oak/a.png"]  # asked for by itself, it is pictures
