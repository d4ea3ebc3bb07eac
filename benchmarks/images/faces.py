"""People in photographs: ``LIKEWISE_DATA=… python -m benchmarks.images.faces`` (extra ``faces``).

400 photographs, 640 × 480, made from the 400 ORL pictures of 40 people: two to five different people a photograph, each 80
to 140 pixels wide, turned by up to 8°, lit by up to a fifth more or less, with soft edges, side by side before a drawn
background. What the app finds is compared with where people were pasted: a face is right when its middle lies in the middle
half of a pasted picture, and each picture is found once. A simulated person, who does not err, then answers what the app
asks, with and without the fact that two faces of one photograph differ.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter

from benchmarks.record import data_folder, keep
from likewise.app.engine import Engine
from likewise.app.face_indexer import FaceIndexer
from likewise.app.face_items import faces_apart, hard_faces
from likewise.app.location import Location
from likewise.app.reduction import DIMENSIONS, reduce_vectors
from likewise.images.faces import FACES
from likewise.metrics import ari, jaccard
from likewise.query.question import Answer, Question

PHOTOGRAPHS, SIZE, SEED = 400, (640, 480), 0
AFTER = (0, 25, 100, 400)
HERE = Path(__file__).parent
Box = tuple[int, int, int, int]
Pasted = dict[str, list[tuple[int, Box]]]


def draw_background(rng: np.random.Generator) -> Image.Image:
    """Two colours that run into each other, with things of plain forms before them."""
    ends = rng.integers(40, 220, (2, 3))
    share = np.linspace(0, 1, SIZE[1])[:, None, None]
    rows = (1 - share) * ends[0] + share * ends[1]
    image = Image.fromarray(np.broadcast_to(rows, (SIZE[1], SIZE[0], 3)).astype(np.uint8))
    draw = ImageDraw.Draw(image)
    for _ in range(int(rng.integers(6, 14))):
        (x, y), (w, h) = rng.integers(-40, SIZE), rng.integers(20, 180, 2)
        shape = draw.rectangle if rng.random() < 0.6 else draw.ellipse
        shape((int(x), int(y), int(x + w), int(y + h)), fill=tuple(rng.integers(30, 230, 3).tolist()))
    return image.filter(ImageFilter.GaussianBlur(1))


def make_photographs(root: Path, folder: Path, rng: np.random.Generator, n_photographs: int) -> Pasted:
    """Write the photographs; who is where in each."""
    people = [sorted(each.iterdir()) for each in sorted((root / "orl-faces").iterdir()) if each.is_dir()]
    truth: Pasted = {}
    for number in range(n_photographs):
        image, n = draw_background(rng), int(rng.integers(2, 6))
        step, where = SIZE[0] // n, []
        for place, person in enumerate(rng.permutation(len(people))[:n].tolist()):
            face = Image.open(people[person][rng.integers(len(people[person]))]).convert("RGB")
            width = int(min(rng.integers(80, 141), step))
            face = face.resize((width, width * face.height // face.width), Image.Resampling.BICUBIC)
            face = ImageEnhance.Brightness(face).enhance(rng.uniform(0.8, 1.2))
            mask = Image.new("L", face.size, 0)
            ImageDraw.Draw(mask).ellipse((2, 2, face.width - 3, face.height - 3), fill=255)
            mask, turn = mask.filter(ImageFilter.GaussianBlur(2)), rng.uniform(-8, 8)
            x = place * step + int(rng.integers(0, step - width + 1))
            y = int(rng.integers(0, SIZE[1] - face.height))
            image.paste(face.rotate(turn, Image.Resampling.BICUBIC), (x, y), mask.rotate(turn))
            where.append((person, (x, y, face.width, face.height)))
        name = f"photograph-{number:03}.jpg"
        image.save(folder / name, quality=90)
        truth[name] = where
    return truth


def match(region: Box, pasted: list[tuple[int, Box]]) -> int | None:
    """The picture in whose middle half the middle of a face lies, by its place in the list."""
    across, down = region[0] + region[2] / 2, region[1] + region[3] / 2
    for place, (_, (x, y, w, h)) in enumerate(pasted):
        if abs(across - x - w / 2) <= w / 4 and abs(down - y - h / 2) <= h / 4:
            return place
    return None


def answer(question: Question, truth: dict[int, int]) -> Answer:
    """What somebody says who knows who everybody is."""
    first, *others = question.items
    same = [item for item in others if truth[item] == truth[first]]
    if question.kind == "grid":
        return Answer("grid", question.items, "marked", chosen=tuple(each for each in others if each not in same))
    if question.kind == "pick":
        return Answer("pick", question.items, "chosen" if same else "none", chosen=tuple(same[:1]))
    return Answer("pair", question.items, "same" if same else "different")


def ask(
    items: NDArray[Any], X: NDArray[Any], people: dict[int, int], apart: list[tuple[int, ...]], hard: set[int]
) -> dict[str, Any]:
    """How well people are grouped after so many answers, of those faces that are some."""
    engine = Engine(seed=SEED, kind="auto")
    engine.keep_apart(apart)
    engine.ask_last(hard)
    engine.set_pictures(items, X)
    are_people = np.array([people[item] >= 0 for item in items.tolist()])
    truth = np.array([people[item] for item in items.tolist()])[are_people]
    start, rows, forms = time.process_time(), [], {"pair": 0, "grid": 0, "pick": 0}
    for n in range(max(AFTER) + 1):
        questions = engine.prepare(1).questions
        if n in AFTER or not questions:
            labels = engine.cluster().labels[are_people]
            scores = {"ari": round(ari(truth, labels), 4), "jaccard": round(jaccard(truth, labels), 4)}
            rows.append({"answers": n, **scores, "clusters": len(set(labels.tolist()))})
        if n == max(AFTER) or not questions:
            break
        forms[questions[0].kind] += 1
        engine.add([(n + 1, answer(questions[0], people))], set(), n + 1)
    return {"after": rows, "forms": forms, "cpu_seconds": round(time.process_time() - start, 1)}


def measure(truth: Pasted, folder: Path, home: Path) -> list[dict[str, Any]]:
    """What the app finds and asks."""
    location = Location(str(home), str(home), "photographs", FACES)
    with location.open_store() as store:
        project = location.project_of(store)
        start = time.process_time()
        FaceIndexer(project, location, folder, lambda report: None).scan()
        seconds = time.process_time() - start
        faces = [item for item in project.items() if item.region is not None]
        vectors = project.vectors(FACES).rows_of([item.id for item in faces])
        apart, hard = faces_apart(project, FACES), hard_faces(project, FACES)
    people, found = dict[int, int](), set[tuple[str, int]]()
    for number, item in enumerate(faces):
        assert item.region is not None
        place = match(item.region, truth[item.path])
        right = place is not None and (item.path, place) not in found
        people[item.id] = truth[item.path][place][0] if right and place is not None else -1 - number
        found |= {(item.path, place)} if right and place is not None else set()
    n_pasted = sum(len(each) for each in truth.values())
    detection = {
        "pasted": n_pasted,
        "found": len(faces),
        "recall": round(len(found) / n_pasted, 4),
        "precision": round(len(found) / len(faces), 4),
        "hardly to be recognised": len(hard),
        "pairs of one photograph": sum(len(each) * (len(each) - 1) // 2 for each in apart),
        "cpu_seconds_a_photograph": round(seconds / len(truth), 3),
    }
    print(detection, flush=True)
    results = [{"case": "detection", **detection}]
    items, X = np.array([item.id for item in faces]), reduce_vectors(vectors, DIMENSIONS)
    for case, facts in (("faces of one photograph differ", apart), ("without that", [])):
        results.append({"case": case, **ask(items, X, people, facts, hard)})
        print(results[-1], flush=True)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photographs", type=int, default=PHOTOGRAPHS)
    n_photographs = parser.parse_args().photographs
    root = data_folder("images")
    if root is None:
        return
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work, "photographs")
        folder.mkdir()
        truth = make_photographs(root, folder, np.random.default_rng(SEED), n_photographs)
        results = measure(truth, folder, Path(work, "home"))
    config = {"photographs": n_photographs, "size": SIZE, "people": 40, "seed": SEED, "model": FACES, "forms": "auto"}
    keep(HERE / "faces.json", config=config, results=results)


if __name__ == "__main__":
    os.umask(0o077)
    main()
