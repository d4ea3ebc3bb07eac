"""Run both sides on the same constraints and keep the table: ``python -m benchmarks.peers.active_semi_clustering``.

Raw features on both sides, no scaling. Scores: iris, wine and sonar (LIKEWISE_DATA) with random constraints from the
truth. Speed: digits. The peer starts once a fit, so each of its scores is a mean over fits with different seeds; ours
is given the same way (n_init=1), and with our defaults (five starts). The peer's PCKMeans halves distances: its w=1
is our weight=2. Seconds are of processor time on one thread, which other work on the machine hardly moves. Our defaults
were chosen on these tables too, but with other constraints (seeds 0 to 4).
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

from benchmarks.peers.environment import peer_python
from benchmarks.record import data_folder, keep
from likewise.cluster import MPCKMeans, PCKMeans

HERE = Path(__file__).parent
CONFIG = {
    "tables": ["iris", "wine", "sonar"],
    "n_constraints": [50, 100, 200],
    "seeds": [10, 11, 12, 13, 14],
    "starts": [0, 1, 2],
    "features": "raw",
    "threads": 1,
    "seconds": "processor time",
    "digits": {"n_constraints": 500, "seeds": [10, 11, 12], "repeats": 3},
    "ours": {
        "PCKMeans": {"one start": {"n_init": 1}, "one start, w=2": {"n_init": 1, "weight": 2.0}, "defaults": {}},
        "MPCKMeans": {"one start": {"n_init": 1}, "defaults": {}},
    },
}
OURS = {"PCKMeans": PCKMeans, "MPCKMeans": MPCKMeans}
Case = dict[str, Any]


def draw_constraints(truth: np.ndarray, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs drawn evenly without replacement, answered from the truth: (must_link, cannot_link)."""
    rows, columns = np.triu_indices(len(truth), 1)
    drawn = np.random.default_rng(seed).permutation(len(rows))[:count]
    pairs = np.column_stack([rows[drawn], columns[drawn]])
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    return pairs[same], pairs[~same]


def make_case(name: str, X: np.ndarray, truth: np.ndarray, count: int, seed: int) -> Case:
    must_link, cannot_link = draw_constraints(truth, count, seed)
    return {
        "table": name,
        "constraints": count,
        "seed": seed,
        "X": X,
        "truth": truth,
        "n_clusters": len(np.unique(truth)),
        "must_link": must_link,
        "cannot_link": cannot_link,
    }


def table_cases(folder: Path) -> list[Case]:
    cases = []
    for name in CONFIG["tables"]:
        table = pd.read_csv(folder / f"{name}.csv")
        X = table.drop(columns="label").to_numpy(np.float64)
        truth = pd.factorize(table["label"])[0]
        cases += [make_case(name, X, truth, m, s) for m in CONFIG["n_constraints"] for s in CONFIG["seeds"]]
    return cases


def digits_cases() -> list[Case]:
    X, truth = load_digits(return_X_y=True)
    digits = CONFIG["digits"]
    return [make_case("digits", X, truth, digits["n_constraints"], s) for s in digits["seeds"]]


def run_peer(cases: list[Case]) -> dict[str, Any]:
    """Answers of the peer, in its own environment (made here when it is missing)."""
    python = peer_python("active_semi_clustering")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "cases.pickle")
        file.write_bytes(pickle.dumps(cases, protocol=4))
        done = subprocess.run([python, HERE / "peer.py", file], check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def score_peer(cases: list[Case], method: str, starts: list[int]) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Scores and processor seconds of every start on every case, and the peer's versions."""
    asked = [{**case, "method": method, "seed": 1000 * case["seed"] + k} for case in cases for k in starts]
    answer = run_peer(asked)
    rows = []
    for case, given in zip(asked, answer["answers"], strict=True):
        row = {"table": case["table"], "constraints": case["constraints"], "seed": case["seed"] // 1000}
        row["seconds"] = given["seconds"]
        row["ari"] = adjusted_rand_score(case["truth"], given["labels"]) if "labels" in given else None
        rows.append(row)
    return rows, answer["versions"]


def score_ours(cases: list[Case], method: str, options: dict[str, Any], starts: list[int]) -> list[dict[str, Any]]:
    """The same for one of our settings."""
    rows = []
    for case in cases:
        for k in starts:
            model = OURS[method](case["n_clusters"], random_state=1000 * case["seed"] + k, **options)
            start = process_time()
            model.fit(case["X"], must_link=case["must_link"], cannot_link=case["cannot_link"])
            seconds = process_time() - start
            row = {"table": case["table"], "constraints": case["constraints"], "seed": case["seed"]}
            rows.append({**row, "seconds": seconds, "ari": adjusted_rand_score(case["truth"], model.labels_)})
    return rows


def summary(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Mean score by table and number of constraints; failed fits are counted, not averaged."""
    frame = pd.DataFrame(rows)
    grouped = frame.groupby(["table", "constraints"], sort=False)
    # The best start of the peer, chosen with the truth, is the most that restarts could give it.
    best = frame.groupby(["table", "constraints", "seed"], sort=False)["ari"].max()
    return pd.DataFrame(
        {
            "ari": grouped["ari"].mean(),
            "best start": best.groupby(["table", "constraints"], sort=False).mean(),
            "seconds": grouped["seconds"].median(),
            "failed": grouped["ari"].apply(lambda scores: int(scores.isna().sum())),
        }
    )


def compare(cases: list[Case], method: str, starts: list[int], repeats: int = 1) -> tuple[dict[str, Any], Any]:
    """Summaries of the peer and of our settings, one row a table and number of constraints."""
    warm = cases[0]
    OURS[method](warm["n_clusters"], n_init=1).fit(
        warm["X"], must_link=warm["must_link"], cannot_link=warm["cannot_link"]
    )
    peer, peer_versions = score_peer(cases, method, starts)
    sides = {"peer": summary(peer)}
    for name, options in CONFIG["ours"][method].items():
        rows = score_ours(cases, method, options, starts if repeats == 1 else list(range(repeats)))
        sides[f"ours, {name}"] = summary(rows)
    return {side: table.reset_index().to_dict("records") for side, table in sides.items()}, (sides, peer_versions)


def show(method: str, sides: dict[str, pd.DataFrame]) -> None:
    table = pd.DataFrame({side: frame["ari"] for side, frame in sides.items()}).round(3)
    table["peer, best start"] = sides["peer"]["best start"].round(3)
    table["peer failed"] = sides["peer"]["failed"]
    for side, frame in sides.items():
        if side != "peer":
            table[f"× faster, {side}"] = (sides["peer"]["seconds"] / frame["seconds"]).round(1)
    with pd.option_context("display.width", 200, "display.max_columns", 20):
        print(f"\n{method}: mean ARI, and times faster (median processor seconds)\n{table}", flush=True)


def main() -> int:
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    if not one.items() <= os.environ.items():
        # Both sides on one thread; the libraries read this when they are loaded.
        command = [sys.executable, "-m", "benchmarks.peers.active_semi_clustering"]
        return subprocess.run(command, env={**os.environ, **one}, check=False).returncode
    folder = data_folder("tables")
    results: dict[str, Any] = {}
    for method in OURS:
        results[method] = {}
        if folder is not None:
            results[method]["tables"], (sides, peer_versions) = compare(table_cases(folder), method, CONFIG["starts"])
            show(method, sides)
        results[method]["digits"], (sides, peer_versions) = compare(
            digits_cases(), method, [0], CONFIG["digits"]["repeats"]
        )
        show(method, sides)
    keep(HERE / "results.json", config={**CONFIG, "peer": peer_versions}, results=results)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
