"""DistLQP beside OSQP and Clarabel on the same program: seconds and objective, and a run at 10,000 items.

Seconds are of processor time on one thread. Every solver is run in its own process, so that its memory is its own. OSQP
stops after ``osqp_seconds``, as it does not reach its tolerance in reasonable time on programs of this size.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from time import process_time

import numpy as np
from scipy import sparse

from benchmarks.record import keep
from likewise.constraints import as_pairs
from likewise.distances import DistLQP, pairwise
from likewise.distances.edge_program import Prices, Solver, codes_of, graph_program

CONFIG = {
    "items": 1042,
    "classes": 62,
    "constraints": 5000,
    "share of must-links": 0.2,
    "alpha": [2, 8],
    "tol": [5e-5, 1e-5],
    "osqp_seconds": 60,
    "seed": 0,
    "large": {"items": 10000, "classes": 50, "constraints": 25000, "alpha": 3},
    "seconds": "processor time, one thread",
}


def make_case(n: int, n_classes: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Distances between Gaussian classes, the largest 1, and constraints, a fifth of them must-links."""
    rng = np.random.default_rng(CONFIG["seed"])
    truth = rng.integers(n_classes, size=n)
    D = pairwise(rng.normal(size=(n_classes, 20))[truth] + 0.7 * rng.normal(size=(n, 20)))
    D /= D.max()
    pairs = np.unique(np.sort(rng.integers(n, size=(60 * count, 2)), axis=1), axis=0)
    pairs = rng.permutation(pairs[pairs[:, 0] < pairs[:, 1]])
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    n_must = int(count * CONFIG["share of must-links"])
    return D, pairs[same][:n_must], pairs[~same][: count - n_must]


def written_out(alpha: float) -> tuple[Solver, tuple]:
    """The program of DistLQP as P, q, A, b of a generic solver: minimise x'Px/2 + q'x, Ax ≤ b."""
    D, must, cannot = make_case(CONFIG["items"], CONFIG["classes"], CONFIG["constraints"])
    prices = Prices(0.01, float(D.max()) / alpha, 10.0, 1.0)
    n = len(D)
    program = graph_program(D, codes_of(as_pairs(must, n), n), codes_of(as_pairs(cannot, n), n), 20, prices)
    solver = Solver(program, prices)
    n_edges, n_said, n_triangles = len(program.lengths), len(solver.edges), len(program.triangles)
    P = sparse.diags(np.concatenate([np.where(solver.free, 2.0, 0.0), np.zeros(n_said)]), format="csc")
    q = np.concatenate([np.where(solver.free, -2.0 * program.lengths, 0.0), solver.price])
    rows = np.repeat(np.arange(3 * n_triangles), 3)
    signs = np.tile([1.0, -1.0, -1.0, -1.0, 1.0, -1.0, -1.0, -1.0, 1.0], n_triangles)
    columns = np.repeat(program.triangles, 3, axis=0).ravel()
    triangles = sparse.csc_array((signs, (rows, columns)), shape=(3 * n_triangles, n_edges + n_said))
    slack = n_edges + np.arange(n_said)
    at = np.tile(np.arange(n_said), 2)
    values = np.concatenate([-solver.sign, np.full(n_said, -1.0)])
    bounds = sparse.csc_array((values, (at, np.concatenate([solver.edges, slack]))), shape=(n_said, n_edges + n_said))
    positive = sparse.csc_array(-sparse.eye_array(n_edges + n_said))
    A = sparse.csc_matrix(sparse.vstack([triangles, bounds, positive]))
    b = np.concatenate([np.zeros(3 * n_triangles), -solver.sign * solver.bound, np.zeros(n_edges + n_said)])
    return solver, (sparse.csc_matrix(P), q, A, b, float((program.lengths[solver.free] ** 2).sum()))


