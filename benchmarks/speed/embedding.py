"""Embedding files beside bare ONNX Runtime loops that find the same batches ready in memory.

``python -m benchmarks.speed.embedding [large]``; with ``large`` only the pictures of 12 megapixels are measured, and what was kept of the others stays.
A third loop decodes the files at an eighth, the least that libjpeg-turbo does, throws that away and runs on batches from memory: no reading can be faster.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import onnxruntime
from PIL import Image

from benchmarks.record import data_folder, keep
from likewise.datasets import load_folder
from likewise.images import embed, read_image
from likewise.images.crew import default_workers
from likewise.images.efficientnet import efficientnet_lite0
from likewise.images.network import OnnxEmbedder

CONFIG = {"pictures": 320, "large_pictures": 16, "batch_size": 4, "rounds": 7, "seed": 0}


def small_pictures() -> list[Path]:
    """Real ones of at most 256 pixels where they are there, else drawn ones."""
    folder = data_folder("images", "flowers-17")
    if folder is not None:
        paths = load_folder(folder).paths or []
        return paths[:: max(1, len(paths) // CONFIG["pictures"])][: CONFIG["pictures"]]
    return drawn(CONFIG["pictures"], (256, 192))


def drawn(n: int, size: tuple[int, int]) -> list[Path]:
    rng = np.random.default_rng(CONFIG["seed"])
    folder = Path(tempfile.mkdtemp())
    for i in range(n):
        coarse = Image.fromarray(rng.integers(0, 256, (30, 40, 3), np.uint8))
        coarse.resize(size, Image.Resampling.BICUBIC).save(folder / f"{i:04}.jpg", quality=90)
    return sorted(folder.iterdir())


def loops(paths: list[Path], embedder: OnnxEmbedder) -> dict[str, Callable[[], np.ndarray]]:
    """The same pictures four ways: files by ``embed``, and batches in memory by bare loops, one of which decodes too."""
    size = CONFIG["batch_size"]
    arrays = [embedder.prepare(read_image(path, embedder.read_size, cover=True)) for path in paths]
    batches = [np.stack(arrays[i : i + size]) for i in range(0, len(arrays), size)]
    session = onnxruntime.InferenceSession(os.fspath(efficientnet_lite0()), providers=["CPUExecutionProvider"])

    def bare() -> np.ndarray:
        return np.concatenate([session.run(None, {"pictures": batch})[0] for batch in batches])

    def bare_threads() -> np.ndarray:
        with ThreadPoolExecutor(default_workers()) as pool:
            return np.concatenate(list(pool.map(embedder.embed, batches)))

    def decoding(k: int) -> np.ndarray:
        for path in paths[k * size : (k + 1) * size]:
            with Image.open(path) as picture:
                picture.draft(None, (picture.width // 8, picture.height // 8))
                picture.load()
        return embedder.embed(batches[k])

    def least() -> np.ndarray:
        with ThreadPoolExecutor(default_workers()) as pool:
            return np.concatenate(list(pool.map(decoding, range(len(batches)))))

    def files() -> np.ndarray:
        return embed(paths, embedder, batch_size=size)

    return {"bare": bare, "bare_threads": bare_threads, "least_decoding": least, "embed": files}


def compare(paths: list[Path], embedder: OnnxEmbedder) -> dict[str, float]:
    """Rates of them, taken in turn so that other load falls on all, and their ratios round by round."""
    ways = loops(paths, embedder)
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    cpu: dict[str, list[float]] = {name: [] for name in ways}
    vectors = {name: run() for name, run in ways.items()}
    for _ in range(CONFIG["rounds"]):
        for name, run in ways.items():
            start, start_cpu = perf_counter(), process_time()
            run()
            seconds[name].append(perf_counter() - start)
            cpu[name].append(process_time() - start_cpu)
    figures = {f"{name}_a_second": len(paths) / min(times) for name, times in seconds.items()}
    figures |= {f"{name}_cpu_ms": 1000 * float(np.median(times)) / len(paths) for name, times in cpu.items()}
    for name in ("bare", "bare_threads", "least_decoding"):
        rounds = np.array(seconds[name]) / np.array(seconds["embed"])
        figures[f"ratio_to_{name}"] = float(np.median(rounds))
        # Of processor time, which others on the machine change less.
        figures[f"cpu_ratio_to_{name}"] = float(np.median(np.array(cpu[name]) / np.array(cpu["embed"])))
    figures["largest_difference"] = float(np.abs(vectors["embed"] - vectors["bare"]).max())
    return figures


def main() -> None:
    embedder = OnnxEmbedder(efficientnet_lite0())
    path, only_large = Path(__file__).with_name("embedding.json"), sys.argv[1:] == ["large"]
    small = "pictures of 256 pixels"
    results = {
        small: json.loads(path.read_text())["results"][small] if only_large else compare(small_pictures(), embedder),
        "JPEG of 12 megapixels": compare(drawn(CONFIG["large_pictures"], (4000, 3000)), embedder),
    }
    for name, figures in results.items():
        print(name)
        for what, value in figures.items():
            print(f"  {what:24} {value:.3g}")
    keep(path, config=CONFIG, results=results, adds=only_large)


if __name__ == "__main__":
    main()
