"""Compiles the kernels of the default asker, once for all processes of the tests: ``python -m tools.compile``."""

from __future__ import annotations

import numpy as np

from likewise import Session


def main() -> None:
    """Ask and answer a little, with vectors and with distances."""
    rng = np.random.default_rng(0)
    truth = np.arange(90) % 3
    X = rng.normal(size=(90, 4)) + 2 * truth[:, None]
    for metric in ("euclidean", "precomputed"):
        data = X if metric == "euclidean" else np.linalg.norm(X[:, None] - X, axis=2)
        session = Session(data, metric=metric, random_state=0, recheck=True)
        for _ in range(60):
            question = session.ask()
            i, j = question.items
            session.answer(question, "same" if truth[i] == truth[j] else "different")
        session.check()
        session.quality()


if __name__ == "__main__":
    main()