def by_clarabel(alpha: float) -> dict:
    import clarabel

    _, (P, q, A, b, constant) = written_out(alpha)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    start = process_time()
    found = clarabel.DefaultSolver(P, q, A, b, [clarabel.NonnegativeConeT(len(b))], settings).solve()
    return {
        "seconds": process_time() - start,
        "objective": found.obj_val + constant,
        "status": str(found.status),
        "rows": len(b),
    }


def by_osqp(alpha: float) -> dict:
    import osqp

    _, (P, q, A, b, constant) = written_out(alpha)
    model = osqp.OSQP()
    start = process_time()
    limits = {"eps_abs": 1e-5, "eps_rel": 1e-5, "max_iter": 10**6, "time_limit": CONFIG["osqp_seconds"]}
    model.setup(P, q, A, np.full(len(b), -np.inf), b, verbose=False, **limits)
    found = model.solve()
    return {
        "seconds": process_time() - start,
        "objective": found.info.obj_val + constant,
        "broken by": float(np.maximum(A @ found.x - b, 0.0).max()),
        "status": found.info.status,
    }


def by_ours(alpha: float, tol: float) -> dict:
    D, must, cannot = make_case(CONFIG["items"], CONFIG["classes"], CONFIG["constraints"])
    DistLQP().fit(D[:50, :50], must_link=[(0, 1)], cannot_link=[(0, 2)])  # compile
    model = DistLQP(alpha=alpha, tol=tol)
    start = process_time()
    model.fit(D, must_link=must, cannot_link=cannot)
    seconds = process_time() - start
    warm = DistLQP(alpha=alpha, tol=tol, warm_start=True).fit(D, must_link=must[:-10], cannot_link=cannot[:-40])
    start = process_time()
    warm.fit(D, must_link=must, cannot_link=cannot)
    return {
        "seconds": seconds,
        "objective": model.objective_,
        "gap": model.gap_,
        "edges": model.n_edges_,
        "triangles": model.n_triangles_,
        "seconds after 50 more constraints, warm": process_time() - start,
    }


def at_scale() -> dict:
    large = CONFIG["large"]
    D, must, cannot = make_case(large["items"], large["classes"], large["constraints"])
    DistLQP().fit(D[:50, :50], must_link=[(0, 1)], cannot_link=[(0, 2)])
    start = process_time()
    model = DistLQP(alpha=large["alpha"]).fit(D, must_link=must, cannot_link=cannot)
    return {
        "seconds": process_time() - start,
        "gap": model.gap_,
        "edges": model.n_edges_,
        "triangles": model.n_triangles_,
    }


def alone(name: str, *arguments: float) -> dict:
    """Run one of the functions above in its own process; its answer and its memory."""
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    command = [sys.executable, "-m", "benchmarks.speed.distlqp", name, *map(str, arguments)]
    done = subprocess.run(command, env={**os.environ, **one}, check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def main() -> None:
    if len(sys.argv) > 1:
        found = globals()[sys.argv[1]](*map(float, sys.argv[2:]))
        found["peak GB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        json.dump(found, sys.stdout)
        return
    rows = []
    for alpha in CONFIG["alpha"]:
        row = {"alpha": alpha, "Clarabel": alone("by_clarabel", alpha), "OSQP": alone("by_osqp", alpha)}
        for tol in CONFIG["tol"]:
            ours = alone("by_ours", alpha, tol)
            ours["times faster than Clarabel"] = row["Clarabel"]["seconds"] / ours["seconds"]
            ours["objective above Clarabel's"] = ours["objective"] / row["Clarabel"]["objective"] - 1
            row[f"ours, tol={tol:g}"] = ours
        rows.append(row)
        print(json.dumps(row, indent=1), flush=True)
    large = alone("at_scale")
    print(f"{CONFIG['large']}: {large}")
    keep(Path(__file__).with_suffix(".json"), config=CONFIG, results={"solvers": rows, "large": large})


if __name__ == "__main__":
    main()
