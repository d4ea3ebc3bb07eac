"""The peer's askers, run by the peer's own Python: vectors and classes in (.npz), labels after so many questions out (.npz).

The peer gives no clusters on the way; its MPCKMeans is fitted to what was answered until each checkpoint.
"""

import sys
from pathlib import Path
from time import monotonic, process_time

import numpy as np
from active_semi_clustering.active.pairwise_constraints import NPU, MinMax
from active_semi_clustering.active.pairwise_constraints.example_oracle import MaximumQueriesExceeded
from active_semi_clustering.semi_supervised.pairwise_constraints import MPCKMeans

sys.path.insert(0, str(Path(__file__).parents[1]))
from person import Person, TimeIsUpError

STEPS = (25, 50, 100, 200, 400, 800, 1600)


class Oracle:
    """The peer's way of asking; what was said is kept."""

    def __init__(self, person, budget):
        self.person, self.max_queries_cnt = person, budget
        self.said = []

    def query(self, i, j):
        """Whether the two are the same."""
        if len(self.said) >= self.max_queries_cnt:
            raise MaximumQueriesExceeded
        same = self.person.same(i, j)
        self.said.append((int(i), int(j), same))
        return same


def main():
    given = np.load(sys.argv[1])
    np.random.seed(int(given["seed"]))  # noqa: NPY002 - the peer draws from the global state
    X, n_clusters, limit = given["X"], len(np.unique(given["truth"])), float(given["limit"])
    oracle = Oracle(Person(given), int(given["budget"]))
    asker = NPU(MPCKMeans(n_clusters)) if str(given["method"]) == "NPU" else MinMax(n_clusters)
    start = process_time()
    try:
        asker.fit(X, oracle=oracle)
    except TimeIsUpError:
        pass
    except Exception as error:  # whatever ends the peer's run is a result too; MinMax ends so when no item is left
        print(f"the peer ended: {type(error).__name__}", file=sys.stderr)
    seconds = process_time() - start
    steps, labels, until = [], [], monotonic() + limit
    for step in [s for s in STEPS if s < len(oracle.said)] + [len(oracle.said)]:
        if step == 0 or monotonic() > until:
            break
        must_link = [[i, j] for i, j, same in oracle.said[:step] if same]
        cannot_link = [[i, j] for i, j, same in oracle.said[:step] if not same]
        model = MPCKMeans(n_clusters)
        try:
            model.fit(X, ml=must_link, cl=cannot_link)
        except Exception as error:
            print(f"the peer's clusters failed: {type(error).__name__}", file=sys.stderr)
            continue
        steps.append(step)
        labels.append(model.labels_)
    labels = np.array(labels) if labels else np.empty((0, len(X)), int)
    np.savez(sys.argv[2], labels=labels, steps=steps, seconds=seconds / max(len(oracle.said), 1))


if __name__ == "__main__":
    main()
