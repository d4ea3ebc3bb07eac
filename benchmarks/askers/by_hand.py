"""Right edits by hand, one after another: how good are the clusters that people see after each?

A simulated person who knows the truth edits the wall as the app shows it: splits off, moves, merges, confirms, names,
checks on grids, says yes and no to suggestions. The engine, the wall and the edits are those of the app, without the
server. Run: ``python -m benchmarks.askers.by_hand``.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.askers.sets import load
from likewise.app import edits
from likewise.app.edits import Board, Edit
from likewise.app.engine import Engine
from likewise.app.evidence import Evidence, SourcedLedger
from likewise.app.wall import Wall, wall_of_log
from likewise.metrics import ari, pairwise_f
from likewise.store import Entry, Log

RESULTS = Path(__file__).with_name("by_hand.json")
SETS = {"600 flowers": ("flowers-17", 600), "1,360 flowers": ("flowers-17", None), "orl-faces": ("orl-faces", None)}
KINDS = ("split", "group", "move", "merge", "confirm", "grid", "name", "suggested")
GRID = 24


class Hands:
    """A project in memory, and a person who knows the classes.

    - `X`, `truth`: Vectors and classes.
    - `seed`: All that is random is derived from it.
    """

    def __init__(self, X: np.ndarray, truth: np.ndarray, seed: int) -> None:
        self.truth, self.rng = truth, np.random.default_rng(seed)
        self.log, self.ledger = Log(), SourcedLedger()
        self.engine = Engine(seed=seed)
        self.engine.set_pictures(np.arange(len(X)), X)
        self.wall = Wall(0, {}, {}, 0)
        self.look()

    def store(self, kind: str, payload: dict[str, Any]) -> None:
        """Append an event."""
        entry = Entry(kind, payload, "me", f"key-{len(self.log)}").checked()
        self.log.add(entry.numbered(len(self.log) + 1, datetime.now(UTC)))

    def look(self) -> tuple[float, float]:
        """Let the engine read all events; ARI and pairwise F of what is shown then."""
        evidence = Evidence.of(self.log.votes())
        self.ledger.become(len(self.truth), evidence, outvote=True)
        self.engine.update(evidence, len(self.log))
        return self.show()

    def show(self) -> tuple[float, float]:
        """ARI and pairwise F of what is shown now."""
        evidence = Evidence.of(self.log.votes())
        self.ledger.become(len(self.truth), evidence, outvote=True)
        self.wall = wall_of_log(self.engine.cluster(), self.log, self.ledger.constraints, self.wall)
        labels = np.array([self.wall.cluster_of[k] for k in range(len(self.truth))])
        return float(ari(self.truth, labels)), float(pairwise_f(self.truth, labels))

    def answer(self, n: int) -> None:
        """Answer n questions rightly."""
        for _ in range(n):
            questions = self.engine.prepare(1).questions
            if not questions:
                return
            i, j = questions[0].items
            value = "same" if self.truth[i] == self.truth[j] else "different"
            self.store("answer", {"kind": "pair", "items": [i, j], "value": value})
            self.engine.update(Evidence.of(self.log.votes()), len(self.log))
        self.look()

    @property
    def board(self) -> Board:
        """What edits are made from."""
        return Board(self.wall, self.log.groups(), self.ledger.constraints)

    def edit(self, kind: str) -> bool:
        """Make a right edit of a kind, where there is one."""
        made = getattr(self, f"_{kind}")(self.board)
        if made is None or self.ledger.contradicted_by(made.answers()) or self.ledger.differing(made.together):
            return False
        self.store("edit", made.payload())
        return True

    def _class(self, images: Any) -> int:
        """The class of most of the pictures; of equal ones the smallest."""
        counts = Counter(self.truth[np.asarray(images)].tolist())
        return min(counts, key=lambda each: (-counts[each], each))

    def _numbers(self, wanted: Any) -> list[int]:
        found = [cluster.id for cluster in self.wall.clusters.values() if wanted(cluster)]
        return [int(k) for k in self.rng.permutation(found)]

    def _wrong(self, cluster: Any) -> list[int]:
        images = cluster.images
        return images[self.truth[images] != self._class(images)].tolist()

    def _split(self, board: Board) -> Edit | None:
        for number in self._numbers(lambda c: self._wrong(c)):
            wrong = self._wrong(self.wall.clusters[number])
            taken = self.rng.permutation(wrong)[: self.rng.integers(1, 15)].tolist()
            return edits.split_cluster(board, number, taken)
        return None

    def _group(self, board: Board) -> Edit | None:
        for number in self._numbers(lambda c: self._wrong(c)):
            wrong = self._wrong(self.wall.clusters[number])
            one = self._class(wrong)
            taken = [k for k in wrong if self.truth[k] == one][:14]
            return edits.split_cluster(board, number, taken, as_group=True)
        return None

    def _move(self, board: Board) -> Edit | None:
        homes = {self._class(c.images): c.id for c in sorted(self.wall.clusters.values(), key=lambda c: c.size)}
        for number in self._numbers(lambda c: self._wrong(c)):
            wrong = self._wrong(self.wall.clusters[number])
            to = homes.get(self._class(wrong))
            if to is not None and to != number:
                taken = [k for k in wrong if self.truth[k] == self._class(wrong)][:14]
                return edits.move_pictures(board, taken, to)
        return None

    def _merge(self, board: Board) -> Edit | None:
        by_class: dict[int, list[int]] = {}
        for number in self._numbers(lambda c: True):
            by_class.setdefault(self._class(self.wall.clusters[number].images), []).append(number)
        for numbers in by_class.values():
            if len(numbers) > 1:
                return edits.merge_clusters(board, numbers[:2])
        return None

    def _confirm(self, board: Board) -> Edit | None:
        for number in self._numbers(lambda c: not c.confirmed and c.size > 1 and not self._wrong(c)):
            return edits.confirm_cluster(board, number)
        return None

    def _name(self, board: Board) -> Edit | None:
        for number in self._numbers(lambda c: not c.name and c.size > 1):
            return edits.name_cluster(board, number, f"class {self._class(self.wall.clusters[number].images)}")
        return None

    def _grid(self, board: Board) -> Edit | None:
        for number in self._numbers(lambda c: c.size > len(c.placed) and c.size > 1):
            cluster = self.wall.clusters[number]
            core = [k for k in cluster.images.tolist() if k in cluster.placed] or board.core(number)
            items = [k for k in cluster.images[::-1].tolist() if k not in cluster.placed and k not in core][:GRID]
            odd = [k for k in items if self.truth[k] != self.truth[core[0]]]
            if items:
                return edits.check_cluster(board, number, items, odd)
        return None

    def _suggested(self, board: Board) -> Edit | None:
        for number in self._numbers(lambda c: len(c.suggested) > 0):
            cluster = self.wall.clusters[number]
            one = self._class(cluster.images)
            yes = [k for k in cluster.suggested.tolist() if self.truth[k] == one]
            no = [k for k in cluster.suggested.tolist() if self.truth[k] != one]
            return edits.move_pictures(board, yes, number) if yes else edits.reject_pictures(board, number, no)
        return None


def run(X: np.ndarray, truth: np.ndarray, seed: int, n_edits: int, n_answers: int) -> dict[str, Any]:
    """ARI and pairwise F after every edit, at once and after the engine has read it."""
    hands = Hands(X, truth, seed)
    hands.answer(n_answers)
    curve = [(*hands.show(), "start")]
    while len(curve) <= n_edits:
        for kind in hands.rng.permutation(KINDS).tolist():
            if hands.edit(kind):
                at_once = hands.show()
                read = hands.look()
                curve.append((min(at_once[0], read[0]), min(at_once[1], read[1]), kind))
                break
        else:
            break
    aris = [each[0] for each in curve]
    steps = np.diff(aris)
    return {
        "answers": n_answers,
        "edits": len(curve) - 1,
        "kinds": dict(Counter(kind for _, _, kind in curve[1:])),
        "start": aris[0],
        "end": aris[-1],
        "largest fall": float(-min(steps.min(), 0.0)) if len(steps) else 0.0,
        "largest fall by": curve[int(np.argmin(steps)) + 1][2] if len(steps) else "",
        "largest fall of F": float(-min(np.diff([each[1] for each in curve]).min(), 0.0)) if len(steps) else 0.0,
        "curve": [round(each, 4) for each in aris],
    }


def main() -> None:
    """Run all sets and keep the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--answers", type=int, nargs="*", default=[0, 60])
    parser.add_argument("--kept", type=Path)
    options = parser.parse_args()
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for name in options.sets:
        source, n = SETS[name]
        found = load(source, options.kept)
        if found is None:
            print(f"{name}: not there, skipped")
            continue
        X, truth = found
        chosen = np.sort(np.random.default_rng(0).permutation(len(X))[:n])
        runs = []
        for seed in range(options.seeds):
            for n_answers in options.answers:
                runs.append({"seed": seed, **run(X[chosen], truth[chosen], seed, options.edits, n_answers)})
                told = {key: value for key, value in runs[-1].items() if key != "curve"}
                print(name, json.dumps(told), flush=True)
        results[name] = runs
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
