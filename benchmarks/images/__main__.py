"""How well every descriptor and embedding tells classes apart: ``LIKEWISE_DATA=… python -m benchmarks.images``.

For each set of pictures and each way to describe them: the share of pictures whose nearest other picture is of their
class (1-NN, leave-one-out), and the adjusted Rand index of three clusterings that know nothing but the number of
classes. The figures go to ``results.json`` beside this file and, as tables, into docs/methods/embeddings.md.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import AgglomerativeClustering, KMeans

from benchmarks.record import data_folder, keep
from likewise.datasets import load_folder
from likewise.distances import nearest, pairwise
from likewise.images import describe, embed
from likewise.images.descriptors import DESCRIPTORS, JOINT
from likewise.images.embedding import normalise
from likewise.metrics import ari

SETS = ("flowers-17", "scene-300", "orl-faces", "leaf-99")
SEEDS = range(5)
HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "methods" / "embeddings.md"


class Described(NamedTuple):
    """Rows for a metric, rows for Euclidean k-means, and which pictures could be described."""

    rows: NDArray[np.floating[Any]]
    metric: str
    flat: NDArray[np.floating[Any]]
    described: NDArray[np.bool_]


def by_descriptors(paths: list[Path], names: Any, metric: str, **options: Any) -> Described:
    rows = describe(paths, names, on_error="raise", **options)
    # k-means is Euclidean: on square roots of histograms that is Hellinger's distance, close to χ².
    flat = np.sqrt(rows) if metric == "chi2" else rows
    return Described(rows, metric, flat, np.ones(len(rows), bool))


def by_network(paths: list[Path], *, fit: Any = "crop", how: Any = "l2") -> Described:
    from likewise.images.efficientnet import efficientnet_lite0
    from likewise.images.network import OnnxEmbedder

    rows = embed(paths, OnnxEmbedder(efficientnet_lite0(), fit=fit), on_error="raise")
    rows = normalise(rows, how)
    return Described(rows, "cosine", rows, np.ones(len(rows), bool))


def by_faces(paths: list[Path]) -> Described:
    from likewise.images.faces import find_faces

    faces = find_faces(paths, on_error="raise")
    rows = np.zeros((len(paths), 128), np.float32)
    # The face the detector is surest of comes first among those of a picture.
    pictures, first = np.unique(faces.pictures, return_index=True)
    rows[pictures] = faces.vectors[first]
    described = np.zeros(len(paths), bool)
    described[pictures] = True
    return Described(rows, "euclidean", rows, described)


WAYS: dict[str, Any] = {
    **{name: lambda paths, name=name: by_descriptors(paths, name, DESCRIPTORS[name].metric) for name in DESCRIPTORS},
    "the five joined": lambda paths: by_descriptors(paths, JOINT, "chi2"),
    "the five, PCA to a fifth": lambda paths: by_descriptors(paths, JOINT, "euclidean", pca="fifth"),
    "the five, roots, PCA to a fifth": lambda paths: by_descriptors(paths, JOINT, "euclidean", pca="fifth", root=True),
    "efficientnet-lite0": by_network,
    "efficientnet-lite0, roots": lambda paths: by_network(paths, how="root"),
    "efficientnet-lite0, padded": lambda paths: by_network(paths, fit="pad"),
    "faces (dlib)": by_faces,
}


def measure(described: Described, truth: NDArray[np.int64]) -> dict[str, float]:
    """1-NN accuracy and the three indices; a picture that could not be described is wrong, and alone."""
    rows, metric, flat, known = described
    right = np.zeros(len(truth), bool)
    closest = nearest(rows[known], n_neighbors=1, metric=metric).indices[:, 0]
    right[known] = truth[known][closest] == truth[known]
    n_classes = len(np.unique(truth))
    average = AgglomerativeClustering(n_classes, metric="precomputed", linkage="average")
    ward = AgglomerativeClustering(n_classes, linkage="ward")
    D = pairwise(rows[known], metric=metric)
    means = [KMeans(n_classes, n_init=10, random_state=seed).fit_predict(flat[known]) for seed in SEEDS]
    return {
        "described": int(known.sum()),
        "one_nn": float(right.mean()),
        "ari_average": ari(truth, whole(average.fit_predict(D), known)),
        "ari_ward": ari(truth, whole(ward.fit_predict(flat[known]), known)),
        "ari_kmeans": float(np.mean([ari(truth, whole(labels, known)) for labels in means])),
        "ari_kmeans_std": float(np.std([ari(truth, whole(labels, known)) for labels in means])),
    }


def whole(labels: NDArray[Any], known: NDArray[np.bool_]) -> NDArray[np.int64]:
    out = labels.max() + 1 + np.arange(len(known))
    out[known] = labels
    return out


def run(sets: tuple[str, ...]) -> list[dict[str, Any]]:
    results = []
    for name in sets:
        folder = data_folder("images", name)
        if folder is None:
            continue
        data = load_folder(folder, truth="folders")
        assert data.paths is not None
        assert data.truth is not None
        for way, make in WAYS.items():
            if "faces" in way and name != "orl-faces":
                continue
            start = time.process_time()
            try:
                described = make(data.paths)
            except ImportError as error:
                print(f"skipped: {way}: {error}")
                continue
            seconds = time.process_time() - start
            figures = measure(described, data.truth)
            results.append(
                {
                    "set": name,
                    "way": way,
                    "metric": described.metric,
                    "dimension": described.rows.shape[1],
                    "cpu_ms_a_picture": round(1000 * seconds / len(data.paths), 2),
                    **figures,
                }
            )
            print(
                f"{name:11} {way:32} {figures['one_nn']:.3f} {figures['ari_ward']:.3f} {figures['ari_kmeans']:.3f}",
                flush=True,
            )
    return results


def tables(results: list[dict[str, Any]]) -> str:
    """The figures as two markdown tables, the best of each column in bold."""
    names = list(dict.fromkeys(each["set"] for each in results))
    ways = list(dict.fromkeys(each["way"] for each in results))
    cell = {(each["way"], each["set"]): each for each in results}
    parts = []
    for title, keys in (
        ("1-NN accuracy, leave-one-out", ("one_nn",)),
        ("Adjusted Rand index: Ward's linkage / k-means", ("ari_ward", "ari_kmeans")),
    ):
        best = {
            (name, key): max(each[key] for each in results if each["set"] == name) for name in names for key in keys
        }
        lines = [f"**{title}**", "", f"| | numbers | metric | {' | '.join(names)} |", "|---" * (3 + len(names)) + "|"]
        for way in ways:
            some = next(each for each in results if each["way"] == way)
            row = [way, str(some["dimension"]), {"chi2": "χ²"}.get(some["metric"], some["metric"])]
            for name in names:
                each = cell.get((way, name))
                shown = (
                    [f"**{each[key]:.3f}**" if each[key] == best[name, key] else f"{each[key]:.3f}" for key in keys]
                    if each
                    else ["–"]
                )
                row.append(" / ".join(shown))
            lines.append(f"| {' | '.join(row)} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def insert(text: str, page: Path) -> None:
    """Put the tables into the page, between its two markers."""
    before, marker, rest = page.read_text().partition("<!-- figures -->\n")
    _, end, after = rest.partition("<!-- end of figures -->")
    if not marker or not end:
        raise ValueError(f"{page} has no markers for the figures")
    page.write_text(f"{before}{marker}\n{text}\n\n{end}{after}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="*", default=SETS, help="which sets, all by default")
    chosen = tuple(parser.parse_args().sets)
    results = run(chosen)
    if not results:
        return
    config = {
        "sets": chosen,
        "one_nn": "nearest other picture, leave-one-out",
        "ari_average": "average linkage on the metric, true number of classes",
        "ari_ward": "Ward's linkage, true number of classes; on square roots for chi2",
        "ari_kmeans": "k-means, true number of classes, n_init 10, mean of the seeds; square roots for chi2",
        "seeds": list(SEEDS),
    }
    if chosen == SETS and {each["set"] for each in results} == set(SETS):
        keep(HERE / "results.json", config=config, results=results)
        insert(tables(results), PAGE)
    else:
        print(tables(results))


if __name__ == "__main__":
    main()
