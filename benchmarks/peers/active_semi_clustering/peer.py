"""The peer's side, run by the peer's own Python: cases in (pickle), labels and seconds out (JSON)."""

import json
import pickle
import platform
import sys
from importlib.metadata import version
from time import process_time

import numpy as np
from active_semi_clustering.semi_supervised.pairwise_constraints import MPCKMeans, PCKMeans

METHODS = {"PCKMeans": PCKMeans, "MPCKMeans": MPCKMeans}
PACKAGES = ("active-semi-supervised-clustering", "metric-learn", "numpy", "scipy", "scikit-learn")


def run(case):
    np.random.seed(case["seed"])  # noqa: NPY002 - the peer draws from the global state
    model = METHODS[case["method"]](n_clusters=case["n_clusters"])
    start = process_time()
    try:
        model.fit(case["X"], ml=case["must_link"].tolist(), cl=case["cannot_link"].tolist())
    except Exception as error:  # whatever ends the peer's fit is a result too
        return {"error": type(error).__name__, "seconds": process_time() - start}
    return {"labels": model.labels_.tolist(), "seconds": process_time() - start}


def main():
    with open(sys.argv[1], "rb") as file:
        cases = pickle.load(file)
    answers = []
    for number, case in enumerate(cases):
        answers.append(run(case))
        print(f"\rpeer: {number + 1} of {len(cases)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    versions = {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}}
    json.dump({"versions": versions, "answers": answers}, sys.stdout)


if __name__ == "__main__":
    main()
