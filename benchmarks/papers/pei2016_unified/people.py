"""Pairs against triplets of the same people (Fig. 3.9 and 3.10), with simulated people who err and take time as the thesis' did.

``LIKEWISE_DATA=… python -m benchmarks.papers.pei2016_unified.people [--people 24] [--kept FOLDER]`` keeps ``people.json``. Everybody
answers 195 pairs and 130 triplets about seven species of flowers, seen by the default network and, as the thesis has 128 numbers
made by hand, by hand-made descriptors. What they say is drawn from the confusions of Table 3.9, how
long they take from Table 3.6: a mean by what is said, times a factor of the person.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from benchmarks.askers.sets import numbered
from benchmarks.papers.pei2016_unified.__main__ import CHOSEN, vectors
from benchmarks.record import data_folder, keep
from likewise.cluster import DiscriminativeClustering
from likewise.crowd import StudyAnswer, compare_forms, deal_study, true_answer
from likewise.images import describe

PAIRS, TRIPLETS = 195, 130
CONFUSION = {  # Table 3.9: rows the truth, columns what was said
    "pair": (("different", "same"), [[158.54, 4.54], [2.00, 29.92]]),
    "triplet": (
        ("none", "ab", "ac", "bc"),
        [[75.88, 1.46, 1.73, 2.15], [0.88, 14.12, 0.08, 0.15], [1.19, 0.12, 13.42, 0.15], [1.23, 0.08, 0.04, 17.31]],
    ),
}
SECONDS = {"same": 2.41, "different": 2.04, "none": 4.09, "ab": 4.02, "ac": 4.02, "bc": 4.02}  # Table 3.6
SPREAD = 0.34  # of people's factors: 0.71 / 2.10 s of pairs, and 1.41 / 4.05 s of triplets
EPSILON = 0.15  # §3.5.2.3


def described() -> tuple[np.ndarray, np.ndarray] | None:
    """The five descriptors of the seven species, their roots, by principal components a fifth as many; classes."""
    table, classes = CHOSEN["flowers-7"]
    folder = data_folder("images", table)
    if folder is None:
        return None
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    truth = numbered([p.parent.name for p in files])
    chosen = np.flatnonzero(np.isin(truth, classes))
    return describe([files[k] for k in chosen], root=True, pca="fifth", workers=1), truth[chosen]


def answers_of(person: int, truth: np.ndarray, names: list[str]) -> list[StudyAnswer]:
    """What one person says in a study."""
    rng = np.random.default_rng([person, 39])
    factor = float(np.exp(SPREAD * rng.normal() - SPREAD**2 / 2))
    found = []
    for form, items, _ in deal_study(range(len(truth)), f"person {person}", pairs=PAIRS, triplets=TRIPLETS):
        values, counts = CONFUSION[form]
        row = np.array(counts[values.index(true_answer(form, truth[list(items)].tolist()))])
        said = str(rng.choice(values, p=row / row.sum()))
        named = tuple(names[item] for item in items)
        found.append(StudyAnswer("flowers-7", f"person {person}", form, said, None, factor * SECONDS[said], named))
    return found


def run(people: int, X: np.ndarray, truth: np.ndarray) -> list[dict]:
    """A row a budget, form and fifth, with the F, answers and right answers of every person."""
    names = [str(k) for k in range(len(truth))]
    table: dict[tuple[str, str, float], dict[str, list[float]]] = {}
    for person in range(people):
        answers = answers_of(person, truth, names)
        given = {"by": DiscriminativeClustering(epsilon=EPSILON), "n_clusters": 7, "random_state": person}
        for along in ("items", "seconds"):
            for row in compare_forms(answers, X, names, truth.tolist(), along=along, **given):
                kept = table.setdefault((along, row["form"], row["share"]), {"f": [], "answers": [], "right": []})
                for key, value in (("f", row["f_measure"]), ("answers", row["answers"]), ("right", row["right"])):
                    kept[key].append(round(value, 4))
        print(person, {key: values["f"][-1] for key, values in table.items() if key[2] == 1.0}, flush=True)
    return [
        {"along": along, "form": form, "share": share, **{f"{key}_by_person": values for key, values in kept.items()}}
        for (along, form, share), kept in table.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--people", type=int, default=24)
    parser.add_argument("--kept", type=Path)
    given = parser.parse_args()
    sets = {"network": vectors("flowers-7", given.kept), "descriptors": described()}
    if None in sets.values():
        return
    config = {"set": "flowers-7", "people": given.people, "pairs": PAIRS, "triplets": TRIPLETS, "epsilon": EPSILON}
    rows = [{"vectors": name, **row} for name, found in sets.items() for row in run(given.people, *found)]
    keep(Path(__file__).parent / "people.json", config=config, results=rows)


if __name__ == "__main__":
    main()
