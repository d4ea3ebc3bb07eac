"""Makes the projects of this folder, with the version of likewise before items (tables 0003, commit e45b0ab).

Run from a checkout of that version, with its ``src`` and root on PYTHONPATH: ``python make.py TARGET``. Twelve small
pictures drawn by code: one was removed, one cannot be read, one was called bad. Events of every kind. Two projects of
the same content, in SQLite (``photos.zip``, the folder with its project folder) and in PostgreSQL
(``postgresql.sql``, with its folder in ``team.zip``). ``archive.zip`` is an archive of the first. ``exports.zip``
holds what that version exported.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
from PIL import Image
from typer.testing import CliRunner

from likewise.cli import app
from likewise.images import open_index
from likewise.server.indexer import Indexer
from likewise.server.place import Place
from likewise.store import Entry
from tests.store.conftest import Server, postgresql_programs

MOMENT = 1_700_000_000  # modification time of all files, which a zip file cannot keep exactly otherwise
NAMES = [f"{letter}.png" for letter in "abcdefghijk"]
BROKEN = "aa.png"  # walked early, so that ids of the index and positions in the store differ


def draw(folder):
    folder.mkdir(parents=True)
    for number, name in enumerate(NAMES):
        pixels = np.random.default_rng(number).integers(0, 40, (12, 12, 3), np.uint8)
        pixels[:, 4 * (number % 3) : 4 * (number % 3) + 4] += 180
        Image.fromarray(pixels).save(folder / name)
    (folder / BROKEN).write_bytes(b"this is no picture")
    for path in folder.iterdir():
        os.utime(path, (MOMENT, MOMENT))


def events(project):
    at = {image.path: image.position for image in project.images()}
    a, b, c, d, e, f, g, h, i, j, k = (at[name] for name in NAMES)

    def pair(x, y, value, **shown):
        return {"kind": "pair", "items": [x, y], "value": value, "shown": shown}

    project.append("answer", pair(a, d, "same"), annotator="ann", seconds=1.5)
    project.append("answer", pair(a, b, "different", overlap=2), annotator="ann", key="k/2")
    project.append("answer", pair(a, b, "same", overlap=2), annotator="bob <b>")
    project.append("adjudicate", pair(a, b, "different"), annotator="ann")
    project.append("answer", {"kind": "triplet", "items": [b, e, c], "value": "ab"}, annotator="eve 🍂")
    project.append("answer", pair(c, f, "unsure"), annotator="ann")
    project.append("gold", pair(c, f, "same"), annotator="ann")
    project.append("answer", pair(c, f, "different", gold="same"), annotator="bob <b>")
    project.append("grid", {"items": [a, g, b], "odd": [b]}, annotator="ann")
    project.append("merge", {"groups": [[b, e], [h]]}, annotator="ann")
    project.append("split", {"kept": [a], "taken": [c]}, annotator="ann")
    project.append("move", {"taken": [i], "source": [a], "target": [c, f]}, annotator="bob <b>")
    project.append("confirm", {"items": [a, d, g]}, annotator="ann")
    project.append("unconfirm", {"items": [g]}, annotator="ann")
    project.append("name", {"items": [a, d], "name": 'oak \'n\n"elm"'}, annotator="eve 🍂")
    project.append("bad", {"items": [j, k]}, annotator="ann")
    project.append("restore", {"items": [k]}, annotator="ann")
    project.append("tag", {"items": [a, b], "name": "green", "value": "yes"}, annotator="ann")
    project.append("answer", pair(h, i, "same"), annotator="ann")
    project.undo("ann")
    project.append("name", {"items": [c], "name": "ash"}, annotator="bob <b>")
    project.undo("bob <b>")
    project.redo("bob <b>")
    project.append("answer", pair(g, h, "same"), annotator="eve 🍂")
    project.append("withdraw", {"events": [len(project.events())], "how": "choice"}, annotator="ann")
    project.append("study", {"name": "s1", "plan": {"pairs": 1}}, annotator="ann")
    project.append("study-start", {"name": "s1", "questions": [["pair", [a, b], False]]}, annotator="p1")
    answer = {"name": "s1", "number": 0, "kind": "pair", "items": [a, b], "value": "different"}
    said = project.append("study-answer", answer, annotator="p1", seconds=2.25)
    project.append("take-back", {"name": "s1", "events": [said.seq]}, annotator="p1")
    project.append("study-survey", {"name": "s1", "choices": {"preference": "pair"}}, annotator="p1")
    hits = {"name": "w1", "kind": "keywords", "hits": [[a, b, c], [d, e]], "overlap": 2}
    project.append("crowd", hits, annotator="ann")
    project.append("crowd-start", {"name": "w1", "hit": 1}, annotator="w")
    project.append("crowd-hit", {"name": "w1", "hit": 1, "marks": [[d, ["red"]], [e, []]]}, annotator="w")
    project.append_many([Entry("answer", pair(d, e, "different"), "ann", "imported", 0.5)])
    project.invites.add("bob", days=30)
    project.update_settings({"n_clusters": 3, "strategy": "random", "seed": 7})


def run(*arguments):
    result = CliRunner().invoke(app, [str(each) for each in arguments])
    assert result.exit_code == 0, result.output


def fill(folder, where, more):
    """A project as the app and the commands of that version make it."""
    draw(folder)
    home = folder / ".likewise"
    place = Place(where, str(home), folder.name, "pixels")
    with place.open_store() as store:
        project = place.project_of(store)
        project.add_images(["k.png", "no picture"])  # as an import does, in an order of its own
        indexer = Indexer(project, place, folder, lambda state: None)
        indexer.scan()
        (folder / "h.png").unlink()
        indexer.scan()
        (torn,) = project.add_images(["torn.png"])  # what the index does not know: the store alone said so
        project.update_images({torn: {"status": "unreadable", "reason": "cut off", "width": 5, "height": 4}})
        events(project)
        found = open_index(home)
        position = {image.path: image.position for image in project.images()}
        numbers = dict(zip(found.names, found.ids.tolist(), strict=True))
        assert any(number != position[name] for name, number in numbers.items())
        states = [
            [each.position, each.path, each.status, each.reason, each.width, each.height] for each in project.images()
        ]
        rows = np.nan_to_num(project.vectors("pixels").rows, nan=-1)
    run("describe", folder, "--descriptors", "hsv", "--out", folder.parent / "hsv.npy")
    exports = folder.parent / f"exports-{folder.name}"
    exports.mkdir()
    run("export", folder, "--format", "csv", "--out", exports / "clusters.csv", "--model", "pixels", *more)
    run("export", folder, "--format", "jsonl", "--out", exports / "events.jsonl", *more)
    run("export", folder, "--format", "tables", "--out", exports / "tables", "--model", "pixels", *more)
    (exports / "images.json").write_text(json.dumps(states))
    np.save(exports / "pixels.npy", rows)
    shutil.move(folder.parent / "hsv.npy", exports / "hsv.npy")
    for size in ("256", "1024"):  # thumbnails are made again when they are asked for
        shutil.rmtree(home / size, ignore_errors=True)


def pack(folder, target):
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder.parent).as_posix())


def main(target):
    target.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp())
    fill(work / "photos", str(work / "photos" / ".likewise"), ())
    run("export", work / "photos", "--format", "archive", "--out", target / "archive.zip", "--force")
    server = Server(postgresql_programs())
    try:
        name, url = server.new_database()
        fill(work / "team", url, ("--database", url))
        dump = ["pg_dump", "--inserts", "--no-owner", "-h", server.folder, "-U", "likewise", name]
        text = subprocess.run(dump, check=True, capture_output=True, text=True).stdout
        kept = [line for line in text.splitlines() if not line.startswith(("\\", "--", "SET "))]
        (target / "postgresql.sql").write_text("\n".join(line for line in kept if line) + "\n")
    finally:
        server.remove()
    pack(work / "photos", target / "photos.zip")
    pack(work / "team", target / "team.zip")
    (work / "exports").mkdir()
    for project in ("photos", "team"):
        shutil.move(work / f"exports-{project}", work / "exports" / project)
    pack(work / "exports", target / "exports.zip")
    shutil.rmtree(work)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
