"""Fig. 3 and 4: the share of well-categorised pictures against random constraints, for CA, PCCA and PCKMeans."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.decomposition import PCA

from benchmarks.record import data_folder, keep
from likewise.cluster import PCCA, CompetitiveAgglomeration, PCKMeans
from likewise.images import describe
from likewise.metrics import well_categorized

CONFIG = {"constraints": [0, 100, 400], "seeds": 2, "max_clusters": "4 x classes", "components": 0.9}
SETS = {"four-classes": [80] * 4, "eight-uneven": [60, 45, 30, 20, 12, 8, 7, 5]}  # pictures of each species


def load(sizes: list[int]) -> tuple[np.ndarray, np.ndarray] | None:
    """The joint descriptors of the paper for the first species of flowers-17, reduced by principal components."""
    folder = data_folder("images", "flowers-17")
    if folder is None:
        return None
    species = sorted(p for p in folder.iterdir() if p.is_dir())[: len(sizes)]
    files = [sorted(p for p in s.iterdir() if p.is_file())[:n] for s, n in zip(species, sizes, strict=True)]
    X = describe([p for some in files for p in some])
    truth = np.repeat(np.arange(len(sizes)), [len(some) for some in files])
    return PCA(CONFIG["components"], random_state=0).fit_transform(X), truth


def main() -> None:
    for name, sizes in SETS.items():
        found = load(sizes)
        if found is None:
            continue
        X, truth = found
        k = len(sizes)
        rows = []
        for count in CONFIG["constraints"]:
            scores: dict[str, list[float]] = {}
            for seed in range(CONFIG["seeds"]):
                pairs = (
                    np.array(
                        [
                            np.random.default_rng([seed, t]).choice(len(X), 2, replace=False)
                            for t in range(count)
                        ]
                    )
                    .reshape(-1, 2)
                    .astype(np.int64)
                )
                same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
                said = {"must_link": pairs[same], "cannot_link": pairs[~same]}
                models = {
                    "CA": CompetitiveAgglomeration(4 * k, random_state=seed),
                    "PCCA": PCCA(4 * k, random_state=seed),
                    "PCCA, Mahalanobis": PCCA(4 * k, metric="mahalanobis", random_state=seed),
                    "PCKMeans": PCKMeans(k, random_state=seed),
                }
                for method, model in models.items():
                    scores.setdefault(method, []).append(
                        well_categorized(truth, model.fit_predict(X, **said))
                    )
                    scores.setdefault(f"{method}: clusters", []).append(float(model.n_clusters_))
            rows.append(
                {"constraints": count, **{key: float(np.mean(values)) for key, values in scores.items()}}
            )
            print(name, {key: round(value, 3) for key, value in rows[-1].items()}, flush=True)
        config = {**CONFIG, "set": name, "sizes": sizes, "dimensions": X.shape[1]}
        keep(Path(__file__).parent / "results" / f"{name}.json", config=config, results=rows)


if __name__ == "__main__":
    main()
