"""24,945 answers of 176 paid workers on 8,315 pairs of products: accuracies, agreement, and what weighing gains.

``python -m benchmarks.crowd.product_pairs`` reads the file, imports it into a project, and again, and measures.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.record import data_folder, keep
from likewise.app.importing import Names, take_answers
from likewise.crowd import CrowdAnswer, crowd_quality, dawid_skene, majority
from likewise.formats import AnswerLine, read_answers
from likewise.query.answers.ledger import Ledger
from likewise.query.answers.taken import weigh_people
from likewise.query.question import Answer
from likewise.store import Store

HERE = Path(__file__).parent


def shares(decisions: dict[Any, str], truth: dict[Any, str]) -> dict[str, float]:
    """Accuracy over all pairs, and precision and recall of "same", of which there are few."""
    said = {unit for unit, value in decisions.items() if value == "same"}
    true = {unit for unit, value in truth.items() if value == "same"}
    right = len(said & true)
    return {
        "accuracy": sum(decisions[unit] == truth[unit] for unit in truth) / len(truth),
        "precision_of_same": right / len(said),
        "recall_of_same": right / len(true),
    }


def import_twice(answers: list[AnswerLine]) -> dict[str, Any]:
    """Into an empty project, once and again: what was new each time, and the seconds of the first."""
    with tempfile.TemporaryDirectory() as folder, Store.open(folder) as store:
        project = store.create_project("products")
        start = time.perf_counter()
        first = take_answers(project, answers, [], Names(project, None), add_unknown=True)
        seconds = time.perf_counter() - start
        again = take_answers(project, answers, [], Names(project, None), add_unknown=True)
        return {
            "events": len(project.events()),
            "annotators": len(project.annotators()),
            "things": project.n_images,
            "new": first.new,
            "new_again": again.new,
            "seconds": round(seconds, 2),
        }


def replayed(answers: list[AnswerLine]) -> tuple[dict[Any, str], dict[str, int]]:
    """What a session with `recheck` believes of every pair after all answers, and how many pairs and people it leaves out.

    People and statements are weighed in turn, at the end instead of every few answers. A pair that is open (none is
    where several spoke of each) counts as different, as most are.
    """
    number: dict[str, int] = {}
    said = [
        Answer("pair", tuple(number.setdefault(item, len(number)) for item in each.items), each.value, each.annotator)
        for each in answers
    ]
    ledger = Ledger(len(number))
    for answer in said:
        ledger.add(answer.statements()[0])
    ledger.outvote = True
    ledger.reweigh([1.0] * len(said))
    people = weigh_people(ledger, range(len(said)), said, {})
    known = {each.items: ledger.constraints.known(*answer.items) for each, answer in zip(answers, said, strict=True)}
    left_out = {
        "open_pairs": sum(value is None for value in known.values()),
        "people_not_counted": sum(bool(each.suspicion) for each in people.values()),
    }
    return {unit: value or "different" for unit, value in known.items()}, left_out


def halves(decisions: dict[str, dict[Any, str]], truth: dict[Any, str]) -> dict[str, dict[str, float]]:
    """Accuracy on the half of the pairs on which settings were chosen, and on the other."""
    first = np.random.default_rng(0).random(len(truth)) < 0.5
    parts = {"chosen_on": first, "other": ~first}
    found: dict[str, dict[str, float]] = {}
    for name, decided in decisions.items():
        right = np.array([decided[unit] == value for unit, value in truth.items()])
        found[name] = {part: float(right[some].mean()) for part, some in parts.items()}
    return found


def main() -> None:
    path = data_folder("crowd", "product-pairs.csv")
    if path is None:
        return
    answers, problems = read_answers(path)
    found = crowd_quality(CrowdAnswer(a.annotator, a.items, a.value, a.seconds, a.truth) for a in answers)
    units, values = [a.items for a in answers], [a.value for a in answers]
    truth = {a.items: a.truth for a in answers}
    accuracy = np.array([each.accuracy for each in found.annotators])
    consensus = dawid_skene(units, [a.annotator for a in answers], values)  # without the truth
    estimated = np.array([consensus.reliability[each.annotator] for each in found.annotators])
    many = np.array([each.answers >= 30 for each in found.annotators])
    replay, left_out = replayed(answers)
    results = {
        "answers": len(answers),
        "bad_lines": len(problems),
        "pairs": len(truth),
        "workers": len(found.annotators),
        "truth": dict(Counter(truth.values())),
        "alpha": found.figures["alpha"],
        "worker_accuracy": {
            "lowest": accuracy.min(),
            "quartiles": np.quantile(accuracy, [0.25, 0.5, 0.75]).tolist(),
            "highest": accuracy.max(),
            "lowest_of_30_answers_or_more": accuracy[many].min(),
            "highest_of_30_answers_or_more": accuracy[many].max(),
            "workers_of_30_answers_or_more": int(many.sum()),
            "all_answers": float(np.mean([a.value == a.truth for a in answers])),
        },
        "reliability_against_accuracy": {
            "correlation_of_30_answers_or_more": float(np.corrcoef(accuracy[many], estimated[many])[0, 1]),
            "mean_absolute_difference_of_30_answers_or_more": float(np.abs(accuracy - estimated)[many].mean()),
        },
        "always_different": shares_of_always_different(truth),
        "majority": shares(majority(units, values), truth),
        "weighted": shares(consensus.decisions(), truth),
        "replayed": shares(replay, truth) | left_out,
        "halves": halves(
            {"majority": majority(units, values), "weighted": consensus.decisions(), "replayed": replay}, truth
        ),
        "import": import_twice(answers),
    }
    keep(HERE / "product_pairs.json", config={"file": "crowd/product-pairs.csv", "smoothing": 1.0}, results=results)
    print(f"alpha {results['alpha']:.4f}")
    for name in ("majority", "weighted", "replayed"):
        print(name, {key: round(value, 4) for key, value in (results[name] | results["halves"][name]).items()})


def shares_of_always_different(truth: dict[Any, str]) -> float:
    """The accuracy of somebody who does not look."""
    return sum(value == "different" for value in truth.values()) / len(truth)


if __name__ == "__main__":
    main()
