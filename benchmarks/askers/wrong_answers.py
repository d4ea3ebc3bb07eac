"""Wrong answers: one in fifty, twenty and ten, among look-alikes, and one person of three who says the opposite.

``LIKEWISE_DATA=… python -m benchmarks.askers.wrong_answers [PART ...] [--sets …] [--seeds N] [--kept FOLDER]``; parts are
even, alike, people and long. What is kept already is not run again.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.askers.sets import load
from benchmarks.record import keep
from likewise import Question, Session
from likewise.metrics import ari
from likewise.simulate import SimulatedAnnotator

KEPT = Path(__file__).with_suffix(".json")
SETS = ("iris", "wine:z", "scene-300", "digits-500", "orl-faces", "flowers-17", "digits")
PARTS = ("even", "alike", "people", "long")
RATES = (0.02, 0.05, 0.1)
MOST, MOST_LONG = 4000, 3000
EVERY_DOUBTS = 25  # answers between two looks at what is doubted
EDGES = (0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)  # of the probabilities of being wrong
OTHER = {"same": "different", "different": "same"}
HONEST_ANSWERS = 240  # of the two honest people together


class Alike(SimulatedAnnotator):
    """Errs in a tenth of all pairs drawn at random, and the more the closer two items are for what they are."""

    def __init__(self, X, truth, rate: float, random_state: int) -> None:
        super().__init__(truth, error_rate=rate, random_state=random_state)
        self.X, self.rate = X, rate
        i, j = np.random.default_rng(random_state).integers(0, len(X), (2, 20_000))
        gap, same = np.linalg.norm(X[i] - X[j], axis=1), truth[i] == truth[j]
        self.gaps = {value: np.sort(gap[(same == value) & (i != j)]) for value in (True, False)}

    def answer(self, question: Question) -> Any:
        """Pairs that are the same and far apart, or different and close, are three times as often wrong as on average."""
        i, j = question.items
        same = bool(self.truth[i] == self.truth[j])
        at = np.searchsorted(self.gaps[same], np.linalg.norm(self.X[i] - self.X[j])) / len(self.gaps[same])
        hard = at if same else 1 - at
        self.error_rate = self.rate * 3 * hard**2  # the mean of 3 u² is 1
        return super().answer(question)


def load_set(name: str, kept: Path | None) -> tuple[np.ndarray, np.ndarray] | None:
    """A set, or 500 of the digits."""
    found = load(name.removesuffix("-500"), kept)
    if found is None or not name.endswith("-500"):
        return found
    some = np.random.default_rng(0).permutation(len(found[0]))[:500]
    return found[0][some], found[1][some]


def run(X, truth, person: SimulatedAnnotator, seed: int, budget: int, recheck: bool) -> dict[str, Any]:
    """The index after every fifth answer and the last, and what became of the wrong answers."""
    session = Session(X, random_state=seed, recheck=recheck)
    curve: dict[int, float] = {}
    seconds: list[float] = []
    n_again = 0
    doubts = np.zeros((3, len(EDGES) - 1))
    while len(session.history) < budget:
        start = perf_counter()
        question = session.ask()
        seconds.append(perf_counter() - start)
        if question is None:
            break
        n_again += question.again
        session.answer(question, person.answer(question))
        if len(session.history) % 5 == 0:
            curve[len(session.history)] = ari(truth, session.labels_)
        if recheck and len(session.history) % EVERY_DOUBTS == 0:
            tally_doubts(session, truth, doubts)
    curve[len(session.history)] = ari(truth, session.labels_)
    aside = [conflict.statement for conflict in session.conflicts]
    wrong = sum((relation == "same") != (truth[i] == truth[j]) for i, j, relation in aside)
    return {
        "answers": len(session.history),
        "ended": len(session.history) < budget,
        "end": curve[len(session.history)],
        "best": max(curve.values()),
        "to_95": next((n for n, value in curve.items() if value >= 0.95), None),
        "fall": fall(list(curve.values())),
        "again": n_again,
        "aside": len(aside),
        "rightly_aside": int(wrong),
        "doubts": doubts.round(4).tolist() if recheck else None,
        "median_seconds": float(np.median(seconds)),
        "curve": {n: round(value, 4) for n, value in curve.items() if n % 25 == 0 or n == len(session.history)},
    }


def tally_doubts(session: Session, truth: np.ndarray, tally: np.ndarray) -> None:
    """Add statements, by how probably they are wrong: how many, their probabilities, and how many are wrong."""
    found = session.strategy.doubts(session.state)
    said = found.of_statements()
    wrong = (truth[found.near] == truth[found.far]) != found.same
    at = np.clip(np.searchsorted(EDGES, said, side="right") - 1, 0, len(EDGES) - 2)
    for row, values in zip(tally, (np.ones(len(at)), said, wrong), strict=True):
        row += np.bincount(at, values, len(row))


def fall(values: list[float]) -> float:
    """How far the last is below the best."""
    return max(values) - values[-1]


def even(name: str, X, truth, seed: int, results: dict[str, Any]) -> None:
    """Right answers with and without rechecking, and wrong ones at twice what right ones need to an index of .95."""
    right = results.setdefault(f"right/{name}/{seed}", {})
    for recheck in (False, True):
        if str(recheck) not in right:
            right[str(recheck)] = run(X, truth, SimulatedAnnotator(truth), seed, MOST, recheck)
    budget = 2 * right["False"]["to_95"]
    for rate in RATES:
        found = results.setdefault(f"even {rate}/{name}/{seed}", {})
        for recheck in (False, True):
            if str(recheck) not in found:
                person = SimulatedAnnotator(truth, error_rate=rate, random_state=seed)
                found[str(recheck)] = run(X, truth, person, seed, budget, recheck)
        print(name, seed, rate, budget, {key: round(one["end"], 3) for key, one in found.items()}, flush=True)


def alike(name: str, X, truth, seed: int, results: dict[str, Any]) -> None:
    """The same with errors among look-alikes."""
    budget = 2 * results[f"right/{name}/{seed}"]["False"]["to_95"]
    found = results.setdefault(f"alike 0.1/{name}/{seed}", {})
    for recheck in (False, True):
        if str(recheck) not in found:
            found[str(recheck)] = run(X, truth, Alike(X, truth, 0.1, seed), seed, budget, recheck)
    print(name, seed, "alike", {key: round(one["end"], 3) for key, one in found.items()}, flush=True)


def long(name: str, X, truth, seed: int, results: dict[str, Any]) -> None:
    """Up to 3,000 answers."""
    for rate in RATES:
        key = f"long {rate}/{name}/{seed}"
        if key not in results:
            person = SimulatedAnnotator(truth, error_rate=rate, random_state=seed)
            results[key] = run(X, truth, person, seed, MOST_LONG, True)
        one = results[key]
        print(key, one["answers"], round(one["end"], 3), round(one["best"], 3), round(one["fall"], 3), flush=True)


def people(name: str, X, truth, seed: int, results: dict[str, Any]) -> None:
    """Three people who take turns, 2 % wrong; one says the opposite, or all are honest; and without that one."""
    for who in (("ann", "bob", "liar"), ("ann", "bob", "cid"), ("ann", "bob")):
        key = f"people {'+'.join(who)}/{name}/{seed}"
        if key not in results:
            results[key] = with_people(X, truth, seed, who)
        print(key, results[key], flush=True)


def with_people(X, truth, seed: int, who: tuple[str, ...]) -> dict[str, Any]:
    """Who was suspected, after how many of their answers, and the index in the end."""
    session = Session(X, random_state=seed, recheck=True)
    persons = {
        each: SimulatedAnnotator(truth, error_rate=0.02, random_state=10 * seed + k) for k, each in enumerate(who)
    }
    counts, suspected, turn = dict.fromkeys(who, 0), {}, 0
    while sum(counts[each] for each in ("ann", "bob")) < HONEST_ANSWERS:
        name = who[turn % len(who)]
        turn += 1
        question = session.ask(annotator=name)
        if question is None:
            break
        said = persons[name].answer(question)
        session.answer(question, OTHER[said] if name == "liar" else said, annotator=name)
        counts[name] += 1
        for each in session.annotators_.values():
            if each.suspicion:
                suspected.setdefault(each.annotator, counts[each.annotator])
    now = {each.annotator: each.suspicion for each in session.annotators_.values() if each.suspicion}
    return {"end": ari(truth, session.labels_), "answers": counts, "suspected_after": suspected, "suspected": now}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", default=PARTS, help=", ".join(PARTS))
    parser.add_argument("--sets", nargs="*", default=SETS)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--kept", type=Path, help="folder in which embeddings are kept")
    given = parser.parse_args()
    results = json.loads(KEPT.read_text())["results"] if KEPT.exists() else {}
    config = {"rates": RATES, "most": MOST, "most_long": MOST_LONG, "honest_answers": HONEST_ANSWERS}
    config |= {"every_doubts": EVERY_DOUBTS, "edges": EDGES}
    for part in given.parts:
        for seed in range(given.seeds):
            for name in given.sets:
                found = load_set(name, given.kept)
                if found is not None:
                    {"even": even, "alike": alike, "people": people, "long": long}[part](name, *found, seed, results)
                    keep(KEPT, config=config, results=results, adds=True)


if __name__ == "__main__":
    main()
