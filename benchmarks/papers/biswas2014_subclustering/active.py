"""Active subclustering on the generated set: SJC against questions, and the seconds a question takes."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from benchmarks.papers.biswas2014_subclustering.sets import generated
from benchmarks.record import keep
from likewise.metrics import subclustering_jaccard
from likewise.query import ActiveSubclustering
from likewise.query.base import State
from likewise.query.question import Answer

CONFIG = {
    "n": 51_418,
    "n_classes": 200,
    "d": 128,
    "spread": 1.5,
    "size": 10,
    "seed": 0,
    "probability": "shared",
    "budget": 143_000,
    "every": 1000,
    "max_seconds": 900,
}


def main() -> None:
    data = generated(CONFIG["n"], CONFIG["n_classes"], CONFIG["d"], CONFIG["spread"], CONFIG["seed"])
    # The state itself and not a session, which looks through all answers before every question.
    state = State(data.X.astype(np.float64), "euclidean", CONFIG["n_classes"], CONFIG["seed"])
    strategy = ActiveSubclustering(size=CONFIG["size"], probability=CONFIG["probability"])
    started = begun = perf_counter()
    strategy.subclusters(state)
    setup = perf_counter() - started
    rows, spent, worked = [], 0.0, 0.0
    for count in range(CONFIG["budget"] + 1):
        started, cpu = perf_counter(), process_time()
        questions = strategy.ask(state)
        spent += perf_counter() - started
        worked += process_time() - cpu
        settled = not questions or questions[0].score == 0.0
        if count % CONFIG["every"] == 0 or settled:
            score = subclustering_jaccard(data.truth, strategy.subclusters(state))
            rows.append({"questions": count, "sjc": score, "seconds": spent, "cpu_seconds": worked})
            each = 1000 / max(count, 1)
            print(
                f"{count:7d} questions: SJC {score:.4f}, {each * spent:.2f} ms a question, {each * worked:.2f} ms of a core",
                flush=True,
            )
        if settled or rows[-1]["sjc"] == 1.0 or perf_counter() - begun > CONFIG["max_seconds"]:
            break
        i, j = questions[0].items
        said = "same" if data.truth[i] == data.truth[j] else "different"
        state.history.append(Answer("pair", (i, j), said))
        state.constraints.add(i, j, said)
    results = {"setup_seconds": setup, "curve": rows}
    keep(Path(__file__).with_name("active.json"), config={**CONFIG, "runs": 1}, results=results)


if __name__ == "__main__":
    main()
