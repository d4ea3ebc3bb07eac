"""The peer's side, run by the peer's own Python: cases in (pickle), metrics and seconds out (JSON)."""

import json
import pickle
import platform
import sys
import warnings
from importlib.metadata import version
from time import process_time

import numpy as np
from metric_learn import ITML, LMNN, LSML, MMC, RCA

warnings.simplefilter("ignore")


def run(case):
    X, method = case["X"], case["method"]
    pairs = np.concatenate([case["must_link"], case["cannot_link"]])
    sign = np.repeat([1, -1], [len(case["must_link"]), len(case["cannot_link"])])
    start = process_time()
    if method == "ITML":
        model = ITML(preprocessor=X, max_iter=10000, tol=1e-6, random_state=0)
        model.fit(pairs, sign, bounds=case["bounds"])
    elif method == "MMC":
        model = MMC(preprocessor=X, max_iter=1000, random_state=0).fit(pairs, sign)
    elif method == "RCA":
        model = RCA(preprocessor=X).fit(X, case["chunks"])
    elif method == "LSML":
        model = LSML(preprocessor=X, max_iter=1000, tol=1e-6, prior="identity").fit(case["quads"])
    else:
        model = LMNN(n_neighbors=3, max_iter=1000, learn_rate=1e-6, random_state=0).fit(X, case["truth"])
    return {"metric": model.get_mahalanobis_matrix().tolist(), "seconds": process_time() - start}


def main():
    with open(sys.argv[1], "rb") as file:
        cases = pickle.load(file)
    answers = []
    for case in cases:
        try:
            answers.append(run(case))
        except Exception as error:  # whatever ends the peer's fit is a result too
            answers.append({"error": f"{type(error).__name__}: {error}"})
    versions = {"python": platform.python_version(), "metric-learn": version("metric-learn")}
    versions["scikit-learn"] = version("scikit-learn")
    json.dump({"versions": versions, "answers": answers}, sys.stdout)


if __name__ == "__main__":
    main()
