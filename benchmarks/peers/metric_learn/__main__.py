"""Objectives of both sides on the same pairs: ``python -m benchmarks.peers.metric_learn``.

Iris and wine, features scaled to unit variance, 100 constraints from the truth. Each method's objective is computed here, by the
same function, from the metric that either side returns. Lower is better (for MMC the ratio is maximised and given as its
inverse; for RCA, which has a closed form, it is the largest relative difference of the metrics).
"""

from __future__ import annotations

import json
import pickle
import subprocess
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from sklearn.datasets import load_iris, load_wine
from sklearn.preprocessing import scale

from benchmarks.peers.environment import peer_python
from benchmarks.record import keep
from likewise.distances import ITML, LMNN, LSML, MMC, RCA, nearest
from likewise.distances.learner import chunklets
from likewise.distances.lmnn import MarginLoss

HERE = Path(__file__).parent
CONFIG = {"tables": ["iris", "wine"], "constraints": 100, "seeds": [0, 1, 2], "neighbours": 3}
METHODS = ("ITML", "MMC", "RCA", "LMNN", "LSML")


def make_case(table: str, seed: int) -> dict[str, Any]:
    X, truth = (load_iris if table == "iris" else load_wine)(return_X_y=True)
    X = scale(X)
    rng = np.random.default_rng(seed)
    pairs = np.array([rng.choice(len(X), 2, replace=False) for _ in range(CONFIG["constraints"])])
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    must, cannot = pairs[same], pairs[~same]
    m = min(len(must), len(cannot))
    triplets = []
    for c in np.unique(truth):
        inside, outside = np.flatnonzero(truth == c), np.flatnonzero(truth != c)
        near = inside[nearest(X[inside], n_neighbors=CONFIG["neighbours"]).indices]
        triplets += [(a, b, o) for a, row in zip(inside, near, strict=True) for b in row for o in outside]
    return {
        "table": table, "seed": seed, "X": X, "truth": truth, "must_link": must, "cannot_link": cannot,
        "bounds": (1.0, 10.0), "chunks": chunklets(must, len(X)),
        "quads": np.column_stack([must[:m], cannot[:m]]), "triplets": np.array(triplets),
    }  # fmt: skip


def objective(case: dict[str, Any], method: str, M: np.ndarray) -> float:
    X = case["X"]
    near = X[case["must_link"][:, 0]] - X[case["must_link"][:, 1]]
    far = X[case["cannot_link"][:, 0]] - X[case["cannot_link"][:, 1]]
    near, far = (np.einsum("ij,jk,ik->i", gaps, M, gaps) for gaps in (near, far))
    if method == "ITML":
        ratio = np.concatenate([np.maximum(near / case["bounds"][0], 1), np.minimum(far / case["bounds"][1], 1)])
        return float(np.trace(M) - np.linalg.slogdet(M)[1] - len(M) + (ratio - np.log(ratio) - 1).sum())
    if method == "MMC":
        return float(np.sqrt(near.sum()) / np.sqrt(far).sum())
    if method == "LSML":
        gaps = [X[case["quads"][:, a]] - X[case["quads"][:, a + 1]] for a in (0, 2)]
        one, two = (np.sqrt(np.einsum("ij,jk,ik->i", g, M, g)) for g in gaps)
        return float((np.maximum(one - two, 0) ** 2).sum() + np.trace(M) - np.linalg.slogdet(M)[1])
    values, vectors = np.linalg.eigh(M)
    L = np.sqrt(np.maximum(values, 0))[:, None] * vectors.T
    pulled = np.unique(case["triplets"][:, :2], axis=0)
    return float(MarginLoss(X, pulled, case["triplets"], 0.5)(L)[0])


def ours(case: dict[str, Any], method: str) -> tuple[np.ndarray, float]:
    sides = {"must_link": case["must_link"], "cannot_link": case["cannot_link"]}
    start = process_time()
    if method == "ITML":
        model = ITML(bounds=case["bounds"], max_iter=10000, tol=1e-6).fit(case["X"], **sides)
    elif method == "LMNN":
        model = LMNN().fit(case["X"], triplets=case["triplets"])
    elif method == "LSML":
        model = LSML()
        model._descend(case["X"], case["quads"])
    else:
        model = {"MMC": MMC, "RCA": RCA}[method](regularization=0.0).fit(case["X"], **sides)
    return model.metric_, process_time() - start


def run_peer(cases: list[dict[str, Any]]) -> dict[str, Any]:
    python = peer_python("metric_learn")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "cases.pickle")
        file.write_bytes(pickle.dumps(cases, protocol=4))
        done = subprocess.run([python, HERE / "peer.py", file], check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def main() -> None:
    cases = [
        {**make_case(table, seed), "method": method}
        for table in CONFIG["tables"]
        for seed in CONFIG["seeds"]
        for method in METHODS
        if method != "LMNN" or seed == 0  # it does not depend on the constraints
    ]
    ITML().fit(np.eye(3), must_link=[(0, 1)], cannot_link=[(0, 2)])  # compile
    answer = run_peer(cases)
    rows = []
    for case, given in zip(cases, answer["answers"], strict=True):
        M, seconds = ours(case, case["method"])
        row = {"method": case["method"], "table": case["table"], "seed": case["seed"], "our seconds": seconds}
        if "error" in given:
            rows.append({**row, "peer failed": given["error"]})
            print(rows[-1], flush=True)
            continue
        peer = np.array(given["metric"])
        row["peer seconds"] = given["seconds"]
        if case["method"] == "RCA":
            row["difference"] = float(np.abs(M - peer).max() / np.abs(peer).max())
        else:
            row |= {"ours": objective(case, case["method"], M), "peer": objective(case, case["method"], peer)}
            row["ours above peer's"] = row["ours"] / row["peer"] - 1
        rows.append(row)
        print(row, flush=True)
    keep(HERE / "results.json", config={**CONFIG, "peer": answer["versions"]}, results=rows)


if __name__ == "__main__":
    main()
