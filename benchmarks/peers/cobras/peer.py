"""The peer's side, run by the peer's own Python: vectors and classes in (.npz), labels after each question out (.npz)."""

import sys
from pathlib import Path
from time import process_time

import numpy as np
from cobras_ts.cobras_kmeans import COBRAS_kmeans

sys.path.insert(0, str(Path(__file__).parents[1]))
from person import Person, TimeIsUpError


class Querier:
    """The peer's way of asking; its clusters are read off whenever it asks."""

    def __init__(self, person, budget):
        self.person, self.budget = person, budget

    def query_points(self, i, j):
        """Whether the two are the same."""
        return self.person.same(i, j)

    def update_clustering(self, clustering):
        """The peer shows its clusters; nobody looks."""

    def continue_cluster_process(self):
        """Whether to go on asking: as long as the budget lasts."""
        return True


def main():
    given = np.load(sys.argv[1])
    np.random.seed(int(given["seed"]))  # noqa: NPY002 - the peer draws from the global state
    start = process_time()
    person = Person(given)
    peer = COBRAS_kmeans(given["X"], Querier(person, int(given["budget"])), int(given["budget"]))
    try:
        _, labels, *_ = peer.cluster()
    except TimeIsUpError:
        labels = [each for each, _, _ in peer.intermediate_results]
    seconds = process_time() - start
    labels = [each if each is not None else np.zeros(len(given["X"]), int) for each in labels]
    steps = np.arange(1, len(labels) + 1)
    np.savez(sys.argv[2], labels=np.array(labels), steps=steps, seconds=seconds / max(len(labels), 1))


if __name__ == "__main__":
    main()
