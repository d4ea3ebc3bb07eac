"""Copies and bursts among other pictures: ``LIKEWISE_DATA=… python -m benchmarks.images.stacks``.

A thousand pictures of flowers, scenes, faces and leaves in equal parts: 60 bursts of ten altered copies (turned by up to
3°, cropped by up to a tenth and shifted, brighter or darker by a third, with noise, as JPEG of quality 40 to 95), and 400
others. Then 150 pictures of 30 moments, five of each, one second apart: a place seen from a shaking hand, and something
that takes a seventh of the picture and moves before it, with 100 others that all claim one second. What the app finds is compared pair by pair with the
truth; the limits of likeness were chosen on seed 0, that for pictures with few edges after seed 2 had joined two leaves.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageEnhance

from benchmarks.record import data_folder, keep
from likewise.app.engine import Engine
from likewise.app.evidence import Evidence
from likewise.app.indexer import Indexer
from likewise.app.location import Location
from likewise.app.reduction import DIMENSIONS, reduce_vectors
from likewise.app.stacking import read_links
from likewise.images import open_index
from likewise.images.exif import EXIF_PART, MODEL, ORIGINAL
from likewise.images.stacks import open_stacks
from likewise.query.question import Answer

SETS = ("flowers-17", "scene-300", "orl-faces", "leaf-99")
BURSTS, COPIES, OTHERS = 15, 10, 100  # of each set
MOMENTS, SHOTS, LIARS = 30, 5, 100
QUESTIONS = 50
SEEDS = (1, 2)
HERE = Path(__file__).parent


def shaken(image: Image.Image, rng: np.random.Generator) -> Image.Image:
    """The same place from a hand that does not keep quite still."""
    turned, (left, top) = image.rotate(rng.uniform(-1, 1), Image.Resampling.BICUBIC), rng.integers(0, 6, 2).tolist()
    return turned.crop((left, top, left + image.width - 6, top + image.height - 6))


def altered(image: Image.Image, rng: np.random.Generator) -> tuple[Image.Image, int]:
    """A copy that somebody turned, cropped, lit and saved again, and the quality to save it with."""
    width, height = image.size
    image = image.rotate(rng.uniform(-3, 3), Image.Resampling.BICUBIC)
    cut, (right, down) = rng.uniform(0.02, 0.10), rng.uniform(-0.02, 0.02, 2)
    left, top = max(0.0, width * (cut / 2 + right)), max(0.0, height * (cut / 2 + down))
    image = image.crop((int(left), int(top), int(left + width * (1 - cut)), int(top + height * (1 - cut))))
    image = ImageEnhance.Brightness(image).enhance(rng.uniform(0.75, 1.3))
    noisy = np.asarray(image, float) + rng.normal(0, rng.uniform(0, 8), (image.height, image.width, 3))
    return Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8)), int(rng.integers(40, 95))


def taken(seconds: int) -> Image.Exif:
    tags = Image.Exif()
    tags[MODEL] = "Box 1"
    minutes, second = divmod(seconds, 60)
    tags.get_ifd(EXIF_PART)[ORIGINAL] = f"2024:05:01 {12 + minutes // 60:02}:{minutes % 60:02}:{second:02}"
    return tags


def choose(root: Path, rng: np.random.Generator, n: int) -> list[list[Path]]:
    """n pictures of each set, none of which is the same file as another."""
    found = []
    for name in SETS:
        files: dict[bytes, Path] = {}
        for path in sorted(each for each in (root / name).rglob("*") if each.is_file()):
            files.setdefault(path.read_bytes(), path)
        paths = list(files.values())
        found.append([paths[k] for k in rng.choice(len(paths), n, replace=False)])
    return found


def make_copies(root: Path, folder: Path, rng: np.random.Generator) -> None:
    """Pictures of one burst have names that begin alike."""
    for name, paths in zip(SETS, choose(root, rng, BURSTS + OTHERS), strict=True):
        for number, path in enumerate(paths):
            image = Image.open(path).convert("RGB")
            if number >= BURSTS:
                image.save(folder / f"{name} {number}.jpg", quality=95)
                continue
            for copy in range(COPIES):
                changed, quality = altered(image, rng)
                changed.save(folder / f"{name} {number}_{copy}.jpg", quality=quality)


def make_moments(root: Path, folder: Path, rng: np.random.Generator) -> None:
    """Something moves before a place; and others lie about their time."""
    sets = choose(root, rng, MOMENTS + LIARS)
    for number in range(MOMENTS):
        place, front = (Image.open(sets[k][number]).convert("RGB").resize((240, 180)) for k in (1, 0))
        front, at = front.resize((84, 72)), rng.uniform((30, 30), (120, 80))
        for shot in range(SHOTS):
            image, at = place.copy(), np.clip(at + rng.uniform(-20, 20, 2), 0, (150, 100))
            image.paste(front, tuple(at.astype(int).tolist()))
            name = folder / f"moment {number}_{shot}.jpg"
            shaken(image, rng).save(name, quality=85, exif=taken(60 * number + shot))
    for number, path in enumerate(paths[MOMENTS + k // 4] for k in range(LIARS) for paths in [sets[k % 4]]):
        Image.open(path).convert("RGB").save(folder / f"liar {number}.jpg", quality=95, exif=taken(7000))


def measure(folder: Path, home: Path) -> dict[str, Any]:
    """What the app finds in a folder, compared with the names."""
    location = Location(str(home), str(home), "photos", "efficientnet-lite0")
    with location.open_store() as store:
        project = location.project_of(store)
        Indexer(project, location, folder, lambda report: None).scan()
        found, links = open_index(home), read_links(home)
        start = time.process_time()
        first = open_stacks(links)
        opening = time.process_time() - start
        vectors = reduce_vectors(project.vectors(location.model).rows_of(found.ids), DIMENSIONS)
    truth = np.unique([name.rsplit("_", 1)[0] for name in found.names], return_inverse=True)[1]
    stack = np.array([first.get(number, number) for number in found.ids.tolist()])
    near = np.arange(len(found))
    for group in found.near_duplicates():
        near[np.isin(found.ids, group)] = -group[0] - 1
    return {
        "pictures": len(found),
        "stacks": pair_scores(truth, stack) | {"found": len(set(first.values()))},
        "fingerprints alone": pair_scores(truth, near),
        "questions within a burst": questions_within(found.ids, vectors, links, truth),
        "cpu_seconds_opening": round(opening, 4),
    }


def pair_scores(truth: NDArray[Any], labels: NDArray[Any]) -> dict[str, float]:
    i, j = np.triu_indices(len(truth), 1)
    same, put = truth[i] == truth[j], labels[i] == labels[j]
    both = int((same & put).sum())
    return {"precision": round(both / max(int(put.sum()), 1), 4), "recall": round(both / int(same.sum()), 4)}


def questions_within(ids: NDArray[Any], vectors: NDArray[Any], links: NDArray[Any], truth: NDArray[Any]) -> Any:
    """Of the first questions, how many are about two pictures of one burst: with stacks, and without."""
    row_of = {number: row for row, number in enumerate(ids.tolist())}
    counts = {}
    for name, stacks in (("with stacks", True), ("without", False)):
        engine = Engine(seed=0, stacks=stacks, kind="pair")
        engine.stack(links, ())
        engine.set_pictures(ids, vectors)
        answers: list[tuple[int, Answer]] = []
        within = 0
        for number in range(QUESTIONS):
            question = engine.prepare(1).questions[0]
            same = any(truth[row_of[a]] == truth[row_of[b]] for a, b in combinations(question.items, 2))
            within += same
            answers.append((number + 1, Answer("pair", question.items, "same" if same else "different")))
            engine.update(Evidence(list(answers)), number + 1)
        counts[name] = within
    return counts | {"of": QUESTIONS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="*", default=SEEDS)
    seeds = parser.parse_args().seeds
    root = data_folder("images")
    if root is None:
        return
    config = {"sets": SETS, "bursts": 4 * BURSTS, "copies": COPIES, "others": 4 * OTHERS, "moments": MOMENTS}
    config |= {"shots": SHOTS, "liars": LIARS, "model": "efficientnet-lite0"}
    results: list[dict[str, Any]] = []
    for number, seed in enumerate(seeds, 1):
        for case, make in (("copies", make_copies), ("moments", make_moments)):
            with tempfile.TemporaryDirectory() as work:
                folder = Path(work, "photos")
                folder.mkdir()
                make(root, folder, np.random.default_rng(seed))
                results.append({"case": case, "seed": seed} | measure(folder, Path(work, "home")))
            print(results[-1], flush=True)
        keep(HERE / "stacks.json", config=config | {"seeds": list(seeds[:number])}, results=results)


if __name__ == "__main__":
    os.umask(0o077)
    main()
