"""The peer's side, run by the peer's own Python: vectors and classes in (.npz), labels after so many questions out (.npz)."""

import sys
from time import process_time

import numpy as np
from cobras_ts.cobras_kmeans import COBRAS_kmeans


class Person:
    """Answers from the classes; a share of the answers is wrong, each pair always in the same way."""

    def __init__(self, truth, error_rate, seed):
        self.truth, self.error_rate = truth, error_rate
        self.rng = np.random.default_rng(seed)
        self.said = {}

    def query_points(self, i, j):
        """Whether the two are the same, as this person says."""
        pair = min(i, j), max(i, j)
        if pair not in self.said:
            wrong = self.rng.random() < self.error_rate
            self.said[pair] = bool(self.truth[i] == self.truth[j]) != wrong
        return self.said[pair]

    def update_clustering(self, clustering):
        """The peer shows its clusters; nobody looks."""

    def continue_cluster_process(self):
        """Whether to go on asking: as long as the budget lasts."""
        return True


def main():
    given = np.load(sys.argv[1])
    seed, budget, error_rate = int(given["seed"]), int(given["budget"]), float(given["error_rate"])
    np.random.seed(seed)  # noqa: NPY002 - the peer draws from the global state
    start = process_time()
    person = Person(given["truth"], error_rate, seed)
    _, labels, *_ = COBRAS_kmeans(given["X"], person, budget).cluster()
    seconds = process_time() - start
    steps = [step for step in given["steps"] if step <= len(labels)]
    found = np.array([labels[step - 1] for step in steps] + [labels[-1]])
    np.savez(sys.argv[2], labels=found, steps=np.array([*steps, len(labels)]), seconds=seconds / len(labels))


if __name__ == "__main__":
    main()
