"""The Bayesian asker at sonar's size: elliptical slice sampling beside slices along one coordinate after the other.

Both start from the same draws after 59 answers, take in the sixtieth and choose the next pair. Steps count by the effective
sample size that they bring: autocorrelation times are measured on chains of both samplers, from the same draws. Seconds are those of
the processor: the machine may be shared.
"""

from __future__ import annotations

from pathlib import Path
from time import process_time

import numpy as np
from numba import njit

from benchmarks.askers.sets import load
from benchmarks.record import keep
from likewise import Session
from likewise.cluster.logistic.answer_forest import AnswerForest
from likewise.cluster.logistic.particles import Particles
from likewise.kernels.inference.forest_messages import log_likelihood, mean_entropy
from likewise.metrics import pairwise_f
from likewise.query import BayesianActive

CONFIG = {
    "set": "sonar",
    "n_answers": 60,
    "n_moves": 8,
    "chains": 8,
    "elliptical_sweeps": 200,
    "coordinate_sweeps": 25,
    "width": 1.0,
    "seed": 0,
    "threads": 1,
}


@njit(cache=True)
def log_potential(scores, forest, epsilon, tau, own, belief, work):
    """log P(answers | W) - τ mean entropy, for scores (n, k)."""
    for i in range(len(forest.nodes)):
        for y in range(scores.shape[1]):
            own[y, i] = scores[forest.nodes[i], y]
    return log_likelihood(own, forest, epsilon, belief, work) - tau * mean_entropy(scores)


@njit(cache=True)
def sweep_coordinates(X, W, scores, potential, penalty, width, forest, epsilon, tau, rng):
    """Slice sampling (stepping out, shrinking) of every weight of every particle once; scores change by one column."""
    s, d, k = W.shape
    m = len(forest.nodes)
    own, belief, work = np.empty((k, m)), np.empty((k, m)), np.empty(m)
    trial = np.empty_like(scores[0])
    for a in range(s):
        for j in range(d):
            for y in range(k):
                old = W[a, j, y]
                level = potential[a] - 0.5 * penalty * old * old + np.log(rng.random())
                low = old - width * rng.random()
                high = low + width
                for side in range(2):
                    for _ in range(50):
                        at = low if side == 0 else high
                        trial[:] = scores[a]
                        for i in range(len(trial)):
                            trial[i, y] += (at - old) * X[i, j]
                        value = log_potential(trial, forest, epsilon, tau, own, belief, work)
                        if value - 0.5 * penalty * at * at < level:
                            break
                        if side == 0:
                            low -= width
                        else:
                            high += width
                for _ in range(100):
                    at = low + (high - low) * rng.random()
                    trial[:] = scores[a]
                    for i in range(len(trial)):
                        trial[i, y] += (at - old) * X[i, j]
                    value = log_potential(trial, forest, epsilon, tau, own, belief, work)
                    if value - 0.5 * penalty * at * at >= level:
                        W[a, j, y] = at
                        potential[a] = value
                        scores[a] = trial
                        break
                    if at < old:
                        low = at
                    else:
                        high = at


def sweep(particles: Particles, rng: np.random.Generator) -> None:
    forest, prior = particles.forest, particles.prior
    potential = particles.likelihood - prior.tau * particles.entropy
    sweep_coordinates(
        particles.X,
        particles.W,
        particles.scores,
        potential,
        prior.regularization,
        CONFIG["width"],
        forest,
        prior.epsilon,
        prior.tau,
        rng,
    )
    particles._refresh()


def statistics(particles: Particles) -> np.ndarray:
    """Chances of 12 pairs to be the same and the likelihood, (s, 13): what does not change when clusters swap numbers."""
    p = np.exp(particles.scores - particles.scores.max(axis=2, keepdims=True))
    p /= p.sum(axis=2, keepdims=True)
    pairs = np.random.default_rng(1).choice(p.shape[1], (12, 2), replace=False)
    same = [(p[:, i] * p[:, j]).sum(axis=1) for i, j in pairs]
    return np.column_stack([*same, particles.likelihood])


def autocorrelation_time(trace: np.ndarray) -> float:
    """Integrated autocorrelation time, averaged over statistics, of (steps, chains, statistics); Sokal's window."""
    centred = trace - trace.mean(axis=(0, 1))
    variance = (centred**2).mean(axis=(0, 1))
    times = []
    for q in range(trace.shape[2]):
        total = 1.0
        for lag in range(1, len(trace) // 2):
            rho = (centred[:-lag, :, q] * centred[lag:, :, q]).mean() / variance[q]
            total += 2.0 * rho
            if lag > 5.0 * total:
                break
        times.append(max(total, 1.0))
    return float(np.mean(times))


def chain(particles: Particles, step, n_steps: int) -> float:
    trace = []
    for _ in range(n_steps):
        step(particles)
        trace.append(statistics(particles))
    return autocorrelation_time(np.array(trace)[n_steps // 10 :])


def few(particles: Particles) -> Particles:
    return Particles(particles.X, particles.W[: CONFIG["chains"]].copy(), particles.prior, particles.forest)


def timed(run) -> float:
    start = process_time()
    run()
    return process_time() - start


def main() -> None:
    found = load(f"{CONFIG['set']}:z")
    if found is None:
        return
    X, truth = found
    session = Session(X, strategy=BayesianActive(n_moves=CONFIG["n_moves"]), n_clusters=2, random_state=CONFIG["seed"])
    for _ in range(CONFIG["n_answers"]):
        question = session.ask()
        i, j = question.items
        session.answer(question, "same" if truth[i] == truth[j] else "different")
    strategy, state = session.strategy, session.state
    said = strategy._statements(state)
    after = strategy.posterior(state)
    before = strategy.posterior(state.after(CONFIG["n_answers"] - 1))
    rng = np.random.default_rng(CONFIG["seed"])
    left, right = strategy.candidates(state)

    elliptical = chain(few(after), lambda p: p.move(rng, 1), CONFIG["elliptical_sweeps"])
    coordinate = chain(few(after), lambda p: sweep(p, rng), CONFIG["coordinate_sweeps"])
    sweeps = CONFIG["n_moves"] * coordinate / elliptical

    ours = min(timed(lambda: before.listen(said, rng, CONFIG["n_moves"]).score(left, right)) for _ in range(3))
    base = min(timed(lambda: before.listen(said, rng, 0).score(left, right)) for _ in range(3))
    told = few(before.listen(said, rng, 0))
    # The cost of a sweep is proportional to the number of particles.
    one_sweep = min(timed(lambda: sweep(told, rng)) for _ in range(3)) * len(after.W) / len(told.W)
    theirs = base + sweeps * one_sweep
    results = {
        "particles": len(after.W),
        "nodes": len(AnswerForest.of(said).nodes),
        "autocorrelation_time_elliptical_sweeps": elliptical,
        "autocorrelation_time_coordinate_sweeps": coordinate,
        "coordinate_sweeps_of_equal_effective_sample_size": sweeps,
        "seconds_elliptical": ours,
        "seconds_coordinate": theirs,
        "seconds_without_moves": base,
        "seconds_of_one_sweep": one_sweep,
        "ratio": ours / theirs,
        "pairwise_f_after_the_answers": pairwise_f(truth, session.labels_),
    }
    for name, value in results.items():
        print(f"{name}: {value:.4g}")
    keep(Path(__file__).with_suffix(".json"), config=CONFIG, results=results)


if __name__ == "__main__":
    main()
