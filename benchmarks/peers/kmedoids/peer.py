"""The peer's side, run by the peer's own Python: a matrix of distances in (.npy), loss and seconds of every seed out (.json)."""

import json
import sys
from time import process_time

import kmedoids
import numpy as np


def main(distances, n_clusters, seeds, out):
    D = np.load(distances)
    kmedoids.fasterpam(D[:100, :100].copy(), 5, init="random", random_state=0, n_cpu=1)
    found = []
    for seed in range(seeds):
        started = process_time()
        result = kmedoids.fasterpam(D, n_clusters, init="random", random_state=seed, n_cpu=1)
        seconds = process_time() - started
        found.append({"loss": float(result.loss), "seconds": seconds, "swaps": int(result.n_swap)})
    with open(out, "w") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
